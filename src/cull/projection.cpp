// Proof that an axis projects a cone positively. All directions of a cone of angle A around a have a dot product of
// one sign with D iff the smaller of the angles from a to D and to -D, called B, satisfies A + B < pi/2: iff  A <
// pi/2 and  cos B > sin A.
//
// cos B = |a.D| / (|a| |D|). The products are exact (a has 24 bits, D 21), each sum adds at most 2 u, u = 2^-53,
// and roots, products and the quotient raise this to less than 10 u. The sine is accurate to 2^-44. A margin of
// 2^-39 covers both. Near A = pi/2 the margin costs sqrt(2 * 2^-39) = 2e-6 radians, as much as rounding the axis to
// multiples of 2^-20. Cost: O(1).
#include "cull/projection.hpp"

#include <cmath>

#include "cull/circular.hpp"
#include "geometry/vec.hpp"

namespace graze::cull {

namespace {

constexpr double kMargin = 0x1p-39;
constexpr double kBelowHalfPi = 1.5707963;  // pi/2 less 2.7e-8: from pi/2 on, cos(B) > sin(A) proves nothing

}  // namespace

bool projects_positively(const NormalCone& cone, const ProjectionAxis& axis) {
  if (!(double{cone.angle} < kBelowHalfPi)) return false;
  std::array<double, 3> d{};
  d[axis.dominant] = 1.0;
  d[axis.u()] = axis.q_u;
  d[axis.w()] = axis.q_w;
  const Vec3 direction{d[0], d[1], d[2]};
  const Vec3 a{double{cone.axis[0]}, double{cone.axis[1]}, double{cone.axis[2]}};
  const double cosine = std::abs(dot(a, direction)) / std::sqrt(dot(a, a) * dot(direction, direction));
  return cosine > sine(double{cone.angle}) + kMargin;
}

std::optional<ProjectionAxis> projection_axis(const NormalCone& cone) {
  if (!(double{cone.angle} < kBelowHalfPi)) return std::nullopt;
  const std::array<double, 3> a{double{cone.axis[0]}, double{cone.axis[1]}, double{cone.axis[2]}};
  ProjectionAxis axis;
  axis.dominant = 0;
  if (std::abs(a[1]) > std::abs(a[axis.dominant])) axis.dominant = 1;
  if (std::abs(a[2]) > std::abs(a[axis.dominant])) axis.dominant = 2;
  const auto rounded = [&](std::size_t k) { return std::round(a[k] / a[axis.dominant] * 0x1p20) * 0x1p-20; };
  axis.q_u = rounded(axis.u());
  axis.q_w = rounded(axis.w());
  if (!projects_positively(cone, axis)) return std::nullopt;
  return axis;
}

}  // namespace graze::cull
