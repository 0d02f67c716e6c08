// Exceptions of graze: one base class, and one class for each kind of failure.
//
// Error
//   InputError     invalid input from the caller: correct it and call again
//   ResourceError  the call needs more memory than its cap allows, or a GPU that is not there
//   Interrupted    a progress callback or a sink stopped the call
//
// graze also lets std::bad_alloc pass where the system runs out of memory.
#pragma once

#include <stdexcept>
#include <string>

#include <graze/export.hpp>

namespace graze {

/// Base class of the exceptions that graze throws itself. The message is one line.
class GRAZE_API Error : public std::runtime_error {
 public:
  /// `message` is the text that what() returns.
  explicit Error(const std::string& message) : std::runtime_error(message) {}
};

/// Invalid input from the caller. The message names the cause: body, index and value, or file and position. It is
/// thrown before any state changes.
class GRAZE_API InputError : public Error {
 public:
  /// `message` is the text that what() returns.
  explicit InputError(const std::string& message) : Error(message) {}
};

/// A query needs more memory than its `memory_cap` or the GPU allows, or a GPU that is not there. No partial answer
/// is returned, and the detector stays valid. The same query with what it lacks succeeds.
class GRAZE_API ResourceError : public Error {
 public:
  /// `message` is the text that what() returns.
  explicit ResourceError(const std::string& message) : Error(message) {}
};

/// A progress callback or a sink returned false and thereby stopped the call.
class GRAZE_API Interrupted : public Error {
 public:
  /// The text that what() returns is "interrupted".
  Interrupted() : Error("interrupted") {}
};

}  // namespace graze
