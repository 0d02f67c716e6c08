// Filter of the ray-triangle test. With corners a, b, c measured from the origin of the ray and direction d,
//   v0 = d.(b x c), v1 = d.(c x a), v2 = d.(a x b)
// are the sides on which the line passes the triangle's edges: it hits the triangle's plane inside of it if and
// only if all have one sign. Their sum is n.d with the triangle's normal n, and t = a.(b x c) / (n.d). This is the
// test of Möller and Trumbore in the symmetric form of Havel and Herout ("Yet faster ray-triangle intersection",
// 2010), with error bounds.
//
// Error bounds (u = 2^-53, eta = 2^-1075 for each product that underflows). Corners err by u relatively, and so
// does the direction of a segment; a product in a minor by 3u, the minor's difference and the product with the
// third factor by 2u more, the two sums by 2u: below 9u of the sum of magnitudes for d, and for a.(b x c) the same.
// 16u covers them and the rounding of the bound. Underflow: two products of a minor times the third factor, and one
// more: at most 2 eta (sum of |third factors|) + 3 eta, below 2^-1000 (1 + that sum). What overflows is infinite or
// NaN, every comparison fails, and exact arithmetic decides.
#include "narrow/ray_triangle.hpp"

#include <cmath>

#include "geometry/vec.hpp"
#include "narrow/exact/ray_triangle_exact.hpp"

namespace graze::narrow {

namespace {

constexpr double kError = 16.0 * 0x1p-53;
constexpr double kTiny = 0x1p-1000;
/// Bounds of quotients and products: four roundings.
constexpr double kUp = 1.0 + 0x1p-50;
constexpr double kDown = 1.0 - 0x1p-50;

struct Estimate {
  double value;
  double error;
};

/// f.(p x q).
Estimate triple(const Vec3& f, const Vec3& p, const Vec3& q) {
  const double yz = p.y * q.z;
  const double zy = p.z * q.y;
  const double zx = p.z * q.x;
  const double xz = p.x * q.z;
  const double xy = p.x * q.y;
  const double yx = p.y * q.x;
  const double value = f.x * (yz - zy) + f.y * (zx - xz) + f.z * (xy - yx);
  const double sum = std::abs(f.x) * (std::abs(yz) + std::abs(zy)) + std::abs(f.y) * (std::abs(zx) + std::abs(xz)) +
                     std::abs(f.z) * (std::abs(xy) + std::abs(yx));
  return {value, kError * sum + kTiny * (1.0 + std::abs(f.x) + std::abs(f.y) + std::abs(f.z))};
}

/// -1 or 1 if the sign is certain, else 0.
int certain_sign(const Estimate& estimate) {
  return estimate.value > estimate.error ? 1 : (-estimate.value > estimate.error ? -1 : 0);
}

std::optional<RayCrossing> filtered(const RayLine& line, const std::array<Vec3, 3>& triangle) {
  const Vec3 a = triangle[0] - line.origin;
  const Vec3 b = triangle[1] - line.origin;
  const Vec3 c = triangle[2] - line.origin;
  const std::array<Estimate, 3> sides{triple(line.direction, b, c), triple(line.direction, c, a),
                                      triple(line.direction, a, b)};
  const std::array<int, 3> signs{certain_sign(sides[0]), certain_sign(sides[1]), certain_sign(sides[2])};
  if (signs[0] * signs[1] < 0 || signs[1] * signs[2] < 0 || signs[2] * signs[0] < 0) return RayCrossing{};
  if (signs[0] * signs[1] * signs[2] == 0) return std::nullopt;
  const int sign = signs[0];
  // All sides have one sign, so nothing cancels in their sum.
  const double across = std::abs(sides[0].value) + std::abs(sides[1].value) + std::abs(sides[2].value);
  const double across_error = sides[0].error + sides[1].error + sides[2].error;
  const Estimate height = triple(a, b, c);
  const int height_sign = certain_sign(height);
  if (height_sign * sign < 0) return RayCrossing{};
  if (height_sign == 0) return std::nullopt;
  RayCrossing crossing{true, 0.0, 0.0};
  crossing.lo = (std::abs(height.value) - height.error) / (across + across_error) * kDown;
  crossing.hi = (std::abs(height.value) + height.error) / (across - across_error) * kUp;
  if (!(across > across_error && std::isfinite(crossing.hi))) return std::nullopt;
  if (crossing.lo > line.max) return RayCrossing{};
  if (!(crossing.hi <= line.max)) return std::nullopt;
  return crossing;
}

}  // namespace

RayCrossing cross_triangle(const RayLine& line, const std::array<Vec3, 3>& triangle, TierCounts& tiers) {
  if (const std::optional<RayCrossing> crossing = filtered(line, triangle)) {
    ++tiers.filter;
    return *crossing;
  }
  ++tiers.exact;
  const std::optional<double> t = exact_crossing(line, triangle);
  if (!t) return {};
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return {true, std::nextafter(*t, -kInfinity), std::nextafter(*t, kInfinity)};
}

double crossing_parameter(const RayLine& line, const std::array<Vec3, 3>& triangle) {
  return *exact_crossing(line, triangle);
}

}  // namespace graze::narrow
