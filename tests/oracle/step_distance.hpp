// The distance of a moving pair over a step: exact at one time, certified bounds over an interval of time.
//
// Branch and bound. Lower bound of a cell [l, r]: for any direction n, the gap min n.(first - second) over the
// corners is a minimum of linear functions of t, hence concave, so that its minimum is at l or r, and the distance
// is at least gap / |n|. The direction n is the exact closest direction at the middle of the cell. Upper bound: the
// exact distance at the middle.
#pragma once

#include "oracle/discrete.hpp"
#include "oracle/exact.hpp"

#include <graze/elementary.hpp>

#include <array>

namespace graze::oracle {

class StepDistance {
 public:
  StepDistance(FeatureKind kind, const PairStep& pair);

  /// The parameter work_limit of the functions below counts cells; cells of pairs with very long numbers (mixed
  /// magnitudes) count several times.

  /// The exact squared distance at time t.
  [[nodiscard]] Fraction distance2_at(const Dyadic& t) const;

  /// lo <= min over [0, 1] of the distance <= hi, with hi - lo <= width unless work_limit was not enough.
  struct Bracket {
    double lo = 0.0;
    double hi = 0.0;
  };
  [[nodiscard]] Bracket minimum(double width, int work_limit = 100000) const;

  /// Proved about the times in [0, end]: some time reaches `near`; none does but some time reaches `far`; none
  /// reaches `far`; Unknown if work_limit was not enough. A time reaches d if the distance is <= d. Precondition: 0
  /// <= near <= far.
  enum class Reach { Near, Far, None, Unknown };
  [[nodiscard]] Reach reach(const Dyadic& near, const Dyadic& far, const Dyadic& end, int work_limit = 500) const;

 private:
  struct Cell {
    Dyadic from;
    Dyadic to;
  };
  [[nodiscard]] std::array<IntegerVec, 4> points_at(const Dyadic& t, int& exponent) const;
  // The squared lower bound over a cell along a direction; zero if the direction does not separate the features.
  [[nodiscard]] Fraction lower_bound2(const Cell& cell, const IntegerVec& direction) const;
  [[nodiscard]] Dyadic gap_at(const Dyadic& t, const IntegerVec& direction) const;

  FeatureKind kind_;
  std::array<IntegerVec, 4> start_;
  std::array<IntegerVec, 4> motion_;
  int exponent_ = 0;
  int cell_cost_ = 1;
};

}  // namespace graze::oracle
