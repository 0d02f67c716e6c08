// Branch and bound for the pairs of triangles within a distance, and bounds of one pair. See search.hpp.
#include "rigid/distance/branch_and_bound.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "rigid/collide.hpp"
#include "rigid/distance/triangle_distance.hpp"

namespace graze::rigid {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The pairs within d: the first, or all.
class PairsWithin : public BranchAndBound {
 public:
  PairsWithin(const ProximitySide& a, const ProximitySide& b, double d, PairStop stop, ProximityWork& work)
      : BranchAndBound(a, b, work),
        d_(d),
        above_(scaled_up(d, -exponent())),
        below_(scaled_down(d, -exponent())),
        stop_(stop) {}

  void find(std::optional<TrianglePair> start) {
    if (start && judge_alone(*start, *this)) return;
    run(*this);
  }
  std::vector<TrianglePair>& found() { return found_; }

  [[nodiscard]] bool drops(double bound) const { return bound > above_; }
  [[nodiscard]] double limit() const { return above_; }
  void dropped_at_limit() {}

  bool judge(const BoundedPair& pair) {
    if (pair.upper < nearest_) {
      nearest_ = pair.upper;
      set_direction(pair.between);
    }
    bool within = pair.upper <= below_;
    if (within || pair.lower > above_) {
      ++stats_.tiers.filter;
    } else {
      bool exact = false;
      within = triangles_within(corners_a(pair.pair.a), corners_b(pair.pair.b), d_, exact);
      ++(exact ? stats_.tiers.exact : stats_.tiers.interval);
    }
    if (!within) return false;
    found_.push_back(pair.pair);
    return stop_(pair.pair);
  }

 private:
  double d_;
  double above_;  ///< d in units, rounded up
  double below_;
  PairStop stop_;
  double nearest_ = kInfinity;
  std::vector<TrianglePair> found_;
};

}  // namespace

TriangleCorners corners_of(const ProximitySide& side, TriangleId triangle) {
  return posed_triangle(side.object, side.pose, triangle);
}

RigidProximity proximity_of(const ProximitySide& a, const ProximitySide& b, const TrianglePair& pair) {
  const TriangleCorners in_a = corners_of(a, pair.a);
  const TriangleCorners in_b = corners_of(b, pair.b);
  bool exact = false;
  const NarrowDistance narrow = triangle_distance(in_a, in_b, exact);
  const ClosestPoints points = closest_points(in_a, in_b, narrow.hi == 0.0);
  return {pair, narrow.lo, narrow.hi, points.on_a, points.on_b, points.normal};
}

WithinDistance search_within(const ProximitySide& a, const ProximitySide& b, double d,
                             std::optional<TrianglePair> start, ProximityWork& work) {
  WithinDistance result;
  if (is_empty(a, b)) return result;
  const auto at_first = [](const TrianglePair&) { return true; };
  PairsWithin search(a, b, d, at_first, work);
  search.find(start);
  if (!search.found().empty()) result.pair = search.found().front();
  result.stats = search.stats();
  return result;
}

std::vector<TrianglePair> search_pairs(const ProximitySide& a, const ProximitySide& b, double d,
                                       ProximityWork& work, RigidStats& stats, PairStop stop) {
  if (is_empty(a, b)) return {};
  PairsWithin search(a, b, d, stop, work);
  search.find(std::nullopt);
  stats += search.stats();
  return std::move(search.found());
}

}  // namespace graze::rigid
