// The tiers of pairs of solids. See the header.
#include "rigid/shapes/solid_pair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigid/shapes/exact_gap.hpp"
#include "rigid/shapes/gjk.hpp"
#include "rigid/shapes/plane_bounds.hpp"

namespace graze::rigid {

namespace {

constexpr int kQuadIterations = 256;
constexpr double kLargestDouble = std::numeric_limits<double>::max();

/// A length in the units of a pair as a length in scene units, not more (less) than it.
double unscaled_down(double x, int exponent) {
  const double length = std::ldexp(x * (1.0 - 0x1p-50), exponent);
  return length < 0x1p-1000 ? std::max(0.0, length - 0x1p-1070) : std::min(length, kLargestDouble);
}
double unscaled_up(double x, int exponent) {
  const double length = std::ldexp(x * (1.0 + 0x1p-50), exponent);
  return x > 0.0 && length < 0x1p-1000 ? length + 0x1p-1070 : length;
}

/// The exponent that brings an extent into the window, 0 if it is there.
int exponent_for(double extent) {
  return narrow::in_window(extent) || !(extent > 0.0) ? 0 : std::ilogb(extent) + 1;
}

/// What the tiers need of a pair of two bounded solids.
class TwoSolids {
 public:
  TwoSolids(const Prepared& a, const Solid& b) : a_(a), b_(b), other_(b, a.origin, 0) {
    const double all = std::max(a.body.extent(), other_.extent()) + a.solid.radius + b.radius;
    exponent_ = exponent_for(all);
    if (exponent_ != 0) {
      scaled_ = Body<double>(a.solid, a.origin, exponent_);
      other_ = Body<double>(b, a.origin, exponent_);
    }
    extent_ = PowerOfTwo(exponent_)(all);
  }

  [[nodiscard]] bool curved() const { return a_.solid.curve != Curve::None || b_.curve != Curve::None; }
  [[nodiscard]] int exponent() const { return exponent_; }
  [[nodiscard]] double extent() const { return extent_; }
  [[nodiscard]] const Vec3& origin() const { return a_.origin; }
  template <class T>
  [[nodiscard]] std::array<T, 2> radii() const {
    const PowerOfTwo scale(exponent_);
    return {T(scale(a_.solid.radius)), T(scale(b_.radius))};
  }
  [[nodiscard]] Bounds<double> bounds(const Goal<double>& goal) const {
    return gjk(exponent_ != 0 ? scaled_ : a_.body, other_, extent_, goal);
  }
  [[nodiscard]] Bounds<Quad> bounds(const Goal<Quad>& goal) const {
    return gjk(Body<Quad>(a_.solid, a_.origin, exponent_), Body<Quad>(b_, a_.origin, exponent_), extent_, goal);
  }
  template <class T>
  [[nodiscard]] ExactGap exact(const Bounds<T>& bounds) const {
    return exact_gap(a_.solid, b_, {bounds.pairs, bounds.count});
  }

 private:
  const Prepared& a_;
  const Solid& b_;
  int exponent_ = 0;
  double extent_ = 0.0;
  Body<double> other_;
  Body<double> scaled_;
};

/// What the tiers need of a half-space and a solid.
class PlaneSolid {
 public:
  PlaneSolid(const Plane& a, const Solid& b) : a_(a), b_(b) {
    const double size = Body<double>(b, a.origin, 0).extent() + b.radius;
    const int exponent = plane_exponent(a, size);
    exponent_ = exponent;
    extent_ = PowerOfTwo(exponent)(size) + ScaledPlane(a, exponent).length;
  }

  [[nodiscard]] bool curved() const { return b_.curve != Curve::None; }
  [[nodiscard]] int exponent() const { return exponent_; }
  [[nodiscard]] double extent() const { return extent_; }
  [[nodiscard]] const Vec3& origin() const { return a_.origin; }
  template <class T>
  [[nodiscard]] std::array<T, 2> radii() const {
    return {T(0.0), T(PowerOfTwo(exponent_)(b_.radius))};
  }
  template <class T>
  [[nodiscard]] Bounds<T> bounds(const Goal<T>& /*goal*/) const {
    return plane_bounds(ScaledPlane(a_, exponent_), Body<T>(b_, a_.origin, exponent_), extent_);
  }
  template <class T>
  [[nodiscard]] ExactGap exact(const Bounds<T>& /*bounds*/) const {
    return exact_gap(a_, b_);
  }

 private:
  const Plane& a_;
  const Solid& b_;
  int exponent_ = 0;
  double extent_ = 0.0;
};

template <class T, class Pair>
T reach_of(const Pair& pair) {
  const auto radii = pair.template radii<T>();
  return radii[0] + radii[1];
}

template <class T, class Pair>
double margin_of(const Pair& pair, const Bounds<T>& bounds, const T& reach) {
  return unscaled_up(std::max(0.0, narrow::to_double(bounds.hi - reach)), pair.exponent());
}

enum class Answer : std::uint8_t { No, Yes, Unknown };

/// One tier: whether the bounds decide.
template <class T, class Pair>
Answer judge(const Pair& pair, const Goal<T>& goal, const Bounds<T>& bounds, Meeting& meeting) {
  if (bounds.lo > goal.apart) return Answer::No;
  if (!bounds.contains && !(bounds.hi <= goal.near)) return Answer::Unknown;
  meeting.meets = true;
  if (pair.curved() && !bounds.contains) meeting.margin = margin_of(pair, bounds, goal.reach);
  return Answer::Yes;
}

template <class Pair>
Meeting meet_in_tiers(const Pair& pair, TierCounts& tiers) {
  Meeting meeting;
  if (!(pair.extent() > 0.0)) {  // all points of both are one point
    ++tiers.filter;
    meeting.meets = true;
    return meeting;
  }
  const double contact = pair.curved() ? kContactShare * pair.extent() : 0.0;
  Goal<double> goal;
  goal.reach = goal.apart = reach_of<double>(pair);
  goal.near = goal.reach + contact;
  const Bounds<double> bounds = pair.bounds(goal);
  if (judge(pair, goal, bounds, meeting) != Answer::Unknown) {
    ++tiers.filter;
    return meeting;
  }
  Goal<Quad> fine;
  fine.reach = fine.apart = reach_of<Quad>(pair);
  fine.near = fine.reach + Quad(contact);
  fine.iterations = kQuadIterations;
  // Hulls that touch or overlap: no bound of the distance tells them apart from hulls that do not, only signs.
  const bool hulls_touch = !pair.curved() && goal.reach == 0.0 && bounds.hi <= 0x1p-44 * pair.extent();
  if (!hulls_touch) {
    const Bounds<Quad> finer = pair.bounds(fine);
    if (judge(pair, fine, finer, meeting) != Answer::Unknown) {
      ++tiers.interval;
      return meeting;
    }
    if (pair.curved()) {
      ++tiers.interval;
      meeting.meets = true;
      meeting.margin = margin_of(pair, finer, fine.reach);
      return meeting;
    }
  }
  ++tiers.exact;
  meeting.meets = pair.exact(bounds).meets;
  return meeting;
}

/// The closest points of two cores, moved to the surfaces of the solids.
template <class T, class Pair>
void set_points(const Pair& pair, const Bounds<T>& bounds, Separation& result) {
  const auto radii = pair.template radii<double>();
  const auto rounded = [](const narrow::Vec<T>& x) {
    return Vec3{narrow::to_double(x.x), narrow::to_double(x.y), narrow::to_double(x.z)};
  };
  Vec3 on_a = rounded(bounds.on_a);
  Vec3 on_b = rounded(bounds.on_b);
  const Vec3 between = rounded(bounds.on_b - bounds.on_a);
  const double length = geometry::length(between);
  if (length > 0.0) {
    on_a = on_a + (std::min(radii[0], length) / length) * between;
    on_b = on_b - (std::min(radii[1], length) / length) * between;
  }
  const auto at = [&](const Vec3& x) {
    return Vec3{pair.origin().x + std::ldexp(x.x, pair.exponent()),
                pair.origin().y + std::ldexp(x.y, pair.exponent()),
                pair.origin().z + std::ldexp(x.z, pair.exponent())};
  };
  result.on_a = at(on_a);
  result.on_b = at(on_b);
}

/// Bounds of the distance of the solids from bounds of the distance of their cores.
template <class T, class Pair>
Separation separation_of(const Pair& pair, const Bounds<T>& bounds, const T& reach) {
  Separation result;
  result.lo = unscaled_down(std::max(0.0, narrow::to_double(bounds.lo - reach)), pair.exponent());
  result.hi = unscaled_up(std::max(0.0, narrow::to_double(bounds.hi - reach)), pair.exponent());
  set_points(pair, bounds, result);
  return result;
}

template <class Pair>
Separation separation_in_tiers(const Pair& pair, double tolerance, double beyond, TierCounts& tiers) {
  if (!(pair.extent() > 0.0)) {
    ++tiers.filter;
    return {.on_a = pair.origin(), .on_b = pair.origin()};
  }
  const double least = pair.curved() ? kContactShare * pair.extent() : 0.0;
  // A little is left for the rounding of results.
  const double width = tolerance * (1.0 - 0x1p-8);
  const double limit = PowerOfTwo(pair.exponent())(beyond);
  /// Whether the bounds of a tier suffice.
  const auto suffices = [&](const auto& goal, const auto& bounds) {
    if (bounds.contains || bounds.lo > goal.apart) return true;
    return bounds.lo > goal.reach ? bounds.reaches(goal) : bounds.hi <= goal.near;
  };
  const auto goal_of = [&](auto reach) {
    using T = decltype(reach);
    Goal<T> goal;
    goal.reach = reach;
    goal.apart = reach + T(limit);
    goal.near = reach + T(least);
    goal.width = width;
    goal.least_width = least;
    return goal;
  };
  const Goal<double> goal = goal_of(reach_of<double>(pair));
  const Bounds<double> bounds = pair.bounds(goal);
  if (suffices(goal, bounds)) {
    ++tiers.filter;
    Separation result = separation_of(pair, bounds, goal.reach);
    if (bounds.contains) result.lo = result.hi = 0.0;
    return result;
  }
  Goal<Quad> fine = goal_of(reach_of<Quad>(pair));
  fine.iterations = kQuadIterations;
  const Bounds<Quad> finer = pair.bounds(fine);
  Separation result = separation_of(pair, finer, fine.reach);
  if (suffices(fine, finer) || pair.curved()) {
    ++tiers.interval;
    if (finer.contains) result.lo = result.hi = 0.0;
    return result;
  }
  ++tiers.exact;
  const ExactGap gap = pair.exact(finer);
  result.lo = gap.meets ? 0.0 : unscaled_down(gap.distance * (1.0 - 0x1p-46), 0);
  result.hi = gap.meets ? 0.0 : unscaled_up(gap.distance * (1.0 + 0x1p-46), 0);
  if (!gap.meets) result.hi = std::max(result.hi, std::numeric_limits<double>::denorm_min());
  return result;
}

}  // namespace

Meeting meet(const Prepared& a, const Solid& b, TierCounts& tiers) {
  return meet_in_tiers(TwoSolids(a, b), tiers);
}
Meeting meet(const Plane& a, const Solid& b, TierCounts& tiers) {
  return meet_in_tiers(PlaneSolid(a, b), tiers);
}
Meeting meet(const Plane& a, const Plane& b, TierCounts& tiers) {
  ++tiers.exact;
  return {.meets = exact_gap(a, b).meets};
}

Separation separation(const Prepared& a, const Solid& b, double tolerance, double beyond, TierCounts& tiers) {
  return separation_in_tiers(TwoSolids(a, b), tolerance, beyond, tiers);
}
Separation separation(const Plane& a, const Solid& b, double tolerance, double beyond, TierCounts& tiers) {
  return separation_in_tiers(PlaneSolid(a, b), tolerance, beyond, tiers);
}
Separation separation(const Plane& a, const Plane& b, TierCounts& tiers) {
  ++tiers.exact;
  const ExactGap gap = exact_gap(a, b);
  if (gap.meets) return {.on_a = a.origin, .on_b = b.origin};
  return {.lo = unscaled_down(gap.distance * (1.0 - 0x1p-46), 0),
          .hi = std::max(unscaled_up(gap.distance * (1.0 + 0x1p-46), 0), std::numeric_limits<double>::denorm_min()),
          .on_a = a.origin,
          .on_b = b.origin};
}

}  // namespace graze::rigid
