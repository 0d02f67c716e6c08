// Error bound of the ball behind the canonical cone, for computed control normals N_k with errors e_k. u = 2^-53, E
// = sum e_k, S >= sum |N_k|.
//
// c1 = 2 (N_1 - N_0), c2 = N_0 - 2 N_1 + N_2, m = (N_0 + N_1 + N_2) / 3. The errors of the N_k change |c1|/2 by at
// most e_0 + e_1, 2/3 |c2| by 2/3 (e_0 + 2 e_1 + e_2) and m by E/3: 3 E in total. The rounding errors of c1, c2, m,
// of the lengths and of the sum are less than 30 u S; a length whose square underflows is wrong by 2^-530, which is
// less than u S because the square of m is in range. So a ball of radius r' + 3 E + 2^-47 S around the computed m
// contains the exact normals at all times. The ratio to |m| is accurate to 6 u. Rounding the axis to floats turns
// it by less than sqrt(3) 2^-25 < 2^-24.
#include "cull/canonical_cone.hpp"

#include <array>
#include <cmath>

#include "cull/circular.hpp"
#include "cull/control_normals.hpp"
#include "geometry/vec.hpp"
#include "geometry/volume.hpp"

namespace graze::cull {

NormalCone canonical_cone(const VertexPath& a, const VertexPath& b, const VertexPath& c) {
  constexpr double kAxisSlop = 0x1p-24;
  const ControlNormals<1> normals = control_normals(a, b, c);
  const auto& n = normals.normal;
  const Vec3 c1 = 2.0 * (n[1] - n[0]);
  const Vec3 c2 = (n[0] + n[2]) - 2.0 * n[1];
  const Vec3 sum = n[0] + n[1] + n[2];
  const Vec3 mean{sum.x / 3.0, sum.y / 3.0, sum.z / 3.0};
  const double square = dot(mean, mean);
  if (!(square >= 0x1p-900 && square <= 0x1p1000)) return {};
  const double errors = normals.error[0] + normals.error[1] + normals.error[2];
  const double size = 2.0 * (max_abs(n[0]) + max_abs(n[1]) + max_abs(n[2]));
  const double radius = 0.5 * std::sqrt(dot(c1, c1)) + (2.0 / 3.0) * std::sqrt(dot(c2, c2));
  const double inverse = 1.0 / std::sqrt(square);
  const double ratio = (radius + 3.0 * errors + 0x1p-47 * size) * inverse * (1.0 + 0x1p-48);
  if (!(ratio < 1.0)) return {};
  const Vec3 axis = inverse * mean;
  return {{static_cast<float>(axis.x), static_cast<float>(axis.y), static_cast<float>(axis.z)},
          round_up(asin_above(ratio) + kAxisSlop)};
}

}  // namespace graze::cull
