// Narrow phase, tier c: exact arithmetic in integers of fixed width. See fixed_tests.hpp. The notation A, B, C, F,
// W, O is that of kernels/pair_kernel.inl.hpp; exact_tests.cpp has the general test and its proofs.
//
// Signs of coefficients decide nearly all pairs, because degenerate pairs are mostly of simple kinds. Descartes'
// rule in Bernstein form (fixed_polynomial.hpp) says how many roots F has in the open interval (0, 1); roots at the
// ends are tested by themselves.
//
//   case                          answer
//   contact at t = 0              [0, 0]: F(0) = 0, and the signs of W or O at 0 decide
//   F: no change of sign          contact at 1 or none, because F has no root in (0, 1)
//   W or O outside on (0, 1)      contact at 1 or none: a coordinate has signs throughout that no contact has
//   F: one change of sign         one root in (0, 1) is located, and signs of W or O on its cell decide; or at 1
//   F vanishes identically        the first event in (0, 1]: a vertex on a segment with ends p and q
//   anything else                 left to the general test
//
// Events. p x q = 0 and p.q <= 0 hold at the time of an event, and not at 0. If a component of p x q has no change
// of sign, or p.q is positive, on (0, 1), the event can only be at 1. If p x q vanishes identically, it is at the
// first root of p.q; if all components are multiples of one that has a single root in (0, 1), it is there or at 1.
// Otherwise subdivision in doubles shows, as a rule, that p x q = 0 and p.q <= 0 never hold together, as for edges
// of length 0.
//
// The answer is that of the general test to the bit: fixed_polynomial.hpp says why intervals are equal. F has its
// first sign until its only root in (0, 1), and its last one before a root at 1: this is the sign before the
// contact.
//
// Cost: about a microsecond; the general test takes eight.
#include "narrow/exact/fixed_tests.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

#include "narrow/exact/fixed_pair.hpp"
#include "narrow/exact/fixed_polynomial.hpp"

namespace graze::narrow {
namespace {

using namespace fixed;

/// The pair in integers.
template <class Rule, class Width>
class Pair {
 public:
  using Product = typename Width::Product;
  using Long = typename Width::Long;
  using Deep = typename Width::Deep;
  using Quadratic = Bernstein<Product, 2>;

  /// Returns false if the coordinates do not fit.
  bool load(const PairStep& pair) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::array<double, 8> values{};
      for (std::size_t i = 0; i < 4; ++i) {
        values[i] = coordinate(pair.t0[i], axis);
        values[4 + i] = coordinate(pair.t1[i], axis);
      }
      std::array<typename Width::Coordinate, 8> x{};
      if (!fixed_values<Width::kCoordinateBits>(values, x)) return false;
      for (std::size_t i = 0; i < 3; ++i) {
        d_[0][i][axis] = x[i + 1] - x[0];
        d_[1][i][axis] = x[i + 5] - x[4];
      }
    }
    return true;
  }

  FixedResult decide(int bits) {
    const Bernstein<Long, 3> cubic = make_cubic();
    const Signs f = signs_of(cubic);
    if (f.at_start == 0 && touch_at_end<Rule, Width>(d_[0])) return {true, ExactContact{0.0, 0.0, 0}};
    make_rows();
    const bool outside = (f.vanishes() || f.changes > 0) && outside_throughout();
    if (f.vanishes() && !outside) return decide_coplanar(bits);
    if (f.changes > 0 && !outside) {
      if (f.changes > 1) return {};
      const auto cell = root_cell(cubic, f.first, bits);
      if (!cell) return {};
      const Verdict verdict = touch_in(*cell);
      if (verdict == Verdict::Unknown) return {};
      if (verdict == Verdict::Touch) return {true, ExactContact{cell->lo(), cell->hi(), f.first}};
    }
    if (f.at_end == 0 && touch_at_end<Rule, Width>(d_[1])) return {true, ExactContact{1.0, 1.0, f.last}};
    return {true, std::nullopt};
  }

 private:
  /// F = A.(BxC).
  Bernstein<Long, 3> make_cubic() const {
    Bernstein<Long, 3> f{};
    for (std::size_t k = 0; k < 3; ++k) {
      const Quadratic w = cross_quadratic(1, 2, k);
      const auto a0 = d_[0][0][k];
      const auto a1 = d_[1][0][k];
      f.s[0] += Width::multiply_long(w.s[0], a0);
      f.s[1] += Width::multiply_long(w.s[0], a1) + Width::multiply_long(w.s[1], a0);
      f.s[2] += Width::multiply_long(w.s[1], a1) + Width::multiply_long(w.s[2], a0);
      f.s[3] += Width::multiply_long(w.s[2], a1);
    }
    return f;
  }

  /// Component k of the cross product of differences b and c.
  Quadratic cross_quadratic(std::size_t b, std::size_t c, std::size_t k) const {
    const std::size_t i = (k + 1) % 3;
    const std::size_t j = (k + 2) % 3;
    const auto& b0 = d_[0][b];
    const auto& b1 = d_[1][b];
    const auto& c0 = d_[0][c];
    const auto& c1 = d_[1][c];
    return {{cross_component<Width>(b0, c0, k),
             Width::multiply(b0[i], c1[j]) - Width::multiply(b0[j], c1[i]) + Width::multiply(b1[i], c0[j]) -
                 Width::multiply(b1[j], c0[i]),
             cross_component<Width>(b1, c1, k)}};
  }

  void make_rows() {
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t r = 0; r < 3; ++r) {
        rows_[r][k] = cross_quadratic(Rule::kFactors[r][0], Rule::kFactors[r][1], k);
      }
      if constexpr (Rule::kRows == 4) {
        for (std::size_t i = 0; i < 3; ++i) {
          rows_[3][k].s[i] = rows_[2][k].s[i] - rows_[1][k].s[i] + rows_[0][k].s[i];
        }
      }
      for (std::size_t r = 0; r < Rule::kRows; ++r) signs_[r][k] = signs_of(rows_[r][k]);
    }
  }

  /// The sign that a quadratic certainly has on all of (0, 1), or unknown.
  static int sign_throughout(const Signs& signs) { return signs.changes == 0 ? signs.first : kUnknownSign; }

  /// Whether the features do not touch at any root of F in (0, 1).
  bool outside_throughout() const {
    for (std::size_t k = 0; k < 3; ++k) {
      std::array<int, Rule::kRows> s{};
      for (std::size_t r = 0; r < Rule::kRows; ++r) s[r] = sign_throughout(signs_[r][k]);
      if (Rule::verdict(s) == Verdict::Apart) return true;
    }
    return false;
  }

  /// The cell of the only root in (0, 1): in short integers where it is not too early, else in long ones.
  template <class Integer, std::size_t kDegree>
  static std::optional<Cell> root_cell(const Bernstein<Integer, kDegree>& p, int first, int bits) {
    int depth = 0;
    const auto cell = locate_root(PowerForm<Long, kDegree>(p), first, bits, Width::kMaxDepth, depth);
    if (cell || depth <= Width::kMaxDepth) return cell;
    return locate_root(PowerForm<Deep, kDegree>(p), first, bits, Width::kMaxDeepDepth, depth);
  }

  static int sign_in(const Quadratic& q, const Signs& signs, const Cell& cell) {
    if (signs.changes == 0) return signs.first;
    const auto sign = cell.depth <= Width::kMaxQuadraticDepth ? PowerForm<Long, 2>(q).sign_in(cell)
                                                              : PowerForm<Deep, 2>(q).sign_in(cell);
    return sign.value_or(kUnknownSign);
  }

  /// Whether the features touch at the root in the cell, which lies in (0, 1).
  Verdict touch_in(const Cell& cell) const {
    bool unknown = false;
    for (std::size_t k = 0; k < 3; ++k) {
      std::array<int, Rule::kRows> s{};
      for (std::size_t r = 0; r < Rule::kRows; ++r) s[r] = sign_in(rows_[r][k], signs_[r][k], cell);
      const Verdict verdict = Rule::verdict(s);
      if (verdict == Verdict::Apart || verdict == Verdict::Touch) return verdict;
      unknown |= verdict == Verdict::Unknown;
    }
    if (unknown) return Verdict::Unknown;
    for (std::size_t e = 0; e < Rule::kEvents; ++e) {
      const Quadratic product = dot_quadratic(e);
      const int sign = sign_in(product, signs_of(product), cell);
      if (sign == kUnknownSign) return Verdict::Unknown;
      if (sign <= 0) return Verdict::Touch;
    }
    return Verdict::Apart;
  }

  /// p.q of event e.
  Quadratic dot_quadratic(std::size_t e) const {
    const auto [p0, q0] = Rule::template event<Width>(d_[0], e);
    const auto [p1, q1] = Rule::template event<Width>(d_[1], e);
    return {{dot_product<Width>(p0, q0), dot_product<Width>(p0, q1) + dot_product<Width>(p1, q0),
             dot_product<Width>(p1, q1)}};
  }

  /// F vanishes identically, and the features do not touch at t = 0.
  FixedResult decide_coplanar(int bits) const {
    FixedResult result{true, std::nullopt};
    for (std::size_t e = 0; e < Rule::kEvents; ++e) {
      const FixedResult event = first_event(e, bits);
      if (!event.decided) return {};
      if (!event.contact) continue;
      if (!result.contact) {
        result.contact = event.contact;
      } else {
        result.contact->toi_lo = std::min(result.contact->toi_lo, event.contact->toi_lo);
        result.contact->toi_hi = std::min(result.contact->toi_hi, event.contact->toi_hi);
      }
    }
    return result;
  }

  /// First time at which event e happens: row e and the dot product of its factors. Precondition: not at t = 0.
  FixedResult first_event(std::size_t e, int bits) const {
    const Quadratic product = dot_quadratic(e);
    const Signs along = signs_of(product);
    const auto& normal = signs_[e];
    bool inside = along.changes != 0 || along.first <= 0;  // whether an event in (0, 1) is possible
    bool collinear = true;
    bool at_end = along.at_end <= 0;
    std::size_t some = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      if (normal[k].vanishes()) continue;
      collinear = false;
      some = k;
      inside = inside && normal[k].changes != 0;
      at_end = at_end && normal[k].at_end == 0;
    }
    const Quadratic& root_of = collinear ? product : rows_[e][some];
    const Signs& signs = collinear ? along : normal[some];
    if (inside && (signs.changes != 1 || (!collinear && !multiples(rows_[e], some)))) {
      if (!fixed::never_all_vanish(rows_[e], product)) return {};
      inside = false;
    }
    if (inside) {
      const auto cell = root_cell(root_of, signs.first, bits);
      if (!cell) return {};
      const int sign = collinear ? 0 : sign_in(product, along, *cell);
      if (sign == kUnknownSign) return {};
      if (sign <= 0) return {true, ExactContact{cell->lo(), cell->hi(), 0}};
    }
    if (at_end) return {true, ExactContact{1.0, 1.0, 0}};
    return {true, std::nullopt};
  }

  /// Whether all components are multiples of component k.
  static bool multiples(const std::array<Quadratic, 3>& v, std::size_t k) {
    const auto& b = v[k].s;
    for (std::size_t other = 0; other < 3; ++other) {
      if (other == k) continue;
      const auto& a = v[other].s;
      const auto equal = [&](std::size_t i, std::size_t j) {
        return Long(a[i]) * Long(b[j]) == Long(a[j]) * Long(b[i]);
      };
      if (!equal(0, 1) || !equal(1, 2) || !equal(0, 2)) return false;
    }
    return true;
  }

  std::array<Differences<Width>, 2> d_{};  ///< by end of the step
  std::array<std::array<Quadratic, 3>, Rule::kRows> rows_{};
  std::array<std::array<Signs, 3>, Rule::kRows> signs_{};
};

template <class Rule>
FixedResult first_contact(const PairStep& pair, double tolerance) {
  int exponent = 0;
  std::frexp(tolerance, &exponent);
  const int bits = std::max(0, 1 - exponent);  // the least number with 2^-bits <= tolerance
  Pair<Rule, MachineWidth> machine;
  if (machine.load(pair)) return machine.decide(bits);
  Pair<Rule, WideWidth> wide;
  return wide.load(pair) ? wide.decide(bits) : FixedResult{};
}

}  // namespace

FixedResult fixed_vertex_face(const PairStep& pair, double tolerance) {
  return first_contact<VertexFaceRule>(pair, tolerance);
}

FixedResult fixed_edge_edge(const PairStep& pair, double tolerance) {
  return first_contact<EdgeEdgeRule>(pair, tolerance);
}

}  // namespace graze::narrow
