// Branch and bound for distances. See the header.
#include "rigid/distance/search.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/vec.hpp"
#include "narrow/edge_face.hpp"
#include "rigid/collide.hpp"

namespace graze::rigid {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kFinestTolerance = 0x1p-40;

/// Bound of the coordinates of the posed vertices: a row of a rotation is at most 1 + 1e-6 long, a vertex sqrt(3)
/// times its largest coordinate.
double farthest(const ProximitySide& side) {
  return 1.74 * side.object.max_coordinate + max_abs(side.pose.translation);
}

/// x 2^exponent, rounded up or down; up is never 0 for x > 0.
double scaled_up(double x, int exponent) {
  const double y = std::ldexp(x, exponent);
  return std::ldexp(y, -exponent) >= x || !std::isfinite(y) ? y : std::nextafter(y, kInfinity);
}
double scaled_down(double x, int exponent) {
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

/// What all searches share. Goal provides drops(bound), which may drop a pair of boxes with this lower bound, or
/// not; limit(), below which triangles are not dropped; and judge(BoundedPair), which returns true to end the
/// search.
class Base {
 public:
  Base(const ProximitySide& a, const ProximitySide& b, ProximityWork& work)
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
    work_.stack.assign(1, {0, 0, -kInfinity});
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

/// The pairs within d: the first, or all.
class PairsWithin : public Base {
 public:
  PairsWithin(const ProximitySide& a, const ProximitySide& b, double d, PairStop stop, ProximityWork& work)
      : Base(a, b, work),
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

/// The least distance.
class LeastDistance : public Base {
 public:
  LeastDistance(const ProximitySide& a, const ProximitySide& b, const DistanceOptions& options, ProximityWork& work)
      : Base(a, b, work),
        relative_(std::max(options.relative, kFinestTolerance)),
        absolute_(scaled_down(options.absolute, -exponent())),
        hi_(scaled_up(options.limit, -exponent())),
        limit_(hi_) {}

  RigidDistance find(std::optional<TrianglePair> start) {
    // Whether anything intersects is decided first, where no more than contact is looked for. After that, and with
    // a first pair from before, the distance is known to be positive or the search starts from a good bound.
    if (!(start && judge_alone(*start, *this)) && !(!start && !boxes_apart() && find_contact())) {
      if (!run(*this)) measure_open();
    }
    RigidDistance result;
    result.stats = stats_;
    result.pair = best_;
    if (!best_) {
      result.lo = scaled_down(lo_, exponent());
      result.hi = kInfinity;
      return result;
    }
    if (hi_ > 0.0) {
      result.hi = measured_ ? *measured_ : scaled_up(hi_, exponent());
      result.lo = std::min(scaled_down(std::min(lo_, hi_), exponent()), result.hi);
    }
    const ClosestPoints points = closest_points(corners_a(best_->a), corners_b(best_->b), hi_ == 0.0);
    result.point_a = points.on_a;
    result.point_b = points.on_b;
    result.normal = points.normal;
    return result;
  }

  bool drops(double bound) {
    if (!(bound > 0.0 && bound >= limit_)) return false;
    lo_ = std::min(lo_, bound);
    return true;
  }
  [[nodiscard]] double limit() const { return limit_; }
  void dropped_at_limit() { lo_ = std::min(lo_, limit_); }

  bool judge(const BoundedPair& pair) {
    if (pair.upper < hi_) {
      measured_.reset();
      improve(pair.pair, pair.upper);
      set_direction(pair.between);
    }
    if (drops(pair.lower)) {
      ++stats_.tiers.filter;
      return false;
    }
    if (!disjoint_ && !(pair.lower > 0.0)) {
      bool exact = false;
      if (narrow::triangles_intersect(corners_a(pair.pair.a), corners_b(pair.pair.b), exact)) {
        ++(exact ? stats_.tiers.exact : stats_.tiers.interval);
        improve(pair.pair, 0.0);
        return true;
      }
    }
    open_.push_back({pair.pair, pair.lower});
    return false;
  }

 private:
  /// Looks for triangles that intersect, and remembers if there are none.
  bool find_contact() {
    const WithinDistance contact = search_within(a_, b_, 0.0, std::nullopt, work_);
    stats_ += contact.stats;
    disjoint_ = !contact.within();
    if (!disjoint_) improve(*contact.pair, 0.0);
    return !disjoint_;
  }

  /// Measures the pairs whose bounds in lanes are not within the tolerance: last, when most of them are beyond the
  /// limit. The best pair comes first. None of them intersects.
  void measure_open() {
    const auto best =
        std::find_if(open_.begin(), open_.end(), [&](const Open& open) { return open.pair == best_; });
    if (best != open_.end()) std::iter_swap(open_.begin(), best);
    for (const auto& [pair, lower] : open_) {
      if (drops(lower)) {
        ++stats_.tiers.filter;
        continue;
      }
      ++stats_.tiers.interval;
      const NarrowDistance narrow = disjoint_distance(corners_a(pair.a), corners_b(pair.b));
      const double hi = std::max(scaled_up(narrow.hi, -exponent()), 0x1p-1070);
      lo_ = std::min(lo_, scaled_down(narrow.lo, -exponent()));
      if (hi < hi_ || (best_ == pair && hi <= hi_)) {
        measured_ = narrow.hi;
        improve(pair, hi);
      }
    }
  }

  void improve(const TrianglePair& pair, double hi) {
    best_ = pair;
    hi_ = hi;
    // Slightly less than the tolerance, so that the rounding of this and of the result stays within it. The second
    // term keeps the lower bound positive where the tolerance exceeds the distance.
    const double tolerance = 0.96875 * std::max(relative_ * hi, absolute_);
    limit_ = std::max(hi - tolerance, 0x1p-10 * hi);
  }

  struct Open {
    TrianglePair pair;
    double lower;
  };

  double relative_;
  double absolute_;
  double hi_;     ///< least upper bound, or the limit of the query
  double limit_;  ///< lower bounds from here on drop a pair
  double lo_ = kInfinity;
  bool disjoint_ = false;  ///< the objects are known not to intersect
  std::optional<TrianglePair> best_;
  std::vector<Open> open_;          ///< pairs to be measured on their own
  std::optional<double> measured_;  ///< upper bound of the best pair, if it was measured on its own, unscaled
};

bool is_empty(const ProximitySide& a, const ProximitySide& b) {
  return a.tree.nodes.empty() || b.tree.nodes.empty();
}

}  // namespace

RigidProximity proximity_of(const ProximitySide& a, const ProximitySide& b, const TrianglePair& pair) {
  const TriangleCorners in_a = corners_of(a, pair.a);
  const TriangleCorners in_b = corners_of(b, pair.b);
  bool exact = false;
  const NarrowDistance narrow = triangle_distance(in_a, in_b, exact);
  const ClosestPoints points = closest_points(in_a, in_b, narrow.hi == 0.0);
  return {pair, narrow.lo, narrow.hi, points.on_a, points.on_b, points.normal};
}

TriangleCorners corners_of(const ProximitySide& side, TriangleId triangle) {
  return posed_triangle(side.object, side.pose, triangle);
}

RigidDistance search_distance(const ProximitySide& a, const ProximitySide& b, const DistanceOptions& options,
                              std::optional<TrianglePair> start, ProximityWork& work) {
  if (is_empty(a, b)) {
    RigidDistance none;
    none.lo = kInfinity;
    none.hi = kInfinity;
    return none;
  }
  return LeastDistance(a, b, options, work).find(start);
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
