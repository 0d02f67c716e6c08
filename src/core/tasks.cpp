// The two calls of core/tasks.hpp on oneTBB. The only file of the library that includes it.
#include "core/tasks.hpp"

#include <algorithm>
#include <optional>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

namespace graze::detail {

void parallel_for_erased(std::size_t begin, std::size_t end, std::size_t grain, RangeCall call, void* context) {
  if (begin >= end) return;
  // simple_partitioner splits down to the grain, whatever the number of threads.
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(begin, end, std::max<std::size_t>(grain, 1)),
      [&](const tbb::blocked_range<std::size_t>& range) { call(context, range.begin(), range.end()); },
      tbb::simple_partitioner());
}

void with_threads_erased(unsigned threads, PlainCall call, void* context) {
  const int cores = tbb::info::default_concurrency();
  const int wanted = threads == 0 ? cores : static_cast<int>(std::min(threads, 1024U));
  // oneTBB keeps one worker less than there are cores unless told otherwise.
  std::optional<tbb::global_control> more;
  if (wanted > cores) {
    more.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(wanted));
  }
  tbb::task_arena arena(wanted);
  arena.execute([&] { call(context); });
}

}  // namespace graze::detail
