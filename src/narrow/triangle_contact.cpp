// Narrow phase: the common segment of two triangles in general position, in doubles with proved error bounds. Exact
// arithmetic (narrow/exact/triangle_contact_exact.hpp) handles all other cases. Cost: O(1).
//
// The two planes intersect in a line, and each triangle intersects this line in an interval that ends on the two
// edges at its lone corner, the corner alone on its side of the other plane. narrow/kernels/triangle_pairs.cpp
// derives the order of the ends along the line, and the error bounds of the determinants. Here the later start and
// the earlier end are needed with certain signs, and then the points themselves. The edge from p to q, cut by a
// plane with determinants s_p and s_q of opposite signs, gives the point p + t (q - p) with t = |s_p| / (|s_p| +
// |s_q|), p being the end nearer to the plane. If the determinants have an error of at most d, t has an error of
// e = d / (|s_p| + |s_q|) and the point an error of e |q - p|: accepted if at most u C, C the largest |coordinate|,
// u = 2^-53. Otherwise double-doubles evaluate the determinants again; at most five operations contribute to a
// product, so 2^-95 P bounds their error, P being the error in doubles divided by kError, plus the loss by
// underflow (2^-850 for coordinates up to 2^199). If that is not enough, exact arithmetic on integers decides. With
// five roundings in t (q - p), which is at most C, and one of the sum, a point has an error of at most 7 u C.
#include "narrow/triangle_contact.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <tuple>

#include "geometry/vec.hpp"
#include "narrow/double_double.hpp"
#include "narrow/exact/triangle_contact_exact.hpp"

namespace graze::narrow {

namespace {

using Corners = std::array<Vec3, 3>;

constexpr double kUnit = 0x1p-53;
constexpr double kError = 16.0 * kUnit;
constexpr double kTiny = 0x1p-900;

/// A determinant and its error bound, which is infinite or NaN if nothing is known.
struct Determinant {
  double value = 0.0;
  double error = 0.0;

  bool certain() const { return std::abs(value) > error; }
};

/// The cross product g x e, and the sums of the magnitudes of its terms, for the error bound.
struct Normal {
  Vec3 n;
  Vec3 size;

  Normal(const Vec3& g, const Vec3& e) {
    const Vec3 left{g.y * e.z, g.z * e.x, g.x * e.y};
    const Vec3 right{g.z * e.y, g.x * e.z, g.y * e.x};
    n = left - right;
    size = {std::abs(left.x) + std::abs(right.x), std::abs(left.y) + std::abs(right.y),
            std::abs(left.z) + std::abs(right.z)};
  }
  Determinant operator()(const Vec3& d) const {
    const Vec3 abs_components{std::abs(d.x), std::abs(d.y), std::abs(d.z)};
    return {dot(n, d), kError * (dot(size, abs_components) +
                                 kTiny * (1.0 + abs_components.x + abs_components.y + abs_components.z))};
  }
};

/// A triangle, and the sides of its corners with respect to the plane of the other triangle. find_lone() returns
/// false unless all sides are certain and not all equal.
struct Cut {
  const Corners& t;
  const Corners& plane;
  std::array<Determinant, 3> sides;
  std::size_t lone = 0;   ///< the lone corner: the other two are on the other side
  std::size_t start = 0;  ///< the line enters the triangle through the edge from the lone corner to this corner
  std::size_t end = 0;    ///< the line leaves through the edge from the lone corner to this corner

  Cut(const Corners& triangle, const Corners& other) : t(triangle), plane(other) {
    const Normal normal(plane[1] - plane[0], plane[2] - plane[0]);
    for (std::size_t i = 0; i < 3; ++i) sides[i] = normal(t[i] - plane[0]);
  }
  bool find_lone() {
    for (const Determinant& s : sides) {
      if (!s.certain()) return false;
    }
    const auto negative = [&](std::size_t i) { return sides[i].value < 0.0; };
    if (negative(0) == negative(1)) {
      lone = 2;
      return negative(2) != negative(0);
    }
    lone = negative(1) == negative(2) ? 0 : 1;
    return true;
  }
  void orient(bool cyclic) {
    start = (lone + (cyclic ? 1 : 2)) % 3;
    end = (lone + (cyclic ? 2 : 1)) % 3;
  }
};

/// Order of two edges from the lone corners along the line: positive if the edge to `v` cuts it behind the edge to
/// `u`.
Determinant order_of(const Cut& a, std::size_t u, const Cut& b, std::size_t v) {
  const Vec3& p = a.t[a.lone];
  const Vec3& o = b.t[b.lone];
  return Normal(b.t[v] - o, a.t[u] - p)(o - p);
}

struct WideVec {
  DoubleDouble x;
  DoubleDouble y;
  DoubleDouble z;
};
WideVec wide_difference(const Vec3& a, const Vec3& b) {
  return {two_sum(a.x, -b.x), two_sum(a.y, -b.y), two_sum(a.z, -b.z)};
}

/// Evaluates the determinants of p and q again, in double-doubles.
void reevaluate_in_double_double(const Corners& plane, const Vec3& p, const Vec3& q, Determinant& s_p,
                                 Determinant& s_q) {
  const WideVec g = wide_difference(plane[1], plane[0]);
  const WideVec e = wide_difference(plane[2], plane[0]);
  const WideVec n{g.y * e.z - g.z * e.y, g.z * e.x - g.x * e.z, g.x * e.y - g.y * e.x};
  const auto again = [&](const Vec3& at, Determinant& s) {
    const WideVec d = wide_difference(at, plane[0]);
    s.value = to_double(n.x * d.x + n.y * d.y + n.z * d.z);
    s.error = s.error / kError * 0x1p-95 + 0x1p-850;
  };
  again(p, s_p);
  again(q, s_q);
}

/// The point where the edge from the lone corner to `other` crosses the plane; nothing if it is not accurate
/// enough.
std::optional<Vec3> crossing(const Cut& cut, std::size_t other, double largest) {
  std::size_t from = cut.lone;
  std::size_t to = other;
  if (std::abs(cut.sides[from].value) > std::abs(cut.sides[to].value)) std::swap(from, to);
  Determinant s_p = cut.sides[from];
  Determinant s_q = cut.sides[to];
  const Vec3& p = cut.t[from];
  const Vec3 edge = cut.t[to] - p;
  const double length = max_abs(edge);
  const auto close = [&] {
    return std::max(s_p.error, s_q.error) * length <
           (kUnit * largest) * (std::abs(s_p.value) + std::abs(s_q.value));
  };
  if (!close()) {
    if (!(largest <= 0x1p199)) return std::nullopt;
    reevaluate_in_double_double(cut.plane, p, cut.t[to], s_p, s_q);
    if (!close() || !s_p.certain() || !s_q.certain()) return std::nullopt;
  }
  return p + (std::abs(s_p.value) / (std::abs(s_p.value) + std::abs(s_q.value))) * edge;
}

std::optional<TriangleContact> segment_in_general_position(const Corners& a, const Corners& b) {
  Cut of_a(a, b);
  Cut of_b(b, a);
  if (!of_a.find_lone() || !of_b.find_lone()) return std::nullopt;
  of_a.orient(of_b.sides[of_b.lone].value < 0.0);
  of_b.orient(of_a.sides[of_a.lone].value > 0.0);
  const Determinant starts = order_of(of_a, of_a.start, of_b, of_b.start);
  const Determinant ends = order_of(of_a, of_a.end, of_b, of_b.end);
  if (!starts.certain() || !ends.certain()) return std::nullopt;
  const bool from_b = starts.value > 0.0;
  const bool to_b = ends.value < 0.0;
  // The interval of one triangle alone has a positive length. If both triangles contribute an end, the length must
  // be proved positive.
  if (from_b != to_b) {
    const Determinant length =
        from_b ? order_of(of_a, of_a.end, of_b, of_b.start) : order_of(of_a, of_a.start, of_b, of_b.end);
    if (!length.certain() || (length.value < 0.0) != from_b) return std::nullopt;
  }
  double largest = 0.0;
  for (const Vec3& p : a) largest = std::max(largest, max_abs(p));
  for (const Vec3& p : b) largest = std::max(largest, max_abs(p));
  const auto p = from_b ? crossing(of_b, of_b.start, largest) : crossing(of_a, of_a.start, largest);
  if (!p) return std::nullopt;
  const auto q = to_b ? crossing(of_b, of_b.end, largest) : crossing(of_a, of_a.end, largest);
  if (!q) return std::nullopt;
  const bool in_order = std::tie(p->x, p->y, p->z) <= std::tie(q->x, q->y, q->z);
  return TriangleContact{ContactShape::Segment, in_order ? *p : *q, in_order ? *q : *p};
}

}  // namespace

TriangleContact triangle_contact(const Corners& a, const Corners& b, bool& exact) {
  if (const auto segment = segment_in_general_position(a, b)) return *segment;
  exact = true;
  return exact_triangle_contact(a, b);
}

}  // namespace graze::narrow
