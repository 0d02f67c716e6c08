// Exact distances of cores. See the header.
#include "rigid/shapes/exact_gap.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "narrow/exact/big_integer.hpp"

namespace graze::rigid {

namespace {

using narrow::Int;
using narrow::IntVec;

/// The point nearest to the origin of the hull of a subset: its squared length num / den, and a vector along it
/// (zero iff num is).
struct Nearest {
  Int num;
  Int den = Int(1);
  IntVec along;
  std::array<std::size_t, 4> subset{};
  std::size_t count = 0;
};

bool nearer(const Nearest& x, const Nearest& y) {
  return x.num * y.den < y.num * x.den;
}

/// A vertex of a simplex: the difference of two points, by index.
struct Vertex {
  IntVec w;
  std::array<std::uint32_t, 2> pair{};
};

/// The subsets of a simplex. Each function offers the nearest point of the plane, line or space through a subset if
/// it lies strictly inside of the hull of the subset.
class Subsets {
 public:
  explicit Subsets(std::span<const Vertex> vertices) : v_(vertices) {}

  /// The best of all subsets, or only of those with the last vertex.
  Nearest nearest(bool with_last) {
    const std::size_t n = v_.size();
    const std::size_t last = n - 1;
    for (std::size_t i = 0; i < n; ++i) {
      if (!with_last || i == last) point(i);
      for (std::size_t j = i + 1; j < n; ++j) {
        if (!with_last || j == last) edge(i, j);
        for (std::size_t k = j + 1; k < n; ++k) {
          if (!with_last || k == last) face(i, j, k);
        }
      }
    }
    if (n == 4) inside();
    return best_;
  }

 private:
  void offer(Nearest candidate) {
    if (best_.count != 0 && !nearer(candidate, best_)) return;
    best_ = std::move(candidate);
  }
  void point(std::size_t i) {
    offer({.num = dot(v_[i].w, v_[i].w), .den = Int(1), .along = v_[i].w, .subset = {i}, .count = 1});
  }
  void edge(std::size_t i, std::size_t j) {
    const IntVec d = v_[j].w - v_[i].w;
    const Int whole = dot(d, d);
    const Int along = -dot(v_[i].w, d);
    if (along.sign() <= 0 || along >= whole) return;
    const IntVec x = whole * v_[i].w + along * d;
    offer({.num = dot(x, v_[i].w), .den = whole, .along = x, .subset = {i, j}, .count = 2});
  }
  void face(std::size_t i, std::size_t j, std::size_t k) {
    const IntVec& f = v_[i].w;
    const IntVec e1 = v_[j].w - f;
    const IntVec e2 = v_[k].w - f;
    const IntVec n = cross(e1, e2);
    const Int nn = dot(n, n);
    if (nn.is_zero()) return;
    const Int w1 = -dot(n, cross(f, e2));
    const Int w2 = -dot(n, cross(e1, f));
    if (w1.sign() <= 0 || w2.sign() <= 0 || w1 + w2 >= nn) return;
    const Int height = dot(n, f);
    IntVec along;
    if (height.sign() > 0) along = n;
    if (height.sign() < 0) along = Int(-1) * n;
    offer({.num = height * height, .den = nn, .along = along, .subset = {i, j, k}, .count = 3});
  }
  void inside() {
    const auto side = [&](std::size_t i, std::size_t j, std::size_t k) {
      return dot(v_[i].w, cross(v_[j].w, v_[k].w)).sign();
    };
    const int s = side(1, 2, 3);
    if (s == 0 || side(0, 2, 3) != -s || side(0, 1, 3) != s || side(0, 1, 2) != -s) return;
    offer({.num = Int(0), .den = Int(1), .along = {}, .subset = {0, 1, 2, 3}, .count = 4});
  }

  std::span<const Vertex> v_;
  Nearest best_;
};

std::uint32_t farthest(std::span<const IntVec> points, const IntVec& n, int sign) {
  std::uint32_t best = 0;
  Int most = dot(n, points[0]);
  for (std::uint32_t i = 1; i < points.size(); ++i) {
    Int value = dot(n, points[i]);
    if (sign > 0 ? value > most : value < most) {
      most = std::move(value);
      best = i;
    }
  }
  return best;
}

Nearest nearest_of_hulls(std::span<const IntVec> a, std::span<const IntVec> b, const WarmSimplex& start) {
  std::vector<Vertex> simplex;
  const auto vertex = [&](std::uint32_t i, std::uint32_t j) { return Vertex{a[i] - b[j], {i, j}}; };
  for (std::size_t i = 0; i < start.count; ++i) simplex.push_back(vertex(start.pairs[i][0], start.pairs[i][1]));
  if (simplex.empty()) simplex.push_back(vertex(0, 0));
  Nearest best = Subsets(simplex).nearest(false);
  for (;;) {
    if (best.num.is_zero()) return best;
    std::vector<Vertex> kept;
    for (std::size_t i = 0; i < best.count; ++i) kept.push_back(simplex[best.subset[i]]);
    simplex = std::move(kept);
    Vertex next = vertex(farthest(a, best.along, -1), farthest(b, best.along, 1));
    // All vertices of the subset have the same, positive product with the direction.
    if (dot(best.along, next.w) >= dot(best.along, simplex.front().w)) return best;
    simplex.push_back(std::move(next));
    best = Subsets(simplex).nearest(true);
  }
}

/// Compares sqrt(num / den) with r, in units of 2^exponent.
ExactGap gap_of(const Int& num, const Int& den, const Int& r, int exponent) {
  ExactGap gap;
  const Int excess = num - r * r * den;
  if (excess.sign() <= 0) {
    gap.meets = true;
    return gap;
  }
  // sqrt(q) - r = (q - r^2) / (sqrt(q) + r) does not cancel. In units in which sqrt(q) is about 1, nothing
  // overflows.
  const int k = (static_cast<int>(msb(num)) - static_cast<int>(msb(den))) / 2;
  const double above = narrow::to_double_ratio(excess, den, -2 * k);
  const double sum = narrow::to_double_sqrt(num, den, -k) + narrow::to_double_ratio(r, Int(1), -k);
  gap.distance = std::ldexp(above / sum, k + exponent);
  return gap;
}

}  // namespace

ExactGap exact_gap(const Solid& a, const Solid& b, const WarmSimplex& start) {
  Lattice lattice;
  lattice.include_all(a.points);
  lattice.include_all(b.points);
  lattice.include(a.radius);
  lattice.include(b.radius);
  const auto convert = [&](std::span<const Vec3> points) {
    std::vector<IntVec> converted;
    converted.reserve(points.size());
    for (const Vec3& x : points) converted.push_back(narrow::to_int(lattice, x));
    return converted;
  };
  const Nearest nearest = nearest_of_hulls(convert(a.points), convert(b.points), start);
  return gap_of(nearest.num, nearest.den, lattice(a.radius) + lattice(b.radius), lattice.exponent());
}

namespace {

/// Integers of planes and points: normals in one unit, positions in another, values (products of both) in a third
/// one.
class PlaneLattice {
 public:
  void include(const Plane& plane) {
    normals_.include(plane.normal);
    positions_.include(plane.origin);
    values_.include(plane.offset);
  }
  void include(const Solid& solid) {
    positions_.include_all(solid.points);
    positions_.include(solid.radius);
  }
  /// After all includes.
  void finish() {
    values_.include_power(normals_.exponent() + positions_.exponent());
    shift_ = static_cast<unsigned>(normals_.exponent() + positions_.exponent() - values_.exponent());
  }

  [[nodiscard]] IntVec normal(const Plane& plane) const { return narrow::to_int(normals_, plane.normal); }
  /// normal . (x - origin) - offset.
  [[nodiscard]] Int value(const Plane& plane, const Vec3& x) const {
    const Int product =
        dot(normal(plane), narrow::to_int(positions_, x) - narrow::to_int(positions_, plane.origin));
    return Int(product << shift_) - values_(plane.offset);
  }
  /// A length in units of 2^exponent(), in which value / |normal| is.
  [[nodiscard]] Int length(double x) const { return positions_(x) << shift_; }
  [[nodiscard]] int exponent() const { return values_.exponent() - normals_.exponent(); }

 private:
  Lattice normals_;
  Lattice positions_;
  Lattice values_;
  unsigned shift_ = 0;
};

}  // namespace

ExactGap exact_gap(const Plane& plane, const Solid& b) {
  PlaneLattice lattice;
  lattice.include(plane);
  lattice.include(b);
  lattice.finish();
  Int least = lattice.value(plane, b.points.front());
  for (const Vec3& x : b.points.subspan(1)) least = std::min(least, lattice.value(plane, x));
  if (least.sign() <= 0) return {.meets = true};
  const IntVec normal = lattice.normal(plane);
  return gap_of(least * least, dot(normal, normal), lattice.length(b.radius), lattice.exponent());
}

ExactGap exact_gap(const Plane& a, const Plane& b) {
  PlaneLattice lattice;
  lattice.include(a);
  lattice.include(b);
  lattice.finish();
  const IntVec m = lattice.normal(a);
  const IntVec n = lattice.normal(b);
  const IntVec across = cross(m, n);
  const Int along = -dot(m, n);
  // Only half-spaces that face each other can be disjoint: n = -k m with k = along / m^2 > 0.
  if (!across.x.is_zero() || !across.y.is_zero() || !across.z.is_zero() || along.sign() <= 0)
    return {.meets = true};
  // a is m . y <= d_a, b is -k m . y <= d_b, with d = -value at the point zero. They meet iff d_a k + d_b >= 0, and
  // their distance is -(d_a k + d_b) / |n|.
  const Int square = dot(m, m);
  const Int slack = -(lattice.value(a, {}) * along + lattice.value(b, {}) * square);
  if (slack.sign() >= 0) return {.meets = true};
  return gap_of(slack * slack, square * square * dot(n, n), Int(0), lattice.exponent());
}

}  // namespace graze::rigid
