// What graze throws: one base, one class for each kind of failure.
//
// Error
//   InputError     bad data from the caller: correct it and call again
//   ResourceError  the call needs more than its memory cap allows
//   Interrupted    a progress callback or a sink stopped the call
#pragma once

#include <stdexcept>
#include <string>

#include <graze/export.hpp>

namespace graze {

/// Base of everything that graze throws on purpose. The message is one line.
class GRAZE_API Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message) {}
};

/// Bad data from the caller. The message names the culprit: body, index and value, or file and position. Thrown
/// before anything changes.
class GRAZE_API InputError : public Error {
 public:
  explicit InputError(const std::string& message) : Error(message) {}
};

/// A query needs more memory than its `memory_cap`. Nothing is lost: the same call with a larger cap answers.
class GRAZE_API ResourceError : public Error {
 public:
  explicit ResourceError(const std::string& message) : Error(message) {}
};

/// A progress callback or a sink returned false.
class GRAZE_API Interrupted : public Error {
 public:
  Interrupted() : Error("interrupted") {}
};

}  // namespace graze
