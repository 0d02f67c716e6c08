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
// `contains` is a proof that the cores share a point (rigid/shapes/simplex.hpp). Cost: O(n) for each of a few
// iterations.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "rigid/shapes/body.hpp"
#include "rigid/shapes/simplex.hpp"

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
