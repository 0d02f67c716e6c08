// Vectors, quaternions and 3x3 matrices of the simulator.
//
// Only + - * / and sqrt, each correctly rounded by IEEE 754: bit-identical on every platform, unlike libm's sine or
// hypot. Rotations are therefore advanced as q + dt/2 w q and normalised, never through an angle. Constant cost
// each.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include <graze/types.hpp>

namespace graze::scenes::sim {

inline Vec3 operator+(const Vec3& a, const Vec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vec3 operator-(const Vec3& a, const Vec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Vec3 operator*(double s, const Vec3& a) {
  return {s * a.x, s * a.y, s * a.z};
}
inline Vec3& operator+=(Vec3& a, const Vec3& b) {
  a = a + b;
  return a;
}
inline Vec3& operator-=(Vec3& a, const Vec3& b) {
  a = a - b;
  return a;
}
inline double dot(const Vec3& a, const Vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(const Vec3& a) {
  return std::sqrt(dot(a, a));
}

/// A matrix stored by rows.
struct Mat3 {
  std::array<Vec3, 3> row{};
};
inline Vec3 operator*(const Mat3& m, const Vec3& a) {
  return {dot(m.row[0], a), dot(m.row[1], a), dot(m.row[2], a)};
}
/// Returns m^T a.
inline Vec3 transposed_times(const Mat3& m, const Vec3& a) {
  return a.x * m.row[0] + (a.y * m.row[1] + a.z * m.row[2]);
}
/// Inverse of a symmetric positive definite matrix.
Mat3 inverse_of_symmetric(const Mat3& m);

struct Quat {
  double w = 1.0;
  Vec3 v = {};
};
inline Quat operator*(const Quat& a, const Quat& b) {
  return {a.w * b.w - dot(a.v, b.v), a.w * b.v + (b.w * a.v + cross(a.v, b.v))};
}
inline Quat conjugate(const Quat& q) {
  return {q.w, {-q.v.x, -q.v.y, -q.v.z}};
}
Quat normalised(const Quat& q);
/// Rotates q by the small rotation vector w (first order, normalised).
Quat turned(const Quat& q, const Vec3& w);
Mat3 matrix(const Quat& q);

/// Rotational part of the matrix with these columns, from an initial guess q: the iteration of Mueller, Bender,
/// Chentanez, Macklin 2016 ("A robust method to extract the rotational part of deformations"), with `turned` in
/// place of its angle-axis step.
Quat rotation_part(const std::array<Vec3, 3>& columns, Quat q);

}  // namespace graze::scenes::sim
