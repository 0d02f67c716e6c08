// Naive reference for the discrete elementary tests: the distance of two convex hulls of points, in rational
// arithmetic.
//
// Written for certainty, not speed: the difference of the hulls is the hull of all differences of their points, and
// its point nearest to the origin is the nearest point of the affine hull of some of them, with weights >= 0. All
// subsets of up to four are tried. Two hulls intersect iff their distance is zero. It shares no idea with the
// tests that it checks.
#pragma once

// GCC 12 wrongly warns about Boost's limb union when a vector of fractions grows.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include <array>
#include <bit>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <boost/multiprecision/cpp_int.hpp>

#include <graze/types.hpp>

namespace graze::test {

using Rational =
    boost::multiprecision::number<boost::multiprecision::cpp_rational_backend, boost::multiprecision::et_off>;
using RationalPoint = std::array<Rational, 3>;

inline RationalPoint to_rational(const Vec3& p) {
  return {Rational(p.x), Rational(p.y), Rational(p.z)};
}

inline RationalPoint operator-(const RationalPoint& a, const RationalPoint& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

inline Rational dot(const RationalPoint& a, const RationalPoint& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Solves m x = y by elimination; nothing if m is singular.
inline std::optional<std::vector<Rational>> solve(std::vector<std::vector<Rational>> m, std::vector<Rational> y) {
  const std::size_t n = y.size();
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    while (pivot < n && m[pivot][column] == 0) {
      ++pivot;
    }
    if (pivot == n) {
      return std::nullopt;
    }
    std::swap(m[pivot], m[column]);
    std::swap(y[pivot], y[column]);
    for (std::size_t row = 0; row < n; ++row) {
      if (row == column || m[row][column] == 0) {
        continue;
      }
      const Rational factor = m[row][column] / m[column][column];
      for (std::size_t k = column; k < n; ++k) {
        m[row][k] -= factor * m[column][k];
      }
      y[row] -= factor * y[column];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    y[i] /= m[i][i];
  }
  return y;
}

/// Squared norm of the point of the affine hull nearest to the origin, if its weights are all >= 0.
inline std::optional<Rational> nearest_in_simplex(const std::vector<RationalPoint>& s) {
  const std::size_t n = s.size() - 1;
  std::vector<RationalPoint> d;
  for (std::size_t i = 0; i < n; ++i) {
    d.push_back(s[i + 1] - s[0]);
  }
  std::vector<std::vector<Rational>> gram(n, std::vector<Rational>(n));
  std::vector<Rational> right(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      gram[i][j] = dot(d[i], d[j]);
    }
    right[i] = -dot(d[i], s[0]);
  }
  const auto weights = solve(gram, right);
  if (!weights) {
    return std::nullopt;
  }
  Rational sum = 0;
  RationalPoint x = s[0];
  for (std::size_t i = 0; i < n; ++i) {
    if ((*weights)[i] < 0) {
      return std::nullopt;
    }
    sum += (*weights)[i];
    for (std::size_t c = 0; c < 3; ++c) {
      x[c] += (*weights)[i] * d[i][c];
    }
  }
  if (sum > 1) {
    return std::nullopt;
  }
  return dot(x, x);
}

inline Rational twin_squared_distance(std::span<const RationalPoint> a, std::span<const RationalPoint> b) {
  std::vector<RationalPoint> differences;
  for (const RationalPoint& p : a) {
    for (const RationalPoint& q : b) {
      differences.push_back(p - q);
    }
  }
  Rational best = dot(differences[0], differences[0]);
  const std::size_t n = differences.size();
  for (std::size_t mask = 1; mask < (std::size_t{1} << n); ++mask) {
    if (std::popcount(mask) > 4) {
      continue;
    }
    std::vector<RationalPoint> subset;
    for (std::size_t i = 0; i < n; ++i) {
      if ((mask >> i & 1U) != 0) {
        subset.push_back(differences[i]);
      }
    }
    if (const auto d = nearest_in_simplex(subset); d && *d < best) {
      best = *d;
    }
    if (best == 0) {
      break;
    }
  }
  return best;
}

/// Squared distance of the hull of p[0..split) from the hull of the rest.
inline Rational twin_squared_distance(std::span<const Vec3> points, std::size_t split) {
  std::vector<RationalPoint> r;
  for (const Vec3& p : points) {
    r.push_back(to_rational(p));
  }
  const std::span<const RationalPoint> all(r);
  return twin_squared_distance(all.subspan(0, split), all.subspan(split));
}

}  // namespace graze::test
