// When does a pair first come within delta? Certified subdivision of time, in doubles, then double-doubles, then
// integers.
//
// For a fixed direction n let g(t) = min over points of the first feature of n.p(t) - max over the second's. A
// minimum of linear functions is concave, so g lies above its chords: where a chord of g is > delta |n| the pair is
// beyond delta. At a time m inside [l, r] take the closest points and n along them. Then
//   distance at m <= limit     a hit: nothing after m matters, look for an earlier one in [l, m];
//   otherwise                  g(m) = |n| distance > delta |n|, and the chords from m to l and to r cut a part next
//   to m
//                              off either half, or all of it.
// The chords' error is of second order in r - l, so steady motion takes two or three steps, whatever the tolerance.
// All comparisons allow for rounding (bounds in closest.hpp, whose error is kError * (L + delta)); where they leave
// both answers open, at slivers that no weights fit, the next tier goes on from there.
//
// Before the search a pair is normalised: points relative to the first one, scaled by a power of two so that its
// size E (the largest coordinate) is in [1/2, 1], rounded to multiples of 2^-60. That moves distances by less than
// 2^-49, so the search runs with delta + 2^-48 and limit = delta + slack - 2^-48, and what it finds holds for the
// pair as given. The slack is tolerance * min(1, thickness), but no less than 2^-44 (scaled: at most 2^-43 E). That
// floor, far below what the coordinates resolve, bounds the work for all magnitudes: a step of time of one ulp
// moves the pair by less than 2^-49, so doubles suffice for times, and integers of some 60 bits for the last tier.
#include "narrow/thickness.hpp"

#include "narrow/closest.hpp"
#include "narrow/exact_closest.hpp"
#include "narrow/thickness_exact.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace graze::narrow {

namespace {

constexpr int kStepBudget = 192;

// What the search compares with, for the normalised pair: delta and limit of the file head.
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

/// The part of [l, r] that the chord from f_l > 0 to f_r <= 0 leaves, rounded outward: the fraction errs by a few
/// units roundoff, for which 2^-40 is plenty; the last sum by less than the step of nextafter.
double clip_left(double l, double r, double f_l, double f_r) {
  const double part = (r - l) * (f_l / (f_l - f_r)) * (1.0 - 0x1p-40);
  return std::clamp(std::nextafter(l + part, -1.0), l, r);
}
double clip_right(double l, double r, double f_l, double f_r) {
  const double part = (r - l) * (f_r / (f_r - f_l)) * (1.0 - 0x1p-40);
  return std::clamp(std::nextafter(r - part, 2.0), l, r);
}

template <class Kind, class T>
class Search {
 public:
  Search(const PairStep& pair, const Limits& limits, ThickSearch& state)
      : motion_{relative_to_first<T>(pair.t0), relative_to_first<T>(pair.t1)},
        limits_(limits),
        error_(kError<T> * (1.0 + limits.delta)),
        state_(state) {}

  Outcome run() {
    push(state_.lo, state_.end, 0);
    for (int step = 0; count_ > 0; ++step) {
      const Pending interval = pending_[--count_];
      state_.lo = interval.l;
      if (state_.hit && state_.end - interval.l <= limits_.tolerance) {
        return Outcome::Hit;
      }
      if (step == kStepBudget || !this->step(interval)) {
        return Outcome::Undecided;
      }
      if (step == 0 && count_ > 0 && state_.lo == 0.0 && is_hit(Kind::closest(motion_.t0))) {
        state_ = {0.0, 0.0, true};
        return Outcome::Hit;
      }
    }
    if (state_.hit) {
      state_.lo = state_.end;
      return Outcome::Hit;
    }
    return Outcome::Miss;
  }

 private:
  struct Pending {
    double l;
    double r;
    int probes;  // how often to test just after l, where contact is expected, before the middle again
  };

  bool is_hit(const Closest<T>& c) const { return square_root(c.x2) + T(error_) <= T(limits_.limit); }

  /// One test time in the interval; false: this arithmetic can't decide.
  bool step(const Pending& i) {
    double m = 0.5 * (i.l + i.r);
    int probes = 2;
    if (i.probes > 0 && i.l + 0.5 * limits_.tolerance < m) {
      m = i.l + 0.5 * limits_.tolerance;
      probes = i.probes - 1;
    }
    if (!(i.l < m && m < i.r)) {
      return last_step(i);
    }
    const Relative<T> at_m = motion_.at(m);
    const Closest<T> c = Kind::closest(at_m);
    const bool hit = is_hit(c);
    if (hit) {
      state_.hit = true;
      state_.end = m;
      count_ = 0;
    }
    if (!(to_double(c.x2) > kNoDirection)) {
      if (hit) {
        push(i.l, m, 0);
      }
      return hit;
    }
    // f > 0: beyond delta, error and all.
    const T bound = square_root(c.x2) * (T(limits_.delta) + T(error_));
    const double f_l = to_double(Kind::gap(c.x, motion_.at(i.l)) - bound);
    const double f_m = to_double(Kind::gap(c.x, at_m) - bound);
    if (hit) {
      if (!(f_l > 0.0)) {
        push(i.l, m, 0);
      } else if (!(f_m > 0.0)) {
        push(clip_left(i.l, m, f_l, f_m), m, probes);
      }
      return true;
    }
    if (!(f_m > 0.0)) {
      return false;
    }
    const double f_r = to_double(Kind::gap(c.x, motion_.at(i.r)) - bound);
    if (!(f_r > 0.0)) {
      push(clip_left(m, i.r, f_m, f_r), i.r, probes);
    }
    if (!(f_l > 0.0)) {
      push(i.l, clip_right(i.l, m, f_l, f_m), 0);
    }
    return true;
  }

  /// Between neighbouring doubles the pair moves by less than limit - delta: the upper one tells.
  bool last_step(const Pending& i) {
    const Relative<T> at_r = motion_.at(i.r);
    const Closest<T> c = Kind::closest(at_r);
    if (is_hit(c)) {
      state_ = {i.l, i.r, true};
      count_ = 0;
      push(i.l, i.r, 0);
      return true;
    }
    return Kind::gap(c.x, at_r) > square_root(c.x2) * (T(0.5 * (limits_.delta + limits_.limit)) + T(error_));
  }

  void push(double l, double r, int probes) { pending_[count_++] = {l, r, probes}; }

  Motion<T> motion_;
  Limits limits_;
  double error_;
  ThickSearch& state_;
  std::array<Pending, kStepBudget + 4> pending_;  // in time order, the earliest last; a step adds at most one
  std::size_t count_ = 0;
};

// Beyond delta along one axis, in the same order at both ends, hence throughout. Exact: see within.cpp on rounding.
template <std::size_t kFirst>
bool axis_separated(const PairStep& pair, double delta) {
  const auto axis = [&](double Vec3::*c) {
    const auto gaps = [&](const std::array<Vec3, 4>& p) {
      double a_low = p[0].*c;
      double a_high = a_low;
      double b_low = p[3].*c;
      double b_high = b_low;
      for (std::size_t i = 1; i < 3; ++i) {
        double& low = i < kFirst ? a_low : b_low;
        double& high = i < kFirst ? a_high : b_high;
        low = std::min(low, p[i].*c);
        high = std::max(high, p[i].*c);
      }
      return std::array{a_low - b_high, b_low - a_high};
    };
    const auto start = gaps(pair.t0);
    const auto end = gaps(pair.t1);
    return (start[0] > delta && end[0] > delta) || (start[1] > delta && end[1] > delta);
  };
  return axis(&Vec3::x) || axis(&Vec3::y) || axis(&Vec3::z);
}

// A pair made ready for the search, see the head of this file.
struct Normalised {
  Motion<DoubleDouble> motion;  // relative to the first point, scaled by 2^-exponent
  PairStep pair;                // the same rounded to 2^-60: the first point is 0
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
  if (!std::isfinite(
          size)) {  // differences beyond the largest double; what scaling takes from the smallest is nothing
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

// delta and limit of the normalised pair, on the lattice of its points; delta at most 8.
Limits limits_of(const ElementaryOptions& options, int exponent) {
  const double delta = std::ldexp(options.thickness, -exponent);
  const double slack = std::max(
      0x1p-44, std::ldexp(options.tolerance * std::min(1.0, options.thickness), -exponent) * (1.0 - 0x1p-40));
  return {std::ceil((delta + 0x1p-48) * 0x1p60) * 0x1p-60,
          std::floor((delta + std::min(slack, 16.0) - 0x1p-48) * 0x1p60) * 0x1p-60, options.tolerance};
}

// Side at time t: the determinant of three differences of at most 2 a coordinate, each in error by 10u. Its six
// products are at most 8 and err by (3 * 5 + 5) u relative to that: 2^10 u in all is generous.
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
                          const ThickSearch& found) {
  const Closest<DoubleDouble> c = Kind::closest(motion.at(found.end));
  // The direction must be good to a few ulps; else (touching, or nearly) integers describe the contact.
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

template <class Kind, std::size_t kFirst>
std::optional<ElementaryImpact> thick(PairKind kind, const PairStep& pair, const ElementaryOptions& options,
                                      TierCounts& tiers) {
  if (axis_separated<kFirst>(pair, options.thickness)) {
    ++tiers.filter;
    return std::nullopt;
  }
  const Normalised n = normalise(pair);
  ThickSearch state;
  if (std::ldexp(options.thickness, -n.exponent) > 4.0) {
    // No two points of the pair are 4 sizes apart: within thickness from the start.
    ++tiers.filter;
    state = {0.0, 0.0, true};
    return describe<Kind>(kind, pair, n.motion, state);
  }
  const Limits limits = limits_of(options, n.exponent);
  Outcome outcome = Search<Kind, double>(n.pair, limits, state).run();
  if (outcome == Outcome::Undecided) {
    outcome = Search<Kind, DoubleDouble>(n.pair, limits, state).run();
  }
  if (outcome == Outcome::Undecided) {
    ++tiers.exact;
    if (!exact_thick(kind, n.pair, limits.delta, limits.limit, limits.tolerance, state)) {
      return std::nullopt;
    }
  } else {
    ++tiers.interval;
    if (outcome == Outcome::Miss) {
      return std::nullopt;
    }
  }
  return describe<Kind>(kind, pair, n.motion, state);
}

}  // namespace

std::optional<ElementaryImpact> thick_vertex_face(const PairStep& pair, const ElementaryOptions& options,
                                                  TierCounts& tiers) {
  return thick<VertexFace, 1>(PairKind::VertexFace, pair, options, tiers);
}

std::optional<ElementaryImpact> thick_edge_edge(const PairStep& pair, const ElementaryOptions& options,
                                                TierCounts& tiers) {
  return thick<EdgeEdge, 2>(PairKind::EdgeEdge, pair, options, tiers);
}

}  // namespace graze::narrow
