// Narrow phase with thickness, exact arithmetic: see narrow/separation_time.hpp.
//
// Let n be the vector between the closest points at the start, D its length and d the distance asked for, D > d.
// For points p and q of the two features, n.(p - q) is at least D |n| at the start and changes linearly, from f0 to
// f1. The features are farther apart than d while n.(p - q) > d |n| for all pairs of their vertices, that is, until
//   t = (f0 - d |n|) / (f0 - f1) >= (f0^2 - d^2 n.n) / (2 f0 (f0 - f1))
// for the pairs with f1 <= d |n|; the inequality holds because f0 + d |n| <= 2 f0. The right-hand side is a
// quotient of integers. It loses at most a factor of two, and nothing to first order where f0 is close to d |n|.
#include "narrow/separation_time.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "narrow/exact/exact_closest.hpp"

namespace graze::narrow {

double separation_time(FeatureKind kind, const PairStep& pair, double distance) {
  constexpr double kForever = std::numeric_limits<double>::infinity();
  Lattice lattice;
  lattice.include(distance);
  lattice.include_all(pair.t0);
  lattice.include_all(pair.t1);
  IntPoints start;
  IntPoints end;
  for (std::size_t i = 0; i < 4; ++i) {
    start[i] = to_int(lattice, pair.t0[i]);
    end[i] = to_int(lattice, pair.t1[i]);
  }
  const bool vertex_face = kind == FeatureKind::VertexFace;
  const ExactClosest closest = exact_closest(vertex_face ? PairKind::VertexFace : PairKind::EdgeEdge, start);
  const Int d = lattice(distance);
  if (closest.num <= d * d * closest.den) return 0.0;
  const IntVec& n = closest.direction;
  const Int limit2 = d * d * dot(n, n);  // (d |n|)^2
  double time = kForever;
  const std::size_t split = vertex_face ? 1 : 2;
  for (std::size_t i = 0; i < split; ++i) {
    for (std::size_t j = split; j < 4; ++j) {
      const Int f0 = dot(n, start[i] - start[j]);
      const Int f1 = dot(n, end[i] - end[j]);
      if (f1.sign() > 0 && f1 * f1 > limit2) continue;
      const double t = to_double_ratio(f0 * f0 - limit2, 2 * f0 * (f0 - f1), 0);
      time = std::min(time, t * (1.0 - 0x1p-50));  // to_double_ratio() errs by less than an ulp
    }
  }
  // A time too small for a double still is not 0: the pair is not within the distance.
  return std::max(time, std::numeric_limits<double>::denorm_min());
}

}  // namespace graze::narrow
