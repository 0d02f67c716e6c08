// Proofs that adjacent triangles touch nowhere else, by one direction for the step or for each half of it, and the
// paper's lossy threshold on normals.
//
// Two common vertices p q; r is the third vertex of one triangle, s of the other: n1 = (q-p) x (r-p) and n2 = (s-p)
// x (q-p) are quadratic in t, convex combinations of three control normals each (control_normals.hpp). If d has a
// positive dot product with all six, then at each t, seen along d, p q is a line with r strictly to its left and s
// strictly to its right: r is not in p q s, s is not in p q r, and the edges p r and q s (p s and q r) have only p
// and q on the line, which differ. One common vertex p; a1 a2 and b1 b2 are the others: if m has a positive dot
// product with ai - p and p - bi at both ends of the step, then also at each t, because these are linear in t: the
// plane through p normal to m contains only p of either triangle, and the rest of the triangles lies on different
// sides. Such a plane exists at an instant unless the triangles intersect beyond p; the proof fails for triangles
// that rotate far during the step, or that intersect before it.
//
// Error bound. The choice of the direction needs no proof; its dot products do. u = 2^-53, m is the direction's
// largest component, s that of the vectors v (for normals s = max|q-p| max|r-p, s-p|). A difference is rounded
// once: u s per component. The error of a component of a control normal, of size 2 s, is 3 u s per product, 8 u s
// per difference of two products, 10 u s for the mean of two differences. A mean in a halving adds u |v|, once for
// differences and twice for normals: 2 u s and 14 u s. The dot product with the direction, a sum of three terms m
// |v|, adds 3 u of each. Totals: (6 + 9) u m s and (42 + 18) u m s; with terms in u^2 and the bound's own rounding,
// below 32 u and 128 u. Underflow: below 2^-1070 (1 + m). Nothing overflows while m s and s stay below 2^1000.
// Cost: constant; most pairs need one sum of vectors and six or eight dot products.
#include "cull/neighbours.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <span>

#include "geometry/vec.hpp"

namespace graze::cull {

namespace {

constexpr double kDifferenceSlop = 0x1p-48;  // 32 u
constexpr double kNormalSlop = 0x1p-46;      // 128 u
constexpr double kUnderflow = 0x1p-1022;
constexpr double kLargest = 0x1p1000;
/// Number of corrections of a direction, and of halvings of the step. More of either proves hardly more.
constexpr int kRounds = 2;
constexpr int kHalvings = 1;  // the error bounds above are for one halving
/// Overshoot of a correction, relative to the direction. Small, because few directions are valid where corrections
/// are needed.
constexpr double kBeyond = 0.01;

/// Moving vectors for which a direction with a positive dot product with each, at all times, is sought: their
/// Bernstein coefficients over a time interval, those of each vector consecutively.
template <std::size_t kVectors, std::size_t kDegree>
struct Bundle {
  static constexpr std::size_t kCount = kVectors * (kDegree + 1);
  std::array<Vec3, kCount> control;
  double size;  ///< scale of the dot products' error, besides the direction: see the head
};

/// Returns whether all exact dot products are proved positive. NaN and infinity prove nothing.
template <std::size_t kVectors, std::size_t kDegree>
inline bool on_one_side(const Bundle<kVectors, kDegree>& bundle, const Vec3& direction) {
  constexpr double kSlop = kDegree == 1 ? kDifferenceSlop : kNormalSlop;
  const double largest = max_abs(direction);
  const double scale = largest * bundle.size;
  const double bound = kSlop * scale + kUnderflow * (1.0 + largest);
  auto out = static_cast<unsigned>(!(scale <= kLargest)) | static_cast<unsigned>(!(bundle.size <= kLargest));
  for (const Vec3& v : bundle.control) out |= static_cast<unsigned>(!(dot(v, direction) > bound));
  return out == 0;
}

/// Tries the sum of all control vectors as direction: works if they have about the same length, which is nearly
/// always.
template <std::size_t kVectors, std::size_t kDegree>
inline bool on_side_of_sum(const Bundle<kVectors, kDegree>& bundle) {
  Vec3 direction = bundle.control[0];
  for (std::size_t k = 1; k < bundle.kCount; ++k) direction = direction + bundle.control[k];
  return on_one_side(bundle, direction);
}

/// Tries the sum of the unit vectors, corrected up to kRounds times for the vector with the smallest dot product.
template <std::size_t kVectors, std::size_t kDegree>
bool on_side_of_directions(const Bundle<kVectors, kDegree>& bundle) {
  constexpr std::size_t kCount = Bundle<kVectors, kDegree>::kCount;
  std::array<Vec3, kCount> unit;
  Vec3 direction;
  for (std::size_t k = 0; k < kCount; ++k) {
    const double largest = max_abs(bundle.control[k]);
    if (!(largest > 0.0)) return false;
    const Vec3 scaled = (1.0 / largest) * bundle.control[k];  // avoids underflow and overflow of the square
    unit[k] = (1.0 / std::sqrt(dot(scaled, scaled))) * scaled;
    direction = direction + unit[k];
  }
  for (int round = 0;; ++round) {
    if (on_one_side(bundle, direction)) return true;
    if (round == kRounds) return false;
    std::size_t worst = 0;
    double least = dot(direction, unit[0]);
    for (std::size_t k = 1; k < kCount; ++k) {
      const double product = dot(direction, unit[k]);
      if (product < least) {
        least = product;
        worst = k;
      }
    }
    direction = direction + (kBeyond * max_abs(direction) - least) * unit[worst];
  }
}

/// Searches a proof for the whole interval: one direction, or, after a halving, one for each half.
template <std::size_t kVectors, std::size_t kDegree>
bool have_common_side(const Bundle<kVectors, kDegree>& bundle, int halvings) {
  if (on_side_of_directions(bundle)) return true;
  if (halvings == 0) return false;
  Bundle<kVectors, kDegree> first = bundle;  // de Casteljau's algorithm
  Bundle<kVectors, kDegree> second = bundle;
  for (std::size_t v = 0; v < kVectors; ++v) {
    Vec3* const left = &first.control[v * (kDegree + 1)];
    Vec3* const right = &second.control[v * (kDegree + 1)];
    for (std::size_t step = 1; step <= kDegree; ++step) {
      for (std::size_t k = 0; k + step <= kDegree; ++k) right[k] = 0.5 * (right[k] + right[k + 1]);
      left[step] = right[0];
    }
  }
  return have_common_side(first, halvings - 1) && have_common_side(second, halvings - 1);
}

/// Returns the common vertices of two triangles: bit 3 i + j is set if a[i] is b[j]. 0 if a triangle repeats an id.
unsigned common_vertices(const Triangle& a, const Triangle& b) {
  const auto same = [](VertexId p, VertexId q, unsigned bit) { return static_cast<unsigned>(p == q) << bit; };
  const unsigned common = same(a[0], b[0], 0) | same(a[0], b[1], 1) | same(a[0], b[2], 2) | same(a[1], b[0], 3) |
                          same(a[1], b[1], 4) | same(a[1], b[2], 5) | same(a[2], b[0], 6) | same(a[2], b[1], 7) |
                          same(a[2], b[2], 8);
  const unsigned repeated = same(a[0], a[1], 0) | same(a[0], a[2], 0) | same(a[1], a[2], 0) | same(b[0], b[1], 0) |
                            same(b[0], b[2], 0) | same(b[1], b[2], 0);
  return repeated != 0 ? 0 : common;
}

/// Vertices of two triangles with a common edge p q.
struct EdgeNeighbours {
  VertexId p;
  VertexId q;
  VertexId r;  ///< third vertex of a
  VertexId s;  ///< third vertex of b
};

/// Precondition: exactly two bits of `common` are set.
EdgeNeighbours edge_neighbours(const Triangle& a, const Triangle& b, unsigned common) {
  const auto first = static_cast<unsigned>(std::countr_zero(common));
  const auto second = static_cast<unsigned>(std::countr_zero(common & (common - 1)));
  const unsigned i = first / 3;
  const unsigned j = second / 3;
  return {a[i], a[j], a[3 - i - j], b[3 - first % 3 - second % 3]};
}

bool apart_across_edge(const VertexPath& p, const VertexPath& q, const VertexPath& r, const VertexPath& s) {
  const Vec3 e0 = q.t0 - p.t0;
  const Vec3 e1 = q.t1 - p.t1;
  const Vec3 r0 = r.t0 - p.t0;
  const Vec3 r1 = r.t1 - p.t1;
  const Vec3 s0 = s.t0 - p.t0;
  const Vec3 s1 = s.t1 - p.t1;
  Bundle<2, 2> normals;
  normals.control = {cross(e0, r0), 0.5 * (cross(e0, r1) + cross(e1, r0)), cross(e1, r1),
                     cross(s0, e0), 0.5 * (cross(s1, e0) + cross(s0, e1)), cross(s1, e1)};
  normals.size = std::max(max_abs(e0), max_abs(e1)) *
                 std::max(std::max(max_abs(r0), max_abs(r1)), std::max(max_abs(s0), max_abs(s1)));
  return on_side_of_sum(normals) || have_common_side(normals, kHalvings);
}

bool apart_around_vertex(const VertexPath& p, const VertexPath& a1, const VertexPath& a2, const VertexPath& b1,
                         const VertexPath& b2) {
  Bundle<4, 1> directions;
  directions.control = {a1.t0 - p.t0, a1.t1 - p.t1, a2.t0 - p.t0, a2.t1 - p.t1,
                        p.t0 - b1.t0, p.t1 - b1.t1, p.t0 - b2.t0, p.t1 - b2.t1};
  directions.size = 0.0;
  for (const Vec3& v : directions.control) directions.size = std::max(directions.size, max_abs(v));
  return on_side_of_sum(directions) || have_common_side(directions, kHalvings);
}

}  // namespace

bool neighbours_separated(std::span<const VertexPath> paths, const Triangle& a, const Triangle& b) {
  const unsigned common = common_vertices(a, b);
  const unsigned but_one = common & (common - 1);
  const unsigned but_two = but_one & (but_one - 1);
  if (common == 0 || but_two != 0) return false;
  if (but_one == 0) {
    const auto bit = static_cast<unsigned>(std::countr_zero(common));
    const unsigned i = bit / 3;
    const unsigned j = bit % 3;
    return apart_around_vertex(paths[a[i]], paths[a[(i + 1) % 3]], paths[a[(i + 2) % 3]], paths[b[(j + 1) % 3]],
                               paths[b[(j + 2) % 3]]);
  }
  const EdgeNeighbours n = edge_neighbours(a, b, common);
  return apart_across_edge(paths[n.p], paths[n.q], paths[n.r], paths[n.s]);
}

bool normals_agree(std::span<const VertexPath> paths, const Triangle& a, const Triangle& b, double threshold) {
  const auto normal = [&](VertexId p, VertexId q, VertexId r) {
    return cross(paths[q].t1 - paths[p].t1, paths[r].t1 - paths[p].t1);
  };
  const unsigned common = common_vertices(a, b);
  Vec3 n1;
  Vec3 n2;
  if (std::popcount(common) == 2) {
    const EdgeNeighbours n = edge_neighbours(a, b, common);
    n1 = normal(n.p, n.q, n.r);
    n2 = normal(n.p, n.s, n.q);
  } else {
    n1 = normal(a[0], a[1], a[2]);
    n2 = normal(b[0], b[1], b[2]);
  }
  const double squares = dot(n1, n1) * dot(n2, n2);
  if (!(squares > 0.0 && squares <= kLargest)) return false;  // also rejects NaN
  return dot(n1, n2) > threshold * std::sqrt(squares);
}

}  // namespace graze::cull
