// Implements core/tasks.hpp and core/nested_tasks.hpp on std::thread, for builds under the thread sanitizer. The
// sanitizer does not see how a oneTBB that was built without it passes tasks between threads, and would report
// every such transfer as a data race. Each loop starts and joins its own threads; a nested loop runs on the thread
// that calls it.
#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "core/nested_tasks.hpp"
#include "core/tasks.hpp"

namespace graze::core {

namespace {

thread_local unsigned thread_limit = 0;  // 0: one thread per core
thread_local bool inside_loop = false;

/// Sets a variable until the end of the scope.
template <typename T>
class Scoped {
 public:
  Scoped(T& variable, T value) : variable_(variable), before_(variable) { variable_ = value; }
  ~Scoped() { variable_ = before_; }
  Scoped(const Scoped&) = delete;
  Scoped& operator=(const Scoped&) = delete;

 private:
  T& variable_;
  T before_;
};

}  // namespace

void parallel_for(std::size_t begin, std::size_t end, std::size_t grain,
                  FunctionRef<void(std::size_t first, std::size_t last)> fn) {
  if (begin >= end) return;
  grain = std::max<std::size_t>(grain, 1);
  const std::size_t pieces = (end - begin - 1) / grain + 1;
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stopped{false};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    const Scoped<bool> scope(inside_loop, true);
    for (std::size_t i = next++; i < pieces && !stopped; i = next++) {
      try {
        const std::size_t first = begin + i * grain;
        fn(first, first + std::min(grain, end - first));
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        stopped = true;
      }
    }
  };
  const std::size_t limit = thread_limit != 0 ? thread_limit : std::max(1U, std::thread::hardware_concurrency());
  const std::size_t helpers = inside_loop ? 0 : std::min(limit, pieces) - 1;
  std::vector<std::thread> threads;
  threads.reserve(helpers);
  for (std::size_t i = 0; i < helpers; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

void with_threads(unsigned threads, FunctionRef<void()> fn) {
  const Scoped<unsigned> scope(thread_limit, threads);
  fn();
}

void run_nested(bool alone, FunctionRef<void()> fn) {
  const Scoped<bool> scope(inside_loop, inside_loop || alone);
  fn();
}

}  // namespace graze::core
