// Implements core/tasks.hpp and core/nested_tasks.hpp on oneTBB. No other file of the library includes oneTBB.
//
// With one thread oneTBB is bypassed: entering an arena costs a microsecond or more, and waking another thread for
// a loop of a few microseconds costs twenty times the loop.
#include "core/tasks.hpp"

#include "core/nested_tasks.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

namespace graze::core {

namespace {

/// Task context of the current thread. While a context with a flag set is active, this thread runs no task of an
/// unrelated call: with `alone` it never waits for another thread, and otherwise its waits are isolated.
struct TaskContext {
  bool alone = false;    ///< loops run on this thread only
  bool present = false;  ///< with_threads keeps the current arena
};
thread_local TaskContext task_context;

class Scoped {
 public:
  explicit Scoped(TaskContext now) : before_(std::exchange(task_context, now)) {}
  ~Scoped() { task_context = before_; }
  Scoped(const Scoped&) = delete;
  Scoped& operator=(const Scoped&) = delete;

 private:
  TaskContext before_;
};

}  // namespace

void parallel_for(std::size_t begin, std::size_t end, std::size_t grain,
                  FunctionRef<void(std::size_t first, std::size_t last)> fn) {
  if (begin >= end) return;
  grain = std::max<std::size_t>(grain, 1);
  if (end - begin <= grain) return fn(begin, end);
  if (task_context.alone) {
    for (; end - begin > grain; begin += grain) fn(begin, begin + grain);
    return fn(begin, end);
  }
  // simple_partitioner splits down to the grain, whatever the number of threads.
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(begin, end, grain),
      [&](const tbb::blocked_range<std::size_t>& range) { fn(range.begin(), range.end()); },
      tbb::simple_partitioner());
}

void with_threads(unsigned threads, FunctionRef<void()> fn) {
  if (task_context.present) return fn();
  if (threads == 1) {
    const Scoped scope({.alone = true});
    return fn();
  }
  const int cores = tbb::info::default_concurrency();
  const int wanted = threads == 0 ? cores : static_cast<int>(std::min(threads, 1024U));
  // By default oneTBB limits itself to one worker fewer than there are cores.
  std::optional<tbb::global_control> more;
  if (wanted > cores) {
    more.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(wanted));
  }
  tbb::task_arena arena(wanted);
  arena.execute([&] {
    const Scoped scope({});
    fn();
  });
}

void run_nested(bool alone, FunctionRef<void()> fn) {
  const Scoped scope({.alone = alone || task_context.alone, .present = true});
  if (task_context.alone) return fn();
  tbb::this_task_arena::isolate([&] { fn(); });
}

}  // namespace graze::core
