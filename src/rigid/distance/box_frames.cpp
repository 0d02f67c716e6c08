// Transforms between two posed objects for the bounds of box distances. See box_bounds.hpp.
//
// Margin. u = 2^-53, lengths in units, |.| the largest coordinate or the Euclidean norm. The vector between two
// posed vertices differs from (origin of b + s_b R_b u_b) - (origin of a + s_a R_a u_a) by the rounding of posing
// vertices and origins, at most posing(a) + posing(b) twice per coordinate; by the rounding of the difference of
// the origins, u |apart|; and by the rounding of relative coordinates, u s. Projected on a vector of length <= 1.01
// this is at most 4 (posing(a) + posing(b)) + 2u (|apart| + s_a + s_b). Replacing R^T R by 1 in front of a centre,
// which is at most 1.75 s long, costs 1.75 delta s. All products then have at most forty roundings of sums of at
// most |apart|_1 + 4 s_a + 4 s_b: 2^-45 of that covers them. 2^-200 covers underflow.
#include <algorithm>
#include <cmath>

#include "geometry/vec.hpp"
#include "rigid/distance/box_bounds.hpp"

namespace graze::rigid {

namespace {

constexpr double kUnit = 0x1p-53;

Triple3 coordinates(const Vec3& v) {
  return {v.x, v.y, v.z};
}
Matrix3 rows(const Pose& pose) {
  return {coordinates(pose.rotation[0]), coordinates(pose.rotation[1]), coordinates(pose.rotation[2])};
}
double dot(const Triple3& v, const Triple3& w) {
  return v[0] * w[0] + v[1] * w[1] + v[2] * w[2];
}
/// m^T v.
Triple3 transposed_times(const Matrix3& m, const Triple3& v) {
  Triple3 result{};
  for (std::size_t k = 0; k < 3; ++k) result[k] = m[0][k] * v[0] + m[1][k] * v[1] + m[2][k] * v[2];
  return result;
}
/// m^T n.
Matrix3 transposed_times(const Matrix3& m, const Matrix3& n) {
  Matrix3 result{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) result[i][j] = m[0][i] * n[0][j] + m[1][i] * n[1][j] + m[2][i] * n[2][j];
  }
  return result;
}

/// Bound of the norm of R^T R - 1: its largest sum of magnitudes in a row, and the rounding of that.
double deviation(const Matrix3& rotation) {
  const Matrix3 product = transposed_times(rotation, rotation);
  double most = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    double row = 0.0;
    for (std::size_t j = 0; j < 3; ++j) row += std::abs(product[i][j] - (i == j ? 1.0 : 0.0));
    most = std::max(most, row);
  }
  return most + 0x1p-49;
}

/// Bound of the difference between a posed coordinate and its real value (rigid/placement.cpp).
double posing_error(const BoxFrames::Side& side) {
  return 4.0 * kUnit * (3.1 * side.max_coordinate + max_abs(side.pose.translation)) + 0x1p-1070;
}

}  // namespace

BoxFrames::BoxFrames(const Side& a, const Side& b) {
  const Vec3 half =
      0.5 * posed(b.pose, b.tree->local_frame.origin) - 0.5 * posed(a.pose, a.tree->local_frame.origin);
  exponent_ = std::max(a.tree->local_frame.exponent, b.tree->local_frame.exponent);
  const double far = max_abs(half);
  if (far > 0.0 && std::isfinite(far)) exponent_ = std::max(exponent_, std::ilogb(far) + 2);
  const double unit = std::ldexp(1.0, -exponent_);
  apart_ = 2.0 * (unit * half);
  const std::array<const Side*, 2> given{&a, &b};
  for (std::size_t i = 0; i < 2; ++i) {
    Placed& side = sides_[i];
    side.tree = given[i]->tree;
    side.scale = std::ldexp(1.0, side.tree->local_frame.exponent - exponent_);
    side.rotation = rows(given[i]->pose);
    side.delta = deviation(side.rotation);
    margin_ += unit * (4.0 * posing_error(*given[i])) + (0x1p-43 + 2.0 * side.delta) * side.scale;
  }
  margin_ += 0x1p-45 * (std::abs(apart_.x) + std::abs(apart_.y) + std::abs(apart_.z)) + 0x1p-200;
  for (std::size_t i = 0; i < 2; ++i) {
    sides_[i].to_other = transposed_times(sides_[i].rotation, sides_[1 - i].rotation);
    sides_[i].apart = transposed_times(sides_[i].rotation, coordinates(i == 0 ? apart_ : -apart_));
  }
}

void BoxFrames::set_direction(const Vec3& unit) {
  const Vec3 n = (1.0 - 0x1p-39) * unit;
  for (std::size_t i = 0; i < 2; ++i) {
    sides_[i].direction = transposed_times(sides_[i].rotation, coordinates(i == 0 ? n : -n));
    sides_[i].along = geometry::dot(n, apart_);
  }
}

FixedBox BoxFrames::fix(unsigned fixed, ProximityTree::Slot slot) const {
  const Placed& side = sides_[fixed];
  const Placed& other = sides_[1 - fixed];
  const WideNode& node = side.tree->nodes[slot / kWide];
  const std::size_t lane = slot % kWide;
  FixedBox box;
  box.scale = other.scale;
  box.margin = margin_;
  box.shrink = 1.0 - other.delta - 0x1p-48;
  Triple3 centre{};  // in units
  for (std::size_t k = 0; k < 3; ++k) centre[k] = side.scale * static_cast<double>(node.centre[k][lane]);
  Triple3 between{};  // from the centre to the other's origin, in this side's coordinates
  for (std::size_t k = 0; k < 3; ++k) between[k] = side.apart[k] - centre[k];
  const Triple3 back = transposed_times(side.to_other, centre);
  for (std::size_t k = 0; k < 3; ++k) box.from[k] = -other.apart[k] - back[k];
  for (std::size_t i = 0; i < 3; ++i) {
    Triple3 axis{};
    for (std::size_t k = 0; k < 3; ++k) axis[k] = static_cast<double>(node.axes[i][k][lane]);
    box.turn[i] = transposed_times(side.to_other, axis);
    box.offset[i] = dot(axis, between);
    const double half = side.scale * static_cast<double>(node.half[i][lane]);
    box.half[i] = half + margin_;
    box.reach += half * std::abs(dot(axis, side.direction));
  }
  for (std::size_t k = 0; k < 3; ++k) box.direction[k] = -other.direction[k];
  box.along = side.along - dot(side.direction, centre);
  return box;
}

double BoxFrames::size(unsigned side, ProximityTree::Slot slot) const {
  const WideNode& node = sides_[side].tree->nodes[slot / kWide];
  const std::size_t lane = slot % kWide;
  return sides_[side].scale * (static_cast<double>(node.half[0][lane]) + static_cast<double>(node.half[1][lane]) +
                               static_cast<double>(node.half[2][lane]));
}

}  // namespace graze::rigid
