// The calls of core/tasks.hpp and core/nested_tasks.hpp on oneTBB. The only file of the library that includes it.
//
// On one thread nothing of it is used: an arena costs a microsecond or more to enter, and waking another thread for
// a loop of a few microseconds twenty times the loop.
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

namespace graze::core::detail {

namespace {

/// What a call on this thread finds. No loop of another call runs in its scope: alone, there is no other thread to
/// wait for; else the wait is isolated.
struct Surroundings {
  bool alone = false;    // loops stay on this thread
  bool present = false;  // with_threads takes what is there
};
thread_local Surroundings surroundings;

class Scoped {
 public:
  explicit Scoped(Surroundings now) : before_(std::exchange(surroundings, now)) {}
  ~Scoped() { surroundings = before_; }
  Scoped(const Scoped&) = delete;
  Scoped& operator=(const Scoped&) = delete;

 private:
  Surroundings before_;
};

}  // namespace

void parallel_for_erased(std::size_t begin, std::size_t end, std::size_t grain, RangeCall call, void* context) {
  if (begin >= end) return;
  grain = std::max<std::size_t>(grain, 1);
  if (end - begin <= grain) return call(context, begin, end);
  if (surroundings.alone) {
    for (; end - begin > grain; begin += grain) call(context, begin, begin + grain);
    return call(context, begin, end);
  }
  // simple_partitioner splits down to the grain, whatever the number of threads.
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(begin, end, grain),
      [&](const tbb::blocked_range<std::size_t>& range) { call(context, range.begin(), range.end()); },
      tbb::simple_partitioner());
}

void with_threads_erased(unsigned threads, PlainCall call, void* context) {
  if (surroundings.present) return call(context);
  if (threads == 1) {
    const Scoped scope({.alone = true});
    return call(context);
  }
  const int cores = tbb::info::default_concurrency();
  const int wanted = threads == 0 ? cores : static_cast<int>(std::min(threads, 1024U));
  // oneTBB keeps one worker less than there are cores unless told otherwise.
  std::optional<tbb::global_control> more;
  if (wanted > cores) {
    more.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(wanted));
  }
  tbb::task_arena arena(wanted);
  arena.execute([&] {
    const Scoped scope({});
    call(context);
  });
}

void on_present_threads_erased(bool alone, PlainCall call, void* context) {
  const Scoped scope({.alone = alone || surroundings.alone, .present = true});
  if (surroundings.alone) return call(context);
  tbb::this_task_arena::isolate([&] { call(context); });
}

}  // namespace graze::core::detail
