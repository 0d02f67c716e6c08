// Narrow phase, exact arithmetic in integers of fixed width: the coordinates of a pair, in two widths, and the
// rules by which signs of cross products decide whether coplanar features touch. The notation A, B, C, W, O is that
// of kernels/pair_kernel.inl.hpp; exact_tests.cpp has the proof of the rules.
//
// Widths. Coordinates are integers in a unit per axis. With coordinates below 2^v differences are below 2^(v+1),
// components of cross products and dot products, as scaled Bernstein coefficients, below 2^(2v+6) (O3 has sums of
// 12 products), and those of F, with 18 products of three differences, below 2^(3v+8). A sign of F at depth d takes
// 3v+13+3d bits (fixed_polynomial.hpp), a sign of a quadratic 2v+11+2d. The assertions below say what fits.
//
// Cost: a sign at one instant takes some nanoseconds in machine integers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <graze/types.hpp>

#include "core/namespaces.hpp"
#include "narrow/exact/fixed_differences.hpp"
#include "narrow/exact/fixed_polynomial.hpp"

namespace graze::narrow::fixed {

/// Machine integers: coordinates in 64 bits, products of two in 128.
struct MachineWidth {
  using Coordinate = std::int64_t;
  using Product = Int128;
  using Long = FixedInt<256>;
  using Deep = FixedInt<512>;
  static constexpr int kCoordinateBits = 60;
  static constexpr int kMaxDepth = 21;
  static constexpr int kMaxQuadraticDepth = 62;
  static constexpr int kMaxDeepDepth = 106;
  static_assert(2 * kCoordinateBits + 6 <= 127);
  static_assert(3 * kCoordinateBits + 13 + 3 * kMaxDepth <= 256);
  static_assert(2 * kCoordinateBits + 11 + 2 * kMaxQuadraticDepth <= 256);
  static_assert(3 * kCoordinateBits + 13 + 3 * kMaxDeepDepth <= 512);

  static Product multiply(Coordinate a, Coordinate b) { return Product{a} * b; }
  static Long multiply_long(const Product& a, Coordinate b) { return Long(a) * b; }
};

/// For coordinates whose exponents are farther apart.
struct WideWidth {
  using Coordinate = Int128;
  using Product = FixedInt<256>;
  using Long = FixedInt<512>;
  using Deep = FixedInt<1024>;
  static constexpr int kCoordinateBits = 120;
  static constexpr int kMaxDepth = 46;
  static constexpr int kMaxQuadraticDepth = 130;
  static constexpr int kMaxDeepDepth = 217;
  static_assert(2 * kCoordinateBits + 6 <= 256);
  static_assert(3 * kCoordinateBits + 13 + 3 * kMaxDepth <= 512);
  static_assert(2 * kCoordinateBits + 11 + 2 * kMaxQuadraticDepth <= 512);
  static_assert(3 * kCoordinateBits + 13 + 3 * kMaxDeepDepth <= 1024);

  static Product multiply(Coordinate a, Coordinate b) { return Product(a) * Product(b); }
  static Long multiply_long(const Product& a, Coordinate b) { return Long(a) * Long(b); }
};

inline double coordinate(const Vec3& x, std::size_t axis) {
  return axis == 0 ? x.x : axis == 1 ? x.y : x.z;
}

template <class Width>
using IntVector = std::array<typename Width::Coordinate, 3>;

/// Component k of b x c.
template <class Width>
typename Width::Product cross_component(const IntVector<Width>& b, const IntVector<Width>& c, std::size_t k) {
  const std::size_t i = (k + 1) % 3;
  const std::size_t j = (k + 2) % 3;
  return Width::multiply(b[i], c[j]) - Width::multiply(b[j], c[i]);
}

template <class Width>
typename Width::Product dot_product(const IntVector<Width>& a, const IntVector<Width>& b) {
  return Width::multiply(a[0], b[0]) + Width::multiply(a[1], b[1]) + Width::multiply(a[2], b[2]);
}

/// A, B and C at one end of the step.
template <class Width>
using Differences = std::array<IntVector<Width>, 3>;

/// The two ends of a segment relative to a vertex.
template <class Width>
struct Event {
  IntVector<Width> p, q;
};

/// What the signs of one coordinate say about features that are coplanar.
enum class Verdict { Apart, Touch, Nothing, Unknown };

inline constexpr int kUnknownSign = 2;  ///< a sign that is not certain

struct VertexFaceRule {
  static constexpr std::size_t kRows = 3;  // W0 W1 W2
  static constexpr std::size_t kEvents = 3;

  /// Row r of the cross products as that of two of A, B, C.
  static constexpr std::array<std::array<std::size_t, 2>, 3> kFactors{{{1, 2}, {2, 0}, {0, 1}}};

  static Verdict verdict(const std::array<int, kRows>& s) {
    bool positive = false;
    bool negative = false;
    bool unknown = false;
    for (const int sign : s) {
      unknown |= sign == kUnknownSign;
      positive |= sign == 1;
      negative |= sign == -1;
    }
    if (positive && negative) return Verdict::Apart;
    if (unknown) return Verdict::Unknown;
    return positive || negative ? Verdict::Touch : Verdict::Nothing;
  }

  /// Event e is the vertex on the side whose cross product is row e.
  template <class Width>
  static Event<Width> event(const Differences<Width>& d, std::size_t e) {
    return {d[kFactors[e][0]], d[kFactors[e][1]]};
  }
};

struct EdgeEdgeRule {
  static constexpr std::size_t kRows = 4;  // O0 O1 O2 O3
  static constexpr std::size_t kEvents = 4;

  /// O0, O1, O2 as cross products of two of A, B, C; O3 = O2 - O1 + O0.
  static constexpr std::array<std::array<std::size_t, 2>, 3> kFactors{{{0, 1}, {0, 2}, {1, 2}}};

  static Verdict verdict(const std::array<int, kRows>& s) {
    const auto same = [](int a, int b) { return a == b && (a == 1 || a == -1); };
    if (same(s[0], s[1]) || same(s[2], s[3])) return Verdict::Apart;
    bool some = false;
    for (const int sign : s) {
      if (sign == kUnknownSign) return Verdict::Unknown;
      some |= sign != 0;
    }
    return some ? Verdict::Touch : Verdict::Nothing;
  }

  /// Events: b0 and b1 on edge a, a0 and a1 on edge b. The cross product of p and q of event e is row e.
  template <class Width>
  static Event<Width> event(const Differences<Width>& d, std::size_t e) {
    const IntVector<Width> zero{};
    const auto minus = [](const IntVector<Width>& a, const IntVector<Width>& b) {
      return IntVector<Width>{a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    };
    switch (e) {
      case 0:
        return {minus(zero, d[1]), minus(d[0], d[1])};
      case 1:
        return {minus(zero, d[2]), minus(d[0], d[2])};
      case 2:
        return {d[1], d[2]};
      default:
        return {minus(d[1], d[0]), minus(d[2], d[0])};
    }
  }
};

/// Whether features that are coplanar at one end of the step touch there.
template <class Rule, class Width>
bool touch_at_end(const Differences<Width>& d) {
  for (std::size_t k = 0; k < 3; ++k) {
    std::array<int, Rule::kRows> s{};
    std::array<typename Width::Product, 3> row;
    for (std::size_t r = 0; r < 3; ++r) {
      row[r] = cross_component<Width>(d[Rule::kFactors[r][0]], d[Rule::kFactors[r][1]], k);
      s[r] = sign_of(row[r]);
    }
    if constexpr (Rule::kRows == 4) s[3] = sign_of(row[2] - row[1] + row[0]);
    const Verdict verdict = Rule::verdict(s);
    if (verdict != Verdict::Nothing) return verdict == Verdict::Touch;
  }
  for (std::size_t e = 0; e < Rule::kEvents; ++e) {
    const auto [p, q] = Rule::template event<Width>(d, e);
    if (sign_of(dot_product<Width>(p, q)) <= 0) return true;
  }
  return false;
}

}  // namespace graze::narrow::fixed
