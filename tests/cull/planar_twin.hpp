// Naive reference for the planar tests and of the contour test in rational arithmetic.
//
// Vertex on edge: f = 0 (collinear), and the vertex lies in the box of the edge, tested for x and y separately.
// Candidate times are the roots of f or, if f vanishes identically, the ends of the step and of the time intervals
// in the box. A root is rational, or the root of an irreducible quadratic in an interval that is bisected until a
// sign is certain: another quadratic vanishes there only if it is a multiple. Loops: all pairs of edges. It
// shares no sign formula with the code under test.
#pragma once

#include "narrow/rational_twin.hpp"

#include "cull/projection.hpp"
#include "geometry/path.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace graze::test {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
using namespace bvh;
using namespace cull;

struct PlanarPoint {
  Rational x;
  Rational y;
};

struct TwinPath {
  PlanarPoint t0;
  PlanarPoint t1;

  [[nodiscard]] PlanarPoint at(const Rational& t) const {
    return {t0.x + t * (t1.x - t0.x), t0.y + t * (t1.y - t0.y)};
  }
};

inline PlanarPoint twin_project(const ProjectionAxis& axis, const Vec3& p) {
  const RationalPoint r = to_rational(p);
  const std::size_t d = axis.dominant;
  return {r[(d + 1) % 3] - Rational(axis.q_u) * r[d], r[(d + 2) % 3] - Rational(axis.q_w) * r[d]};
}

inline TwinPath twin_project(const ProjectionAxis& axis, const VertexPath& path) {
  return {twin_project(axis, path.t0), twin_project(axis, path.t1)};
}

/// The polynomial a t^2 + b t + c.
struct TwinQuadratic {
  Rational a;
  Rational b;
  Rational c;

  /// The quadratic with these values at 0, 1 and 2.
  static TwinQuadratic through(const std::array<Rational, 3>& v) {
    const Rational a = (v[2] - 2 * v[1] + v[0]) / 2;
    return {a, v[1] - v[0] - a, v[0]};
  }
  [[nodiscard]] Rational at(const Rational& t) const { return (a * t + b) * t + c; }
  [[nodiscard]] bool is_zero() const { return a == 0 && b == 0 && c == 0; }
};

/// A real root of a quadratic: `lo` itself, or the only root in (lo, hi) of an irreducible quadratic.
struct TwinRoot {
  std::optional<TwinQuadratic> irreducible;
  Rational lo;
  Rational hi;

  /// Sign of s at the root.
  [[nodiscard]] int sign(const TwinQuadratic& s) const {
    if (!irreducible) {
      return s.at(lo).sign();
    }
    const TwinQuadratic& q = *irreducible;
    if (s.a * q.b == s.b * q.a && s.a * q.c == s.c * q.a && s.b * q.c == s.c * q.b) {
      return 0;
    }
    if (s.a == 0 && s.b != 0) {  // a rational zero outside the interval needs no bisection
      const Rational zero = -s.c / s.b;
      if (zero <= lo || zero >= hi) {
        return zero <= lo ? s.b.sign() : -s.b.sign();
      }
    }
    Rational l = lo;
    Rational r = hi;
    const int sign_l = q.at(l).sign();
    while (true) {
      const Rational m = (l + r) / 2;
      const Rational half = (r - l) / 2;
      const Rational value = s.at(m);
      const Rational spread = abs(Rational(2 * s.a * m + s.b)) * half + abs(s.a) * half * half;
      if (abs(value) > spread) {
        return value.sign();
      }
      (q.at(m).sign() == sign_l ? l : r) = m;
    }
  }
};

inline bool is_square(const Rational& x) {
  const boost::multiprecision::cpp_int product(numerator(x) * denominator(x));
  const boost::multiprecision::cpp_int root = sqrt(product);
  return root * root == product;
}

inline Rational square_root(const Rational& x) {
  const boost::multiprecision::cpp_int product(numerator(x) * denominator(x));
  return Rational(boost::multiprecision::cpp_int(sqrt(product))) / Rational(denominator(x));
}

inline Rational rounded_down(const Rational& x, unsigned bits) {
  using Integer = boost::multiprecision::cpp_int;
  const Integer scale = Integer(1) << bits;
  Integer whole = Integer(numerator(x)) * scale / Integer(denominator(x));
  if (x < 0) {
    --whole;
  }
  return Rational(whole) / Rational(scale);
}

inline std::vector<TwinRoot> twin_roots(const TwinQuadratic& q) {
  std::vector<TwinRoot> roots;
  if (q.a == 0) {
    if (q.b != 0) {
      roots.push_back({std::nullopt, -q.c / q.b, 0});
    }
    return roots;
  }
  const Rational discriminant = q.b * q.b - 4 * q.a * q.c;
  if (discriminant < 0) {
    return roots;
  }
  const Rational lowest = -q.b / (2 * q.a);
  if (is_square(discriminant)) {
    const Rational away = square_root(discriminant) / (2 * q.a);
    roots.push_back({std::nullopt, lowest - away, 0});
    roots.push_back({std::nullopt, lowest + away, 0});
    return roots;
  }
  // Short fractions replace the vertex of the parabola and the bound of the roots, for speed.
  Rational between = lowest;
  for (unsigned bits = 0; q.at(between).sign() == q.a.sign() || bits == 0; ++bits) {
    between = rounded_down(lowest, bits);
  }
  const Rational bound = rounded_down(2 + (abs(q.b) + abs(q.c)) / abs(q.a), 0);
  for (TwinRoot root : {TwinRoot{q, -bound, between}, TwinRoot{q, between, bound}}) {
    const int sign_lo = q.at(root.lo).sign();
    for (const int end : {0, 1}) {  // callers ask about 0 and 1 first
      if (root.lo < end && end < root.hi) {
        (q.at(end).sign() == sign_lo ? root.lo : root.hi) = end;
      }
    }
    roots.push_back(root);
  }
  return roots;
}

/// Whether vertex a is on the closed edge cd at some time of the step.
inline bool twin_vertex_edge(const TwinPath& a, const TwinPath& c, const TwinPath& d) {
  std::array<Rational, 3> line;
  std::array<Rational, 3> beside_x;
  std::array<Rational, 3> beside_y;
  for (std::size_t t = 0; t < 3; ++t) {
    const PlanarPoint p = a.at(t);
    const PlanarPoint q = c.at(t);
    const PlanarPoint r = d.at(t);
    line[t] = p.x * (q.y - r.y) + q.x * (r.y - p.y) + r.x * (p.y - q.y);
    beside_x[t] = (p.x - q.x) * (p.x - r.x);
    beside_y[t] = (p.y - q.y) * (p.y - r.y);
  }
  const TwinQuadratic f = TwinQuadratic::through(line);
  const TwinQuadratic in_x = TwinQuadratic::through(beside_x);
  const TwinQuadratic in_y = TwinQuadratic::through(beside_y);
  std::vector<TwinRoot> times = twin_roots(f);
  if (f.is_zero()) {
    times = {{std::nullopt, 0, 0}, {std::nullopt, 1, 0}};
    for (const TwinQuadratic& q : {in_x, in_y}) {
      for (const TwinRoot& root : twin_roots(q)) {
        times.push_back(root);
      }
    }
  }
  const TwinQuadratic since_start{0, 1, 0};
  const TwinQuadratic to_end{0, -1, 1};
  return std::any_of(times.begin(), times.end(), [&](const TwinRoot& t) {
    return t.sign(since_start) >= 0 && t.sign(to_end) >= 0 && t.sign(in_x) <= 0 && t.sign(in_y) <= 0;
  });
}

/// Whether two non-parallel segments intersect: both parameters are in [0,1].
inline bool twin_segments_cross(const PlanarPoint& a, const PlanarPoint& b, const PlanarPoint& c,
                                const PlanarPoint& d) {
  const PlanarPoint ab{b.x - a.x, b.y - a.y};
  const PlanarPoint cd{d.x - c.x, d.y - c.y};
  const PlanarPoint ac{c.x - a.x, c.y - a.y};
  const Rational det = ab.x * cd.y - ab.y * cd.x;
  if (det == 0) {
    return false;
  }
  const Rational s = (ac.x * cd.y - ac.y * cd.x) / det;
  const Rational r = (ac.x * ab.y - ac.y * ab.x) / det;
  return s >= 0 && s <= 1 && r >= 0 && r <= 1;
}

inline bool twin_edge_edge(const TwinPath& a, const TwinPath& b, const TwinPath& c, const TwinPath& d) {
  return twin_segments_cross(a.t0, b.t0, c.t0, d.t0) || twin_vertex_edge(a, c, d) || twin_vertex_edge(b, c, d) ||
         twin_vertex_edge(c, a, b) || twin_vertex_edge(d, a, b);
}

inline bool twin_neighbours(const TwinPath& a, const TwinPath& b, const TwinPath& c) {
  return twin_vertex_edge(a, b, c) || twin_vertex_edge(c, a, b);
}

/// Whether the boxes of the swept edges overlap.
inline bool twin_boxes_overlap(const TwinPath& a, const TwinPath& b, const TwinPath& c, const TwinPath& d) {
  const auto overlap = [](std::array<Rational, 4> i, std::array<Rational, 4> j) {
    return *std::max_element(i.begin(), i.end()) >= *std::min_element(j.begin(), j.end()) &&
           *std::max_element(j.begin(), j.end()) >= *std::min_element(i.begin(), i.end());
  };
  return overlap({a.t0.x, a.t1.x, b.t0.x, b.t1.x}, {c.t0.x, c.t1.x, d.t0.x, d.t1.x}) &&
         overlap({a.t0.y, a.t1.y, b.t0.y, b.t1.y}, {c.t0.y, c.t1.y, d.t0.y, d.t1.y});
}

/// Whether edges i and j of the closed polygon touch at some time; the common vertex of neighbours does not count.
inline bool twin_edges_touch(std::span<const TwinPath> polygon, std::size_t i, std::size_t j) {
  const std::size_t n = polygon.size();
  const auto at = [&](std::size_t k) -> const TwinPath& { return polygon[k % n]; };
  if ((i + 1) % n == j) {
    return twin_neighbours(at(i), at(j), at(j + 1));
  }
  if ((j + 1) % n == i) {
    return twin_neighbours(at(j), at(i), at(i + 1));
  }
  return twin_boxes_overlap(at(i), at(i + 1), at(j), at(j + 1)) &&
         twin_edge_edge(at(i), at(i + 1), at(j), at(j + 1));
}

inline bool twin_is_simple(std::span<const TwinPath> polygon) {
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    for (std::size_t j = i + 1; j < polygon.size(); ++j) {
      if (twin_edges_touch(polygon, i, j)) {
        return false;
      }
    }
  }
  return true;
}

/// Whether the polygon is simple at one instant.
inline bool twin_is_simple_at(std::span<const TwinPath> polygon, const Rational& t) {
  std::vector<TwinPath> still;
  for (const TwinPath& path : polygon) {
    still.push_back({path.at(t), path.at(t)});
  }
  return twin_is_simple(still);
}

}  // namespace graze::test
