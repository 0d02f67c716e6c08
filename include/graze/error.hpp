// What graze throws.
#pragma once

#include <stdexcept>
#include <string>

namespace graze {

/// Bad data from the caller: the message is one line that names the culprit (body, index and value, or file and
/// position). Thrown before anything changes.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace graze
