// Control normals of a moving triangle (ICCD, Tang et al. 2009, section IV-B), the input of normal cones. If the
// vertices move along polynomials of degree d, the normal is a polynomial of degree 2d, and at each time of the
// step it is a convex combination of its Bernstein coefficients, the control normals.
//
// With edges E(t) = sum E_i B_i^d(t) and F(t) likewise,  N_k = sum over i + j = k of  C(d,i) C(d,j) / C(2d,k) E_i x
// F_j.  For linear motion, d = 1: N_0 = E_0 x F_0, N_1 = (E_0 x F_1 + E_1 x F_0) / 2, N_2 = E_1 x F_1; N_1 is the
// paper's (n_0 + n_1 - delta) / 2 with delta = (E_1 - E_0) x (F_1 - F_0), but without its cancellation.
//
// Error bound, u = 2^-53. A computed edge component is exact up to a factor of 1 + u (subtractions do not
// underflow), so a computed product is within 3 u m + 2^-1075 of the exact one, m = max|E_i| max|F_j|, and a
// component of a cross product within 8 u m + 2^-1074. The weights are 1 or 4 (exact, since the weight of the first
// term is factored out); at most two additions of sums of size 2 mu, mu = sum w m, and one division add 4 u mu and
// 2 u mu. Including the terms in u^2 this is 15 u mu per component and 26 u mu as a length; the bound is fl(32 u
// mu') + 2^-1022, which also covers the rounding of mu and all underflow. Cost: O(d^2), (d + 1)^2 cross products.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>

#include <graze/types.hpp>

#include "geometry/path.hpp"
#include "geometry/vec.hpp"

namespace graze::cull {

/// Quadratic motion as a Bezier curve: at p0 when t = 0, at p2 when t = 1.
struct QuadraticPath {
  Vec3 p0;
  Vec3 p1;
  Vec3 p2;
};

/// Edge of a triangle over the step: the Bernstein coefficients of the edge vector, each a difference rounded once.
template <std::size_t kDegree>
using ControlEdge = std::array<Vec3, kDegree + 1>;

template <std::size_t kDegree>
struct ControlNormals {
  static constexpr std::size_t kCount = 2 * kDegree + 1;
  std::array<Vec3, kCount> normal;   ///< length is twice the area; not finite after overflow
  std::array<double, kCount> error;  ///< |normal - exact| <= error; infinite or NaN if the edges overflow
};

namespace detail {

constexpr double binomial(std::size_t n, std::size_t k) {
  return k == 0 ? 1.0 : binomial(n - 1, k - 1) * static_cast<double>(n) / static_cast<double>(k);
}

/// Computes the k-th control normal and its error. k is a template parameter, so that weights are constants and no
/// loop remains.
template <std::size_t kDegree, std::size_t k>
inline void control_normal(const ControlEdge<kDegree>& e, const ControlEdge<kDegree>& f,
                           ControlNormals<kDegree>& result) {
  constexpr double kErrorScale = 0x1p-48;  // 32 u
  constexpr std::size_t kFirst = k > kDegree ? k - kDegree : 0;
  constexpr std::size_t kTerms = (k > kDegree ? 2 * kDegree - k : k) + 1;
  constexpr double kTotal = binomial(2 * kDegree, k);
  Vec3 sum = cross(e[kFirst], f[k - kFirst]);
  double size = max_abs(e[kFirst]) * max_abs(f[k - kFirst]);
  if constexpr (kTerms > 1) {
    const auto add = [&]<std::size_t i>(std::integral_constant<std::size_t, i>) {
      // Weight relative to the first term's weight. The weights are 1 and 4, or all are 2.
      constexpr double kWeight = binomial(kDegree, i) * binomial(kDegree, k - i) /
                                 (binomial(kDegree, kFirst) * binomial(kDegree, k - kFirst));
      sum = sum + kWeight * cross(e[i], f[k - i]);
      size += kWeight * (max_abs(e[i]) * max_abs(f[k - i]));
    };
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      (add(std::integral_constant<std::size_t, kFirst + 1 + i>{}), ...);
    }
    (std::make_index_sequence<kTerms - 1>{});
    constexpr double kDivisor = kTotal / (binomial(kDegree, kFirst) * binomial(kDegree, k - kFirst));
    sum = {sum.x / kDivisor, sum.y / kDivisor, sum.z / kDivisor};
    size /= kDivisor;
  }
  result.normal[k] = sum;
  result.error[k] = kErrorScale * size + std::numeric_limits<double>::min();
}

}  // namespace detail

/// Returns the control normals of the triangle a b c, given its edges e = b - a and f = c - a. Precondition: no
/// NaN.
template <std::size_t kDegree>
inline ControlNormals<kDegree> control_normals(const ControlEdge<kDegree>& e, const ControlEdge<kDegree>& f) {
  static_assert(kDegree == 1 || kDegree == 2, "the bound on rounding is proved for these: see the head");
  ControlNormals<kDegree> result;
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    (detail::control_normal<kDegree, k>(e, f, result), ...);
  }
  (std::make_index_sequence<ControlNormals<kDegree>::kCount>{});
  return result;
}

/// Return the control normals of the triangle a b c. Precondition: finite points.
inline ControlNormals<1> control_normals(const VertexPath& a, const VertexPath& b, const VertexPath& c) {
  return control_normals<1>({b.t0 - a.t0, b.t1 - a.t1}, {c.t0 - a.t0, c.t1 - a.t1});
}
inline ControlNormals<2> control_normals(const QuadraticPath& a, const QuadraticPath& b, const QuadraticPath& c) {
  return control_normals<2>({b.p0 - a.p0, b.p1 - a.p1, b.p2 - a.p2}, {c.p0 - a.p0, c.p1 - a.p1, c.p2 - a.p2});
}

}  // namespace graze::cull
