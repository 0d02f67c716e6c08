// Naive reference for normal cones: exact normals of moving triangles in rational arithmetic, and whether a cone
// contains them.
//
// Coordinates, control normals and dot products are exact. Only cosines are not rational: they are compared in
// 100-digit floating point with a tolerance of 1e-60, far below any rounding error of a cone in doubles.
#pragma once

#include <array>
#include <vector>

#include <boost/multiprecision/cpp_bin_float.hpp>

#include <graze/types.hpp>

#include "cull/control_normals.hpp"
#include "cull/normal_cone.hpp"
#include "cull/projection.hpp"
#include "narrow/rational_twin.hpp"

namespace graze::test {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
using namespace bvh;
using namespace cull;

using Real =
    boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>, boost::multiprecision::et_off>;
using Direction = RationalPoint;

inline Direction exact(const Vec3& p) {
  return to_rational(p);
}
inline Direction exact(const std::array<float, 3>& p) {
  return {Rational(p[0]), Rational(p[1]), Rational(p[2])};
}
inline Direction exact(const ProjectionAxis& axis) {
  Direction d;
  d[axis.dominant] = 1;
  d[axis.u()] = Rational(axis.q_u);
  d[axis.w()] = Rational(axis.q_w);
  return d;
}
inline Direction operator+(const Direction& a, const Direction& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Direction operator*(const Rational& s, const Direction& a) {
  return {s * a[0], s * a[1], s * a[2]};
}
inline Direction cross(const Direction& a, const Direction& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// A triangle whose vertices move along Bezier curves; vertices[v][i] is the i-th control point of vertex v.
using MovingTriangle = std::array<std::vector<Direction>, 3>;

inline MovingTriangle exact(const VertexPath& a, const VertexPath& b, const VertexPath& c) {
  const auto points = [](const VertexPath& p) { return std::vector{exact(p.t0), exact(p.t1)}; };
  return {points(a), points(b), points(c)};
}
inline MovingTriangle exact(const QuadraticPath& a, const QuadraticPath& b, const QuadraticPath& c) {
  const auto points = [](const QuadraticPath& p) { return std::vector{exact(p.p0), exact(p.p1), exact(p.p2)}; };
  return {points(a), points(b), points(c)};
}

/// Evaluates a Bezier curve at t by de Casteljau's algorithm.
inline Direction position(std::vector<Direction> points, const Rational& t) {
  for (; points.size() > 1; points.pop_back()) {
    for (std::size_t i = 0; i + 1 < points.size(); ++i) points[i] = points[i] + t * (points[i + 1] - points[i]);
  }
  return points[0];
}

inline Direction normal_at(const MovingTriangle& triangle, const Rational& t) {
  const Direction a = position(triangle[0], t);
  return cross(position(triangle[1], t) - a, position(triangle[2], t) - a);
}

/// The Bernstein coefficients of the normal, computed from its values instead of the formula under test: a
/// polynomial of degree n is determined by n + 1 values, at t = 0, 1/n, ..., 1, and its coefficients solve n + 1
/// linear equations.
inline std::vector<Direction> control_normals_twin(const MovingTriangle& triangle) {
  const std::size_t n = 2 * (triangle[0].size() - 1);
  std::vector<std::vector<Rational>> matrix(n + 1, std::vector<Rational>(n + 1));
  std::vector<Direction> value(n + 1);
  for (std::size_t row = 0; row <= n; ++row) {
    const Rational t = Rational(row) / Rational(n);
    Rational binomial = 1;
    for (std::size_t k = 0; k <= n; ++k) {
      Rational basis = binomial;
      for (std::size_t i = 0; i < k; ++i) basis *= t;
      for (std::size_t i = k; i < n; ++i) basis *= 1 - t;
      matrix[row][k] = basis;
      binomial = binomial * Rational(n - k) / Rational(k + 1);
    }
    value[row] = normal_at(triangle, t);
  }
  for (std::size_t column = 0; column <= n;
       ++column) {  // Bernstein bases are totally positive: pivots are not zero
    for (std::size_t row = 0; row <= n; ++row) {
      if (row == column) continue;
      const Rational factor = matrix[row][column] / matrix[column][column];
      for (std::size_t k = column; k <= n; ++k) matrix[row][k] -= factor * matrix[column][k];
      value[row] = value[row] - factor * value[column];
    }
  }
  for (std::size_t k = 0; k <= n; ++k) value[k] = (1 / matrix[k][k]) * value[k];
  return value;
}

inline bool is_zero(const Direction& a) {
  return a[0] == 0 && a[1] == 0 && a[2] == 0;
}

/// Cosine of the angle between two directions, neither zero.
inline Real cosine(const Direction& a, const Direction& b) {
  return Real(dot(a, b)) / sqrt(Real(dot(a, a)) * Real(dot(b, b)));
}

inline const Real kTolerance{"1e-60"};

/// Whether `direction` is nonzero and lies within the cone. Precondition: a known cone.
class Judge {
 public:
  explicit Judge(const NormalCone& cone) : axis_(exact(cone.axis)), cosine_(cos(Real(cone.angle))) {}
  [[nodiscard]] bool holds(const Direction& direction) const {
    return !is_zero(direction) && cosine(direction, axis_) >= cosine_ - kTolerance;
  }

 private:
  Direction axis_;
  Real cosine_;
};

/// Whether `inner` lies within `outer`, both known. The angles add up along a great circle.
inline bool holds(const NormalCone& outer, const NormalCone& inner) {
  const Real room = Real(outer.angle) - Real(inner.angle);
  return room >= 0 && cosine(exact(outer.axis), exact(inner.axis)) >= cos(room) - kTolerance;
}

inline double angle_between(const Direction& a, const Direction& b) {
  const Real c = cosine(a, b);
  return static_cast<double>(acos(c > 1 ? Real(1) : c < -1 ? Real(-1) : c));
}

}  // namespace graze::test
