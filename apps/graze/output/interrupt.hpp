// Ctrl-C and SIGTERM: the first asks the running query to stop at its next progress report, the second ends at
// once.
#pragma once

#include <stdexcept>
#include <string>

namespace graze::app {

/// Installs the handlers. Once, from main().
void catch_interrupts();

/// Has a signal come? Any thread.
bool interrupted();

/// Thrown by a command that stopped on a signal; the message says how to go on.
class Stopped : public std::runtime_error {
 public:
  explicit Stopped(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace graze::app
