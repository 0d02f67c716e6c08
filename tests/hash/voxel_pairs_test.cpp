// Voxel tables against all pairs of boxes, on families of boxes that are difficult for grids: every overlapping
// pair is reported once, for every cell rule, number of voxels and number of threads.
//
// GRAZE_HASH_ROUNDS=k runs k times as many random mixes; GRAZE_HASH_SEED=s starts with seed s, to repeat one.
#include <gtest/gtest.h>

#include <graze/research.hpp>

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/tasks.hpp"
#include "environment.hpp"
#include "hash/box_families.hpp"
#include "hash/voxel_check.hpp"
#include "oracle/random.hpp"

namespace graze::testing {

using namespace core;
namespace {

using oracle::Random;

#if defined(GRAZE_ASSERTS)  // fewer in the slow builds that check contracts
constexpr std::size_t kBoxes = 60;
#else
constexpr std::size_t kBoxes = 300;
#endif

// From one voxel for all primitives to ten voxels per primitive.
constexpr std::array kVoxels = {1e-9, 0.01, 0.2, 0.0, 1.0, 10.0};

std::vector<research::HashOptions> choices() {
  std::vector<research::HashOptions> all;
  for (const research::CellRule rule : {research::CellRule::Levels, research::CellRule::Largest}) {
    for (const double voxels : kVoxels) all.push_back({.cells = rule, .voxels = voxels});
  }
  return all;
}

std::string named(const research::HashOptions& options) {
  return fmt::format("{}, {} voxels", name_of(options.cells), options.voxels);
}

/// A random subset of the numbers, with a probability of 1, 1/2, 1/3 or 1/4 each.
std::vector<std::uint32_t> some_numbers(Random& random, std::size_t count) {
  std::vector<std::uint32_t> numbers;
  const std::uint32_t share = 1 + random.below(4);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (random.below(share) == 0) numbers.push_back(i);
  }
  return numbers;
}

class VoxelPairsOf : public ::testing::TestWithParam<const BoxFamily*> {};

TEST_P(VoxelPairsOf, OneTableAreTheOverlappingOnesOnceEach) {
  const std::vector<PackedBox> boxes = GetParam()->make(1, kBoxes);
  const std::vector<std::uint32_t> numbers = all_numbers(boxes.size());
  ASSERT_FALSE(overlapping(boxes, numbers).empty());
  for (const research::HashOptions& options : choices()) {
    EXPECT_EQ(check_self(boxes, numbers, options), "") << named(options);
  }
}

TEST_P(VoxelPairsOf, SomeOfTheBoxesLeaveTheOthersOut) {
  Random random(2);
  const std::vector<PackedBox> boxes = GetParam()->make(2, kBoxes);
  const std::vector<std::uint32_t> numbers = some_numbers(random, boxes.size());
  for (const research::HashOptions& options : choices()) {
    EXPECT_EQ(check_self(boxes, numbers, options), "") << named(options);
  }
}

TEST_P(VoxelPairsOf, TwoTablesAreTheOverlappingOnesOnceEach) {
  Random random(3);
  const std::vector<PackedBox> boxes_a = GetParam()->make(3, kBoxes);
  // The other table has its own boxes, of the same family and of other families, with sizes that the first does not
  // have.
  for (std::size_t f = 0; f < box_families().size(); ++f) {
    const BoxFamily& family = box_families()[f];
    const std::vector<PackedBox> boxes_b = family.make(4, kBoxes / 3);
    const std::vector<std::uint32_t> numbers_a = some_numbers(random, boxes_a.size());
    const std::vector<std::uint32_t> numbers_b = some_numbers(random, boxes_b.size());
    const std::vector<research::HashOptions> all = choices();
    const research::HashOptions& options = all[(f + random.below(3)) % all.size()];
    EXPECT_EQ(check_two(boxes_a, numbers_a, boxes_b, numbers_b, options), "")
        << named(options) << ", and " << family.name;
    EXPECT_EQ(check_two(boxes_b, numbers_b, boxes_a, numbers_a, options), "")
        << named(options) << ", after " << family.name;
  }
}

TEST_P(VoxelPairsOf, OneArrayCutInTwoTables) {
  const std::vector<PackedBox> boxes = GetParam()->make(5, kBoxes);
  std::vector<std::uint32_t> even;
  std::vector<std::uint32_t> odd;
  for (std::uint32_t i = 0; i < boxes.size(); ++i) (i % 2 == 0 ? even : odd).push_back(i);
  for (const research::HashOptions& options : choices()) {
    EXPECT_EQ(check_two(boxes, even, boxes, odd, options), "") << named(options);
  }
}

TEST_P(VoxelPairsOf, ATableThatHeldOthersAreAsOfANewOne) {
  for (const research::HashOptions& options : choices()) {
    VoxelTable used;
    for (std::size_t f = 0; f < box_families().size(); ++f) {  // previous contents: more, fewer, larger, smaller
      const std::vector<PackedBox> before = box_families()[f].make(6, f % 2 == 0 ? 2 * kBoxes : 20);
      const std::vector<std::uint32_t> before_numbers = all_numbers(before.size());
      used.update(BoxRow(before), before_numbers, options);
      const std::vector<PackedBox> boxes = GetParam()->make(7 + f, 40);
      const std::vector<std::uint32_t> numbers = all_numbers(boxes.size());
      used.update(BoxRow(boxes), numbers, options);
      VoxelTable fresh;
      fresh.update(BoxRow(boxes), numbers, options);
      ASSERT_EQ(used.voxel_count(), fresh.voxel_count()) << named(options);
      const VoxelRun actual = run_all(VoxelPairs(used));
      ASSERT_EQ(compare(actual, overlapping(boxes, numbers), true), "") << named(options);
      const VoxelRun expected = run_all(VoxelPairs(fresh));
      ASSERT_EQ(actual.pairs, expected.pairs) << named(options);
      ASSERT_EQ(actual.counts.box_tests, expected.counts.box_tests) << named(options);
    }
  }
}

std::vector<const BoxFamily*> families() {
  std::vector<const BoxFamily*> all;
  for (const BoxFamily& family : box_families()) all.push_back(&family);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Families, VoxelPairsOf, ::testing::ValuesIn(families()),
                         [](const auto& test) { return std::string(test.param->name); });

TEST(VoxelPairs, OfNothingAreNone) {
  const std::vector<PackedBox> boxes = box_families()[0].make(1, 20);
  for (const research::HashOptions& options : choices()) {
    EXPECT_EQ(check_self({}, {}, options), "") << named(options);
    EXPECT_EQ(check_self(boxes, {}, options), "") << named(options);
    const std::vector<std::uint32_t> one = {13};
    EXPECT_EQ(check_self(boxes, one, options), "") << named(options);
    EXPECT_EQ(check_two(boxes, {}, boxes, all_numbers(20), options), "") << named(options);
    EXPECT_EQ(check_two(boxes, all_numbers(20), boxes, {}, options), "") << named(options);
    EXPECT_EQ(check_two({}, {}, {}, {}, options), "") << named(options);
    EXPECT_EQ(check_two(boxes, one, boxes, one, options), "") << named(options);  // a box overlaps itself
  }
  const VoxelTable never_made;
  EXPECT_EQ(compare(run_all(VoxelPairs(never_made)), {}, true), "");
  VoxelTable emptied;
  emptied.update(BoxRow(boxes), all_numbers(20), {});
  emptied.update(BoxRow(), {}, {});
  EXPECT_EQ(entry_count(emptied), 0U);
  EXPECT_EQ(compare(run_all(VoxelPairs(emptied)), {}, true), "");
  EXPECT_EQ(compare(run_all(VoxelPairs(emptied, never_made)), {}, false), "");
}

/// Boxes embedded in a larger structure: only the boxes are read.
TEST(VoxelPairs, ReadBoxesAtAnyDistanceInMemory) {
  struct Owner {
    std::uint64_t before = ~0ULL;
    PackedBox box;
    std::array<float, 24> after{};
  };
  const std::vector<PackedBox> boxes = box_families()[0].make(8, 100);
  std::vector<Owner> owners(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) owners[i].box = boxes[i];
  VoxelTable table;
  const std::vector<std::uint32_t> numbers = all_numbers(boxes.size());
  table.update(BoxRow(std::span<const Owner>(owners), &Owner::box), numbers, {});
  EXPECT_EQ(compare(run_all(VoxelPairs(table)), overlapping(boxes, numbers), true), "");
}

TEST(VoxelPairs, ComeInChunksHoweverManyThereAre) {
  std::vector<PackedBox> boxes;
  for (const PackedBox& box : box_families()[1].make(1, 150)) {  // all equal: 11175 pairs in one cell
    boxes.push_back(box);
  }
  VoxelTable table;
  const std::vector<std::uint32_t> numbers = all_numbers(boxes.size());
  table.update(BoxRow(boxes), numbers, {});
  const VoxelPairs pairs(table);
  std::size_t chunks = 0;
  for (std::size_t g = 0; g < pairs.group_count(); ++g) {
    pairs.run_group(g, [&](std::span<const LeafPair> some) {
      ASSERT_LE(some.size(), 2048U);
      ASSERT_FALSE(some.empty());
      ++chunks;
    });
  }
  EXPECT_GE(chunks, 6U);
}

TEST(VoxelPairs, PassOnWhatTheSinkThrowsAndRunAgain) {
  const std::vector<PackedBox> boxes = box_families()[1].make(1, 150);
  const std::vector<std::uint32_t> numbers = all_numbers(boxes.size());
  VoxelTable table;
  table.update(BoxRow(boxes), numbers, {});
  const VoxelPairs pairs(table);
  std::size_t thrown = 0;
  for (std::size_t g = 0; g < pairs.group_count(); ++g) {
    try {
      pairs.run_group(g, [](std::span<const LeafPair>) { throw std::runtime_error("enough"); });
    } catch (const std::runtime_error&) {
      ++thrown;
    }
  }
  EXPECT_GT(thrown, 0U);
  EXPECT_EQ(compare(run_all(pairs), overlapping(boxes, numbers), true), "");
}

/// Boxes of two tables that touch at one corner, at any position within a cell and of any sizes.
TEST(VoxelPairs, ThatTouchAtOneCornerAreFoundAtAnySizeAndPlace) {
  std::size_t tried = 0;
  for (int size_a = -3; size_a <= 6; ++size_a) {
    for (int size_b = -3; size_b <= 6; ++size_b) {
      for (const float at : {0.0F, -0.0F, 1.0F, -1.0F, 0.5F, -8.0F, 64.0F, 3.25F, -0.125F, 0x1p20F}) {
        const float a = std::ldexp(1.0F, size_a);
        const float b = std::ldexp(1.0F, size_b);
        const std::vector<PackedBox> boxes = {packed({at - a, at - a, at - a}, {at, at, at}),
                                              packed({at, at, at}, {at + b, at + b, at + b}),
                                              packed({at, at - a, at}, {at + b, at, at + a})};
        for (const research::HashOptions& options :
             {research::HashOptions{},
              research::HashOptions{.cells = research::CellRule::Largest, .voxels = 5.0}}) {
          ++tried;
          ASSERT_EQ(check_self(boxes, all_numbers(3), options), "") << size_a << " " << size_b << " at " << at;
          const std::vector<std::uint32_t> one = {0};
          const std::vector<std::uint32_t> two = {1, 2};
          ASSERT_EQ(check_two(boxes, one, boxes, two, options), "") << size_a << " " << size_b << " at " << at;
        }
      }
    }
  }
  EXPECT_EQ(tried, 2000U);
}

/// Boxes of several families together, some of them excluded, with random options.
TEST(VoxelPairs, OfRandomMixesAreTheOverlappingOnesOnceEach) {
#if defined(GRAZE_ASSERTS)
  constexpr std::uint64_t kMixes = 25;
#else
  constexpr std::uint64_t kMixes = 150;
#endif
  const std::uint64_t first = from_environment("GRAZE_HASH_SEED", 1);
  const std::uint64_t rounds = from_environment("GRAZE_HASH_ROUNDS", 1);
  std::size_t overlaps = 0;
  for (std::uint64_t seed = first; seed < first + kMixes * rounds; ++seed) {
    Random random(seed, 9);
    std::vector<PackedBox> boxes;
    const std::uint32_t parts = 1 + random.below(3);
    for (std::uint32_t i = 0; i < parts; ++i) {
      const BoxFamily& family = box_families()[random.below(static_cast<std::uint32_t>(box_families().size()))];
      for (const PackedBox& box : family.make(seed + i, 20 + random.below(150))) boxes.push_back(box);
    }
    for (std::size_t i = boxes.size(); i > 1; --i) {
      std::swap(boxes[i - 1], boxes[random.below(static_cast<std::uint32_t>(i))]);
    }
    const research::HashOptions options = {
        .cells = random.below(3) == 0 ? research::CellRule::Largest : research::CellRule::Levels,
        .voxels =
            random.below(3) == 0 ? std::ldexp(1.0, random.between(-12, 4)) : kVoxels[random.below(kVoxels.size())]};
    const std::vector<std::uint32_t> numbers = some_numbers(random, boxes.size());
    ASSERT_EQ(check_self(boxes, numbers, options), "") << "seed " << seed << ", " << named(options);
    const std::vector<std::uint32_t> others = some_numbers(random, boxes.size());
    ASSERT_EQ(check_two(boxes, numbers, boxes, others, options), "") << "seed " << seed << ", " << named(options);
    overlaps += overlapping(boxes, numbers).size();
  }
  EXPECT_GT(overlaps, 100 * kMixes * rounds);
}

}  // namespace
}  // namespace graze::testing
