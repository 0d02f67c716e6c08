// Quaternions, inverses and the rotational part of a matrix (scenes/sim/vector.hpp). Constant cost each.
#include "scenes/sim/vector.hpp"

namespace graze::scenes::sim {

Mat3 inverse_of_symmetric(const Mat3& m) {
  const Vec3 c0 = cross(m.row[1], m.row[2]);
  const Vec3 c1 = cross(m.row[2], m.row[0]);
  const Vec3 c2 = cross(m.row[0], m.row[1]);
  const double scale = 1.0 / dot(m.row[0], c0);
  // The cross products are the columns of the inverse; it is symmetric, so they are its rows, too.
  return {{scale * c0, scale * c1, scale * c2}};
}

Quat normalised(const Quat& q) {
  const double scale = 1.0 / std::sqrt(q.w * q.w + dot(q.v, q.v));
  return {scale * q.w, scale * q.v};
}

Quat turned(const Quat& q, const Vec3& w) {
  const Quat change = Quat{0.0, 0.5 * w} * q;
  return normalised({q.w + change.w, q.v + change.v});
}

Mat3 matrix(const Quat& q) {
  const double xx = q.v.x * q.v.x;
  const double yy = q.v.y * q.v.y;
  const double zz = q.v.z * q.v.z;
  const double xy = q.v.x * q.v.y;
  const double xz = q.v.x * q.v.z;
  const double yz = q.v.y * q.v.z;
  const double wx = q.w * q.v.x;
  const double wy = q.w * q.v.y;
  const double wz = q.w * q.v.z;
  return {{Vec3{1.0 - 2.0 * (yy + zz), 2.0 * (xy - wz), 2.0 * (xz + wy)},
           Vec3{2.0 * (xy + wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz - wx)},
           Vec3{2.0 * (xz - wy), 2.0 * (yz + wx), 1.0 - 2.0 * (xx + yy)}}};
}

Quat rotation_part(const std::array<Vec3, 3>& columns, Quat q) {
  constexpr int kRounds = 60;  // starting from the last fit, a few rounds suffice
  for (int round = 0; round < kRounds; ++round) {
    const Mat3 r = matrix(q);
    Vec3 torque;
    double weight = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::array<double, 3> unit = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
      const Vec3 axis = r * Vec3{unit[0], unit[1], unit[2]};
      torque += cross(axis, columns[k]);
      weight += dot(axis, columns[k]);
    }
    const double size = std::abs(weight) + 1e-12;
    const Vec3 step = (1.0 / size) * torque;
    q = turned(q, step);
    if (dot(step, step) < 1e-18) break;
  }
  return q;
}

}  // namespace graze::scenes::sim
