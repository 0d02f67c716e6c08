// The signal handler sets a flag and restores the default action for the second signal.
#include "output/interrupt.hpp"

#include <atomic>
#include <csignal>

namespace graze::app {
namespace {

std::atomic<bool> stop_asked{false};
static_assert(std::atomic<bool>::is_always_lock_free, "the handler may only touch lock-free atomics");

extern "C" void on_signal(int signal_number) {
  stop_asked.store(true);
  (void)std::signal(signal_number,
                    SIG_DFL);  // NOLINT(bugprone-signal-handler,cert-err33-c): allowed for its own signal
}

}  // namespace

void catch_interrupts() {
  (void)std::signal(SIGINT, on_signal);
  (void)std::signal(SIGTERM, on_signal);
}

bool interrupted() {
  return stop_asked.load();
}

}  // namespace graze::app
