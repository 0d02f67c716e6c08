// Narrow phase, tier b (interval): subdivision of time down to the time of impact. See interval.hpp.
//
// Error bounds of a split: a midpoint (a+b)/2 has a rounding error of at most u*max(|a|,|b|) and propagates the
// errors of a and b without amplification. A cubic split takes three midpoints in a row, a quadratic split two, so
// at depth d
//   |error of F| <= e + 3 d u max|c|,   |error of a quadratic| <= e + 2 d u max|c|,
// with e the error bound at depth 0 and max|c| the largest coefficient: at most 6 abc for F, and twice the product
// of two magnitudes, or sum of such products, for a quadratic (a, b, c as in pair_kernel.inl.hpp).
#include "narrow/interval.hpp"

#include <array>
#include <cstddef>

#include "narrow/kernels/filter_scalar.hpp"
#include "narrow/toi_width.hpp"

namespace graze::narrow {
namespace {

using scalar::kU;

constexpr int kMaxDepth = 24;   // splits of [0,1]; finer intervals go to exact arithmetic
constexpr int kMaxPieces = 40;  // after this many intervals exact arithmetic is cheaper

using CubicCoefficients = std::array<double, 4>;

/// N scalar quadratics side by side: c[coefficient][quadratic], with bounds of their errors and sizes.
template <std::size_t N>
struct Quadratics {
  std::array<std::array<double, N>, 3> c;
  std::array<double, N> error;  ///< error bound at depth 0
  std::array<double, N> size;   ///< bound of |c|
};

template <std::size_t N>
struct Piece {
  double l, r;
  int depth;
  bool inside;  ///< certainly inside at every root in [l, r]
  CubicCoefficients f;
  std::array<std::array<double, N>, 3> q;
};

template <std::size_t N>
void put(Quadratics<N>& q, std::size_t row, const scalar::Quadratic<double>& w, double error, double size) {
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t i = 3 * row + k;
    q.c[0][i] = w.c0[k];
    q.c[1][i] = 0.5 * w.c1[k];
    q.c[2][i] = w.c2[k];
    q.error[i] = error;
    q.size[i] = size;
  }
}

enum class Place { Inside, Outside, Unknown };

/// Certain sign of each quadratic on the interval: +1, -1, or 0 if unknown.
template <std::size_t N>
std::array<int, N> certain_signs(const Piece<N>& piece, const Quadratics<N>& all) {
  std::array<int, N> sign;
  const double depth_error = 2.0 * piece.depth * kU;
  for (std::size_t i = 0; i < N; ++i) {
    const double error = all.error[i] + depth_error * all.size[i];
    const double low = scalar::min3(piece.q[0][i], piece.q[1][i], piece.q[2][i]);
    const double high = scalar::max3(piece.q[0][i], piece.q[1][i], piece.q[2][i]);
    sign[i] = static_cast<int>(low > error) - static_cast<int>(high < -error);
  }
  return sign;
}

/// Classifies the contact point from the signs. Vertex-face: rows W0 W1 W2. Edge-edge: rows O0 O1 O2 O3. See
/// pair_kernel.inl.hpp.
Place place(const std::array<int, 9>& s) {
  Place result = Place::Unknown;
  for (std::size_t k = 0; k < 3; ++k) {
    const int a = s[k];
    const int b = s[3 + k];
    const int c = s[6 + k];
    if (a * b < 0 || b * c < 0 || c * a < 0) return Place::Outside;
    if (a != 0 && a == b && b == c) result = Place::Inside;
  }
  return result;
}
Place place(const std::array<int, 12>& s) {
  Place result = Place::Unknown;
  for (std::size_t k = 0; k < 3; ++k) {
    const int sides_of_b = s[k] * s[3 + k];
    const int sides_of_a = s[6 + k] * s[9 + k];
    if (sides_of_b > 0 || sides_of_a > 0) return Place::Outside;
    if (sides_of_b < 0 && sides_of_a < 0) result = Place::Inside;
  }
  return result;
}

double evaluate(const CubicCoefficients& f, double t) {
  const double s = 1.0 - t;
  const double a = s * f[0] + t * f[1];
  const double b = s * f[1] + t * f[2];
  const double c = s * f[2] + t * f[3];
  return s * (s * a + t * b) + t * (s * b + t * c);
}

/// Halves a piece in place, because pieces are large: `piece` becomes the right half, `left` the left half.
template <std::size_t N>
void split(Piece<N>& piece, Piece<N>& left) {
  const double m = 0.5 * (piece.l + piece.r);
  left.l = piece.l;
  left.r = m;
  piece.l = m;
  left.depth = ++piece.depth;
  left.inside = piece.inside;
  auto& f = piece.f;
  const double f01 = 0.5 * (f[0] + f[1]);
  const double f12 = 0.5 * (f[1] + f[2]);
  const double f23 = 0.5 * (f[2] + f[3]);
  const double f012 = 0.5 * (f01 + f12);
  const double f123 = 0.5 * (f12 + f23);
  const double middle = 0.5 * (f012 + f123);
  left.f = {f[0], f01, f012, middle};
  f = {middle, f123, f23, f[3]};
  if (piece.inside) return;
  for (std::size_t i = 0; i < N; ++i) {
    const double q01 = 0.5 * (piece.q[0][i] + piece.q[1][i]);
    const double q12 = 0.5 * (piece.q[1][i] + piece.q[2][i]);
    const double q012 = 0.5 * (q01 + q12);
    left.q[0][i] = piece.q[0][i];
    left.q[1][i] = q01;
    left.q[2][i] = q012;
    piece.q[0][i] = q012;
    piece.q[1][i] = q12;
  }
}

/// Narrows the one root of a monotone piece to the tolerance. Bracketed secant steps on the piece guess the root;
/// the signs of F at both ends of the result, evaluated from the coefficients on [0,1], prove it.
bool narrow_root(const CubicCoefficients& f, double error, double size, const CubicCoefficients& g,
                 double tolerance, double& l, double& r) {
  const double width = r - l;
  if (width <= tolerance) return true;
  double s0 = 0.0;
  double s1 = 1.0;
  double g0 = g[0];
  double g1 = g[3];
  double guess = 0.5;
  for (int i = 0; i < 60 && (s1 - s0) * width > 0.25 * tolerance; ++i) {
    guess = s0 - g0 * (s1 - s0) / (g1 - g0);
    // Move the guess toward the farther end, so that both ends converge.
    const double pull = 0.125 * tolerance / width;
    guess = guess - s0 < s1 - guess ? guess + pull : guess - pull;
    if (!(guess > s0 && guess < s1) || i % 4 == 3) guess = 0.5 * (s0 + s1);
    const double value = evaluate(g, guess);
    if ((value < 0) == (g0 < 0)) {
      s0 = guess;
      g0 = value;
    } else {
      s1 = guess;
      g1 = value;
    }
  }
  guess = 0.5 * (s0 + s1);
  const double middle = l + guess * width;
  const double lo = middle - 0.375 * tolerance;
  const double hi = middle + 0.375 * tolerance;
  // Three de Casteljau steps with a rounded 1-t: 4 roundings each on values below size.
  const double bound = error + 16 * kU * size;
  const bool rising = g[0] < 0;
  if (lo > l) {
    const double value = evaluate(f, lo);
    if (!(rising ? value < -bound : value > bound)) return false;
    l = lo;
  }
  if (hi < r) {
    const double value = evaluate(f, hi);
    if (!(rising ? value > bound : value < -bound)) return false;
    r = hi;
  }
  return true;
}

/// Narrows the one root of a monotone piece until is_narrow() holds. The first try has the width of the tolerance;
/// each further one a width relative to the last upper end, which an earlier root makes smaller every time.
template <std::size_t N>
bool narrow_root_relative(const CubicCoefficients& f, double error, double size, const Piece<N>& piece,
                          double tolerance, double& l, double& r) {
  constexpr int kTries = 4;
  double width = tolerance;
  for (int i = 0; i < kTries; ++i) {
    l = piece.l;
    r = piece.r;
    if (!narrow_root(f, error, size, piece.f, width, l, r)) return false;
    if (is_narrow(l, r, tolerance)) return true;
    width = 0.25 * kRelativeWidth * r;
  }
  return false;
}

template <std::size_t N>
IntervalResult refine(const scalar::Cubic<double>& cubic, double scale, const Quadratics<N>& quadratics,
                      double tolerance) {
  // c1 and c2 are divided by 3: one more rounding on at most 6 abc; 192/3 + 6 < 72.
  const CubicCoefficients f = {cubic.c0, cubic.c1 / 3.0, cubic.c2 / 3.0, cubic.c3};
  const double error = 72 * kU * scale;
  const double size = 6.01 * scale;

  std::array<Piece<N>, kMaxDepth + 2> stack;
  std::size_t top = 0;
  stack[0].l = 0.0;
  stack[0].r = 1.0;
  stack[0].depth = 0;
  stack[0].inside = false;
  stack[0].f = f;
  stack[0].q = quadratics.c;
  for (int pieces = 0; pieces < kMaxPieces; ++pieces) {
    Piece<N>& piece = stack[top];
    const double e = error + 3.0 * piece.depth * kU * size;
    const auto& g = piece.f;
    const bool no_root =
        (g[0] > e && g[1] > e && g[2] > e && g[3] > e) || (g[0] < -e && g[1] < -e && g[2] < -e && g[3] < -e);
    bool drop = no_root;
    if (!drop && !piece.inside) {
      const Place where = place(certain_signs(piece, quadratics));
      drop = where == Place::Outside;
      piece.inside = where == Place::Inside;
    }
    if (drop) {
      if (top == 0) return {IntervalOutcome::Apart, 0.0, 0.0, 0};
      --top;
      continue;
    }
    if (piece.inside) {
      const bool rising = g[0] < -e && g[3] > e;
      const bool falling = g[0] > e && g[3] < -e;
      const double d0 = g[1] - g[0];
      const double d1 = g[2] - g[1];
      const double d2 = g[3] - g[2];
      // A difference of coefficients has twice their error; its own rounding is below u*2*size, inside the margin
      // of e.
      const double de = 2.5 * e;
      const bool monotone = rising ? d0 > de && d1 > de && d2 > de : d0 < -de && d1 < -de && d2 < -de;
      if ((rising || falling) && (monotone || is_narrow(piece.l, piece.r, tolerance))) {
        // A sign change proves a root. If F is not monotone there may be three roots, all in the interval.
        double l = piece.l;
        double r = piece.r;
        if (!is_narrow(l, r, tolerance) && !narrow_root_relative(f, error, size, piece, tolerance, l, r)) return {};
        return {IntervalOutcome::Contact, l, r, rising ? -1 : 1};
      }
    }
    if (piece.depth == kMaxDepth) return {};
    // Time order: the right half replaces the piece, the left half goes on top of the stack.
    split(piece, stack[top + 1]);
    ++top;
  }
  return {};
}

}  // namespace

IntervalResult interval_vertex_face(const PairStep& pair, double tolerance) {
  const auto p = scalar::to_points(pair);
  const auto a = scalar::difference(p, 1, 0);
  const auto b = scalar::difference(p, 2, 0);
  const auto c = scalar::difference(p, 3, 0);
  const double ma = scalar::magnitude(a);
  const double mb = scalar::magnitude(b);
  const double mc = scalar::magnitude(c);
  if (!(scalar::min3(ma, mb, mc) > scalar::kWindowLow && scalar::max3(ma, mb, mc) < scalar::kWindowHigh)) return {};
  Quadratics<9> q;
  const auto w0 = scalar::cross(b, c);
  // The quadratics store half of 2 c1, so the larger of 9 and 22/2 covers all three coefficients.
  put(q, 0, w0, 11 * kU * (mb * mc), 2.01 * (mb * mc));
  put(q, 1, scalar::cross(c, a), 11 * kU * (mc * ma), 2.01 * (mc * ma));
  put(q, 2, scalar::cross(a, b), 11 * kU * (ma * mb), 2.01 * (ma * mb));
  return refine(scalar::dot(a, w0), ma * (mb * mc), q, tolerance);
}

IntervalResult interval_edge_edge(const PairStep& pair, double tolerance) {
  const auto p = scalar::to_points(pair);
  const auto a = scalar::difference(p, 1, 0);
  const auto b = scalar::difference(p, 2, 0);
  const auto c = scalar::difference(p, 3, 0);
  const double ma = scalar::magnitude(a);
  const double mb = scalar::magnitude(b);
  const double mc = scalar::magnitude(c);
  if (!(scalar::min3(ma, mb, mc) > scalar::kWindowLow && scalar::max3(ma, mb, mc) < scalar::kWindowHigh)) return {};
  Quadratics<12> q;
  const auto o0 = scalar::cross(a, b);
  const auto o1 = scalar::cross(a, c);
  const auto o2 = scalar::cross(b, c);
  const double sum = ma * mb + ma * mc + mb * mc;
  put(q, 0, o0, 11 * kU * (ma * mb), 2.01 * (ma * mb));
  put(q, 1, o1, 11 * kU * (ma * mc), 2.01 * (ma * mc));
  put(q, 2, o2, 11 * kU * (mb * mc), 2.01 * (mb * mc));
  put(q, 3, scalar::side_sum(o0, o1, o2), 16 * kU * sum, 2.01 * sum);
  return refine(scalar::dot(a, o2), ma * (mb * mc), q, tolerance);
}

}  // namespace graze::narrow
