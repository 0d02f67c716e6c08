// The distance of a moving pair over a step: exact at one time, certified bounds over an interval of time.
//
// Branch and bound. Lower bound of a cell [l, r]: for any direction n, the gap min n.(first - second) over the
// corners is a minimum of linear functions of t, hence concave, so its least value is at l or r, and the distance
// is at least gap / |n|. n is the exact closest direction at the cell's middle. Upper bound: the exact distance
// there.
#pragma once

#include "oracle/discrete.hpp"
#include "oracle/exact.hpp"

#include <graze/elementary.hpp>

#include <array>

namespace graze::oracle {

class StepDistance {
 public:
  StepDistance(FeatureKind kind, const PairStep& pair);

  /// A work_limit below counts cells, those of pairs with very long numbers (mixed magnitudes) several times.

  /// The exact squared distance at time t.
  [[nodiscard]] Fraction distance2_at(const Dyadic& t) const;

  /// lo <= min over [0, 1] of the distance <= hi, with hi - lo <= width unless work_limit was not enough.
  struct Bracket {
    double lo = 0.0;
    double hi = 0.0;
  };
  [[nodiscard]] Bracket minimum(double width, int work_limit = 100000) const;

  /// What is proved about the times in [0, end]: some of them reach `near`; none does but some reach `far`; none
  /// reaches `far`. Unknown where work_limit was not enough. Reaching d is a distance <= d.
  /// Precondition: 0 <= near <= far.
  enum class Reach { Near, Far, None, Unknown };
  [[nodiscard]] Reach reach(const Dyadic& near, const Dyadic& far, const Dyadic& end, int work_limit = 500) const;

 private:
  struct Cell {
    Dyadic from;
    Dyadic to;
  };
  [[nodiscard]] std::array<IntegerVec, 4> points_at(const Dyadic& t, int& exponent) const;
  // The squared lower bound over a cell along a direction; zero where the direction separates nothing.
  [[nodiscard]] Fraction lower_bound2(const Cell& cell, const IntegerVec& direction) const;
  [[nodiscard]] Dyadic gap_at(const Dyadic& t, const IntegerVec& direction) const;

  FeatureKind kind_;
  std::array<IntegerVec, 4> start_;
  std::array<IntegerVec, 4> motion_;
  int exponent_ = 0;
  int cell_cost_ = 1;
};

}  // namespace graze::oracle
