// Inner loop of the broad-phase traversal, compiled by Highway once per instruction set: pops two blocks, tests the
// boxes or k-DOPs of their four pairs of nodes for overlap, and pushes or emits the pairs that overlap.
//
// A row of a block is {lo 0, lo 1, hi 0, hi 1}. 128 bits decide one slab direction for four pairs (lane 2i+j: node
// i of a, node j of b), 256 bits two directions. The test uses comparisons only, no arithmetic, so it is exact on
// every target.
#include "bvh/traverse.hpp"

#include "core/assert.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bvh/traverse_simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace graze::bvh {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// k-DOP overlap test in SIMD lanes: returns the lanes whose nodes are separated along a direction of the rows
/// [kFirst, kLast).
template <std::size_t kFirst, std::size_t kLast>
HWY_INLINE unsigned separated_lanes(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b) {
#if HWY_TARGET == HWY_SCALAR
  unsigned apart = 0;
  for (std::size_t r = 4 * kFirst; r < 4 * kLast; r += 4) {
    for (unsigned lane = 0; lane < 4; ++lane) {
      const float* row_a = a + r + lane / 2;
      const float* row_b = b + r + lane % 2;
      if (row_a[0] > row_b[2] || row_b[0] > row_a[2]) apart |= 1U << lane;
    }
  }
  return apart;
#else
  const hn::CappedTag<float, 8> d;
  const hn::Repartition<double, decltype(d)> wide;
  const std::size_t lanes = hn::Lanes(d);
  auto apart = hn::FirstN(d, 0);
  for (std::size_t r = 4 * kFirst; r < 4 * kLast; r += lanes) {
    const auto row_a = hn::Load(d, a + r);
    const auto row_b = hn::Load(d, b + r);
    const auto pair_b = hn::BitCast(wide, row_b);
    const auto lo_a = hn::InterleaveLower(d, row_a, row_a);                       // 0 0 1 1
    const auto hi_a = hn::InterleaveUpper(d, row_a, row_a);                       // 0 0 1 1
    const auto lo_b = hn::BitCast(d, hn::InterleaveLower(wide, pair_b, pair_b));  // 0 1 0 1
    const auto hi_b = hn::BitCast(d, hn::InterleaveUpper(wide, pair_b, pair_b));  // 0 1 0 1
    apart = hn::Or(apart, hn::Or(hn::Gt(lo_a, hi_b), hn::Gt(lo_b, hi_a)));
  }
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(d, apart, bits);
  return (bits[0] | static_cast<unsigned>(bits[0]) >> 4U) & 0xFU;
#endif
}

/// Returns the lanes among `lanes` whose nodes overlap. Tests boxes first: they separate most k-DOPs.
template <std::size_t kRows>
HWY_INLINE unsigned overlapping_lanes(const float* a, const float* b, unsigned lanes) {
  lanes &= ~separated_lanes<0, 4>(a, b);
  if constexpr (kRows > 4) {
    if (lanes != 0) lanes &= ~separated_lanes<4, kRows>(a, b);
  }
  return lanes;
}

/// Traversal loop. `kOneStep`: one step only, see traverse_blocks.
template <std::size_t kRows, bool kMasked, bool kOneStep>
HWY_INLINE std::uint64_t traverse_with(const detail::TreePair& trees, std::span<const detail::BlockPair> from,
                                       std::vector<detail::BlockPair>* next, detail::LeafPairCall call) {
  constexpr std::size_t kChunk = 1024;
  constexpr std::size_t kMaxPushed = 7;  // slots written: two selves, four pairs, and one beyond
  // Lanes of the selected nodes of a block, as the first and as the second block.
  constexpr std::array<std::uint8_t, 4> kFirst = {0, 0b0011, 0b1100, 0b1111};
  constexpr std::array<std::uint8_t, 4> kSecond = {0, 0b0101, 0b1010, 0b1111};
  constexpr std::array<std::uint8_t, 16> kCount = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

  const std::uint32_t* const words_a = trees.a.tree->words.data();
  const std::uint32_t* const words_b = trees.b.tree->words.data();
  const float* const rows_a = trees.a.rows;
  const float* const rows_b = trees.b.rows;
  const bool self = trees.self;
  const std::uint8_t* const self_free = trees.a.self_free;
  // A block pair is one word on the stack: stores of two halves would stall the load that follows soon.
  const auto packed = [](std::uint32_t a, std::uint32_t b) { return a | static_cast<std::uint64_t>(b) << 32U; };
  std::vector<std::uint64_t> memory(256);
  std::uint64_t* stack = memory.data();
  std::size_t top = 0;
  std::array<LeafPair, kChunk> chunk;
  std::size_t filled = 0;
  std::uint64_t tests = 0;

  for (const detail::BlockPair& start : from) {
    stack[top++] = packed(start.a, start.b);
    while (top > 0) {
      const std::uint64_t popped = stack[--top];
      const detail::BlockPair pair{static_cast<std::uint32_t>(popped), static_cast<std::uint32_t>(popped >> 32U)};
      if (top + kMaxPushed > memory.size()) {
        memory.resize(2 * memory.size());
        stack = memory.data();
      }
      const std::size_t block_a = pair.a >> 2U;
      const std::size_t block_b = pair.b >> 2U;
      const std::uint32_t* const word_a = words_a + 2 * block_a;
      const std::uint32_t* const word_b = words_b + 2 * block_b;
      unsigned lanes = static_cast<unsigned>(kFirst[pair.a & 3U]) & kSecond[pair.b & 3U];
      unsigned compatible = 0xFU;
      if constexpr (kMasked) compatible = BvhMasks::lanes(*trees.a.masks, block_a, *trees.b.masks, block_b);
      if (self && block_a == block_b) {
        // Tests the siblings against each other once. Each sibling against itself (lanes 0 and 3) is pushed, not
        // tested.
        lanes = 0b0010;
        for (int child = 1; child >= 0; --child) {
          if ((word_a[child] & kLeaf) != 0 || (compatible >> (3 * child) & 1U) == 0) continue;
          if (self_free != nullptr && self_free[word_a[child]] != 0) continue;
          const std::uint32_t below = word_a[child] << 2U | 3U;
          stack[top++] = packed(below, below);
        }
      }
      lanes &= compatible;
      tests += kCount[lanes];
      lanes = overlapping_lanes<kRows>(rows_a + 4 * kRows * block_a, rows_b + 4 * kRows * block_b, lanes);
      if (!kOneStep && lanes == 0) continue;
      // Overlap of a lane, and whether both nodes are leaves, are unpredictable: every lane writes to both the
      // chunk and the stack without branches, and only the valid write advances its position.
      for (unsigned lane = 0; lane < 4; ++lane) {
        const unsigned i = lane >> 1U;
        const unsigned j = lane & 1U;
        const std::uint32_t a = word_a[i];
        const std::uint32_t b = word_b[j];
        const unsigned hit = lanes >> lane & 1U;
        const unsigned leaves = (a & b) >> 31U;
        chunk[filled] = {a & ~kLeaf, b & ~kLeaf};
        filled += hit & leaves;
        // A leaf stays in its block, with its sibling deselected; an inner node descends to its children.
        const std::uint32_t down_a = (a & kLeaf) != 0 ? (pair.a & ~3U) | 1U << i : a << 2U | 3U;
        const std::uint32_t down_b = (b & kLeaf) != 0 ? (pair.b & ~3U) | 1U << j : b << 2U | 3U;
        stack[top] = packed(down_a, down_b);
        top += hit & ~leaves;
      }
      if (filled + 5 > kChunk) {
        call(std::span<const LeafPair>(chunk.data(), filled));
        filled = 0;
      }
      if constexpr (kOneStep) {
        for (std::size_t k = 0; k < top; ++k) {
          next->push_back({static_cast<std::uint32_t>(stack[k]), static_cast<std::uint32_t>(stack[k] >> 32U)});
        }
        top = 0;
      }
    }
  }
  if (filled > 0) call(std::span<const LeafPair>(chunk.data(), filled));
  return tests;
}

template <std::size_t kRows>
HWY_INLINE std::uint64_t traverse_rows(const detail::TreePair& trees, std::span<const detail::BlockPair> from,
                                       std::vector<detail::BlockPair>* next, detail::LeafPairCall call) {
  if (trees.a.masks != nullptr) {
    return next != nullptr ? traverse_with<kRows, true, true>(trees, from, next, call)
                           : traverse_with<kRows, true, false>(trees, from, next, call);
  }
  return next != nullptr ? traverse_with<kRows, false, true>(trees, from, next, call)
                         : traverse_with<kRows, false, false>(trees, from, next, call);
}

std::uint64_t traverse_aabb(const detail::TreePair& trees, std::span<const detail::BlockPair> from,
                            std::vector<detail::BlockPair>* next, detail::LeafPairCall call) {
  return traverse_rows<Aabb::kRows>(trees, from, next, call);
}
std::uint64_t traverse_dop18(const detail::TreePair& trees, std::span<const detail::BlockPair> from,
                             std::vector<detail::BlockPair>* next, detail::LeafPairCall call) {
  return traverse_rows<Dop18::kRows>(trees, from, next, call);
}
std::uint64_t traverse_dop26(const detail::TreePair& trees, std::span<const detail::BlockPair> from,
                             std::vector<detail::BlockPair>* next, detail::LeafPairCall call) {
  return traverse_rows<Dop26::kRows>(trees, from, next, call);
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::bvh
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::bvh {

HWY_EXPORT(traverse_aabb);
HWY_EXPORT(traverse_dop18);
HWY_EXPORT(traverse_dop26);

std::uint64_t detail::traverse_blocks(const TreePair& trees, std::span<const BlockPair> from,
                                      std::vector<BlockPair>* next, LeafPairCall call) {
  switch (trees.a.row_count) {
    case Aabb::kRows:
      return HWY_DYNAMIC_DISPATCH(traverse_aabb)(trees, from, next, call);
    case Dop18::kRows:
      return HWY_DYNAMIC_DISPATCH(traverse_dop18)(trees, from, next, call);
    case Dop26::kRows:
      return HWY_DYNAMIC_DISPATCH(traverse_dop26)(trees, from, next, call);
    default:
      GRAZE_ASSERT(false);
      return 0;
  }
}

}  // namespace graze::bvh
#endif
