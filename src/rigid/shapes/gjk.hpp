// Distance of the cores of two solids by the algorithm of Gilbert, Johnson and Keerthi (A fast procedure for
// computing the distance between complex objects in three-dimensional space, 1988), in doubles or double-doubles,
// with bounds that hold whatever rounding does.
//
// The algorithm keeps up to four differences a - b of points of the two cores and the point x of their convex hull
// that is nearest to the origin. The pair of points that is farthest along -x gives the next difference.
//  - hi: the weights of x are >= 0 and sum to 1, so they give a point of each core: the distance is <= |x|.
//  - lo: for any x, the distance is >= (min of x . a - max of x . b) / |x|.
// Rounding and degenerate simplices can widen the bounds but not falsify them. With L and u of body.hpp: the points
// behind hi err by 30 u L each, their difference by 4 u L; weights sum to 1 within 8 u, which moves x by 16 sqrt(3)
// u L; products and sums add 8 sqrt(3) u L: below 128 u L. For lo, two support values err by 52 u L |x| each, the
// difference, the quotient and |x| by 14 u L: below 128 u L. So the error is kError of narrow/closest.hpp times L.
//
// `contains` proves that the cores share a point: the origin lies in the tetrahedron of four differences. The four
// determinants that say so have entries below 2 L that err by 64 u L, and cofactors below 8 L^2: 9 64 u L 8 L^2 =
// 4608 u L^3, and their arithmetic errs by at most 8 u (the sum of six products below 8 L^3) = 384 u L^3. If all
// exceed 2^-40 L^3 = 8192 u L^3, the origin is inside. Cost: O(n) for each of a few iterations.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "rigid/shapes/body.hpp"

namespace graze::rigid {

/// When to stop: `reach` is the sum of the rounding radii, so that solids meet if the distance of cores is <=
/// reach.
template <class T>
struct Goal {
  T reach{};
  T apart{};               ///< stop when lo > apart
  T near{};                ///< stop when hi <= near
  double width = -1.0;     ///< stop when hi - lo <= width (hi - reach)
  double least_width = 0;  ///< stop when hi - lo <= least_width
  int iterations = 64;
};

template <class T>
struct Bounds {
  T lo{};
  T hi{};
  bool contains = false;                                ///< the cores certainly share a point
  narrow::Vec<T> direction;                             ///< that gave lo; from b to a
  std::array<std::array<std::uint32_t, 2>, 4> pairs{};  ///< indices of the points behind hi
  std::size_t count = 0;
  narrow::Vec<T> on_a;  ///< the points behind hi
  narrow::Vec<T> on_b;

  /// Whether the goal is reached.
  [[nodiscard]] bool reaches(const Goal<T>& goal) const {
    if (contains || lo > goal.apart || hi <= goal.near) return true;
    if (!(goal.width >= 0.0)) return false;
    const T width = hi - lo;
    return width <= T(goal.least_width) || width <= T(goal.width) * (hi - goal.reach);
  }
};

template <class T>
class Simplex {
 public:
  struct Vertex {
    narrow::Vec<T> w;  ///< a - b
    narrow::Vec<T> a;
    narrow::Vec<T> b;
    std::array<std::uint32_t, 2> pair{};
  };

  explicit Simplex(const Vertex& first) : vertices_{first}, weights_{T(1.0)}, count_(1), x_(first.w) {
    x2_ = narrow::dot(x_, x_);
  }

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] const Vertex& vertex(std::size_t i) const { return vertices_[i]; }
  [[nodiscard]] const T& weight(std::size_t i) const { return weights_[i]; }
  /// The point nearest to the origin, and its square.
  [[nodiscard]] const narrow::Vec<T>& x() const { return x_; }
  [[nodiscard]] const T& x2() const { return x2_; }
  /// Whether the origin is certainly inside; set by an insert() of a fourth vertex.
  [[nodiscard]] bool contains() const { return contains_; }

  /// Adds a vertex and keeps those that the point nearest to the origin needs. Returns false, and changes nothing,
  /// if that point is not nearer. Precondition: count() < 4.
  bool insert(const Vertex& vertex, double extent) {
    vertices_[count_] = vertex;
    best2_ = x2_;
    improved_ = false;
    const std::size_t last = count_;
    if (last == 1) try_edge(0, 1);
    if (last == 2) try_face(0, 1, 2);
    if (last == 3) {
      try_inside(extent);
      for (std::size_t i = 0; i < 3; ++i) try_face(i, (i + 1) % 3, 3);
    }
    if (!improved_) return false;
    std::size_t kept = 0;
    for (std::size_t i = 0; i <= last; ++i) {
      if (!(best_weights_[i] > T(0.0))) continue;
      vertices_[kept] = vertices_[i];
      weights_[kept++] = best_weights_[i];
    }
    count_ = kept;
    x_ = best_;
    x2_ = best2_;
    return true;
  }

 private:
  using Weights = std::array<T, 4>;

  void consider(const Weights& weights) {
    narrow::Vec<T> x;
    for (std::size_t i = 0; i < 4; ++i) {
      if (weights[i] > T(0.0)) x = x + weights[i] * vertices_[i].w;
    }
    const T square = narrow::dot(x, x);
    if (!(square < best2_)) return;
    improved_ = true;
    best2_ = square;
    best_ = x;
    best_weights_ = weights;
  }
  void try_edge(std::size_t i, std::size_t j) {
    const T s = narrow::nearest_on_segment(vertices_[i].w, vertices_[j].w);
    Weights weights{};
    weights[i] = T(1.0) - s;
    weights[j] = s;
    consider(weights);
  }
  void try_face(std::size_t i, std::size_t j, std::size_t k) {
    const auto closest =
        narrow::VertexFace::closest<T>(narrow::Relative<T>{vertices_[i].w, vertices_[j].w, vertices_[k].w});
    Weights weights{};
    weights[i] = closest.weights[1];
    weights[j] = closest.weights[2];
    weights[k] = closest.weights[3];
    consider(weights);
  }
  void try_inside(double extent) {
    const auto& v = vertices_;
    const auto determinant = [](const narrow::Vec<T>& p, const narrow::Vec<T>& q, const narrow::Vec<T>& r) {
      return narrow::dot(p, narrow::cross(q, r));
    };
    Weights d{determinant(v[1].w, v[2].w, v[3].w), -determinant(v[0].w, v[2].w, v[3].w),
              determinant(v[0].w, v[1].w, v[3].w), -determinant(v[0].w, v[1].w, v[2].w)};
    T all = d[0] + d[1] + d[2] + d[3];
    if (all < T(0.0)) {
      all = -all;
      for (T& one : d) one = -one;
    }
    if (!(narrow::to_double(all) > narrow::kNoWeights)) return;
    T least = d[0];
    for (const T& one : d) least = one < least ? one : least;
    if (!(least >= T(0.0))) return;
    contains_ = least > T(0x1p-40 * extent * extent * extent);
    for (T& one : d) one = one / all;
    consider(d);
  }

  std::array<Vertex, 4> vertices_;
  std::array<T, 4> weights_;
  std::size_t count_;
  narrow::Vec<T> x_;
  T x2_;
  bool contains_ = false;
  bool improved_ = false;
  Weights best_weights_{};
  narrow::Vec<T> best_;
  T best2_{};
};

/// Bounds the distance of two cores. `extent` bounds L of both, in the window of narrow/closest.hpp. With `guess`,
/// that direction (from b to a, not zero) is tried first.
template <class T>
Bounds<T> gjk(const Body<T>& a, const Body<T>& b, double extent, const Goal<T>& goal,
              const narrow::Vec<T>* guess = nullptr) {
  const T error(narrow::kError<T> * extent);
  Bounds<T> bounds;
  bounds.lo = T(-std::numeric_limits<double>::max());
  bounds.hi = T(std::numeric_limits<double>::max());
  /// The farthest pair along -n; improves lo. `length` is |n|.
  const auto probe = [&](const narrow::Vec<T>& n, const T& length) {
    const narrow::Vec<T> back{-n.x, -n.y, -n.z};
    const Support<T> far_a = a.support(back);
    const Support<T> far_b = b.support(n);
    const T lo = -(far_a.value + far_b.value) / length - error;
    if (lo > bounds.lo) {
      bounds.lo = lo;
      bounds.direction = n;
    }
    return typename Simplex<T>::Vertex{
        far_a.point - far_b.point, far_a.point, far_b.point, {far_a.index, far_b.index}};
  };
  typename Simplex<T>::Vertex start{a.reference() - b.reference(), a.reference(), b.reference(), {0, 0}};
  if (guess != nullptr) {
    start = probe(*guess, narrow::square_root(narrow::dot(*guess, *guess)));
    if (bounds.lo > goal.apart) return bounds;
  }
  Simplex<T> simplex(start);
  for (int i = 0; i < goal.iterations; ++i) {
    const T length = narrow::square_root(simplex.x2());
    bounds.hi = length + error;
    bounds.contains = simplex.contains();
    if (bounds.reaches(goal) || simplex.count() == 4 || !(narrow::to_double(simplex.x2()) > narrow::kNoDirection))
      break;
    const auto vertex = probe(simplex.x(), length);
    if (bounds.reaches(goal)) break;
    // Curved cores have no indices; there, and for hulls, a vertex that is not nearer ends the search.
    if (!simplex.insert(vertex, extent)) break;
  }
  bounds.count = simplex.count();
  for (std::size_t i = 0; i < simplex.count(); ++i) {
    const auto& vertex = simplex.vertex(i);
    bounds.pairs[i] = vertex.pair;
    bounds.on_a = bounds.on_a + simplex.weight(i) * vertex.a;
    bounds.on_b = bounds.on_b + simplex.weight(i) * vertex.b;
  }
  return bounds;
}

}  // namespace graze::rigid
