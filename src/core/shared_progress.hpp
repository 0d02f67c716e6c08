// A progress callback that several threads call, one at a time: for batches, whose parts end on any thread.
//
// A thread that finds another one in the callback goes on without a call. What stops the work is kept, and thrown
// by the thread that waits for all.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>

#include <graze/error.hpp>

namespace graze::core {

class SharedProgress {
 public:
  /// The callback must outlive this; without one nothing is ever called or stopped.
  explicit SharedProgress(const std::function<bool(double)>& callback) : callback_(callback) {}

  explicit operator bool() const { return static_cast<bool>(callback_); }

  /// Calls the callback with share(), unless it is being called, work has stopped, or share() is below 0. A call of
  /// share() sees what calls before it have seen. No exception leaves this.
  template <typename Share>
  void tell(const Share& share) {
    if (!callback_) return;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || stopped()) return;
    const double now = share();
    if (now < 0.0) return;
    try {
      if (!callback_(now)) throw Interrupted();
    } catch (...) {
      failure_ = std::current_exception();
      stopped_ = true;
    }
  }

  /// Whether the callback has returned false or thrown.
  [[nodiscard]] bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  /// Throws what stopped the work, if something did. To be called when no thread calls tell() any more.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  const std::function<bool(double)>& callback_;
  std::mutex mutex_;
  std::exception_ptr failure_;
  std::atomic<bool> stopped_{false};
};

}  // namespace graze::core
