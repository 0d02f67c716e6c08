// The comparison of voxel pairs with all pairs (hash/voxel_check.hpp).
#include "hash/voxel_check.hpp"

#include <graze/research.hpp>

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "core/tasks.hpp"

namespace graze::testing {

using namespace core;

namespace {

bool same(const VoxelPairCounts& a, const VoxelPairCounts& b) {
  return a.box_tests == b.box_tests && a.pairs == b.pairs && a.repeated == b.repeated;
}

constexpr std::array kThreads = {1U, 2U, 7U};
constexpr std::size_t kMaxPairsInChunk = 2048;  // limits memory

/// Checks that the answer is correct and equal at any number of threads. Empty if so.
template <typename Run>
std::string check(const std::vector<LeafPair>& expected, bool is_self, const Run& run) {
  VoxelRun first;
  for (const unsigned threads : kThreads) {
    VoxelRun now;
    with_threads(threads, [&] { now = run(); });
    if (threads == kThreads.front()) {
      std::string text = compare(now, expected, is_self);
      if (!text.empty()) return text;
      first = std::move(now);
      continue;
    }
    if (!now.fault.empty()) return now.fault;
    if (now.pairs != first.pairs) return fmt::format("another order on {} threads", threads);
    if (!same(now.counts, first.counts)) return fmt::format("other counts on {} threads", threads);
  }
  return {};
}

}  // namespace

VoxelRun run_all(const VoxelPairs& pairs) {
  struct Group {
    std::vector<LeafPair> pairs;
    VoxelPairCounts counts;
    std::string fault;
  };
  std::vector<Group> groups(pairs.group_count());
  parallel_for(0, groups.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t g = first; g < last; ++g) {
      Group& group = groups[g];
      group.counts = pairs.run_group(g, [&](std::span<const LeafPair> some) {
        if (some.size() > kMaxPairsInChunk) group.fault = fmt::format("a chunk of {} pairs", some.size());
        group.pairs.insert(group.pairs.end(), some.begin(), some.end());
      });
      if (group.counts.pairs != group.pairs.size()) {
        group.fault = fmt::format("group {} counts {} pairs and has {}", g, group.counts.pairs, group.pairs.size());
      }
    }
  });
  VoxelRun run;
  for (const Group& group : groups) {
    run.pairs.insert(run.pairs.end(), group.pairs.begin(), group.pairs.end());
    run.counts.box_tests += group.counts.box_tests;
    run.counts.pairs += group.counts.pairs;
    run.counts.repeated += group.counts.repeated;
    if (!group.fault.empty()) run.fault = group.fault;
  }
  return run;
}

std::vector<std::uint32_t> all_numbers(std::size_t count) {
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

std::vector<LeafPair> overlapping(std::span<const PackedBox> boxes, std::span<const std::uint32_t> numbers) {
  std::vector<LeafPair> pairs;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (std::size_t j = i + 1; j < numbers.size(); ++j) {
      if (boxes[numbers[i]].overlaps(boxes[numbers[j]])) pairs.push_back({numbers[i], numbers[j]});
    }
  }
  return pairs;
}

std::vector<LeafPair> overlapping(std::span<const PackedBox> boxes_a, std::span<const std::uint32_t> numbers_a,
                                  std::span<const PackedBox> boxes_b, std::span<const std::uint32_t> numbers_b) {
  std::vector<LeafPair> pairs;
  for (const std::uint32_t a : numbers_a) {
    for (const std::uint32_t b : numbers_b) {
      if (boxes_a[a].overlaps(boxes_b[b])) pairs.push_back({a, b});
    }
  }
  return pairs;
}

std::string compare(const VoxelRun& run, std::vector<LeafPair> expected, bool is_self) {
  if (!run.fault.empty()) return run.fault;
  std::vector<LeafPair> actual = run.pairs;
  if (is_self) {
    for (LeafPair& pair : actual) {
      if (pair.b < pair.a) std::swap(pair.a, pair.b);
    }
  }
  std::sort(actual.begin(), actual.end());
  std::sort(expected.begin(), expected.end());
  const auto twice = std::adjacent_find(actual.begin(), actual.end());
  if (twice != actual.end()) return fmt::format("pair {} {} comes twice", twice->a, twice->b);
  std::vector<LeafPair> wrong;
  std::set_difference(expected.begin(), expected.end(), actual.begin(), actual.end(), std::back_inserter(wrong));
  if (!wrong.empty()) {
    return fmt::format("{} of {} pairs are missing, {} {} first", wrong.size(), expected.size(), wrong[0].a,
                       wrong[0].b);
  }
  std::set_difference(actual.begin(), actual.end(), expected.begin(), expected.end(), std::back_inserter(wrong));
  if (!wrong.empty()) return fmt::format("{} extra pairs, {} {} first", wrong.size(), wrong[0].a, wrong[0].b);
  // Every pair and every repeat takes at least one test.
  if (run.counts.box_tests < run.counts.pairs + run.counts.repeated) {
    return fmt::format("{} box tests for {} pairs and {} repeats", run.counts.box_tests, run.counts.pairs,
                       run.counts.repeated);
  }
  return {};
}

std::string check_self(std::span<const PackedBox> boxes, std::span<const std::uint32_t> numbers,
                       const research::HashOptions& options) {
  return check(overlapping(boxes, numbers), true, [&] {
    VoxelTable table;
    table.update(BoxRow(boxes), numbers, options);
    return run_all(VoxelPairs(table));
  });
}

std::string check_two(std::span<const PackedBox> boxes_a, std::span<const std::uint32_t> numbers_a,
                      std::span<const PackedBox> boxes_b, std::span<const std::uint32_t> numbers_b,
                      const research::HashOptions& options) {
  return check(overlapping(boxes_a, numbers_a, boxes_b, numbers_b), false, [&] {
    VoxelTable a;
    VoxelTable b;
    const VoxelTable::Shared shared = {
        .cell = std::max(largest_extent(BoxRow(boxes_a), numbers_a), largest_extent(BoxRow(boxes_b), numbers_b)),
        .unit = best_cell_unit(BoxRow(boxes_a), numbers_a),
        .primitives = numbers_a.size() % 2 == 0 ? 0 : numbers_a.size() + numbers_b.size()};
    a.update(BoxRow(boxes_a), numbers_a, options, shared);
    b.update(BoxRow(boxes_b), numbers_b, options, shared);
    return run_all(VoxelPairs(a, b));
  });
}

std::size_t entry_count(const VoxelTable& table) {
  std::size_t count = 0;
  for (std::size_t v = 0; v < table.voxel_count(); ++v) count += table.voxel(v).size();
  return count;
}

}  // namespace graze::testing
