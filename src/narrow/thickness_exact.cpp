// Thickness tests in integers. See thickness.cpp for the method; here every comparison is exact.
//
// Times are k / 2^j; positions at such a time are integers on the lattice of the coordinates refined by 2^j, and so
// are delta and the limit. delta |n| is compared by squares. It ends: take an interval [l, r] whose middle m is no
// hit, so the distance at m is > limit > delta. Along the direction n of the closest points at m the gap at m is
// |n| times the distance, and it changes by at most |n| V |t - m| for points of relative speed V; so once V (r - l)
// / 2 < limit - delta both halves are dropped. Every step at least halves an interval (a hit drops all to its
// right), and the tree of halves is finite. Speed: the chord of the gap cuts off far more than half of an interval
// where contact is approached steadily.
#include "narrow/thickness_exact.hpp"

#include "narrow/exact_closest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace graze::narrow {

namespace {

/// k / 2^j.
struct Dyadic {
  Int k;
  unsigned j = 0;
};

/// [l, r] / 2^j.
struct DyadicInterval {
  Int l;
  Int r;
  unsigned j = 0;
};

Dyadic to_dyadic(double t) {
  const OddDouble odd = to_odd(t);
  if (odd.exponent >= 0) {
    return {Int(odd.mantissa) << static_cast<unsigned>(odd.exponent), 0};
  }
  return {Int(odd.mantissa), static_cast<unsigned>(-odd.exponent)};
}

DyadicInterval to_interval(double l, double r) {
  Dyadic from = to_dyadic(l);
  Dyadic to = to_dyadic(r);
  const unsigned j = std::max(from.j, to.j);
  return {from.k << (j - from.j), to.k << (j - to.j), j};
}

void strip_common_zeros(DyadicInterval& i) {
  unsigned zeros = std::min(i.j, static_cast<unsigned>(lsb(i.r)));
  if (!i.l.is_zero()) {
    zeros = std::min(zeros, static_cast<unsigned>(lsb(i.l)));
  }
  i.l >>= zeros;
  i.r >>= zeros;
  i.j -= zeros;
}

/// k cut down to its 53 leading bits.
Int leading_53(const Int& k) {
  if (k.is_zero()) {
    return k;
  }
  const auto top = static_cast<unsigned>(msb(k));
  return top <= 52 ? k : Int((k >> (top - 52)) << (top - 52));
}

constexpr int kLeastExponent = -1000;  // times below 2^-1000 are rounded to 0 or up to it

double round_down(const Int& k, unsigned j) {
  if (k.is_zero() || static_cast<int>(msb(k)) - static_cast<int>(j) < kLeastExponent) {
    return 0.0;
  }
  const auto top = static_cast<unsigned>(msb(k));
  const unsigned cut = top > 52 ? top - 52 : 0;
  const auto leading = static_cast<std::uint64_t>(Int(k >> cut));
  return std::ldexp(static_cast<double>(leading), static_cast<int>(cut) - static_cast<int>(j));
}

double round_up(const Int& k, unsigned j) {
  if (k.is_zero()) {
    return 0.0;
  }
  if (static_cast<int>(msb(k)) - static_cast<int>(j) < kLeastExponent) {
    return std::ldexp(1.0, kLeastExponent);
  }
  const double down = round_down(k, j);
  return leading_53(k) == k ? down : std::min(1.0, std::nextafter(down, 2.0));
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

  /// The points at time k / 2^j, times 2^j.
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
  // Leading bits of the largest component set the scale; then doubles do.
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

class Search {
 public:
  Search(PairKind kind, const PairStep& pair, double delta, double limit, double tolerance,
         const ThickSearch& known)
      : kind_(kind), tolerance_(tolerance), motion_(pair, lattice_of(delta, limit)) {
    delta_ = motion_.lattice()(delta);
    limit_ = motion_.lattice()(limit);
    pending_.push_back(to_interval(known.lo, known.end));
    if (known.hit) {
      hit_ = to_dyadic(known.end);
      have_hit_ = true;
    }
  }

  /// True: the pair comes within the limit; lo() and hit() say when.
  bool run() {
    while (!pending_.empty()) {
      DyadicInterval i = std::move(pending_.back());
      pending_.pop_back();
      lo_ = round_down(i.l, i.j);
      if (have_hit_ && round_up(hit_.k, hit_.j) - lo_ <= tolerance_) {
        return true;
      }
      step(i);
    }
    if (have_hit_) {
      lo_ = round_down(hit_.k, hit_.j);  // everything before the hit was dropped
    }
    return have_hit_;
  }

  double lo() const { return lo_; }
  double hi() const { return round_up(hit_.k, hit_.j); }

  /// Time 0 is asked first: contact from the start is common, and then the interval is [0, 0].
  bool hit_at_start() {
    const ExactClosest c = exact_closest(kind_, motion_.at(Int(0), 0));
    if (c.num > limit_ * limit_ * c.den) {
      return false;
    }
    hit_ = {};
    lo_ = 0.0;
    return true;
  }

 private:
  static Lattice lattice_of(double delta, double limit) {
    Lattice lattice;
    lattice.include(delta);
    lattice.include(limit);
    return lattice;
  }

  void step(const DyadicInterval& i) {
    const unsigned j = i.j + 1;
    const Int l = i.l << 1U;
    const Int r = i.r << 1U;
    const Int middle = i.l + i.r;
    Int m = leading_53(middle);  // a double, if one lies inside
    if (m <= l) {
      m = middle;
    }
    const IntPoints at_m = motion_.at(m, j);
    const ExactClosest c = exact_closest(kind_, at_m);
    const Int scaled_limit = limit_ << j;
    const bool hit = c.num <= scaled_limit * scaled_limit * c.den;
    if (hit) {
      hit_ = {m, j};
      have_hit_ = true;
      pending_.clear();
    }
    const IntVec& n = c.direction;
    const Int nn = dot(n, n);
    if (nn.is_zero()) {
      push(l, m, j);  // touching at m, so it was a hit
      return;
    }
    const Int delta = delta_ << j;
    const Int bound2 = delta * delta * nn;
    const Int bound = root_above(bound2);
    const auto beyond = [&](const Int& g) { return g.sign() > 0 && g * g > bound2; };
    const Int gap_l = exact_gap(kind_, n, motion_.at(l, j));
    const Int gap_m = exact_gap(kind_, n, at_m);
    const bool l_beyond = beyond(gap_l);
    const bool m_beyond = beyond(gap_m);
    if (!hit) {
      const Int gap_r = exact_gap(kind_, n, motion_.at(r, j));
      if (!beyond(gap_r)) {
        push_clipped_left(m, r, j, gap_m - bound, gap_r - bound);
      }
      if (!l_beyond) {
        push_clipped_right(l, m, j, gap_l - bound, gap_m - bound);
      }
    } else if (!l_beyond) {
      push(l, m, j);
    } else if (!m_beyond) {
      push_clipped_left(l, m, j, gap_l - bound, gap_m - bound);
    }
  }

  /// An integer >= sqrt(n), larger by a factor of at most 1 + 2^-62 (or by 1).
  static Int root_above(const Int& n) {
    if (n.is_zero()) {
      return Int(0);
    }
    const int excess = static_cast<int>(msb(n)) - 130;
    const auto shift = static_cast<unsigned>(excess > 0 ? excess + excess % 2 : 0);
    return (boost::multiprecision::sqrt(Int(n >> shift)) + 1) << (shift / 2);
  }

  /// What remains of the end of [from, to] where the chord from f_from to f_to (> 0 means beyond) is not > 0, as a
  /// fraction / 2^bits of the interval, rounded up to about 5 leading bits. f_from <= 0 or f_to > 0: all of it.
  static std::pair<Int, unsigned> remainder(const Int& f_beyond, const Int& f_within) {
    if (f_beyond.sign() <= 0 || f_within.sign() > 0) {
      return {Int(1), 0U};
    }
    constexpr unsigned bits_kept = 128;
    // The chord is >= 0 on the first floor(2^128 f / (f - g)) parts, and delta |n| < bound strictly.
    const Int rest = (Int(1) << bits_kept) - (f_beyond << bits_kept) / (f_beyond - f_within);
    const auto top = rest.is_zero() ? 0U : static_cast<unsigned>(msb(rest));
    const unsigned cut = top > 4 ? top - 4 : 0;
    return {(rest >> cut) + 1, bits_kept - cut};
  }

  void push_clipped_left(const Int& l, const Int& r, unsigned j, const Int& f_l, const Int& f_r) {
    const auto [part, bits] = remainder(f_l, f_r);
    const Int fine_r = r << bits;
    push(std::max(Int(l << bits), Int(fine_r - (r - l) * part)), fine_r, j + bits);
  }

  void push_clipped_right(const Int& l, const Int& r, unsigned j, const Int& f_l, const Int& f_r) {
    const auto [part, bits] = remainder(f_r, f_l);
    const Int fine_l = l << bits;
    push(fine_l, std::min(Int(r << bits), Int(fine_l + (r - l) * part)), j + bits);
  }

  void push(const Int& l, const Int& r, unsigned j) {
    DyadicInterval i{l, r, j};
    strip_common_zeros(i);
    pending_.push_back(std::move(i));
  }

  PairKind kind_;
  double tolerance_;
  Motion motion_;
  Int delta_;
  Int limit_;
  std::vector<DyadicInterval> pending_;  // in time order, the earliest last
  double lo_ = 0.0;
  Dyadic hit_;
  bool have_hit_ = false;
};

}  // namespace

bool exact_thick(PairKind kind, const PairStep& pair, double delta, double limit, double tolerance,
                 ThickSearch& state) {
  Search search(kind, pair, delta, limit, tolerance, state);
  if (!(state.lo == 0.0 && search.hit_at_start()) && !search.run()) {
    return false;
  }
  state = {search.lo(), search.hi(), true};
  return true;
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
