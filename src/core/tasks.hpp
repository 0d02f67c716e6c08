// Thread pool, task scheduling and parallel for: parallel_for splits a range into pieces, with_threads limits how
// many threads run the pieces.
//
// oneTBB implements both (core/tasks.cpp) and does not show in this header; builds under the thread sanitizer
// replace that one file. Results must not depend on how a range is split: write to slots that belong to an index,
// and merge the slots in a fixed order. Cost: one indirect call per piece.
#pragma once

#include <cstddef>

#include "core/function_ref.hpp"

namespace graze::core {

/// Calls fn(first, last) in parallel for pieces that together cover [begin, end) exactly once. No piece is longer
/// than `grain` (0 counts as 1). Returns when all pieces are done. If fn throws, pieces that have not begun are
/// skipped, and one exception is rethrown.
void parallel_for(std::size_t begin, std::size_t end, std::size_t grain,
                  FunctionRef<void(std::size_t first, std::size_t last)> fn);

/// Calls fn() so that every parallel_for in it uses at most `threads` threads (0: one per core). `threads` may
/// exceed the number of cores. Exceptions propagate.
void with_threads(unsigned threads, FunctionRef<void()> fn);

}  // namespace graze::core
