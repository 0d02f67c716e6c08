// Local frames. See the header.
#include "rigid/local_frame.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/vec.hpp"

namespace graze::rigid {

LocalFrame local_frame_at(const Vec3& origin, int exponent) {
  return {origin, exponent, std::ldexp(1.0, -exponent)};
}

LocalFrame make_local_frame(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
  if (triangles.empty()) return {};
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Vec3 lo{kInfinity, kInfinity, kInfinity};
  Vec3 hi{-kInfinity, -kInfinity, -kInfinity};
  for (const Triangle& triangle : triangles) {
    for (const VertexId v : triangle) {
      const Vec3& x = positions[v];
      lo = {std::min(lo.x, x.x), std::min(lo.y, x.y), std::min(lo.z, x.z)};
      hi = {std::max(hi.x, x.x), std::max(hi.y, x.y), std::max(hi.z, x.z)};
    }
  }
  // Halve first: the sum of two large coordinates overflows.
  const Vec3 origin{0.5 * lo.x + 0.5 * hi.x, 0.5 * lo.y + 0.5 * hi.y, 0.5 * lo.z + 0.5 * hi.z};
  const double max_coordinate = std::max(
      {hi.x - origin.x, origin.x - lo.x, hi.y - origin.y, origin.y - lo.y, hi.z - origin.z, origin.z - lo.z});
  int exponent = 0;
  std::frexp(max_coordinate, &exponent);  // max_coordinate < 2^exponent
  return local_frame_at(origin, std::clamp(exponent, kMinExponent, kMaxExponent));
}

double max_coordinate_of(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
  double max_coordinate = 0.0;
  for (const Triangle& triangle : triangles) {
    for (const VertexId v : triangle) max_coordinate = std::max(max_coordinate, max_abs(positions[v]));
  }
  return max_coordinate;
}

}  // namespace graze::rigid
