// The descent of two boxtrees. See the header.
#include "rigid/boxtree_walk.hpp"

#include <algorithm>

namespace graze::rigid {

namespace {

using Row = Placement::Row;

struct Interval {
  Row lo;
  Row hi;
};

struct Walk {
  const Boxtree& a;
  const Boxtree& b;
  const Placement& placement;
  std::size_t directions;
  LeafSink& sink;
  std::uint64_t tests = 0;

  static Interval root(const Boxtree& tree, const std::array<Row, 3>& slopes) {
    Interval interval{};
    for (std::size_t s = 0; s < kDirections; ++s) {
      for (std::size_t i = 0; i < 3; ++i) {
        const float p = slopes[i][s];
        interval.lo[s] += p > 0 ? p * tree.lo[i] : p * tree.hi[i];
        interval.hi[s] += p > 0 ? p * tree.hi[i] : p * tree.lo[i];
      }
    }
    return interval;
  }
  static Interval child(const BoxNode& node, const Interval& parent, const std::array<Row, 3>& slopes) {
    Interval interval = parent;
    const Row& slope = slopes[node.axis()];
    const float cut = node.upper() ? -node.cut() : node.cut();
    for (std::size_t s = 0; s < kDirections; ++s) {
      const float change = cut * slope[s];
      if ((slope[s] > 0) != node.upper()) {
        interval.hi[s] -= change;
      } else {
        interval.lo[s] -= change;
      }
    }
    return interval;
  }
  bool apart(const Interval& in_a, const Interval& in_b) {
    ++tests;
    for (std::size_t s = 0; s < directions; ++s) {
      if (in_a.lo[s] > in_b.hi[s] || in_b.lo[s] > in_a.hi[s]) return true;
    }
    return false;
  }

  /// Returns true to end the walk.
  bool go(const BoxNode& node_a, const Interval& in_a, const BoxNode& node_b, const Interval& in_b) {
    if (apart(in_a, in_b)) return false;
    if (node_a.leaf() && node_b.leaf()) return sink.put(node_a.place(), node_b.place());
    const std::size_t count_a = node_a.leaf() ? 1 : 2;
    const std::size_t count_b = node_b.leaf() ? 1 : 2;
    for (std::size_t i = 0; i < count_a; ++i) {
      const BoxNode& next_a = node_a.leaf() ? node_a : a.nodes[node_a.place() + i];
      const Interval at_a = node_a.leaf() ? in_a : child(next_a, in_a, placement.slope_a);
      for (std::size_t j = 0; j < count_b; ++j) {
        const BoxNode& next_b = node_b.leaf() ? node_b : b.nodes[node_b.place() + j];
        const Interval at_b = node_b.leaf() ? in_b : child(next_b, in_b, placement.slope_b);
        if (go(next_a, at_a, next_b, at_b)) return true;
      }
    }
    return false;
  }
};

}  // namespace

std::uint64_t walk_boxtrees(const Boxtree& a, const Boxtree& b, const Placement& placement,
                            const WalkOptions& options, LeafSink& sink) {
  if (a.nodes.empty() || b.nodes.empty()) return 0;
  const std::size_t directions = options.overlap == BoxOverlap::Sat       ? 15
                                 : options.overlap == BoxOverlap::SatLite ? 6
                                                                          : 3;
  Walk walk{a, b, placement, directions, sink};
  const Interval in_a = Walk::root(a, placement.slope_a);
  Interval in_b = Walk::root(b, placement.slope_b);
  for (std::size_t s = 0; s < kDirections; ++s) {
    in_b.lo[s] += placement.offset[s] - placement.margin[s];
    in_b.hi[s] += placement.offset[s] + placement.margin[s];
  }
  if (!walk.go(a.nodes[0], in_a, b.nodes[0], in_b)) sink.flush();
  return walk.tests;
}

}  // namespace graze::rigid
