// Branch and bound for the least distance. See search.hpp.
#include "rigid/distance/branch_and_bound.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "narrow/edge_face.hpp"
#include "rigid/distance/triangle_distance.hpp"

namespace graze::rigid {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr double kFinestTolerance = 0x1p-40;

/// The least distance.
class LeastDistance : public BranchAndBound {
 public:
  LeastDistance(const ProximitySide& a, const ProximitySide& b, const DistanceOptions& options, ProximityWork& work)
      : BranchAndBound(a, b, work),
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
    // Where lanes know nothing, the search would find no upper bound to drop anything by.
    if (pair.upper == kInfinity) {
      measure(pair.pair);
    } else {
      open_.push_back({pair.pair, pair.lower});
    }
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
      measure(pair);
    }
  }

  /// Measures a pair that does not intersect.
  void measure(const TrianglePair& pair) {
    ++stats_.tiers.interval;
    const NarrowDistance narrow = disjoint_distance(corners_a(pair.a), corners_b(pair.b));
    const double hi = std::max(scaled_up(narrow.hi, -exponent()), 0x1p-1070);
    lo_ = std::min(lo_, scaled_down(narrow.lo, -exponent()));
    if (hi < hi_ || (best_ == pair && hi <= hi_)) {
      measured_ = narrow.hi;
      improve(pair, hi);
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

}  // namespace

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

}  // namespace graze::rigid
