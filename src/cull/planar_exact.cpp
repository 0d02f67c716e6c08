// Exact planar contact tests for the contour test; planar_exact.hpp describes the method.
#include "cull/planar_exact.hpp"

#include "core/assert.hpp"
#include "geometry/lattice.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace graze::cull {

namespace {

using Int = ExactInt;

constexpr int kAxisBits = 20;

struct IntVec2 {
  Int x;
  Int y;
};

IntVec2 operator-(const IntVec2& a, const IntVec2& b) {
  return {a.x - b.x, a.y - b.y};
}
Int cross(const IntVec2& a, const IntVec2& b) {
  return a.x * b.y - a.y * b.x;
}
Int dot(const IntVec2& a, const IntVec2& b) {
  return a.x * b.x + a.y * b.y;
}

struct IntPath {
  IntVec2 t0;
  IntVec2 t1;
};

/// Projects exactly, to integers on a common scale. The scale changes no sign.
class IntProjection {
 public:
  IntProjection(const ProjectionAxis& axis, std::span<const VertexPath* const> paths)
      : d_(axis.dominant), u_((d_ + 1) % 3), w_((d_ + 2) % 3), q_u_(to_steps(axis.q_u)), q_w_(to_steps(axis.q_w)) {
    for (const VertexPath* path : paths) {
      lattice_.include(path->t0);
      lattice_.include(path->t1);
    }
  }

  [[nodiscard]] IntPath operator()(const VertexPath& path) const { return {project(path.t0), project(path.t1)}; }

 private:
  static std::int64_t to_steps(double q) {
    const double steps = std::ldexp(q, kAxisBits);
    GRAZE_ASSERT(steps == std::trunc(steps) && std::abs(q) <= 1.0);
    return static_cast<std::int64_t>(steps);
  }
  [[nodiscard]] IntVec2 project(const Vec3& p) const {
    const std::array<double, 3> x{p.x, p.y, p.z};
    const Int along = lattice_(x[d_]);
    return {(lattice_(x[u_]) << kAxisBits) - q_u_ * along, (lattice_(x[w_]) << kAxisBits) - q_w_ * along};
  }

  std::size_t d_;
  std::size_t u_;
  std::size_t w_;
  Int q_u_;
  Int q_w_;
  Lattice lattice_;
};

/// The polynomial a t^2 + b t + c.
struct Quadratic {
  Int a;
  Int b;
  Int c;
};

/// Returns the quadratic with the given values at 0 and 1 and the given double of the middle Bernstein coefficient.
Quadratic quadratic(const Int& at_0, const Int& twice_middle, const Int& at_1) {
  return {at_0 - twice_middle + at_1, twice_middle - 2 * at_0, at_0};
}

/// Returns the sign of x + y sqrt(d). Precondition: d >= 0.
int sign_with_root(const Int& x, const Int& y, const Int& d) {
  const int sign_x = x.sign();
  const int sign_y = d.is_zero() ? 0 : y.sign();
  if (sign_x * sign_y >= 0) {
    return sign_x != 0 ? sign_x : sign_y;
  }
  return sign_x * Int(x * x - y * y * d).sign();
}

/// Returns whether p <= 0 somewhere in [0,1].
bool reaches_zero(const Quadratic& p) {
  if (p.c <= 0 || p.a + p.b + p.c <= 0) {
    return true;
  }
  const bool lowest_inside = p.a > 0 && p.b < 0 && -p.b < 2 * p.a;
  return lowest_inside && p.b * p.b >= 4 * p.a * p.c;
}

/// Returns whether f = 0 and p <= 0 at the same time somewhere in [0,1].
bool touches(Quadratic f, const Quadratic& p) {
  if (f.a.is_zero()) {
    if (!f.b.is_zero()) {  // f is linear, its root is -c / b
      const bool inside = f.b > 0 ? (f.c <= 0 && -f.c <= f.b) : (f.c >= 0 && -f.c >= f.b);
      return inside && p.a * f.c * f.c - p.b * f.b * f.c + p.c * f.b * f.b <= 0;
    }
    return f.c.is_zero() && reaches_zero(p);
  }
  if (f.a < 0) {
    f = {-f.a, -f.b, -f.c};
  }
  const Int d = f.b * f.b - 4 * f.a * f.c;
  if (d < 0) {
    return false;
  }
  // a_f p - a_p f = r1 t + r0 has the sign of p at the roots t = (-b +- sqrt(d)) / (2 a) of f, because a_f > 0.
  const Int r1 = f.a * p.b - p.a * f.b;
  const Int r0 = f.a * p.c - p.a * f.c;
  const Int x = 2 * f.a * r0 - r1 * f.b;
  for (const int branch : {-1, 1}) {
    const Int one(branch);
    const bool inside = sign_with_root(-f.b, one, d) >= 0 && sign_with_root(-f.b - 2 * f.a, one, d) <= 0;
    if (inside && sign_with_root(x, branch * r1, d) <= 0) {
      return true;
    }
  }
  return false;
}

bool vertex_touches_edge(const IntPath& a, const IntPath& c, const IntPath& d) {
  const IntVec2 g0 = a.t0 - c.t0;
  const IntVec2 g1 = a.t1 - c.t1;
  const IntVec2 h0 = a.t0 - d.t0;
  const IntVec2 h1 = a.t1 - d.t1;
  return touches(quadratic(cross(g0, h0), cross(g0, h1) + cross(g1, h0), cross(g1, h1)),
                 quadratic(dot(g0, h0), dot(g0, h1) + dot(g1, h0), dot(g1, h1)));
}

int side_t0(const IntPath& a, const IntPath& c, const IntPath& d) {
  return cross(a.t0 - c.t0, a.t0 - d.t0).sign();
}

}  // namespace

bool exact_vertex_edge(const ProjectionAxis& axis, const VertexPath& a, const VertexPath& c, const VertexPath& d) {
  const std::array paths{&a, &c, &d};
  const IntProjection project(axis, paths);
  return vertex_touches_edge(project(a), project(c), project(d));
}

bool exact_edge_edge(const ProjectionAxis& axis, const VertexPath& path_a, const VertexPath& path_b,
                     const VertexPath& path_c, const VertexPath& path_d) {
  const std::array paths{&path_a, &path_b, &path_c, &path_d};
  const IntProjection project(axis, paths);
  const IntPath a = project(path_a);
  const IntPath b = project(path_b);
  const IntPath c = project(path_c);
  const IntPath d = project(path_d);
  const bool cross_t0 = side_t0(a, c, d) * side_t0(b, c, d) < 0 && side_t0(c, a, b) * side_t0(d, a, b) < 0;
  return cross_t0 || vertex_touches_edge(a, c, d) || vertex_touches_edge(b, c, d) || vertex_touches_edge(c, a, b) ||
         vertex_touches_edge(d, a, b);
}

bool exact_neighbours(const ProjectionAxis& axis, const VertexPath& path_a, const VertexPath& path_b,
                      const VertexPath& path_c) {
  const std::array paths{&path_a, &path_b, &path_c};
  const IntProjection project(axis, paths);
  const IntPath a = project(path_a);
  const IntPath b = project(path_b);
  const IntPath c = project(path_c);
  return vertex_touches_edge(a, b, c) || vertex_touches_edge(c, a, b);
}

}  // namespace graze::cull
