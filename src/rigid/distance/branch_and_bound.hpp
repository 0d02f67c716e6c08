// The traversal that all distance searches share. See search.hpp.
//
// A goal of a search is a class derived from BranchAndBound. It provides drops(bound): whether a pair with this
// lower bound is dropped; limit(): lower bounds of triangles from here on are dropped; dropped_at_limit(): some
// were; and judge(BoundedPair), which returns true to end the search.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "geometry/vec.hpp"
#include "rigid/distance/search.hpp"

namespace graze::rigid {

/// Bound of the coordinates of the posed vertices: a row of a rotation is at most 1 + 1e-6 long, a vertex sqrt(3)
/// times its largest coordinate.
inline double farthest(const ProximitySide& side) {
  return 1.74 * side.object.max_coordinate + max_abs(side.pose.translation);
}

/// x 2^exponent, rounded up or down; up is never 0 for x > 0.
inline double scaled_up(double x, int exponent) {
  const double y = std::ldexp(x, exponent);
  return std::ldexp(y, -exponent) >= x || !std::isfinite(y)
             ? y
             : std::nextafter(y, std::numeric_limits<double>::infinity());
}
inline double scaled_down(double x, int exponent) {
  const double y = std::ldexp(x, exponent);
  if (!std::isfinite(y) && std::isfinite(x)) return std::numeric_limits<double>::max();
  return std::ldexp(y, -exponent) <= x ? y : std::nextafter(y, 0.0);
}

/// A pair of triangles with its bounds in lanes, in units.
struct BoundedPair {
  TrianglePair pair;
  double lower;
  double upper;
  Vec3 between;
};

/// What all searches share.
class BranchAndBound {
 public:
  BranchAndBound(const ProximitySide& a, const ProximitySide& b, ProximityWork& work)
      : a_(a),
        b_(b),
        work_(work),
        frames_({&a.tree, a.pose, a.object.max_coordinate}, {&b.tree, b.pose, b.object.max_coordinate}),
        // Beyond 2^1000 a scale of zero makes the bounds in lanes say that nothing is known.
        scale_(std::abs(frames_.exponent()) <= 1000 ? std::ldexp(1.0, -frames_.exponent()) : 0.0),
        // With u = 2^-53 and coordinates up to C a projection errs by 3 sqrt(3) u C, the difference of two by
        // sqrt(3) u times the sum of both C more, and as much as four times for a direction not quite of length 1:
        // below 16 u of that sum.
        rounding_(0x1p-49 * (farthest(a) + farthest(b)) + 0x1p-1070) {
    if (!work_.posed) work_.posed = std::make_unique_for_overwrite<std::array<ProximityWork::Cache, 2>>();
    for (ProximityWork::Cache& cache : *work_.posed) cache.keys.fill(~0U);
  }

  [[nodiscard]] const RigidStats& stats() const { return stats_; }
  [[nodiscard]] int exponent() const { return frames_.exponent(); }

 protected:
  /// Runs the search; returns whether the goal ended it.
  template <class Goal>
  bool run(Goal& goal) {
    work_.stack.assign(1, {0, 0, -std::numeric_limits<double>::infinity()});
    while (!work_.stack.empty()) {
      const ProximityWork::Pair pair = work_.stack.back();
      work_.stack.pop_back();
      if (goal.drops(pair.bound)) continue;
      const bool leaf_a = a_.tree.is_group(pair.a);
      const bool leaf_b = b_.tree.is_group(pair.b);
      if (leaf_a && leaf_b) {
        if (visit_groups(a_.tree.group(pair.a), b_.tree.group(pair.b), goal)) return true;
        continue;
      }
      const bool open_a = leaf_b || (!leaf_a && frames_.size(0, pair.a) >= frames_.size(1, pair.b));
      open(pair, open_a, goal);
    }
    return false;
  }

  /// Whether the boxes of the whole objects are apart: then nothing intersects.
  [[nodiscard]] bool boxes_apart() {
    alignas(64) std::array<double, kWide> bounds;
    box_bounds(frames_.fix(0, 0), b_.tree.nodes[0], bounds.data());
    ++stats_.node_tests;
    return bounds[0] > 0.0;
  }

  /// Remembers where the closest points lie.
  void set_direction(const Vec3& between) {
    const double size = max_abs(between);
    if (!(size > 0.0) || !std::isfinite(size)) return;
    const Vec3 v{between.x / size, between.y / size, between.z / size};
    const double length = std::sqrt(geometry::dot(v, v));
    direction_ = {v.x / length, v.y / length, v.z / length};
    frames_.set_direction(direction_);
  }

  [[nodiscard]] TriangleCorners corners_a(TriangleId triangle) const { return corners_of(a_, triangle); }
  [[nodiscard]] TriangleCorners corners_b(TriangleId triangle) const { return corners_of(b_, triangle); }

  /// Bounds of one pair on its own.
  template <class Goal>
  bool judge_alone(const TrianglePair& pair, Goal& goal) {
    PosedGroup of_a;
    PosedGroup of_b;
    pose(a_, {{pair.a, pair.a, pair.a, pair.a, pair.a, pair.a, pair.a, pair.a}, 1}, of_a);
    pose(b_, {{pair.b, pair.b, pair.b, pair.b, pair.b, pair.b, pair.b, pair.b}, 1}, of_b);
    const std::array<LanePair, 1> only{LanePair{0, 0}};
    return judge_pairs(of_a, of_b, only, goal);
  }

  const ProximitySide& a_;
  const ProximitySide& b_;
  ProximityWork& work_;
  RigidStats stats_;

 private:
  template <class Goal>
  void open(const ProximityWork::Pair& pair, bool open_a, Goal& goal) {
    const ProximityTree& tree = open_a ? a_.tree : b_.tree;
    const std::uint32_t index = tree.child(open_a ? pair.a : pair.b);
    const WideNode& node = tree.nodes[index];
    alignas(64) std::array<double, kWide> bounds;
    box_bounds(frames_.fix(open_a ? 1 : 0, open_a ? pair.b : pair.a), node, bounds.data());
    stats_.node_tests += node.count;
    // The farthest child goes onto the stack first.
    const std::size_t first = work_.stack.size();
    for (std::uint32_t lane = 0; lane < node.count; ++lane) {
      const double bound = std::max(bounds[lane], pair.bound);
      if (goal.drops(bound)) continue;
      ProximityWork::Pair child = pair;
      (open_a ? child.a : child.b) = static_cast<ProximityTree::Slot>(index * kWide + lane);
      child.bound = bound;
      work_.stack.push_back(child);
      for (std::size_t i = work_.stack.size() - 1; i > first && work_.stack[i - 1].bound < bound; --i)
        std::swap(work_.stack[i - 1], work_.stack[i]);
    }
  }

  static void pose(const ProximitySide& side, const LeafGroup& group, PosedGroup& posed_group) {
    posed_group.triangles = group.triangles;
    posed_group.count = group.count;
    for (std::size_t lane = 0; lane < kWide; ++lane) {
      const TriangleCorners corners = corners_of(side, group.triangles[lane < group.count ? lane : 0]);
      for (std::size_t i = 0; i < 3; ++i) {
        posed_group.at[i][0][lane] = corners[i].x;
        posed_group.at[i][1][lane] = corners[i].y;
        posed_group.at[i][2][lane] = corners[i].z;
      }
    }
  }
  const PosedGroup& posed_group(std::size_t which, std::uint32_t index) {
    const ProximitySide& side = which == 0 ? a_ : b_;
    ProximityWork::Cache& cache = (*work_.posed)[which];
    const std::size_t place = index % ProximityWork::kCached;
    if (cache.keys[place] != index) {
      cache.keys[place] = index;
      pose(side, side.tree.groups[index], cache.groups[place]);
    }
    return cache.groups[place];
  }

  template <class Goal>
  bool visit_groups(std::uint32_t index_a, std::uint32_t index_b, Goal& goal) {
    const PosedGroup& group_a = posed_group(0, index_a);
    const PosedGroup& group_b = posed_group(1, index_b);
    std::array<LanePair, kWide * kWide> pairs;
    const PairFilter filter{direction_, scaled_up(goal.limit(), frames_.exponent()) + rounding_};
    const std::size_t count = list_pairs(group_a, group_b, filter, pairs);
    if (count < std::size_t{group_a.count} * group_b.count) goal.dropped_at_limit();
    for (std::size_t first = 0; first < count; first += kWide) {
      if (judge_pairs(group_a, group_b, std::span(pairs.data() + first, std::min(kWide, count - first)), goal))
        return true;
    }
    return false;
  }

  template <class Goal>
  bool judge_pairs(const PosedGroup& group_a, const PosedGroup& group_b, std::span<const LanePair> pairs,
                   Goal& goal) {
    TriangleBounds bounds;
    triangle_bounds(group_a, group_b, pairs, scale_, bounds);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      ++stats_.triangle_tests;
      const BoundedPair pair{{group_a.triangles[pairs[i].a], group_b.triangles[pairs[i].b]},
                             bounds.lower[i],
                             bounds.upper[i],
                             {bounds.between[0][i], bounds.between[1][i], bounds.between[2][i]}};
      if (goal.judge(pair)) return true;
    }
    return false;
  }

  BoxFrames frames_;
  double scale_;
  double rounding_;  ///< of the difference of two projections of posed vertices on a unit vector
  Vec3 direction_;
};

/// Whether there are no pairs of triangles.
inline bool is_empty(const ProximitySide& a, const ProximitySide& b) {
  return a.tree.nodes.empty() || b.tree.nodes.empty();
}

}  // namespace graze::rigid
