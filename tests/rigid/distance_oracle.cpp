// Distances in rational arithmetic. See the header.
#include "rigid/distance_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "geometry/vec.hpp"
#include "oracle/discrete.hpp"
#include "rigid/rigid_oracle.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;
using oracle::compare;
using oracle::dyadic_from;
using oracle::Fraction;

namespace {

/// Whether d * d is at least (positive), equal to or below (negative) the squared distance.
int compare_square(double d, const Fraction& distance2) {
  return -compare(distance2, dyadic_from(d) * dyadic_from(d));
}

double largest_of(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
  double largest = 0.0;
  for (const auto* t : {&a, &b}) {
    for (const Vec3& p : *t) largest = std::max(largest, max_abs(p));
  }
  return largest;
}

/// Whether p is within `error` of the triangle, in rational arithmetic.
bool is_on(const Vec3& p, const std::array<Vec3, 3>& t, double error) {
  return oracle::within(FeatureKind::VertexFace, {p, t[0], t[1], t[2]}, error);
}

}  // namespace

Fraction triangle_distance2(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
  if (oracle::intersect_triangle_triangle({a[0], a[1], a[2], b[0], b[1], b[2]})) return {};
  Fraction least = oracle::distance2_fraction(FeatureKind::VertexFace, {a[0], b[0], b[1], b[2]});
  const auto offer = [&](const Fraction& other) {
    if (compare(other, least) < 0) least = other;
  };
  for (std::size_t i = 0; i < 3; ++i) {
    offer(oracle::distance2_fraction(FeatureKind::VertexFace, {a[i], b[0], b[1], b[2]}));
    offer(oracle::distance2_fraction(FeatureKind::VertexFace, {b[i], a[0], a[1], a[2]}));
    for (std::size_t j = 0; j < 3; ++j)
      offer(oracle::distance2_fraction(FeatureKind::EdgeEdge, {a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]}));
  }
  return least;
}

DistanceTwin::DistanceTwin(const Soup& a, const Pose& pose_a, const Soup& b, const Pose& pose_b)
    : columns_(b.triangles.size()) {
  for (TriangleId i = 0; i < a.triangles.size(); ++i) a_.push_back(posed_triangle(a, pose_a, i));
  for (TriangleId j = 0; j < b.triangles.size(); ++j) b_.push_back(posed_triangle(b, pose_b, j));
  for (const auto& t : a_) {
    for (const auto& s : b_) {
      distances2_.push_back(triangle_distance2(t, s));
      if (compare(distances2_.back(), distances2_[least_]) < 0) least_ = distances2_.size() - 1;
    }
  }
}

const Fraction& DistanceTwin::of(const TrianglePair& pair) const {
  return distances2_.at(pair.a * columns_ + pair.b);
}

std::vector<TrianglePair> DistanceTwin::within(double d) const {
  std::vector<TrianglePair> pairs;
  for (std::size_t i = 0; i < distances2_.size(); ++i) {
    if (compare_square(d, distances2_[i]) >= 0)
      pairs.push_back({static_cast<TriangleId>(i / columns_), static_cast<TriangleId>(i % columns_)});
  }
  return pairs;
}

std::string DistanceTwin::check(const RigidDistance& found, const DistanceOptions& options) const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto text = [&](const char* what) {
    return fmt::format("{}: [{:.17g}, {:.17g}], exactly {:.17g}\n", what, found.lo, found.hi,
                       empty() ? kInfinity : oracle::sqrt_up(least()));
  };
  if (!found.pair) {
    if (found.hi != kInfinity) return text("no pair, but an upper bound");
    if (empty()) return found.lo == kInfinity ? "" : text("nothing is infinitely far");
    if (!(found.lo >= options.limit)) return text("no pair within the limit");
    return compare_square(found.lo, least()) <= 0 ? "" : text("lower bound above the distance");
  }
  if (empty()) return text("a pair of nothing");
  const bool touch = least().numerator == 0;
  if (touch != (found.hi == 0.0) || touch != found.intersects()) return text("contact decided wrongly");
  if (touch && found.lo != 0.0) return text("lower bound of a contact");
  if (compare_square(found.lo, of(*found.pair)) > 0 || compare_square(found.lo, least()) > 0)
    return text("lower bound above the distance");
  if (compare_square(found.hi, of(*found.pair)) < 0) return text("upper bound below the distance of the witness");
  if (!touch && !(found.lo > 0.0) && found.hi > 1e-300) return text("lower bound is zero without contact");
  const double tolerance = std::max(std::max(options.relative, 0x1p-40) * found.hi, options.absolute);
  if (!(found.hi - found.lo <= tolerance) && found.hi > 1e-300) return text("beyond the tolerance");
  const auto& t = a_[found.pair->a];
  const auto& s = b_[found.pair->b];
  const double error = 0x1p-44 * largest_of(t, s);
  if (!is_on(found.point_a, t, error) || !is_on(found.point_b, s, error))
    return text("a point is off its triangle");
  const Vec3 between = found.point_b - found.point_a;
  const double apart = length(between);
  if (std::isfinite(apart) && apart > found.hi + 2.0 * error) return text("points are farther apart");
  if (touch) return found.normal == Vec3{} ? "" : text("a normal at a contact");
  if (found.hi > 4096.0 * error && std::isfinite(apart)) {
    const double off = length(Vec3{between.x / apart, between.y / apart, between.z / apart} - found.normal);
    if (!(off < 0.01)) return text("the normal has another direction");
  }
  return {};
}

}  // namespace graze::testing
