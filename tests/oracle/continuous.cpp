// First contact by sign conditions on a finite set of event polynomials in t.
//
// Let S be the set of t in [0, 1] at which the features touch; S is closed. For both kinds of pairs there are
// polynomials such that "t is in S" depends only on their signs at t. Their roots divide [0, 1] into cells (roots
// and open intervals), and membership is constant on each cell. If min S were inside an open cell, the cell's
// earlier points would be in S too; so min S is 0 or a root, and testing these in order is sufficient.
//
// Vertex-face, with a, b, c the corners relative to the vertex: the question is whether 0 is in conv(a, b, c).
//   (1) det(a, b, c) = 0;
//   (2) in each coordinate, a x b, b x c and c x a are not of opposite signs (some > 0 and some < 0);
//   (3) in each coordinate, a, b, c are not all > 0 and not all < 0.
// Necessary: (1) and (3) are clear; if 0 = ua + vb + wc with weights >= 0 that sum to 1, then b x c = u N, c x a =
// v N, a x b = w N with N = (b - a) x (c - a), hence (2). Sufficient: the three products sum to N. If N != 0, (1)
// says that 0 is in the plane of the triangle, the products are the weights of 0 times N, and (2) makes them >= 0.
// If N = 0, (2) makes all three products zero (they sum to 0 without opposite signs), so a, b, c are multiples of
// one direction e, and (3) in a coordinate where e is not 0 says that the multiples straddle 0 (a = b = c = 0 is
// contact as well).
//
// Edge-edge, with A = a1 - a0, B = b1 - b0, d = b0 - a0, N = A x B: are there s, u in [0, 1] with sA - uB = d?
//   (1) det(d, A, B) = 0;
//   (2) in each coordinate, d x B and N - d x B are not of opposite signs, nor d x A and N - d x A;
//   (3) in each coordinate, the four differences b_j - a_i are not all > 0 and not all < 0.
// Necessary: (1) and (3) are clear; d x B = sN and d x A = uN, hence (2). Sufficient: if N != 0, (1) puts d in the
// span of A and B, s and u exist, and (2) puts them in [0, 1]. If N = 0, (2) makes d x A = d x B = 0: all four
// points are on one line (or both edges are points), where the edges intersect iff their intervals overlap in each
// coordinate: (3).
//
// If the cubic (1) is not the zero polynomial, S is within its at most three roots. If it is, the quadratics (2)
// and linear functions (3) are the events. Cost: O(1), about 100 long multiplications.
#include "oracle/continuous.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace graze::oracle {

namespace {

using PolynomialVec = std::array<Polynomial, 3>;

PolynomialVec operator-(const PolynomialVec& a, const PolynomialVec& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

PolynomialVec cross(const PolynomialVec& a, const PolynomialVec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Polynomial dot(const PolynomialVec& a, const PolynomialVec& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The conditions (1), (2), (3) of the file's head. A group is a set of functions that must not be of opposite signs
// (mixed) or must not all have one strict sign (one_sided).
struct Events {
  Polynomial coplanarity;
  std::vector<std::vector<Polynomial>> not_mixed;
  std::vector<std::vector<Polynomial>> not_one_sided;
};

std::array<PolynomialVec, 4> moving_points(const PairStep& pair) {
  std::array<Vec3, 8> all;
  std::copy(pair.t0.begin(), pair.t0.end(), all.begin());
  std::copy(pair.t1.begin(), pair.t1.end(), all.begin() + 4);
  const ScaledPoints scaled = scale_to_integers(all);
  std::array<PolynomialVec, 4> points;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Integer& start = scaled.points[i][k];
      points[i][k] = Polynomial(start, scaled.points[i + 4][k] - start);
    }
  }
  return points;
}

bool holds_at(Root& t, const Events& events) {
  for (const auto& group : events.not_one_sided) {
    const int first = t.sign_of(group.front());
    if (first == 0) continue;
    const bool one_sided =
        std::all_of(group.begin() + 1, group.end(), [&](const Polynomial& p) { return t.sign_of(p) == first; });
    if (one_sided) return false;
  }
  for (const auto& group : events.not_mixed) {
    int seen = 0;
    for (const Polynomial& p : group) {
      const int sign = t.sign_of(p);
      if (sign * seen < 0) return false;
      if (sign != 0) seen = sign;
    }
  }
  return true;
}

// The earliest among t = 0 and the roots of all events at which the conditions hold.
std::optional<Root> first_while_coplanar(const Events& events) {
  Root start = Root::exactly(0, 0);
  if (holds_at(start, events)) return start;
  std::optional<Root> best;
  for (const auto* groups : {&events.not_one_sided, &events.not_mixed}) {
    for (const auto& group : *groups) {
      for (const Polynomial& p : group) {
        for (Root& root : roots_in_unit_interval(p)) {
          if (best && compare(root, *best) >= 0) break;  // ascending
          if (!holds_at(root, events)) continue;
          best = root;
          break;
        }
      }
    }
  }
  return best;
}

// make_groups fills (2) and (3); it is called only if the cubic has a root in [0, 1], which is rare.
template <typename MakeGroups>
std::optional<Root> first_contact_of(const Polynomial& coplanarity, const MakeGroups& make_groups) {
  if (coplanarity.is_zero()) return first_while_coplanar(make_groups());
  std::vector<Root> roots = roots_in_unit_interval(coplanarity);
  if (roots.empty()) return std::nullopt;
  const Events events = make_groups();
  for (Root& root : roots) {
    if (holds_at(root, events)) return root;
  }
  return std::nullopt;
}

std::optional<Root> decide_vertex_face(const PairStep& pair) {
  const auto points = moving_points(pair);
  const PolynomialVec a = points[1] - points[0];
  const PolynomialVec b = points[2] - points[0];
  const PolynomialVec c = points[3] - points[0];
  const PolynomialVec bc = cross(b, c);
  return first_contact_of(dot(a, bc), [&] {
    const PolynomialVec ab = cross(a, b);
    const PolynomialVec ca = cross(c, a);
    Events events;
    for (std::size_t k = 0; k < 3; ++k) {
      events.not_mixed.push_back({ab[k], bc[k], ca[k]});
      events.not_one_sided.push_back({a[k], b[k], c[k]});
    }
    return events;
  });
}

std::optional<Root> decide_edge_edge(const PairStep& pair) {
  const auto points = moving_points(pair);
  const PolynomialVec edge_a = points[1] - points[0];
  const PolynomialVec edge_b = points[3] - points[2];
  const PolynomialVec d = points[2] - points[0];
  const PolynomialVec normal = cross(edge_a, edge_b);
  return first_contact_of(dot(d, normal), [&] {
    const PolynomialVec on_a = cross(d, edge_b);
    const PolynomialVec on_b = cross(d, edge_a);
    Events events;
    for (std::size_t k = 0; k < 3; ++k) {
      events.not_mixed.push_back({on_a[k], normal[k] - on_a[k]});
      events.not_mixed.push_back({on_b[k], normal[k] - on_b[k]});
      events.not_one_sided.push_back({points[2][k] - points[0][k], points[2][k] - points[1][k],
                                      points[3][k] - points[0][k], points[3][k] - points[1][k]});
    }
    return events;
  });
}

}  // namespace

bool separated_along_an_axis(FeatureKind kind, const PairStep& pair) {
  const std::size_t split = kind == FeatureKind::VertexFace ? 1 : 2;
  for (double Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
    bool below = true;
    bool above = true;
    for (const auto* points : {&pair.t0, &pair.t1}) {
      for (std::size_t i = 0; i < split; ++i) {
        for (std::size_t j = split; j < 4; ++j) {
          below = below && (*points)[i].*axis < (*points)[j].*axis;
          above = above && (*points)[i].*axis > (*points)[j].*axis;
        }
      }
    }
    if (below || above) return true;
  }
  return false;
}

int side_before(FeatureKind kind, const PairStep& pair, const Root& t) {
  if (t.compare(0.0) == 0) return 0;
  const auto points = moving_points(pair);
  // Both determinants of the file's head are the product of the declaration with the opposite sign.
  const Polynomial p = kind == FeatureKind::VertexFace
                           ? dot(points[1] - points[0], cross(points[2] - points[0], points[3] - points[0]))
                           : dot(points[2] - points[0], cross(points[1] - points[0], points[3] - points[2]));
  if (p.is_zero()) return 0;
  // A time before t and after every earlier root of p.
  Root last = Root::exactly(0, 0);
  for (Root& root : roots_in_unit_interval(p)) {
    Root contact = t;
    if (compare(root, contact) >= 0) break;
    while (!root.is_exact() && contact.compare(root.upper()) <= 0) root.refine();
    last = root;
  }
  Root contact = t;
  while (!contact.is_exact() && compare(contact.lower(), last.upper()) <= 0) contact.refine();
  Dyadic between = last.upper() + contact.lower();
  between.exponent -= 1;
  return -p.sign_at(between);
}

std::optional<Root> first_contact_without_shortcut(FeatureKind kind, const PairStep& pair) {
  return kind == FeatureKind::VertexFace ? decide_vertex_face(pair) : decide_edge_edge(pair);
}

std::optional<Root> first_contact(FeatureKind kind, const PairStep& pair) {
  if (separated_along_an_axis(kind, pair)) return std::nullopt;
  return first_contact_without_shortcut(kind, pair);
}

std::optional<Root> first_contact_vertex_face(const PairStep& pair) {
  return first_contact(FeatureKind::VertexFace, pair);
}

std::optional<Root> first_contact_edge_edge(const PairStep& pair) {
  return first_contact(FeatureKind::EdgeEdge, pair);
}

}  // namespace graze::oracle
