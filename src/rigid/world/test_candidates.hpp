// The loop over the candidates of a query about pairs of objects: finds them, tests them on all threads, and merges
// what they yield in their order.
//
// Candidates are cut into blocks by their number alone, and a block has results of its own. So results and counters
// do not depend on threads. With `first`, only the first candidate that yields something counts: a block is skipped
// only if an earlier one has something, so all candidates before it are tested, and their counters are reported.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/tasks.hpp"
#include "rigid/query_runs.hpp"
#include "rigid/work_spaces.hpp"
#include "rigid/world/candidates.hpp"

namespace graze::rigid {

/// Candidates that are tested together, and those for which no other thread is woken.
inline constexpr std::size_t kPairsPerBlock = 8;
inline constexpr std::size_t kMinPairsForThreads = 16;

/// Runs fn() on the threads of the options. Queries about one object find few candidates in a microsecond, and wake
/// nobody for that.
template <typename Fn>
void on_threads(const PairScope& scope, const WorldOptions& options, const Fn& fn) {
  if (scope.one_against_all()) return fn();
  core::with_threads(options.threads, fn);
}

/// Calls test(a, b, work, items, stats) for all candidates, with the two objects as PairSides, and appends the
/// items.
template <typename Item, typename Work, typename Test>
void test_candidates(const PairQuery& query, const Candidates& candidates, bool first, WorkSpaces<Work>& spaces,
                     std::vector<Item>& items, WorldStats& stats, const Test& test) {
  struct Block {
    std::vector<Item> items;
    RigidStats stats;
    std::size_t tested = 0;
  };
  stats.box_tests += candidates.box_tests;
  const std::span<const Candidate> pairs = candidates.pairs;
  const std::size_t length = pairs.size() < kMinPairsForThreads ? kMinPairsForThreads : kPairsPerBlock;
  std::vector<Block> blocks((pairs.size() + length - 1) / length);
  std::atomic<std::size_t> first_block{blocks.size()};
  QueryProgress progress(query.options().progress, pairs.size());
  const auto run_block = [&](std::size_t i, Work& work) {
    Block& block = blocks[i];
    for (const Candidate& pair : pairs.subspan(i * length, std::min(length, pairs.size() - i * length))) {
      test(query.side(pair.a), query.side(pair.b), work, block.items, block.stats);
      ++block.tested;
      if (!progress.go_on()) return;
      if (!first || block.items.empty()) continue;
      std::size_t least = first_block.load(std::memory_order_relaxed);
      while (i < least && !first_block.compare_exchange_weak(least, i, std::memory_order_relaxed)) {
      }
      return;
    }
  };
  const auto run = [&](std::size_t begin, std::size_t end) {
    std::unique_ptr<Work> work = spaces.take();
    for (std::size_t i = begin; i < end; ++i) {
      if (!first || i <= first_block.load(std::memory_order_relaxed)) run_block(i, *work);
    }
    spaces.give_back(std::move(work));
  };
  progress.report();
  if (blocks.size() == 1) {
    run(0, 1);
  } else {
    core::with_threads(query.options().threads, [&] { core::parallel_for(0, blocks.size(), 1, run); });
  }
  progress.report();
  std::size_t count = 0;
  for (const Block& block : blocks) count += block.items.size();
  items.reserve(count);
  for (Block& block : blocks) {
    stats.narrow += block.stats;
    stats.object_pairs += block.tested;
    items.insert(items.end(), block.items.begin(), block.items.end());
    if (first && !items.empty()) return;
  }
}

}  // namespace graze::rigid
