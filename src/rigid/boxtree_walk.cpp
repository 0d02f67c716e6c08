// The descent of two boxtrees, compiled by Highway once per instruction set: a lane for each direction.
//
// The interval of a child along s is its parent's, less cut * |slope| at one end. Which end depends on the side of
// the node and the sign of the slope: rows for each of the six sides say what is added to the lower ends and taken
// from the upper ends, so that a child costs two products and two sums of rows, and a pair two comparisons. With
// `lift` the four children of a pair are derived once and passed down; without, once for each pair that they are
// in. Each operation rounds once, on every target: the same pairs are compared everywhere.
#include "rigid/boxtree_walk.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rigid/boxtree_walk.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace graze::rigid {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// One row of lanes in as many registers as it takes.
template <std::size_t kLanes>
struct Rows {
  using Tag = hn::CappedTag<float, kLanes>;
#if HWY_TARGET == HWY_SCALAR
  static constexpr std::size_t kStep = 1;
#else
  static constexpr std::size_t kStep = hn::MaxLanes(Tag());
#endif
  static constexpr std::size_t kCount = kLanes / kStep;
};

template <std::size_t kLanes>
struct alignas(64) Interval {
  std::array<float, kLanes> lo;
  std::array<float, kLanes> hi;
};

/// What the slabs of one tree do to intervals: by side (axis, + 4 if upper).
template <std::size_t kLanes>
struct alignas(64) Slabs {
  std::array<std::array<float, kLanes>, 8> up{};    // added to lower ends, times the cut
  std::array<std::array<float, kLanes>, 8> down{};  // taken from upper ends

  explicit Slabs(const std::array<Placement::Row, 3>& slopes) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (std::size_t s = 0; s < kLanes; ++s) {
        const float slope = slopes[axis][s];
        const float positive = slope > 0.0F ? slope : 0.0F;
        const float negative = slope < 0.0F ? -slope : 0.0F;
        // A lower child loses a slab on its upper side: the upper end where the slope is positive.
        up[axis][s] = negative;
        down[axis][s] = positive;
        up[axis + 4][s] = positive;
        down[axis + 4][s] = negative;
        if (slope != slope) down[axis][s] = up[axis][s] = down[axis + 4][s] = up[axis + 4][s] = slope;
      }
    }
  }
};

template <std::size_t kLanes>
HWY_INLINE void derive(const Interval<kLanes>& parent, const BoxNode& node, const Slabs<kLanes>& slabs,
                       Interval<kLanes>& child) {
  const typename Rows<kLanes>::Tag d;
  const auto cut = hn::Set(d, node.cut());
  const float* const up = slabs.up[node.side()].data();
  const float* const down = slabs.down[node.side()].data();
  for (std::size_t k = 0; k < kLanes; k += Rows<kLanes>::kStep) {
    hn::Store(hn::Add(hn::Load(d, parent.lo.data() + k), hn::Mul(cut, hn::Load(d, up + k))), d,
              child.lo.data() + k);
    hn::Store(hn::Sub(hn::Load(d, parent.hi.data() + k), hn::Mul(cut, hn::Load(d, down + k))), d,
              child.hi.data() + k);
  }
}

template <std::size_t kLanes>
HWY_INLINE bool apart(const Interval<kLanes>& a, const Interval<kLanes>& b) {
  const typename Rows<kLanes>::Tag d;
  for (std::size_t k = 0; k < kLanes; k += Rows<kLanes>::kStep) {
    const auto one = hn::Gt(hn::Load(d, a.lo.data() + k), hn::Load(d, b.hi.data() + k));
    const auto other = hn::Gt(hn::Load(d, b.lo.data() + k), hn::Load(d, a.hi.data() + k));
    if (!hn::AllFalse(d, hn::Or(one, other))) return true;
  }
  return false;
}

/// One of the two trees, as the walk sees it.
template <std::size_t kLanes>
struct Side {
  const WalkedTree& walked;
  Slabs<kLanes> slabs;
  alignas(64) std::array<std::array<float, kLanes>, 3> slopes;
  alignas(64) std::array<float, kLanes> before;  // added to lower ends: offset - margin, of b
  alignas(64) std::array<float, kLanes> beyond;  // added to upper ends: offset + margin

  Side(const WalkedTree& tree, const std::array<Placement::Row, 3>& rows) : walked(tree), slabs(rows) {
    for (std::size_t axis = 0; axis < 3; ++axis) std::copy_n(rows[axis].begin(), kLanes, slopes[axis].begin());
    before.fill(0.0F);
    beyond.fill(0.0F);
  }

  /// A leaf's interval is that of its triangle, tighter than its box.
  HWY_INLINE void of_triangle(TriangleId id, Interval<kLanes>& interval) const {
    const typename Rows<kLanes>::Tag d;
    const Triangle& triangle = walked.triangles[id];
    float u[3][3];
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const auto relative = walked.tree.frame.relative(walked.positions[triangle[corner]]);
      for (std::size_t axis = 0; axis < 3; ++axis) u[corner][axis] = static_cast<float>(relative[axis]);
    }
    for (std::size_t k = 0; k < kLanes; k += Rows<kLanes>::kStep) {
      const auto x = hn::Load(d, slopes[0].data() + k);
      const auto y = hn::Load(d, slopes[1].data() + k);
      const auto z = hn::Load(d, slopes[2].data() + k);
      const auto at = [&](const float* p) HWY_ATTR {
        return hn::Add(hn::Add(hn::Mul(hn::Set(d, p[0]), x), hn::Mul(hn::Set(d, p[1]), y)),
                       hn::Mul(hn::Set(d, p[2]), z));
      };
      const auto first = at(u[0]);
      const auto second = at(u[1]);
      const auto third = at(u[2]);
      hn::Store(hn::Add(hn::Min(first, hn::Min(second, third)), hn::Load(d, before.data() + k)), d,
                interval.lo.data() + k);
      hn::Store(hn::Add(hn::Max(first, hn::Max(second, third)), hn::Load(d, beyond.data() + k)), d,
                interval.hi.data() + k);
    }
  }
  HWY_INLINE void of_child(const Interval<kLanes>& parent, const BoxNode& node, Interval<kLanes>& child) const {
    if (node.leaf()) {
      of_triangle(node.place(), child);
    } else {
      derive(parent, node, slabs, child);
    }
  }
};

template <std::size_t kLanes, bool kLift>
struct Walk {
  const BoxNode* nodes_a;
  const BoxNode* nodes_b;
  Side<kLanes> side_a;
  Side<kLanes> side_b;
  LeafSink& sink;
  std::uint64_t tests = 0;

  /// Of two nodes that are not apart. Returns true to end the walk.
  bool open(const BoxNode& a, const Interval<kLanes>& in_a, const BoxNode& b, const Interval<kLanes>& in_b) {
    if (a.leaf()) return b.leaf() ? sink.put(a.place(), b.place()) : open_b(a, in_a, b, in_b);
    if (b.leaf()) return open_a(a, in_a, b, in_b);
    const BoxNode* const child_a = nodes_a + a.place();
    const BoxNode* const child_b = nodes_b + b.place();
    Interval<kLanes> of_a[2];
    Interval<kLanes> of_b[2];
    if constexpr (kLift) {
      for (std::size_t i = 0; i < 2; ++i) side_a.of_child(in_a, child_a[i], of_a[i]);
      for (std::size_t j = 0; j < 2; ++j) side_b.of_child(in_b, child_b[j], of_b[j]);
    }
    tests += 4;
    bool near[4];
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t j = 0; j < 2; ++j) {
        if constexpr (!kLift) {
          side_a.of_child(in_a, child_a[i], of_a[i]);
          side_b.of_child(in_b, child_b[j], of_b[j]);
        }
        near[2 * i + j] = !apart(of_a[i], of_b[j]);
      }
    }
    for (std::size_t k = 0; k < 4; ++k) {
      if (near[k] && open(child_a[k / 2], of_a[k / 2], child_b[k % 2], of_b[k % 2])) return true;
    }
    return false;
  }

  bool open_a(const BoxNode& a, const Interval<kLanes>& in_a, const BoxNode& b, const Interval<kLanes>& in_b) {
    const BoxNode* const child = nodes_a + a.place();
    tests += 2;
    for (std::size_t i = 0; i < 2; ++i) {
      Interval<kLanes> of_a;
      side_a.of_child(in_a, child[i], of_a);
      if (!apart(of_a, in_b) && open(child[i], of_a, b, in_b)) return true;
    }
    return false;
  }
  bool open_b(const BoxNode& a, const Interval<kLanes>& in_a, const BoxNode& b, const Interval<kLanes>& in_b) {
    const BoxNode* const child = nodes_b + b.place();
    tests += 2;
    for (std::size_t j = 0; j < 2; ++j) {
      Interval<kLanes> of_b;
      side_b.of_child(in_b, child[j], of_b);
      if (!apart(in_a, of_b) && open(a, in_a, child[j], of_b)) return true;
    }
    return false;
  }
};

/// The interval of a box, measured as the placement does.
template <std::size_t kLanes>
Interval<kLanes> of_box(const Boxtree& tree, const std::array<Placement::Row, 3>& slopes) {
  Interval<kLanes> interval{};
  for (std::size_t s = 0; s < kLanes; ++s) {
    for (std::size_t i = 0; i < 3; ++i) {
      const float at_lo = slopes[i][s] * tree.lo[i];
      const float at_hi = slopes[i][s] * tree.hi[i];
      interval.lo[s] += slopes[i][s] > 0.0F ? at_lo : at_hi;
      interval.hi[s] += slopes[i][s] > 0.0F ? at_hi : at_lo;
    }
  }
  return interval;
}

template <std::size_t kLanes, bool kLift>
std::uint64_t walk(const WalkedTree& a, const WalkedTree& b, const Placement& placement, LeafSink& sink) {
  Walk<kLanes, kLift> walk{a.tree.nodes.data(), b.tree.nodes.data(), Side<kLanes>(a, placement.slope_a),
                           Side<kLanes>(b, placement.slope_b), sink};
  const Interval<kLanes> in_a = of_box<kLanes>(a.tree, placement.slope_a);
  Interval<kLanes> in_b = of_box<kLanes>(b.tree, placement.slope_b);
  for (std::size_t s = 0; s < kLanes; ++s) {
    walk.side_b.before[s] = placement.offset[s] - placement.margin[s];
    walk.side_b.beyond[s] = placement.offset[s] + placement.margin[s];
    in_b.lo[s] += walk.side_b.before[s];
    in_b.hi[s] += walk.side_b.beyond[s];
  }
  walk.tests = 1;
  if (!apart(in_a, in_b) && !walk.open(a.tree.nodes[0], in_a, b.tree.nodes[0], in_b)) sink.flush();
  return walk.tests;
}

std::uint64_t walk_4(const WalkedTree& a, const WalkedTree& b, const Placement& placement, bool lift, LeafSink& sink) {
  return lift ? walk<4, true>(a, b, placement, sink) : walk<4, false>(a, b, placement, sink);
}
std::uint64_t walk_8(const WalkedTree& a, const WalkedTree& b, const Placement& placement, bool lift, LeafSink& sink) {
  return lift ? walk<8, true>(a, b, placement, sink) : walk<8, false>(a, b, placement, sink);
}
std::uint64_t walk_16(const WalkedTree& a, const WalkedTree& b, const Placement& placement, bool lift, LeafSink& sink) {
  return lift ? walk<16, true>(a, b, placement, sink) : walk<16, false>(a, b, placement, sink);
}

}  // namespace HWY_NAMESPACE
}  // namespace graze::rigid
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace graze::rigid {

HWY_EXPORT(walk_4);
HWY_EXPORT(walk_8);
HWY_EXPORT(walk_16);

std::uint64_t walk_boxtrees(const WalkedTree& a, const WalkedTree& b, const Placement& placement,
                            const WalkOptions& options, LeafSink& sink) {
  if (a.tree.nodes.empty() || b.tree.nodes.empty()) return 0;
  switch (options.overlap) {
    case BoxOverlap::Sat:
      return HWY_DYNAMIC_DISPATCH(walk_16)(a, b, placement, options.lift, sink);
    case BoxOverlap::SatLite:
      return HWY_DYNAMIC_DISPATCH(walk_8)(a, b, placement, options.lift, sink);
    case BoxOverlap::Axis:
    case BoxOverlap::Lookup:
      break;
  }
  return HWY_DYNAMIC_DISPATCH(walk_4)(a, b, placement, options.lift, sink);
}

}  // namespace graze::rigid
#endif
