// Traversal of the cluster tree (cluster_traversal.hpp). Highway compiles this file once per instruction set and
// selects the best at run time.
//
// Comparisons are exact. The gap is first subtracted from one side, which rounds by 2^-53 of the side and of the
// gap: the bounds are wider by 2^-51 of a side (cluster_tree.cpp), and the gap is rounded up.
#include "methods/cluster/cluster_traversal.hpp"

#include <algorithm>
#include <bit>

#include "core/parallel_fold.hpp"
#include "core/tasks.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/cluster/cluster_traversal.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace graze::methods {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Returns the children of b, by bit, whose bounds child c of a may overlap.
HWY_INLINE std::uint32_t overlapping_children(const ClusterTree::Node& a, std::size_t c, const ClusterTree::Node& b,
                                              double gap) {
  const hn::CappedTag<double, ClusterTree::kWidth> d;
  const std::size_t lanes = hn::Lanes(d);
  std::uint32_t bits = 0;
  for (std::size_t at = 0; at < ClusterTree::kWidth; at += lanes) {
    auto apart = hn::Gt(hn::Zero(d), hn::Zero(d));
    for (std::size_t k = 0; k < 3; ++k) {
      const auto lo0 = hn::Set(d, a.lo[k][c] - gap);
      const auto hi0 = hn::Set(d, a.hi[k][c] + gap);
      const auto lo1 = hn::Set(d, a.lo[3 + k][c] - gap);
      const auto hi1 = hn::Set(d, a.hi[3 + k][c] + gap);
      const auto above =
          hn::And(hn::Gt(lo0, hn::Load(d, &b.hi[k][at])), hn::Gt(lo1, hn::Load(d, &b.hi[3 + k][at])));
      const auto below =
          hn::And(hn::Lt(hi0, hn::Load(d, &b.lo[k][at])), hn::Lt(hi1, hn::Load(d, &b.lo[3 + k][at])));
      apart = hn::Or(apart, hn::Or(above, below));
    }
    std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, hn::Not(apart), bytes);
    const std::uint32_t some = bytes[0] | static_cast<std::uint32_t>(bytes[1]) << 8U;
    bits |= some << at;
  }
  return bits;
}

/// Calls found(c, d) for the overlapping children of a and b, except pairs of which both are kept; with `self`,
/// each pair once. Returns the number of tests.
template <typename Found>
HWY_INLINE std::uint64_t overlap_nodes(const ClusterTree::Node& a, const ClusterTree::Node& b, bool self,
                                       double gap, const Found& found) {
  std::uint64_t tests = 0;
  constexpr std::uint32_t kAll = (1U << ClusterTree::kWidth) - 1U;
  for (std::uint32_t c = 0; c < ClusterTree::kWidth; ++c) {
    if ((a.present >> c & 1U) == 0) continue;
    std::uint32_t wanted = b.present;
    if ((a.kept >> c & 1U) != 0) wanted &= ~b.kept;
    if (self) wanted &= kAll << c;
    if (wanted == 0) continue;
    tests += ClusterTree::kWidth;
    std::uint32_t bits = overlapping_children(a, c, b, gap);
    if (self) bits |= 1U << c;
    for (bits &= wanted; bits != 0; bits &= bits - 1) {
      found(c, static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(bits)));
    }
  }
  return tests;
}

/// Finds the overlapping children of pairs of the lowest nodes, by row; returns the number of tests.
std::uint64_t fill_rows(const ClusterTree& tree, double gap, std::span<const NodePair> pairs,
                        std::array<std::uint16_t, ClusterTree::kWidth>* rows, std::uint16_t* counts) {
  std::uint64_t tests = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    rows[i].fill(0);
    std::uint32_t count = 0;
    tests += overlap_nodes(tree.node(0, pairs[i].a), tree.node(0, pairs[i].b), pairs[i].a == pairs[i].b, gap,
                           [&](std::uint32_t c, std::uint32_t d) {
                             rows[i][c] = static_cast<std::uint16_t>(rows[i][c] | 1U << d);
                             ++count;
                           });
    counts[i] = static_cast<std::uint16_t>(count);
  }
  return tests;
}

using ClusterCall = FunctionRef<void(std::span<const ClusterPair> pairs)>;

/// Expands the front by one level.
std::uint64_t step_front(const ClusterTree& tree, double gap, std::size_t level, std::span<const NodePair> from,
                         std::vector<NodePair>& next) {
  std::uint64_t tests = 0;
  for (const NodePair& pair : from) {
    tests += overlap_nodes(tree.node(level, pair.a), tree.node(level, pair.b), pair.a == pair.b, gap,
                           [&](std::uint32_t c, std::uint32_t d) {
                             next.push_back({pair.a * static_cast<std::uint32_t>(ClusterTree::kWidth) + c,
                                             pair.b * static_cast<std::uint32_t>(ClusterTree::kWidth) + d});
                           });
  }
  return tests;
}

std::uint64_t traverse_down(const ClusterTree& tree, double gap, std::size_t level, const NodePair& from,
                            ClusterCall call) {
  struct Todo {
    NodePair pair;
    std::size_t level;
  };
  constexpr std::size_t kChunk = 1024;
  std::vector<Todo> stack{{from, level}};
  std::vector<ClusterPair> chunk;
  chunk.reserve(kChunk + ClusterTree::kWidth * ClusterTree::kWidth);
  std::uint64_t tests = 0;
  while (!stack.empty()) {
    const NodePair pair = stack.back().pair;
    const std::size_t at = stack.back().level;
    stack.pop_back();
    const std::uint32_t below_a = pair.a * static_cast<std::uint32_t>(ClusterTree::kWidth);
    const std::uint32_t below_b = pair.b * static_cast<std::uint32_t>(ClusterTree::kWidth);
    tests += overlap_nodes(tree.node(at, pair.a), tree.node(at, pair.b), pair.a == pair.b, gap,
                           [&](std::uint32_t c, std::uint32_t d) {
                             if (at == 0) {
                               chunk.push_back({tree.cluster_at(below_a + c), tree.cluster_at(below_b + d)});
                             } else {
                               stack.push_back({{below_a + c, below_b + d}, at - 1});
                             }
                           });
    if (chunk.size() >= kChunk) {
      call(chunk);
      chunk.clear();
    }
  }
  if (!chunk.empty()) call(chunk);
  return tests;
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::methods
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::methods {

HWY_EXPORT(step_front);
HWY_EXPORT(fill_rows);
HWY_EXPORT(traverse_down);

ClusterTraversal::ClusterTraversal(const ClusterTree& tree, double gap)
    : tree_(&tree), gap_(gap * (1.0 + 0x1p-50)) {
  if (tree.level_count() == 0) return;
  expand_front();
  if (level_ == 0) find_rows();
  cut_blocks();
}

void ClusterTraversal::expand_front() {
  const std::size_t enough = std::max<std::size_t>(512, tree_->cluster_count() / 4);
  level_ = tree_->level_count() - 1;
  front_.push_back({0, 0});
  std::vector<NodePair> next;
  while (level_ > 0 && front_.size() < enough) {
    constexpr std::size_t kPairsPerPart = 16;
    const std::size_t parts = (front_.size() + kPairsPerPart - 1) / kPairsPerPart;
    std::vector<std::vector<NodePair>> expanded(parts);
    std::vector<std::uint64_t> tests(parts);
    parallel_for(0, parts, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t part = first; part < last; ++part) {
        const std::size_t begin = part * kPairsPerPart;
        const std::span<const NodePair> some =
            std::span(front_).subspan(begin, std::min(kPairsPerPart, front_.size() - begin));
        tests[part] = HWY_DYNAMIC_DISPATCH(step_front)(*tree_, gap_, level_, some, expanded[part]);
      }
    });
    next.clear();
    for (std::size_t part = 0; part < parts; ++part) {
      next.insert(next.end(), expanded[part].begin(), expanded[part].end());
      front_tests_ += tests[part];
    }
    front_.swap(next);
    --level_;
  }
}

void ClusterTraversal::find_rows() {
  rows_.resize(front_.size());
  pairs_.resize(front_.size());
  front_tests_ += parallel_fold<32>(
      front_.size(), std::uint64_t{0},
      [&](std::size_t first, std::size_t last) {
        return HWY_DYNAMIC_DISPATCH(fill_rows)(*tree_, gap_, std::span(front_).subspan(first, last - first),
                                               &rows_[first], &pairs_[first]);
      },
      [](std::uint64_t a, std::uint64_t b) { return a + b; });
}

void ClusterTraversal::cut_blocks() {
  constexpr std::size_t kBlocks = 1024;  // about as many, where there is enough work
  begins_.push_back({});
  if (level_ > 0) {
    constexpr std::size_t kMaxPairsPerBlock = 64;
    const std::size_t step = std::clamp<std::size_t>(front_.size() / kBlocks, 1, kMaxPairsPerBlock);
    for (std::size_t pair = step; pair < front_.size(); pair += step) {
      begins_.push_back({static_cast<std::uint32_t>(pair), 0});
    }
  } else {
    constexpr std::size_t kMinClusterPairs = 32;
    std::size_t all = 0;
    for (const std::uint16_t count : pairs_) all += count;
    const std::size_t wanted = std::clamp(all / kBlocks, kMinClusterPairs, kMaxClusterPairs);
    std::size_t room = wanted;
    for (std::size_t pair = 0; pair < front_.size(); ++pair) {
      if (pairs_[pair] <= room) {
        room -= pairs_[pair];
        continue;
      }
      for (std::size_t row = 0; row < ClusterTree::kWidth; ++row) {
        const auto count = static_cast<std::size_t>(std::popcount(rows_[pair][row]));
        if (count > room) {
          begins_.push_back({static_cast<std::uint32_t>(pair), static_cast<std::uint32_t>(row)});
          room = wanted;
        }
        room -= count;
      }
    }
  }
  begins_.push_back({static_cast<std::uint32_t>(front_.size()), 0});
}

std::uint64_t ClusterTraversal::run(std::size_t block,
                                    FunctionRef<void(std::span<const ClusterPair> pairs)> sink) const {
  const Begin begin = begins_[block];
  const Begin end = begins_[block + 1];
  if (level_ > 0) {
    std::uint64_t tests = 0;
    for (std::size_t pair = begin.pair; pair < end.pair; ++pair) {
      tests += HWY_DYNAMIC_DISPATCH(traverse_down)(*tree_, gap_, level_, front_[pair], sink);
    }
    return tests;
  }
  UninitializedVector<ClusterPair> found(kMaxClusterPairs);
  std::size_t count = 0;
  for (std::size_t pair = begin.pair; pair <= end.pair && pair < front_.size(); ++pair) {
    const std::size_t first_row = pair == begin.pair ? begin.row : 0;
    const std::size_t end_row = pair == end.pair ? end.row : ClusterTree::kWidth;
    for (std::size_t row = first_row; row < end_row; ++row) {
      if (rows_[pair][row] == 0) continue;  // the child may be missing
      const std::uint32_t a = tree_->cluster_at(front_[pair].a * ClusterTree::kWidth + row);
      for (std::uint32_t bits = rows_[pair][row]; bits != 0; bits &= bits - 1) {
        const auto child = static_cast<std::size_t>(std::countr_zero(bits));
        found[count++] = {a, tree_->cluster_at(front_[pair].b * ClusterTree::kWidth + child)};
      }
    }
  }
  if (count > 0) sink(std::span<const ClusterPair>(found).first(count));
  return 0;
}

}  // namespace graze::methods
#endif
