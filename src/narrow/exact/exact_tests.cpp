// Narrow phase, tier c (exact arithmetic): continuous tests in integers that find the time of impact. See
// exact_tests.hpp. The notation A, B, C, F, W, O is that of kernels/pair_kernel.inl.hpp.
//
// Coordinates become integers, each axis scaled by its own power of two: scaling an axis does not change contacts.
//
// F not identically 0: the features touch only at roots of F. At a root the four points are coplanar, and all W (or
// O) are multiples of the normal of their plane; the first coordinate in which one of them is not 0 shows their
// signs. If all vanish in all coordinates, the four points are collinear, and signs of dot products decide which
// point is between which (scaling an axis preserves betweenness too).
//
// F identically 0: the points are coplanar at all times. The set of contact times is closed. If its least element t
// is not 0, the contact at t is not a crossing of interiors, since that would persist just before t. So a vertex
// lies on a segment: the vertex on a side of the face, or an endpoint of one edge on the other edge. Let p and q be
// the ends of the segment relative to the vertex: then p x q = 0 in all coordinates (common roots of three
// quadratics, that is, roots of their gcd) and p.q <= 0; or, if p x q vanishes identically, t is the first root of
// p.q.
//
// Cost: a few microseconds for doubles of similar size, about ten milliseconds if exponents span the whole range.
#include "narrow/exact/exact_tests.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "narrow/exact/big_integer.hpp"
#include "narrow/exact/exact_polynomial.hpp"

namespace graze::narrow {
namespace {

using exact::Polynomial;
using exact::RootFinder;

using Vector = std::array<Polynomial, 3>;

double coordinate(const Vec3& x, std::size_t axis) {
  return axis == 0 ? x.x : axis == 1 ? x.y : x.z;
}

/// The four points as integer polynomials of degree 1 in time: x[point][axis].
std::array<Vector, 4> integer_points(const PairStep& pair) {
  std::array<Vector, 4> points;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Lattice lattice;
    for (std::size_t i = 0; i < 4; ++i) {
      lattice.include(coordinate(pair.t0[i], axis));
      lattice.include(coordinate(pair.t1[i], axis));
    }
    for (std::size_t i = 0; i < 4; ++i) {
      Polynomial& x = points[i][axis];
      x.c[0] = lattice(coordinate(pair.t0[i], axis));
      x.c[1] = lattice(coordinate(pair.t1[i], axis)) - x.c[0];
      x.degree = 1;
      x.trim();
    }
  }
  return points;
}

Vector operator-(const Vector& a, const Vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Vector operator+(const Vector& a, const Vector& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
Polynomial dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
bool is_zero(const Vector& a) {
  return a[0].is_zero() && a[1].is_zero() && a[2].is_zero();
}

/// The number of bits for which 2^-bits <= tolerance.
unsigned bits_for(double tolerance) {
  int exponent = 0;
  std::frexp(tolerance, &exponent);
  return static_cast<unsigned>(std::max(0, 1 - exponent));
}

/// Whether p lies on the segment from p+a to p+b at the current root. Precondition: the three points are collinear
/// there.
bool between(RootFinder& root, const Vector& a, const Vector& b) {
  return root.sign(dot(a, b)) <= 0;
}

class VertexFace {
 public:
  explicit VertexFace(const std::array<Vector, 4>& x) : a_(x[1] - x[0]), b_(x[2] - x[0]), c_(x[3] - x[0]) {
    w_[0] = cross(b_, c_);
    cubic_ = dot(a_, w_[0]);
  }
  [[nodiscard]] const Polynomial& cubic() const { return cubic_; }

  /// Whether the features touch at the current root. Precondition: they are coplanar there.
  bool touch(RootFinder& root) {
    if (!complete_) {
      w_[1] = cross(c_, a_);
      w_[2] = cross(a_, b_);
      complete_ = true;
    }
    for (std::size_t k = 0; k < 3; ++k) {
      bool positive = false;
      bool negative = false;
      for (const Vector& w : w_) {
        const int sign = root.sign(w[k]);
        positive |= sign > 0;
        negative |= sign < 0;
        if (positive && negative) return false;
      }
      if (positive || negative) return true;
    }
    return between(root, a_, b_) || between(root, b_, c_) || between(root, c_, a_);
  }

  /// The vertex-segment pairs that can be the first contact of coplanar features, as the ends of the segment
  /// relative to the vertex.
  [[nodiscard]] std::array<std::array<Vector, 2>, 3> events() const { return {{{a_, b_}, {b_, c_}, {c_, a_}}}; }

 private:
  Vector a_, b_, c_;
  std::array<Vector, 3> w_;
  Polynomial cubic_;
  bool complete_ = false;
};

class EdgeEdge {
 public:
  explicit EdgeEdge(const std::array<Vector, 4>& x)
      : a_(x[1] - x[0]), b_(x[2] - x[0]), c_(x[3] - x[0]), points_(x) {
    o_[2] = cross(b_, c_);
    cubic_ = dot(a_, o_[2]);
  }
  [[nodiscard]] const Polynomial& cubic() const { return cubic_; }

  bool touch(RootFinder& root) {
    if (!complete_) {
      o_[0] = cross(a_, b_);
      o_[1] = cross(a_, c_);
      o_[3] = o_[2] - o_[1] + o_[0];
      complete_ = true;
    }
    for (std::size_t k = 0; k < 3; ++k) {
      std::array<int, 4> s{};
      for (std::size_t i = 0; i < 4; ++i) s[i] = root.sign(o_[i][k]);
      if (s[0] * s[1] > 0 || s[2] * s[3] > 0) return false;
      if (s[0] != 0 || s[1] != 0 || s[2] != 0 || s[3] != 0) return true;
    }
    const auto all = events();
    return std::any_of(all.begin(), all.end(), [&](const auto& e) { return between(root, e[0], e[1]); });
  }

  [[nodiscard]] std::array<std::array<Vector, 2>, 4> events() const {
    const Vector zero{};
    const auto& x = points_;
    return {{{zero - b_, a_ - b_}, {zero - c_, a_ - c_}, {b_, c_}, {x[2] - x[1], x[3] - x[1]}}};
  }

 private:
  Vector a_, b_, c_;
  std::array<Vector, 4> points_;
  std::array<Vector, 4> o_;
  Polynomial cubic_;
  bool complete_ = false;
};

/// First time in [0,1] at which a vertex lies on a segment with ends p and q relative to the vertex.
std::optional<ExactContact> vertex_on_segment(const Vector& p, const Vector& q, unsigned bits) {
  const Polynomial product = dot(p, q);
  const Vector normal = cross(p, q);
  if (is_zero(normal)) {  // collinear at all times; the product is 0 where the vertex is at an end of the segment
    if (exact::sign_at(product, {0, 0}) <= 0) return ExactContact{0.0, 0.0, 0};
    RootFinder root(product, bits);
    if (!root.next()) return std::nullopt;
    return ExactContact{root.lo(), root.hi(), 0};
  }
  RootFinder root(gcd(gcd(normal[0], normal[1]), normal[2]), bits);
  while (root.next()) {
    if (root.sign(product) <= 0) return ExactContact{root.lo(), root.hi(), 0};
  }
  return std::nullopt;
}

template <class Pair>
std::optional<ExactContact> first_contact(Pair pair, double tolerance) {
  const unsigned bits = bits_for(tolerance);
  if (!pair.cubic().is_zero()) {
    RootFinder root(pair.cubic(), bits);
    while (root.next()) {
      if (!pair.touch(root)) continue;
      const int side = root.hi() == 0.0 ? 0 : root.sign_before(pair.cubic());
      return ExactContact{root.lo(), root.hi(), side};
    }
    return std::nullopt;
  }
  Polynomial time;  // the polynomial t, whose root is 0
  time.c[1] = 1;
  time.degree = 1;
  RootFinder start(time, bits);
  start.next();
  if (pair.touch(start)) return ExactContact{0.0, 0.0, 0};
  // The result is [least lo, least hi] of the events' intervals: the first event is at or after the least lo and at
  // or before the least hi, and the interval with the least lo is no wider than the tolerance.
  std::optional<ExactContact> first;
  for (const auto& [p, q] : pair.events()) {
    const auto contact = vertex_on_segment(p, q, bits);
    if (!contact) continue;
    if (!first) {
      first = contact;
    } else {
      first->toi_lo = std::min(first->toi_lo, contact->toi_lo);
      first->toi_hi = std::min(first->toi_hi, contact->toi_hi);
    }
  }
  return first;
}

}  // namespace

std::optional<ExactContact> exact_vertex_face(const PairStep& pair, double tolerance) {
  return first_contact(VertexFace(integer_points(pair)), tolerance);
}

std::optional<ExactContact> exact_edge_edge(const PairStep& pair, double tolerance) {
  return first_contact(EdgeEdge(integer_points(pair)), tolerance);
}

}  // namespace graze::narrow
