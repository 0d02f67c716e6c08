// Narrow phase: closest points of a vertex and a face, or of two edges, in doubles or double-doubles, with a
// certificate.
//
// The computed barycentric weights are only good guesses. They are useful because both bounds below hold for any
// weights >= 0 that sum to 1 and any direction x, so rounding errors and degenerate shapes can widen the bounds but
// not falsify them:
//   upper: the distance is <= |x|, x the difference of the two points with these weights;
//   lower: the distance is >= gap / |x|, gap = min of x.p over the first feature - max of x.p over the second.
// Error bounds of both as computed, where L bounds the coordinates of the pair relative to its first point and u is
// the unit roundoff (2^-53; 2^-100 for DoubleDouble). A position at time t, q(t) = (1-t) q0 + t q1, has an error of
// at most 5u L per coordinate (differences, 1-t, products, sum). The computed weights sum to 1 within 6u. x sums at
// most three products: in total at most 2 (5 + 3 + 6) u L per coordinate for edges, less for faces, so |error of
// x| < 49u L. In gap / |x| each dot product has an error of (5 + 3) u sqrt(3) L |x|, and the difference of two adds
// 2 more: < 40u L. kError = 128u covers both, and the rounding of |x| itself. Underflow is negligible inside the
// window of in_window(); a pair normalised to size 1 is always inside.
#pragma once

#include "narrow/double_double.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <graze/types.hpp>

namespace graze::narrow {

template <class T>
struct Vec {
  T x{};
  T y{};
  T z{};
};

template <class T>
Vec<T> operator+(const Vec<T>& a, const Vec<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
Vec<T> operator-(const Vec<T>& a, const Vec<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
Vec<T> operator*(const T& s, const Vec<T>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
T dot(const Vec<T>& a, const Vec<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
Vec<T> cross(const Vec<T>& a, const Vec<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class T>
inline constexpr double kError = 0.0;
template <>
inline constexpr double kError<double> = 128.0 * 0x1p-53;
template <>
inline constexpr double kError<DoubleDouble> = 128.0 * 0x1p-100;

/// Whether the error bounds above hold for a pair whose relative coordinates are at most `extent`. Inside the
/// window, sixth powers neither overflow nor underflow by more than 2^-500 relative.
inline bool in_window(double extent) {
  return extent >= 0x1p-80 && extent <= 0x1p80;
}

/// Below this squared length x has no usable direction.
inline constexpr double kNoDirection = 0x1p-400;

/// Below this squared length or area weights are not computed: underflow might have cost the quotients bits, and
/// the weights would not sum to 1.
inline constexpr double kNoWeights = 0x1p-800;

/// The pair relative to its first point. Vertex-face: f0, f1, f2 minus v. Edge-edge: a1, b0, b1 minus a0.
template <class T>
using Relative = std::array<Vec<T>, 3>;

template <class T>
Relative<T> relative_to_first(const std::array<Vec3, 4>& p) {
  Relative<T> q;
  for (std::size_t i = 0; i < 3; ++i) {
    q[i] = Vec<T>{T(p[i + 1].x), T(p[i + 1].y), T(p[i + 1].z)} - Vec<T>{T(p[0].x), T(p[0].y), T(p[0].z)};
  }
  return q;
}

inline double extent_of(const std::array<Vec3, 4>& p) {
  double extent = 0.0;
  for (std::size_t i = 1; i < 4; ++i) {
    extent = std::max({extent, std::abs(p[i].x - p[0].x), std::abs(p[i].y - p[0].y), std::abs(p[i].z - p[0].z)});
  }
  return extent;
}

template <class T>
struct Closest {
  std::array<T, 4> weights{};  ///< as in ElementaryImpact
  Vec<T> x;                    ///< from the point of the second feature to the point of the first
  T x2{};                      ///< |x|^2
};

/// Weight of b, in [0, 1], at the point of segment a-b that is nearest to the origin (a and b are relative to the
/// query point).
template <class T>
T nearest_on_segment(const Vec<T>& a, const Vec<T>& b) {
  const Vec<T> d = b - a;
  const T along = -dot(a, d);
  const T whole = dot(d, d);
  if (!(along > T(0.0)) || !(to_double(whole) > kNoWeights)) {
    return T(0.0);
  }
  return along < whole ? along / whole : T(1.0);
}

struct VertexFace {
  template <class T>
  static Closest<T> closest(const Relative<T>& f) {
    const Vec<T> e1 = f[1] - f[0];
    const Vec<T> e2 = f[2] - f[0];
    const Vec<T> n = cross(e1, e2);
    const T nn = dot(n, n);
    const T w1 = dot(n, cross(e2, f[0]));
    const T w2 = dot(n, cross(f[0], e1));
    const T w0 = nn - w1 - w2;
    Closest<T> best;
    if (to_double(nn) > kNoWeights && w0 >= T(0.0) && w1 >= T(0.0) && w2 >= T(0.0)) {
      best.weights = {T(1.0), w0 / nn, w1 / nn, w2 / nn};
      finish(best, f);
      return best;
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3;
      const T s = nearest_on_segment(f[i], f[j]);
      Closest<T> side;
      side.weights[0] = T(1.0);
      side.weights[i + 1] = T(1.0) - s;
      side.weights[j + 1] = s;
      finish(side, f);
      if (i == 0 || side.x2 < best.x2) {
        best = side;
      }
    }
    return best;
  }

  template <class T>
  static T gap(const Vec<T>& n, const Relative<T>& f) {
    const T d0 = dot(n, f[0]);
    const T d1 = dot(n, f[1]);
    const T d2 = dot(n, f[2]);
    T far = d0 < d1 ? d1 : d0;
    far = far < d2 ? d2 : far;
    return -far;
  }

  /// Calls test(d_l, d_r) for each point of the first feature and each of the second, d_l and d_r their difference
  /// at two times; true if every call returns true.
  template <class T, class Test>
  static bool every_difference(const Relative<T>& l, const Relative<T>& r, const Test& test) {
    const Vec<T> zero;
    return test(zero - l[0], zero - r[0]) && test(zero - l[1], zero - r[1]) && test(zero - l[2], zero - r[2]);
  }

 private:
  template <class T>
  static void finish(Closest<T>& c, const Relative<T>& f) {
    const Vec<T> y = c.weights[1] * f[0] + c.weights[2] * f[1] + c.weights[3] * f[2];
    c.x = {-y.x, -y.y, -y.z};
    c.x2 = dot(y, y);
  }
};

struct EdgeEdge {
  template <class T>
  static Closest<T> closest(const Relative<T>& q) {
    // Minimises |s d1 - b0 - t d2|. AC - B^2 is computed as |d1 x d2|^2, which does not cancel.
    const Vec<T>& d1 = q[0];
    const Vec<T> d2 = q[2] - q[1];
    const Vec<T>& b0 = q[1];
    const Vec<T> n = cross(d1, d2);
    const T nn = dot(n, n);
    const T s = dot(n, cross(b0, d2));
    const T t = dot(n, cross(b0, d1));
    Closest<T> best;
    if (to_double(nn) > kNoWeights && s >= T(0.0) && s <= nn && t >= T(0.0) && t <= nn) {
      finish(best, q, s / nn, t / nn);
      return best;
    }
    const Vec<T> zero;
    finish(best, q, T(0.0), nearest_on_segment(q[1], q[2]));
    consider(best, q, T(1.0), nearest_on_segment(q[1] - q[0], q[2] - q[0]));
    consider(best, q, nearest_on_segment(zero - q[1], q[0] - q[1]), T(0.0));
    consider(best, q, nearest_on_segment(zero - q[2], q[0] - q[2]), T(1.0));
    return best;
  }

  template <class T>
  static T gap(const Vec<T>& n, const Relative<T>& q) {
    const T a1 = dot(n, q[0]);
    const T b0 = dot(n, q[1]);
    const T b1 = dot(n, q[2]);
    return (a1 < T(0.0) ? a1 : T(0.0)) - (b0 < b1 ? b1 : b0);
  }

  template <class T, class Test>
  static bool every_difference(const Relative<T>& l, const Relative<T>& r, const Test& test) {
    const Vec<T> zero;
    return test(zero - l[1], zero - r[1]) && test(zero - l[2], zero - r[2]) && test(l[0] - l[1], r[0] - r[1]) &&
           test(l[0] - l[2], r[0] - r[2]);
  }

 private:
  template <class T>
  static void finish(Closest<T>& c, const Relative<T>& q, const T& s, const T& t) {
    c.weights = {T(1.0) - s, s, T(1.0) - t, t};
    c.x = s * q[0] - (c.weights[2] * q[1] + t * q[2]);
    c.x2 = dot(c.x, c.x);
  }
  template <class T>
  static void consider(Closest<T>& best, const Relative<T>& q, const T& s, const T& t) {
    Closest<T> other;
    finish(other, q, s, t);
    if (other.x2 < best.x2) {
      best = other;
    }
  }
};

}  // namespace graze::narrow
