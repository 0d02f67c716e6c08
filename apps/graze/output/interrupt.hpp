// Ctrl-C and SIGTERM: the first signal asks the running query to stop at its next progress report, the second ends
// the program at once.
#pragma once

#include <stdexcept>
#include <string>

namespace graze::app {

/// Installs the signal handlers. Called once, from main().
void catch_interrupts();

/// True once a signal has come. Callable from any thread.
bool interrupted();

/// Thrown by a command that stopped on a signal; the message says how to continue.
class Stopped : public std::runtime_error {
 public:
  explicit Stopped(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace graze::app
