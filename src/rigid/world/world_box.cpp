// Boxes of posed objects. See the header.
//
// Proof. Let u = 2^-53, m the largest |coordinate| of the object's vertices, r a row of the rotation and t its
// translation. Entries of r are at most 1.01 in size and |r| <= sqrt(1 + 1e-6), so each coordinate of a posed
// double errs from r.x + t by at most 4u (3.1 m + |t|) + 2^-1070 (four roundings). With centre c,
//   r.x + t = (r.c + t) + r.(x - c)   and   |r.(x - c)| <= min(|rx| hx + |ry| hy + |rz| hz, |r| radius) =: reach.
// The computed centre errs like a vertex, since |c| <= m. Together 8u (3.1 m + |t|). The two sums of a side of the
// box round numbers of at most 6.3 m + |t|: below 4u (3.1 m + |t|) more. reach is computed from at most six
// products and sums, each within u: 1 + 2^-49 covers them. So 16u (3.1 m + |t|) + 2^-1060 covers everything. What
// overflows or is NaN becomes the largest double, which no posed vertex exceeds.
#include "rigid/world/world_box.hpp"

#include <cmath>
#include <limits>

#include "geometry/vec.hpp"

namespace graze::rigid {

namespace {

constexpr double kMost = std::numeric_limits<double>::max();

/// Bounds a sum or product of a few numbers >= 0, each rounded once, from above.
double up(double x) {
  return x * (1.0 + 0x1p-49) + std::numeric_limits<double>::denorm_min();
}

}  // namespace

LocalBounds local_bounds(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
  LocalBounds bounds;
  if (triangles.empty()) return bounds;
  bounds.empty = false;
  Vec3 lo = positions[triangles[0][0]];
  Vec3 hi = lo;
  for (const Triangle& triangle : triangles) {
    for (const VertexId v : triangle) {
      const Vec3& x = positions[v];
      lo = {std::min(lo.x, x.x), std::min(lo.y, x.y), std::min(lo.z, x.z)};
      hi = {std::max(hi.x, x.x), std::max(hi.y, x.y), std::max(hi.z, x.z)};
    }
  }
  bounds.max_coordinate = std::max(max_abs(lo), max_abs(hi));
  // Halve first: the sum of two large coordinates overflows.
  const Vec3 c = 0.5 * lo + 0.5 * hi;
  bounds.centre = c;
  bounds.half = {up(std::max(hi.x - c.x, c.x - lo.x)), up(std::max(hi.y - c.y, c.y - lo.y)),
                 up(std::max(hi.z - c.z, c.z - lo.z))};
  // Scaled by a power of two, so that squares neither overflow nor vanish. Below 2^-1000 the box alone counts.
  const double most = max_abs(bounds.half);
  bounds.radius = std::numeric_limits<double>::infinity();
  if (!(most > 0x1p-1000 && most < 0x1p1000)) return bounds;
  const int exponent = std::ilogb(most);
  const double scale = std::ldexp(1.0, -exponent);
  double squared = 0.0;
  for (const Triangle& triangle : triangles) {
    for (const VertexId v : triangle) {
      const Vec3 d = scale * (positions[v] - c);
      squared = std::max(squared, dot(d, d));
    }
  }
  bounds.radius = std::ldexp(up(std::sqrt(squared)), exponent);
  return bounds;
}

WorldBox posed_box(const LocalBounds& bounds, const Pose& pose) {
  const Vec3 c = posed(pose, bounds.centre);
  const std::array<double, 3> centre{c.x, c.y, c.z};
  const std::array<double, 3> shift{pose.translation.x, pose.translation.y, pose.translation.z};
  WorldBox box;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3& r = pose.rotation[k];
    const double turned =
        std::abs(r.x) * bounds.half.x + std::abs(r.y) * bounds.half.y + std::abs(r.z) * bounds.half.z;
    const double reach = up(std::min(turned, std::sqrt(dot(r, r)) * bounds.radius)) +
                         (0x1p-49 * (3.1 * bounds.max_coordinate + std::abs(shift[k])) + 0x1p-1060);
    const double lo = centre[k] - reach;
    const double hi = centre[k] + reach;
    box.lo[k] = lo >= -kMost ? lo : -kMost;
    box.hi[k] = hi <= kMost ? hi : kMost;
  }
  return box;
}

WorldBox enlarged(const WorldBox& box, double share, const std::array<double, 3>& along) {
  double longest = 0.0;
  for (std::size_t k = 0; k < 3; ++k) longest = std::max(longest, box.hi[k] - box.lo[k]);
  const double by = share * longest;
  WorldBox larger;
  for (std::size_t k = 0; k < 3; ++k) {
    const double lo = box.lo[k] - by + std::min(along[k], 0.0);
    const double hi = box.hi[k] + by + std::max(along[k], 0.0);
    larger.lo[k] = lo >= -kMost ? std::min(lo, box.lo[k]) : -kMost;
    larger.hi[k] = hi <= kMost ? std::max(hi, box.hi[k]) : kMost;
  }
  return larger;
}

}  // namespace graze::rigid
