// Simultaneous traversal of two boxtrees with a SIMD lane for each direction, compiled by Highway once for each
// instruction set. See the header.
//
// The interval of a child along s is that of its parent, minus cut * |slope| at one end. Which end depends on the
// side of the node and the sign of the slope. For each of the six sides, one row holds the amount added to the
// lower ends and one row the amount subtracted from the upper ends. So a child costs two products and two sums of
// rows, and a pair two comparisons. With `lift` the four children of a pair are derived once and passed down;
// without, they are derived once for each pair that they are in. Each operation rounds once on every target, so
// every machine tests the same pairs.
//
// The slot of a leaf group is never evicted while a traversal refers to it: within a pair in which one side is a
// leaf group, no other leaf group of that side is requested.
#include "rigid/boxtree/boxtree_traversal.hpp"

#include <graze/research.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rigid/boxtree/boxtree_traversal.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef GRAZE_RIGID_BOXTREE_TRAVERSAL_ONCE
#define GRAZE_RIGID_BOXTREE_TRAVERSAL_ONCE
namespace graze::rigid {

namespace {

/// Nodes of a leaf group, numbered from its root, children after parents.
inline constexpr std::size_t kClusterNodes = 2 * kLeafGroupSize - 1;
inline constexpr std::size_t kSlots = 64;  // a power of two
inline constexpr std::uint32_t kNoNode = 0xffffffffU;

}  // namespace

struct alignas(64) ClusterSlot {
  std::array<std::array<std::array<float, kDirections>, 2>, kClusterNodes> ends;  // lower and upper ends, by node
  std::array<std::uint32_t, kClusterNodes> place;  // number of the first child, or the triangle
  std::uint64_t leaves;                            // bit i: node i is a leaf
};

/// Hash table of tightened leaf groups. Each query starts with an empty table. Slots are used in order, so that the
/// few slots of a small query stay in the CPU cache.
struct ClusterTable {
  std::array<std::uint32_t, kSlots> roots;  // by hash: the tree node at the root of the leaf group
  std::array<std::uint8_t, kSlots> slot_of;
  std::uint8_t used;
  std::array<ClusterSlot, kSlots> slots;
};

struct LeafGroupTables::Tables {
  ClusterTable a;
  ClusterTable b;
};

}  // namespace graze::rigid
#endif

HWY_BEFORE_NAMESPACE();
namespace graze::rigid {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#include "rigid/boxtree/traversal_side.inl.hpp"

/// The widest gap between two boxes over all directions, scaled to unit vectors; at least 0.
template <std::size_t kLanes>
HWY_INLINE float widest_gap(const Ends& a, const Ends& b, const Placement::Row& inverse_length) {
  const typename Rows<kLanes>::Tag d;
  auto widest = hn::Zero(d);
  for (std::size_t k = 0; k < kLanes; k += Rows<kLanes>::kStep) {
    const auto one = hn::Sub(hn::Load(d, a[0].data() + k), hn::Load(d, b[1].data() + k));
    const auto other = hn::Sub(hn::Load(d, b[0].data() + k), hn::Load(d, a[1].data() + k));
    const auto gap = hn::Mul(hn::Max(one, other), hn::Load(d, inverse_length.data() + k));
    widest = hn::IfThenElse(hn::Gt(gap, widest), gap, widest);  // false for NaN
  }
  return hn::GetLane(hn::MaxOfLanes(d, widest));
}

/// Relative depth of the overlap of two boxes, along the direction where it is smallest: 1 if the interval centres
/// coincide, 0 if the intervals touch. Uses only the axes of the boxes, which is enough to order pairs.
template <std::size_t kLanes>
HWY_INLINE float depth(const Ends& a, const Ends& b) {
  const typename Rows<(kLanes < 8 ? kLanes : 8)>::Tag d;
  auto least = hn::Set(d, 1.0F);
  for (std::size_t k = 0; k < (kLanes < 8 ? kLanes : 8); k += hn::Lanes(d)) {
    const auto lo_a = hn::Load(d, a[0].data() + k);
    const auto hi_a = hn::Load(d, a[1].data() + k);
    const auto lo_b = hn::Load(d, b[0].data() + k);
    const auto hi_b = hn::Load(d, b[1].data() + k);
    const auto common = hn::Min(hn::Sub(hi_b, lo_a), hn::Sub(hi_a, lo_b));
    const auto both = hn::Add(hn::Sub(hi_b, lo_b), hn::Sub(hi_a, lo_a));
    const auto share = hn::Div(common, both);
    least = hn::IfThenElse(hn::Lt(share, least), share, least);  // false for NaN
  }
  return hn::GetLane(hn::MinOfLanes(d, least));
}

/// Traversal of two trees. Every function `open` takes two nodes that are not separated and returns true to end the
/// traversal.
template <std::size_t kLanes, bool kLift, bool kMeasure, bool kFirst>
struct Traversal {
  Side<kLanes>& side_a;
  Side<kLanes>& side_b;
  const Placement& placement;
  LeafSink& sink;
  std::uint64_t tests = 0;
  float gap = hwy::HighestValue<float>();

  HWY_INLINE bool separated(const Ends& a, const Ends& b) {
    ++tests;
    const bool answer = are_separated<kLanes>(a, b);
    if (kMeasure && answer) gap = std::min(gap, widest_gap<kLanes>(a, b, placement.inverse_length));
    return answer;
  }

  bool open(const BoxNode& a, const Ends& in_a, const BoxNode& b, const Ends& in_b) {
    if (a.cluster()) {
      const ClusterSlot& cluster = side_a.cluster(a);
      return !separated(cluster.ends[0], in_b) && open_b(cluster, b, in_b);
    }
    if (b.cluster()) {
      const ClusterSlot& cluster = side_b.cluster(b);
      return !separated(in_a, cluster.ends[0]) && open_a(a, in_a, cluster);
    }
    const BoxNode* const child_a = side_a.nodes() + a.place();
    const BoxNode* const child_b = side_b.nodes() + b.place();
    Interval of_a[2];
    Interval of_b[2];
    if constexpr (kLift) {
      for (std::size_t i = 0; i < 2; ++i) side_a.of_child(in_a, child_a[i], of_a[i]);
      for (std::size_t j = 0; j < 2; ++j) side_b.of_child(in_b, child_b[j], of_b[j]);
    }
    bool near[4];
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t j = 0; j < 2; ++j) {
        if constexpr (!kLift) {
          side_a.of_child(in_a, child_a[i], of_a[i]);
          side_b.of_child(in_b, child_b[j], of_b[j]);
        }
        near[2 * i + j] = !separated(of_a[i].ends, of_b[j].ends);
      }
    }
    std::array<std::uint8_t, 4> order;
    std::size_t count = 0;
    for (std::uint8_t k = 0; k < 4; ++k) {
      order[count] = k;
      count += near[k] ? 1U : 0U;
    }
    // A first-hit search visits the pairs with the deepest overlap first.
    if (kFirst && count > 1) {
      std::array<float, 4> depths;
      for (std::size_t n = 0; n < count; ++n)
        depths[order[n]] = depth<kLanes>(of_a[order[n] / 2].ends, of_b[order[n] % 2].ends);
      for (std::size_t n = 1; n < count; ++n) {
        for (std::size_t m = n; m > 0 && depths[order[m]] > depths[order[m - 1]]; --m)
          std::swap(order[m], order[m - 1]);
      }
    }
    for (std::size_t n = 0; n < count; ++n) {
      const std::size_t k = order[n];
      if (open(child_a[k / 2], of_a[k / 2].ends, child_b[k % 2], of_b[k % 2].ends)) return true;
    }
    return false;
  }

  bool open_a(const BoxNode& a, const Ends& in_a, const ClusterSlot& b) {
    if (a.cluster()) {
      const ClusterSlot& cluster = side_a.cluster(a);
      return !separated(cluster.ends[0], b.ends[0]) && clusters(cluster, b);
    }
    const BoxNode* const child = side_a.nodes() + a.place();
    for (std::size_t i = 0; i < 2; ++i) {
      Interval of_a;
      side_a.of_child(in_a, child[i], of_a);
      if (!separated(of_a.ends, b.ends[0]) && open_a(child[i], of_a.ends, b)) return true;
    }
    return false;
  }
  bool open_b(const ClusterSlot& a, const BoxNode& b, const Ends& in_b) {
    if (b.cluster()) {
      const ClusterSlot& cluster = side_b.cluster(b);
      return !separated(a.ends[0], cluster.ends[0]) && clusters(a, cluster);
    }
    const BoxNode* const child = side_b.nodes() + b.place();
    for (std::size_t j = 0; j < 2; ++j) {
      Interval of_b;
      side_b.of_child(in_b, child[j], of_b);
      if (!separated(a.ends[0], of_b.ends) && open_b(a, child[j], of_b.ends)) return true;
    }
    return false;
  }

  bool clusters(const ClusterSlot& a, const ClusterSlot& b) {
    struct Pair {
      std::uint32_t a;
      std::uint32_t b;
    };
    // Each popped pair pushes at most four pairs one level deeper in both trees, or two pairs one level deeper in
    // one.
    std::array<Pair, std::size_t{4 * 2} * kLeafGroupSize> stack;
    std::size_t count = 1;
    stack[0] = {0, 0};
    while (count > 0) {
      const Pair pair = stack[--count];
      const bool leaf_a = (a.leaves >> pair.a & 1U) != 0;
      const bool leaf_b = (b.leaves >> pair.b & 1U) != 0;
      if (leaf_a && leaf_b) {
        if (sink.put(a.place[pair.a], b.place[pair.b])) return true;
        continue;
      }
      const std::uint32_t first_a = leaf_a ? pair.a : a.place[pair.a];
      const std::uint32_t first_b = leaf_b ? pair.b : b.place[pair.b];
      const std::uint32_t last_a = leaf_a ? pair.a : first_a + 1;
      const std::uint32_t last_b = leaf_b ? pair.b : first_b + 1;
      for (std::uint32_t i = first_a; i <= last_a; ++i) {
        for (std::uint32_t j = first_b; j <= last_b; ++j) {
          stack[count] = {i, j};
          count += separated(a.ends[i], b.ends[j]) ? 0U : 1U;
        }
      }
    }
    return false;
  }
};

template <std::size_t kLanes, bool kLift, bool kMeasure, bool kFirst>
TraversalCounts traverse_trees(const TraversedTree& a, const TraversedTree& b, const Placement& placement,
                               LeafGroupTables::Tables& tables, LeafSink& sink) {
  const Placement::Row none{};
  Placement::Row before;
  Placement::Row beyond;
  for (std::size_t s = 0; s < kDirections; ++s) {
    before[s] = placement.offset[s] - placement.margin[s];
    beyond[s] = placement.offset[s] + placement.margin[s];
  }
  Side<kLanes> side_a(a, placement.slope_a, none, none, tables.a);
  Side<kLanes> side_b(b, placement.slope_b, before, beyond, tables.b);
  Interval in_a;
  Interval in_b;
  side_a.of_root(in_a);
  side_b.of_root(in_b);
  Traversal<kLanes, kLift, kMeasure, kFirst> traversal{side_a, side_b, placement, sink};
  const bool ended = !traversal.separated(in_a.ends, in_b.ends) &&
                     traversal.open(a.tree.nodes[0], in_a.ends, b.tree.nodes[0], in_b.ends);
  if (!ended) sink.flush();
  return {traversal.tests, kMeasure ? traversal.gap : 0.0F};
}

template <std::size_t kLanes>
TraversalCounts traverse_lanes(const TraversedTree& a, const TraversedTree& b, const Placement& placement,
                               const TraversalOptions& options, LeafGroupTables::Tables& tables, LeafSink& sink) {
  if (!options.lift) return traverse_trees<kLanes, false, false, false>(a, b, placement, tables, sink);
  if (options.measure) {
    return options.first ? traverse_trees<kLanes, true, true, true>(a, b, placement, tables, sink)
                         : traverse_trees<kLanes, true, true, false>(a, b, placement, tables, sink);
  }
  return options.first ? traverse_trees<kLanes, true, false, true>(a, b, placement, tables, sink)
                       : traverse_trees<kLanes, true, false, false>(a, b, placement, tables, sink);
}

TraversalCounts traverse_4(const TraversedTree& a, const TraversedTree& b, const Placement& placement,
                           const TraversalOptions& options, LeafGroupTables::Tables& tables, LeafSink& sink) {
  return traverse_lanes<4>(a, b, placement, options, tables, sink);
}
TraversalCounts traverse_8(const TraversedTree& a, const TraversedTree& b, const Placement& placement,
                           const TraversalOptions& options, LeafGroupTables::Tables& tables, LeafSink& sink) {
  return traverse_lanes<8>(a, b, placement, options, tables, sink);
}
TraversalCounts traverse_16(const TraversedTree& a, const TraversedTree& b, const Placement& placement,
                            const TraversalOptions& options, LeafGroupTables::Tables& tables, LeafSink& sink) {
  return traverse_lanes<16>(a, b, placement, options, tables, sink);
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::rigid
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::rigid {

HWY_EXPORT(traverse_4);
HWY_EXPORT(traverse_8);
HWY_EXPORT(traverse_16);

LeafGroupTables::LeafGroupTables() = default;
LeafGroupTables::~LeafGroupTables() = default;
LeafGroupTables::LeafGroupTables(LeafGroupTables&&) noexcept = default;
LeafGroupTables& LeafGroupTables::operator=(LeafGroupTables&&) noexcept = default;

LeafGroupTables::Tables& LeafGroupTables::tables() {
  if (!tables_) tables_ = std::make_unique_for_overwrite<Tables>();
  return *tables_;
}

namespace {

/// The placement with all later directions set to zero, so that they never separate.
Placement first_directions(const Placement& placement, std::size_t count) {
  Placement some = placement;
  const auto clear = [&](Placement::Row& row) {
    std::fill(row.begin() + static_cast<std::ptrdiff_t>(count), row.end(), 0.0F);
  };
  for (std::size_t axis = 0; axis < 3; ++axis) {
    clear(some.slope_a[axis]);
    clear(some.slope_b[axis]);
  }
  clear(some.offset);
  clear(some.margin);
  clear(some.inverse_length);
  return some;
}

}  // namespace

TraversalCounts traverse_boxtrees(const TraversedTree& a, const TraversedTree& b, const Placement& placement,
                                  const TraversalOptions& options, LeafGroupTables& work, LeafSink& sink) {
  if (a.tree.nodes.empty() || b.tree.nodes.empty()) return {};
  if (options.overlap == BoxOverlap::Sat) {
    return HWY_DYNAMIC_DISPATCH(traverse_16)(a, b, placement, options, work.tables(), sink);
  }
  if (options.overlap == BoxOverlap::SatLite) {
    return HWY_DYNAMIC_DISPATCH(traverse_8)(a, b, first_directions(placement, 6), options, work.tables(), sink);
  }
  return HWY_DYNAMIC_DISPATCH(traverse_4)(a, b, first_directions(placement, 3), options, work.tables(), sink);
}

}  // namespace graze::rigid
#endif
