// Narrow phase with thickness: finds the time of impact, at which a pair first comes within delta, by certified
// interval subdivision of time.
//
// Time is bisected, earliest interval first. At each sampled time the closest points give a vector x between the
// features and the distance |x|. If the distance is within the limit the sample is a hit, and later times do not
// matter; otherwise the pair is certainly beyond delta at that time. An interval [l, r] between two samples is
// dropped if a direction that moves linearly from x_l to x_r separates the features. For points p, q of the two
// features and d = p - q
//   n(t).(p(t) - q(t)) = quadratic with Bernstein coefficients x_l.d_l, (x_l.d_r + x_r.d_l)/2, x_r.d_r,
// and |n(t)| <= (1-t)|x_l| + t|x_r|. If the coefficients exceed delta times |x_l|, (|x_l|+|x_r|)/2, |x_r| for all p
// and q, then n(t) separates the features by more than delta at every t of the interval. The moving direction
// follows rotating features to first order, so the loss is of second order in r - l, and a handful of intervals
// suffices unless the distance stays near delta (docs/decisions/0003). A fixed direction would lose in first order
// for rotating features.
//
// All comparisons allow for rounding: closest.hpp derives the error bound, kError * (L + delta). The filter in
// doubles runs first; if it leaves a sample open, double-doubles follow; if these do too (slivers that no computed
// weights fit), exact arithmetic on integers decides.
//
// Before the search a pair is normalised: its points are taken relative to the first one, scaled by a power of two
// so that the size E of the pair (the largest coordinate) is in [1/2, 1], and rounded to multiples of 2^-60. This
// changes distances by less than 2^-49, so the search uses delta + 2^-48 and limit = delta + slack - 2^-48, and its
// result holds for the given pair. The slack is tolerance * min(1, thickness), but at least 2^-44, which is at most
// 2^-43 E. This lower limit, tiny relative to the pair, makes the work independent of magnitudes: a time step of
// one ulp moves the pair by less than 2^-49, so doubles suffice for times, and integers of about 120 bits for the
// last tier.
#include "narrow/thickness.hpp"

#include "narrow/closest.hpp"
#include "narrow/exact/exact_closest.hpp"
#include "narrow/exact/thickness_exact.hpp"
#include "narrow/kernels/filter_scalar.hpp"
#include "narrow/kernels/thick_scalar.hpp"
#include "narrow/toi_width.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace graze::narrow {

namespace {

/// Limits of the search for the normalised pair: delta and limit of the file head.
struct Limits {
  double delta;
  double limit;
  double tolerance;
};

template <class T>
struct Motion {
  Relative<T> t0;
  Relative<T> t1;

  Relative<T> at(double t) const {
    const T after(t);
    const T before = T(1.0) - after;
    Relative<T> q;
    for (std::size_t i = 0; i < 3; ++i) {
      q[i] = before * t0[i] + after * t1[i];
    }
    return q;
  }
};

enum class Outcome { Miss, Hit, Undecided };

/// Result of a hit: the pair is beyond delta before lo, and within the limit at end.
struct Found {
  double lo = 0.0;
  double end = 0.0;
};

template <class Kind, class T>
class Search {
 public:
  Search(PairKind kind, const PairStep& pair, const Limits& limits)
      : motion_{relative_to_first<T>(pair.t0), relative_to_first<T>(pair.t1)},
        limits_(limits),
        error_(kError<T> * (1.0 + limits.delta)),
        kind_(kind),
        pair_(pair) {}

  Outcome run(Found& found) {
    Sample first;
    Sample last;
    if (!sample(0.0, first)) return Outcome::Undecided;
    if (first.hit) {
      found = {0.0, 0.0};
      return Outcome::Hit;
    }
    if (!sample(1.0, last)) return Outcome::Undecided;
    bool hit = last.hit;
    found.end = 1.0;
    // In reverse time order, the earliest interval last; never deeper than a time has bits.
    std::vector<Interval>& pending = pending_;
    pending.push_back({first, last});
    while (!pending.empty()) {
      const Interval i = std::move(pending.back());
      pending.pop_back();
      if (beyond(i.l, i.r)) continue;
      if (hit && is_narrow(i.l.t, found.end, limits_.tolerance)) {
        found.lo = i.l.t;
        return Outcome::Hit;
      }
      const double m = 0.5 * (i.l.t + i.r.t);
      // In a time of 2^-53 the pair moves by far less than half of limit - delta, by which it is beyond delta at
      // i.l.
      if (i.r.t - i.l.t <= 0x1p-53) continue;
      Sample middle;
      if (!sample(m, middle)) return Outcome::Undecided;
      if (middle.hit) {
        hit = true;
        found.end = m;
        pending.clear();
      } else {
        pending.push_back({middle, i.r});
      }
      pending.push_back({i.l, middle});
    }
    found.lo = found.end;  // every interval before the hit was dropped
    return hit ? Outcome::Hit : Outcome::Miss;
  }

  [[nodiscard]] bool used_integers() const { return used_integers_; }

 private:
  struct Sample {
    double t = 0.0;
    bool hit = false;
    Vec<T> x;  ///< from the closest point of the second feature to that of the first; any length
    T length{};
    Relative<T> at;
  };
  struct Interval {
    Sample l;
    Sample r;
  };

  /// Classifies the pair at time t as within the limit or certainly beyond delta. Returns false if the arithmetic T
  /// cannot decide.
  bool sample(double t, Sample& s) {
    s.t = t;
    s.at = motion_.at(t);
    const Closest<T> c = Kind::closest(s.at);
    s.x = c.x;
    s.length = square_root(c.x2);
    s.hit = s.length + T(error_) <= T(limits_.limit);
    if (s.hit) return true;
    const T beyond = T(0.5 * (limits_.delta + limits_.limit)) + T(error_);
    if (to_double(c.x2) > kNoDirection && Kind::gap(c.x, s.at) > s.length * beyond) return true;
    if constexpr (std::is_same_v<T, DoubleDouble>) {
      const ExactSample e = exact_sample(kind_, pair_, t, limits_.limit);
      s.x = {T(e.direction.x), T(e.direction.y), T(e.direction.z)};
      s.length = square_root(dot(s.x, s.x));
      s.hit = e.within;
      used_integers_ = true;
      return true;
    }
    return false;
  }

  /// Whether the pair is certainly beyond delta on all of [l, r]. The head of this file has the proof.
  bool beyond(const Sample& l, const Sample& r) const {
    const T delta = T(limits_.delta) + T(error_);
    if (!(to_double(l.length) > 0.0 && to_double(r.length) > 0.0)) return false;
    return Kind::every_difference(l.at, r.at, [&](const Vec<T>& d_l, const Vec<T>& d_r) {
      return dot(l.x, d_l) > delta * l.length && dot(r.x, d_r) > delta * r.length &&
             dot(l.x, d_r) + dot(r.x, d_l) > delta * (l.length + r.length);
    });
  }

  Motion<T> motion_;
  Limits limits_;
  double error_;
  PairKind kind_;
  const PairStep& pair_;
  std::vector<Interval> pending_;
  bool used_integers_ = false;
};

/// A normalised pair; the head of this file describes the normalisation.
struct Normalised {
  Motion<DoubleDouble> motion;  ///< relative to the first point, scaled by 2^-exponent
  PairStep pair;                ///< `motion` rounded to multiples of 2^-60; the first point is 0
  int exponent = 0;
};

DoubleDouble scale(const DoubleDouble& x, int exponent) {
  DoubleDouble y(std::ldexp(x.hi, exponent));
  y.lo = std::ldexp(x.lo, exponent);
  return y;
}

double to_lattice(const DoubleDouble& x) {
  return std::nearbyint(to_double(x) * 0x1p60) * 0x1p-60;
}

Normalised normalise(PairStep pair) {
  Normalised n;
  double size = std::max(extent_of(pair.t0), extent_of(pair.t1));
  // If a difference overflows, scale by 1/4: this rounds only the smallest coordinates, which is negligible at this
  // size.
  if (!std::isfinite(size)) {
    for (std::size_t i = 0; i < 4; ++i) {
      for (Vec3* x : {&pair.t0[i], &pair.t1[i]}) {
        *x = {0.25 * x->x, 0.25 * x->y, 0.25 * x->z};
      }
    }
    n.exponent = 2;
    size = std::max(extent_of(pair.t0), extent_of(pair.t1));
  }
  const int shift = size > 0.0 ? -1 - std::ilogb(size) : 0;
  n.exponent -= shift;
  n.motion = {relative_to_first<DoubleDouble>(pair.t0), relative_to_first<DoubleDouble>(pair.t1)};
  n.pair = {};
  for (std::size_t i = 0; i < 3; ++i) {
    for (auto [q, p] :
         {std::pair{&n.motion.t0[i], &n.pair.t0[i + 1]}, std::pair{&n.motion.t1[i], &n.pair.t1[i + 1]}}) {
      *q = {scale(q->x, shift), scale(q->y, shift), scale(q->z, shift)};
      *p = {to_lattice(q->x), to_lattice(q->y), to_lattice(q->z)};
    }
  }
  return n;
}

/// Limits of the normalised pair, on the lattice of its points. Precondition: the scaled thickness is at most 4.
Limits limits_of(const ElementaryOptions& options, int exponent) {
  const double delta = std::ldexp(options.thickness, -exponent);
  const double slack = std::max(
      0x1p-44, std::ldexp(options.tolerance * std::min(1.0, options.thickness), -exponent) * (1.0 - 0x1p-40));
  return {std::ceil((delta + 0x1p-48) * 0x1p60) * 0x1p-60,
          std::floor((delta + std::min(slack, 16.0) - 0x1p-48) * 0x1p60) * 0x1p-60, options.tolerance};
}

/// Side at time t. The determinant has three differences of at most 2 per coordinate, each with an error of 10u.
/// Its six products are at most 8, with a relative error of (3 * 5 + 5) u: 2^10 u in total is generous.
int side_at(PairKind kind, const PairStep& pair, const Motion<DoubleDouble>& motion, double t) {
  const Relative<DoubleDouble> q = motion.at(t);
  const DoubleDouble det = kind == PairKind::VertexFace ? -dot(cross(q[1] - q[0], q[2] - q[0]), q[0])
                                                        : -dot(cross(q[0], q[2] - q[1]), q[1]);
  if (std::abs(to_double(det)) > 0x1p10 * 0x1p-100) {
    return to_double(det) > 0.0 ? 1 : -1;
  }
  return exact_side_at(kind, pair, t);
}

template <class Kind>
ElementaryImpact describe(PairKind kind, const PairStep& pair, const Motion<DoubleDouble>& motion,
                          const Found& found) {
  const Closest<DoubleDouble> c = Kind::closest(motion.at(found.end));
  // The direction must be accurate to a few ulps. Otherwise (touching, or nearly) exact arithmetic describes the
  // contact.
  const double length = std::sqrt(to_double(c.x2));
  if (!(length > 0x1p45 * kError<DoubleDouble>)) {
    return exact_description(kind, pair, found.lo, found.end);
  }
  ElementaryImpact impact;
  impact.toi_lo = found.lo;
  impact.toi_hi = found.end;
  for (std::size_t i = 0; i < 4; ++i) {
    impact.weights[i] = to_double(c.weights[i]);
  }
  impact.normal = {to_double(c.x.x) / length, to_double(c.x.y) / length, to_double(c.x.z) / length};
  if (found.end > 0.0) {
    impact.side = side_at(kind, pair, motion, found.lo);
    if (impact.side == 0 && found.lo > 0.0) {
      impact.side = side_at(kind, pair, motion, 0.0);
    }
  }
  return impact;
}

/// The search of this file, for a pair that filter and quick search leave.
template <class Kind>
std::optional<ElementaryImpact> thick(PairKind kind, const PairStep& pair, const ElementaryOptions& options,
                                      TierCounts& tiers) {
  const Normalised n = normalise(pair);
  if (std::ldexp(options.thickness, -n.exponent) > 4.0) {
    // No two points of the pair are 4 sizes apart, so the pair is within thickness from the start.
    ++tiers.filter;
    return describe<Kind>(kind, pair, n.motion, Found{});
  }
  const Limits limits = limits_of(options, n.exponent);
  Found found;
  Outcome outcome = Search<Kind, double>(kind, n.pair, limits).run(found);
  bool used_integers = false;
  if (outcome == Outcome::Undecided) {
    Search<Kind, DoubleDouble> search(kind, n.pair, limits);
    outcome = search.run(found);
    used_integers = search.used_integers();
  }
  ++(used_integers ? tiers.exact : tiers.interval);
  if (outcome == Outcome::Miss) {
    return std::nullopt;
  }
  return describe<Kind>(kind, pair, n.motion, found);
}

/// Runs filter, quick search and search in turn, less those that have run already.
template <class Filter, class Quick, class Search>
std::optional<ElementaryImpact> by_tiers(Filtered filtered, const Filter& filter, const Quick& quick,
                                         const Search& search, TierCounts& tiers) {
  if (filtered == Filtered::No && filter()) {
    ++tiers.filter;
    return std::nullopt;
  }
  if (filtered != Filtered::Quick) {
    const QuickResult result = quick();
    if (result.outcome != IntervalOutcome::Undecided) {
      ++tiers.interval;
      return result.outcome == IntervalOutcome::Contact ? std::optional(result.impact) : std::nullopt;
    }
  }
  return search();
}

}  // namespace

std::optional<ElementaryImpact> thickness_vertex_face(const PairStep& pair, const ElementaryOptions& options,
                                                      Filtered filtered, TierCounts& tiers) {
  const auto filter = [&] {
    return scalar::never_touch_vf<bool>(scalar::to_points(pair), filter_gap(options.thickness), true);
  };
  const auto quick = [&] { return quick_thickness_vertex_face(pair, options); };
  const auto search = [&] { return thick<VertexFace>(PairKind::VertexFace, pair, options, tiers); };
  return by_tiers(filtered, filter, quick, search, tiers);
}

std::optional<ElementaryImpact> thickness_edge_edge(const PairStep& pair, const ElementaryOptions& options,
                                                    Filtered filtered, TierCounts& tiers) {
  const auto filter = [&] {
    return scalar::never_touch_ee<bool>(scalar::to_points(pair), filter_gap(options.thickness), true);
  };
  const auto quick = [&] { return quick_thickness_edge_edge(pair, options); };
  const auto search = [&] { return thick<EdgeEdge>(PairKind::EdgeEdge, pair, options, tiers); };
  return by_tiers(filtered, filter, quick, search, tiers);
}

}  // namespace graze::narrow
