// Narrow phase, exact arithmetic: polynomials of time whose coefficients are integers of fixed width. Scaled
// Bernstein coefficients s[i] = binomial(n, i) c[i] keep them integers: P(t) = sum of s[i] t^i (1-t)^(n-i).
//
// Roots. By Descartes' rule in Bernstein form, the number of roots in the open interval (0, 1), counted with
// multiplicity, is the number of changes of sign of s[0..n], zeros left out, or less by an even number. So no
// change means no root, and one change means one root, which is simple. P has the sign of the first s[i] that is
// not 0 just after 0, and of the last one just before 1.
//
// The interval of a root x is the one that exact_polynomial.hpp gives, to the bit: the cell [k, k+1] / 2^d that
// contains x strictly inside, or x itself if it is a multiple of 2^-d. The depth d is the least one at which
// 2^-d <= tolerance and k >= 2^11 (narrow/toi_width.hpp, one bit stricter). RootFinder halves [0, 1] until these
// two hold, and longer only if the cell has another root, inside or at an end. A polynomial with one change of sign
// has no other root but 0 and 1; locate_root() gives up on a cell that ends at such a root.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <boost/multiprecision/cpp_int.hpp>

#include "core/namespaces.hpp"
#include "narrow/exact/fixed_differences.hpp"

namespace graze::narrow::fixed {

/// An integer of up to kBits bits and a sign, without allocation. Overflow is not detected: users bound their
/// values.
template <unsigned kBits>
using FixedInt = boost::multiprecision::number<
    boost::multiprecision::cpp_int_backend<kBits, kBits, boost::multiprecision::signed_magnitude,
                                           boost::multiprecision::unchecked, void>,
    boost::multiprecision::et_off>;

inline int sign_of(Int128 x) {
  return static_cast<int>(x > 0) - static_cast<int>(x < 0);
}
template <unsigned kBits>
int sign_of(const FixedInt<kBits>& x) {
  return x.sign();
}

/// A polynomial in Bernstein form, scaled as the head of this file says.
template <class Integer, std::size_t kDegree>
struct Bernstein {
  std::array<Integer, kDegree + 1> s;
};

/// Signs of the coefficients of a polynomial on [0, 1], and what they prove.
struct Signs {
  int at_start = 0;  ///< sign at t = 0
  int at_end = 0;    ///< sign at t = 1
  int first = 0;     ///< sign just after t = 0; 0 if the polynomial vanishes identically
  int last = 0;      ///< sign just before t = 1
  int changes = 0;   ///< changes of sign: the number of roots in (0, 1), or an even number more

  [[nodiscard]] bool vanishes() const { return first == 0; }
};

template <class Integer, std::size_t kDegree>
Signs signs_of(const Bernstein<Integer, kDegree>& p) {
  Signs signs;
  for (std::size_t i = 0; i <= kDegree; ++i) {
    const int sign = sign_of(p.s[i]);
    if (i == 0) signs.at_start = sign;
    signs.at_end = sign;
    if (sign == 0) continue;
    if (signs.first == 0) signs.first = sign;
    signs.changes += static_cast<int>(signs.last != 0 && signs.last != sign);
    signs.last = sign;
  }
  return signs;
}

/// The place of a root: [k, k+1] / 2^depth, the root strictly inside; or k / 2^depth if `exact`.
struct Cell {
  std::int64_t k = 0;
  int depth = 0;
  bool exact = false;

  [[nodiscard]] double lo() const { return std::ldexp(static_cast<double>(k), -depth); }
  [[nodiscard]] double hi() const { return std::ldexp(static_cast<double>(exact ? k : k + 1), -depth); }
};

/// A polynomial as c[0] + c[1] t + ..., for exact signs at multiples of 2^-depth.
///
/// Width. If the scaled Bernstein coefficients are below 2^b, those of degree 2 or 3 in powers of t add up to less
/// than 2^(b+5), so that the value times 2^(n depth) and all partial sums are below 2^(b + 5 + n depth).
template <class Integer, std::size_t kDegree>
class PowerForm {
  static_assert(kDegree == 2 || kDegree == 3);

 public:
  template <class Coefficient>
  explicit PowerForm(const Bernstein<Coefficient, kDegree>& p) {
    const Integer s0(p.s[0]);
    const Integer s1(p.s[1]);
    const Integer s2(p.s[2]);
    c_[0] = s0;
    if constexpr (kDegree == 2) {
      c_[1] = s1 - 2 * s0;
      c_[2] = s2 - s1 + s0;
    } else {
      c_[1] = s1 - 3 * s0;
      c_[2] = s2 - 2 * s1 + 3 * s0;
      c_[3] = Integer(p.s[3]) - s2 + s1 - s0;
    }
  }

  /// Sign at k / 2^depth. Precondition: 0 <= k <= 2^depth.
  [[nodiscard]] int sign_at(std::int64_t k, int depth) const {
    Integer value = c_[kDegree];
    for (std::size_t i = kDegree; i-- > 0;) {
      value *= k;
      value += c_[i] << (static_cast<unsigned>(depth) * static_cast<unsigned>(kDegree - i));
    }
    return sign_of(value);
  }

  /// Sign in the cell, if it is certain: the Bernstein coefficients on the cell have one sign. Degree 2 only.
  [[nodiscard]] std::optional<int> sign_in(const Cell& cell) const {
    static_assert(kDegree == 2);
    if (cell.exact) return sign_at(cell.k, cell.depth);
    const int at_l = sign_at(cell.k, cell.depth);
    if (at_l == 0 || at_l != sign_at(cell.k + 1, cell.depth)) return std::nullopt;
    // The middle one, c0 + c1 (l+r)/2 + c2 l r, times 2^(2 depth + 1).
    const auto depth = static_cast<unsigned>(cell.depth);
    const Integer middle = (c_[0] << (2 * depth + 1)) + ((c_[1] * (2 * cell.k + 1)) << depth) +
                           ((c_[2] * cell.k * (cell.k + 1)) << 1U);
    return sign_of(middle) == at_l ? std::optional(at_l) : std::nullopt;
  }

  /// The one root in (0, 1), approximately. Precondition: signs as of a polynomial with one change.
  [[nodiscard]] double approximate_root(int first) const {
    std::array<double, kDegree + 1> c{};
    for (std::size_t i = 0; i <= kDegree; ++i) c[i] = c_[i].template convert_to<double>();
    double l = 0.0;
    double r = 1.0;
    double x = 0.5;
    constexpr int kSteps = 60;
    for (int step = 0; step < kSteps; ++step) {
      double value = c[kDegree];
      double slope = 0.0;
      for (std::size_t i = kDegree; i-- > 0;) {
        slope = slope * x + value;
        value = value * x + c[i];
      }
      ((value < 0) == (first < 0) ? l : r) = x;
      const double newton = x - value / slope;
      const double next = newton > l && newton < r ? newton : 0.5 * (l + r);
      const double moved = std::abs(next - x);
      x = next;
      if (moved <= 0x1p-44 * x) break;
    }
    return x;
  }

 private:
  std::array<Integer, kDegree + 1> c_;
};

/// The cell of the only root in (0, 1) of a polynomial with one change of sign; nothing if it needs a depth of more
/// than max_depth, or rounding hides it. `bits` is the least depth; `depth` is set to the one that the root needs.
template <class Integer, std::size_t kDegree>
std::optional<Cell> locate_root(const PowerForm<Integer, kDegree>& p, int first, int bits, int max_depth,
                                int& depth) {
  constexpr std::int64_t kLeast = std::int64_t{1} << 11U;  // the least k of a cell that is narrow
  const double x = p.approximate_root(first);
  if (!(x > 0.0)) return std::nullopt;
  // The least depth with k >= kLeast: x is in [2^e, 2^(e+1)), so floor(x 2^depth) >= 2^11 if depth >= 11 - e.
  depth = std::max(bits, 11 - std::ilogb(x));
  if (depth > max_depth) return std::nullopt;
  const double end = std::ldexp(1.0, depth);
  auto k = static_cast<std::int64_t>(std::min(std::ldexp(x, depth), end - 1));
  constexpr int kTries = 4;  // cells beside the guess
  for (int i = 0; i < kTries; ++i) {
    const int at_l = p.sign_at(k, depth);
    if (at_l == -first) {
      --k;
      continue;
    }
    Cell cell{k, depth, at_l == 0};
    if (!cell.exact) {
      const int at_r = p.sign_at(k + 1, depth);
      // At the end of the step there may be another root, possibly within the cell.
      if (at_r != -first && static_cast<double>(k + 1) >= end) return std::nullopt;
      if (at_r == first) {
        ++k;
        continue;
      }
      if (at_r == 0) cell = {k + 1, depth, true};
    }
    // The depth that the guess suggests is the right one only if the root confirms it.
    const bool deep_enough = cell.exact || cell.k >= kLeast;
    const bool too_deep = depth > bits && cell.k / 2 >= kLeast;
    if (!deep_enough || too_deep) return std::nullopt;
    return cell;
  }
  return std::nullopt;
}

inline double approximate(Int128 x) {
  return static_cast<double>(x);
}
template <unsigned kBits>
double approximate(const FixedInt<kBits>& x) {
  return x.template convert_to<double>();
}

/// Whether it is certain that nowhere in [0, 1] all components of v are 0 while q is not positive. Halves the
/// interval until each part has a component without a root, or a positive q, and gives up after some parts.
///
/// Coefficients are rounded to doubles, with a relative error of at most 2u, u = 2^-53. A halving takes two
/// midpoints in a row, each with an error of at most u times the largest coefficient: 2 (depth + 1) u in all, twice
/// that below.
template <class Integer>
bool never_all_vanish(const std::array<Bernstein<Integer, 2>, 3>& v, const Bernstein<Integer, 2>& q) {
  constexpr int kMaxParts = 24;
  constexpr std::size_t kMaxHalvings = 10;
  struct Part {
    std::array<std::array<double, 3>, 4> c;
    int depth;
  };
  std::array<Part, kMaxHalvings + 1> stack;
  std::array<double, 4> size{};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto& s = i < 3 ? v[i].s : q.s;
    stack[0].c[i] = {approximate(s[0]), 0.5 * approximate(s[1]), approximate(s[2])};
    for (const double c : stack[0].c[i]) size[i] = std::max(size[i], std::abs(c));
  }
  stack[0].depth = 0;
  std::size_t top = 0;
  for (int parts = 0; parts < kMaxParts; ++parts) {
    Part& part = stack[top];
    bool excluded = false;
    for (std::size_t i = 0; i < 4; ++i) {
      const double error = 0x1p-51 * (part.depth + 1) * size[i];
      const auto& c = part.c[i];
      excluded |= c[0] > error && c[1] > error && c[2] > error;
      excluded |= i < 3 && c[0] < -error && c[1] < -error && c[2] < -error;
    }
    if (excluded) {
      if (top == 0) return true;
      --top;
      continue;
    }
    if (top == kMaxHalvings) return false;
    Part& left = stack[top + 1];
    left.depth = ++part.depth;
    for (std::size_t i = 0; i < 4; ++i) {
      auto& c = part.c[i];
      const double before = 0.5 * (c[0] + c[1]);
      const double after = 0.5 * (c[1] + c[2]);
      const double middle = 0.5 * (before + after);
      left.c[i] = {c[0], before, middle};
      c = {middle, after, c[2]};
    }
    ++top;
  }
  return false;
}

}  // namespace graze::narrow::fixed
