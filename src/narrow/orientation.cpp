// Narrow phase: orientation determinants by a filter in doubles, then by exact arithmetic: in machine integers
// where the points lie close together, else in big integers. See orientation.hpp.
//
// Error bounds (u = 2^-53, -ffp-contract=off). Each difference, product and sum has a relative error <= u. A
// difference has no underflow error; a product that underflows adds at most eta = 2^-1075.
// 2D: det = l - r, where l and r are products of two differences: |error| <= (3u + O(u^2)) (|l| + |r|) + 2 eta, so
//     4u and a generous absolute term suffice.
// 3D: det = sum of 3 (difference times 2x2 minor): at most 3 relative errors in a product, 1 in the sum of the
//     minor, 1 in the product with z, 2 in the sums: (7u + O(u^2)) permanent; 8u covers the rounding of the bound
//     itself. Underflow: each of the two products of a minor has an error of eta, times |z|, plus eta for the outer
//     product: at most 2 eta (|az| + |bz| + |cz|) + 3 eta.
// The absolute terms use 2^-1000 instead of the few eta (2^-1075), so they stay normal numbers. Overflow makes the
// permanent infinite or NaN; every comparison with it is then false, and exact arithmetic decides.
#include "narrow/orientation.hpp"

#include "narrow/exact/big_integer.hpp"
#include "narrow/exact/fixed_differences.hpp"

#include <array>
#include <cmath>
#include <cstdint>

namespace graze::narrow {

namespace {

constexpr double kTiny = 0x1p-1000;
constexpr double kError2d = 4.0 * 0x1p-53;
constexpr double kError3d = 8.0 * 0x1p-53;

struct Planar {
  double x;
  double y;
};

Planar project(Projection projection, const Vec3& p) {
  switch (projection) {
    case Projection::AlongX:
      return {p.y, p.z};
    case Projection::AlongY:
      return {p.z, p.x};
    case Projection::AlongZ:
      break;
  }
  return {p.x, p.y};
}

int exact_orient2d(const Planar& a, const Planar& b, const Planar& c) {
  std::array<std::int64_t, 2> x{};
  std::array<std::int64_t, 2> y{};
  if (fixed_differences(std::array{b.x, c.x, a.x}, x) && fixed_differences(std::array{b.y, c.y, a.y}, y)) {
    const Int128 det = Int128{x[0]} * y[1] - Int128{y[0]} * x[1];
    return det == 0 ? 0 : (det > 0 ? 1 : -1);
  }
  Lattice lattice;
  for (const Planar& p : {a, b, c}) {
    lattice.include(p.x);
    lattice.include(p.y);
  }
  const Int ax = lattice(a.x);
  const Int ay = lattice(a.y);
  const Int det = (lattice(b.x) - ax) * (lattice(c.y) - ay) - (lattice(b.y) - ay) * (lattice(c.x) - ax);
  return det.sign();
}

int exact_orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  std::array<std::int64_t, 3> x{};
  std::array<std::int64_t, 3> y{};
  std::array<std::int64_t, 3> z{};
  if (fixed_differences(std::array{a.x, b.x, c.x, d.x}, x) &&
      fixed_differences(std::array{a.y, b.y, c.y, d.y}, y) &&
      fixed_differences(std::array{a.z, b.z, c.z, d.z}, z)) {
    return determinant_sign(x, y, z);
  }
  Lattice lattice;
  lattice.include_all(std::array{a, b, c, d});
  const IntVec origin = to_int(lattice, d);
  return dot(to_int(lattice, a) - origin, cross(to_int(lattice, b) - origin, to_int(lattice, c) - origin)).sign();
}

}  // namespace

int orient2d(Projection projection, const Vec3& a, const Vec3& b, const Vec3& c, bool& exact) {
  const Planar pa = project(projection, a);
  const Planar pb = project(projection, b);
  const Planar pc = project(projection, c);
  const double left = (pb.x - pa.x) * (pc.y - pa.y);
  const double right = (pb.y - pa.y) * (pc.x - pa.x);
  const double det = left - right;
  const double bound = kError2d * (std::abs(left) + std::abs(right)) + kTiny;
  if (det > bound) {
    return 1;
  }
  if (-det > bound) {
    return -1;
  }
  // A difference is zero only if its operands are equal. So a repeated point, or points on one axis-parallel line
  // through a, are certainly degenerate; a product of nonzero factors that overflowed or underflowed to zero does
  // not reach this case.
  const bool zero_left = pb.x == pa.x || pc.y == pa.y;
  const bool zero_right = pb.y == pa.y || pc.x == pa.x;
  const bool equal_ends = pb.x == pc.x && pb.y == pc.y;
  if ((zero_left && zero_right) || equal_ends) {
    return 0;
  }
  exact = true;
  return exact_orient2d(pa, pb, pc);
}

namespace {

/// The determinant of orient3d() in doubles, and a bound of its error.
struct Estimate3d {
  double det;
  double bound;
};

Estimate3d estimate3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const double ax = a.x - d.x;
  const double ay = a.y - d.y;
  const double az = a.z - d.z;
  const double bx = b.x - d.x;
  const double by = b.y - d.y;
  const double bz = b.z - d.z;
  const double cx = c.x - d.x;
  const double cy = c.y - d.y;
  const double cz = c.z - d.z;

  const double bxcy = bx * cy;
  const double cxby = cx * by;
  const double cxay = cx * ay;
  const double axcy = ax * cy;
  const double axby = ax * by;
  const double bxay = bx * ay;
  const double det = az * (bxcy - cxby) + bz * (cxay - axcy) + cz * (axby - bxay);
  const double permanent = (std::abs(bxcy) + std::abs(cxby)) * std::abs(az) +
                           (std::abs(cxay) + std::abs(axcy)) * std::abs(bz) +
                           (std::abs(axby) + std::abs(bxay)) * std::abs(cz);
  const double bound = kError3d * permanent + kTiny * (1.0 + std::abs(az) + std::abs(bz) + std::abs(cz));
  return {det, bound};
}

bool equal(const Vec3& a, const Vec3& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// Whether four points are at most two when seen along an axis, u and v being the other two coordinates. Among any
/// three of four such points two are equal.
bool are_two_points(double Vec3::*u, double Vec3::*v, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const auto same = [&](const Vec3& p, const Vec3& q) { return p.*u == q.*u && p.*v == q.*v; };
  const bool ab = same(a, b);
  const bool ac = same(a, c);
  if (!ab && !ac && !same(b, c)) return false;
  return (ab && ac) || same(a, d) || same(b, d) || same(c, d);
}

/// Whether comparisons show that four points are coplanar: two are equal, or they lie in a plane that is upright on
/// an axis, or on two lines parallel to an axis. All are common, in regular meshes, in parts that are shifted along
/// an axis, and where parts of a scene share coordinates.
bool obviously_coplanar(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const bool one_x = a.x == d.x && b.x == d.x && c.x == d.x;
  const bool one_y = a.y == d.y && b.y == d.y && c.y == d.y;
  const bool one_z = a.z == d.z && b.z == d.z && c.z == d.z;
  return one_x || one_y || one_z || equal(a, b) || equal(a, c) || equal(a, d) || equal(b, c) || equal(b, d) ||
         equal(c, d) || are_two_points(&Vec3::x, &Vec3::y, a, b, c, d) ||
         are_two_points(&Vec3::y, &Vec3::z, a, b, c, d) || are_two_points(&Vec3::z, &Vec3::x, a, b, c, d);
}

}  // namespace

int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, bool& exact) {
  const Estimate3d estimate = estimate3d(a, b, c, d);
  if (estimate.det > estimate.bound) {
    return 1;
  }
  if (-estimate.det > estimate.bound) {
    return -1;
  }
  if (obviously_coplanar(a, b, c, d)) {
    return 0;
  }
  exact = true;
  return exact_orient3d(a, b, c, d);
}

bool certainly_not_coplanar(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Estimate3d estimate = estimate3d(a, b, c, d);
  return std::abs(estimate.det) > estimate.bound;
}

}  // namespace graze::narrow
