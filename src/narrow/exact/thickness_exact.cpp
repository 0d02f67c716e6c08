// Narrow phase with thickness, exact arithmetic. See thickness_exact.hpp. A time is k / 2^j; positions at that time
// are integers on the lattice of the coordinates refined by 2^j. Cost: about ten microseconds for a normalised
// pair.
#include "narrow/exact/thickness_exact.hpp"

#include "narrow/exact/exact_closest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace graze::narrow {

namespace {

/// The dyadic fraction k / 2^j.
struct Dyadic {
  Int k;
  unsigned j = 0;
};

Dyadic to_dyadic(double t) {
  const OddDouble odd = to_odd(t);
  if (odd.exponent >= 0) {
    return {Int(odd.mantissa) << static_cast<unsigned>(odd.exponent), 0};
  }
  return {Int(odd.mantissa), static_cast<unsigned>(-odd.exponent)};
}

class Motion {
 public:
  Motion(const PairStep& pair, Lattice lattice) : lattice_(lattice) {
    lattice_.include_all(pair.t0);
    lattice_.include_all(pair.t1);
    for (std::size_t i = 0; i < 4; ++i) {
      start_[i] = to_int(lattice_, pair.t0[i]);
      path_[i] = to_int(lattice_, pair.t1[i]) - start_[i];
    }
  }
  const Lattice& lattice() const { return lattice_; }

  /// The points at time k / 2^j, multiplied by 2^j.
  IntPoints at(const Int& k, unsigned j) const {
    IntPoints points;
    for (std::size_t i = 0; i < 4; ++i) {
      const IntVec& s = start_[i];
      points[i] = IntVec{s.x << j, s.y << j, s.z << j} + k * path_[i];
    }
    return points;
  }

 private:
  Lattice lattice_;
  IntPoints start_;
  IntPoints path_;
};

Vec3 to_unit(const IntVec& n) {
  const Int nn = dot(n, n);
  if (nn.is_zero()) {
    return {};
  }
  // Scale by the largest component in integers; doubles do the rest.
  const Int largest = std::max(abs(n.x), std::max(abs(n.y), abs(n.z)));
  const Vec3 v{to_double_ratio(n.x, largest, 0), to_double_ratio(n.y, largest, 0),
               to_double_ratio(n.z, largest, 0)};
  const double length = std::hypot(v.x, v.y, v.z);
  return {v.x / length, v.y / length, v.z / length};
}

ElementaryImpact describe(PairKind kind, const PairStep& pair, const IntPoints& points, double lo, double hi) {
  const ExactClosest c = exact_closest(kind, points);
  ElementaryImpact impact;
  impact.toi_lo = lo;
  impact.toi_hi = hi;
  for (std::size_t i = 0; i < 4; ++i) {
    impact.weights[i] = to_double_ratio(c.weights[i], c.weight_den, 0);
  }
  if (hi > 0.0) {
    impact.side = exact_side_at(kind, pair, lo);
    if (impact.side == 0) {
      impact.side = exact_side_at(kind, pair, 0.0);
    }
  }
  if (c.num.sign() > 0) {
    impact.normal = to_unit(c.direction);
  } else {
    impact.normal = to_unit(Int(impact.side < 0 ? -1 : 1) * exact_normal(kind, points));
  }
  return impact;
}

}  // namespace

ExactSample exact_sample(PairKind kind, const PairStep& pair, double t, double limit) {
  Lattice lattice;
  lattice.include(limit);
  const Motion motion(pair, lattice);
  const Dyadic time = to_dyadic(t);
  const ExactClosest c = exact_closest(kind, motion.at(time.k, time.j));
  const Int scaled_limit = motion.lattice()(limit) << time.j;
  return {c.num <= scaled_limit * scaled_limit * c.den, to_unit(c.direction)};
}

ElementaryImpact exact_description(PairKind kind, const PairStep& pair, double toi_lo, double toi_hi) {
  const Motion motion(pair, Lattice());
  const Dyadic t = to_dyadic(toi_hi);
  return describe(kind, pair, motion.at(t.k, t.j), toi_lo, toi_hi);
}

int exact_side_at(PairKind kind, const PairStep& pair, double t) {
  const Motion motion(pair, Lattice());
  const Dyadic time = to_dyadic(t);
  return exact_side(kind, motion.at(time.k, time.j));
}

}  // namespace graze::narrow
