// Certified distance bounds over a step; the proof of the lower bound is in the header. Cost: a few exact distances
// per cell; the error of the bound decreases with the square of the cell's length, so that few cells are needed.
#include "oracle/step_distance.hpp"

#include <algorithm>
#include <deque>
#include <queue>
#include <span>

namespace graze::oracle {

namespace {

Dyadic middle_of(const Dyadic& a, const Dyadic& b) {
  Dyadic sum = a + b;
  sum.exponent -= 1;
  return sum;
}

// A cell of longer numbers costs more than one unit of work.
constexpr int kOrdinaryBits = 256;
// Bits kept of a separating direction.
constexpr int kKept = 60;

// Any direction is a valid certificate: keeping only the leading bits keeps products short.
IntegerVec shortened(const IntegerVec& direction) {
  int bits = 0;
  for (const Integer& value : direction) {
    if (!value.is_zero()) bits = std::max(bits, static_cast<int>(msb(abs(value))));
  }
  if (bits <= kKept) return direction;
  IntegerVec result;
  for (std::size_t k = 0; k < 3; ++k) {
    const Integer magnitude = abs(direction[k]) >> static_cast<unsigned>(bits - kKept);
    result[k] = direction[k].sign() < 0 ? Integer(-magnitude) : magnitude;
  }
  return result;
}

}  // namespace

StepDistance::StepDistance(FeatureKind kind, const PairStep& pair) : kind_(kind) {
  std::array<Vec3, 8> all;
  std::copy(pair.t0.begin(), pair.t0.end(), all.begin());
  std::copy(pair.t1.begin(), pair.t1.end(), all.begin() + 4);
  const ScaledPoints scaled = scale_to_integers(all);
  exponent_ = scaled.exponent;
  for (std::size_t i = 0; i < 4; ++i) {
    start_[i] = scaled.points[i];
    motion_[i] = scaled.points[i + 4] - scaled.points[i];
  }
  for (const IntegerVec& point : scaled.points) {
    for (const Integer& value : point) {
      if (!value.is_zero()) cell_cost_ = std::max(cell_cost_, static_cast<int>(msb(abs(value))) / kOrdinaryBits);
    }
  }
}

std::array<IntegerVec, 4> StepDistance::points_at(const Dyadic& t, int& exponent) const {
  // t = k 2^-m with m >= 0; positions are start 2^m + motion k in units of 2^(exponent_ - m).
  const unsigned m = t.exponent < 0 ? static_cast<unsigned>(-t.exponent) : 0U;
  const Integer k = t.exponent > 0 ? Integer(t.mantissa << static_cast<unsigned>(t.exponent)) : t.mantissa;
  std::array<IntegerVec, 4> points;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) points[i][axis] = (start_[i][axis] << m) + motion_[i][axis] * k;
  }
  exponent = exponent_ - static_cast<int>(m);
  return points;
}

Fraction StepDistance::distance2_at(const Dyadic& t) const {
  int exponent = 0;
  const auto points = points_at(t, exponent);
  Fraction result = separation(kind_, points).distance2;
  result.exponent += 2 * exponent;
  return result;
}

Dyadic StepDistance::gap_at(const Dyadic& t, const IntegerVec& direction) const {
  int exponent = 0;
  const auto points = points_at(t, exponent);
  std::array<Integer, 4> heights;
  for (std::size_t i = 0; i < 4; ++i) heights[i] = dot(direction, points[i]);
  const std::ptrdiff_t split = kind_ == FeatureKind::VertexFace ? 1 : 2;
  const Integer lowest_first = *std::min_element(heights.begin(), heights.begin() + split);
  const Integer highest_second = *std::max_element(heights.begin() + split, heights.end());
  return {lowest_first - highest_second, exponent};
}

Fraction StepDistance::lower_bound2(const Cell& cell, const IntegerVec& direction) const {
  Dyadic gap = gap_at(cell.from, direction);
  const Dyadic gap_to = gap_at(cell.to, direction);
  if (compare(gap_to, gap) < 0) gap = gap_to;
  if (gap.mantissa <= 0) return {};
  return {gap.mantissa * gap.mantissa, dot(direction, direction), 2 * gap.exponent};
}

StepDistance::Bracket StepDistance::minimum(double width, int work_limit) const {
  struct Entry {
    double lo;
    Cell cell;
    bool operator<(const Entry& other) const { return lo > other.lo; }
  };
  std::priority_queue<Entry> open;
  Bracket best;
  best.hi = std::min(sqrt_up(distance2_at({0, 0})), sqrt_up(distance2_at({1, 0})));
  open.push({0.0, {{0, 0}, {1, 0}}});
  while (true) {
    best.lo = open.empty() ? best.hi : std::min(best.hi, open.top().lo);
    if (best.hi - best.lo <= width || (work_limit -= cell_cost_) < 0) return best;
    const Cell cell = open.top().cell;
    open.pop();
    const Dyadic middle = middle_of(cell.from, cell.to);
    int exponent = 0;
    const auto points = points_at(middle, exponent);
    Separation here = separation(kind_, points);
    here.distance2.exponent += 2 * exponent;
    best.hi = std::min(best.hi, sqrt_up(here.distance2));
    const IntegerVec direction = shortened(here.direction);
    for (const Cell& half : {Cell{cell.from, middle}, Cell{middle, cell.to}}) {
      const double lo = is_zero(direction) ? 0.0 : sqrt_down(lower_bound2(half, direction));
      if (lo < best.hi) open.push({lo, half});
    }
  }
}

StepDistance::Reach StepDistance::reach(const Dyadic& near, const Dyadic& far, const Dyadic& end,
                                        int work_limit) const {
  const Dyadic near2 = near * near;
  const Dyadic far2 = far * far;
  bool some_far = false;
  for (const Dyadic& t : {Dyadic{0, 0}, end}) {
    const Fraction distance2 = distance2_at(t);
    if (compare(distance2, near2) <= 0) return Reach::Near;
    some_far = some_far || compare(distance2, far2) <= 0;
  }
  // First in, first out: cells shrink evenly, so that a difficult time does not delay an easy answer elsewhere.
  std::deque<Cell> open{{{0, 0}, end}};
  while (!open.empty()) {
    if ((work_limit -= cell_cost_) < 0) return Reach::Unknown;
    const Cell cell = open.front();
    open.pop_front();
    const Dyadic middle = middle_of(cell.from, cell.to);
    int exponent = 0;
    const auto points = points_at(middle, exponent);
    Separation here = separation(kind_, points);
    here.distance2.exponent += 2 * exponent;
    if (compare(here.distance2, near2) <= 0) return Reach::Near;
    some_far = some_far || compare(here.distance2, far2) <= 0;
    const IntegerVec direction = shortened(here.direction);
    const Fraction bound2 = is_zero(direction) ? Fraction{} : lower_bound2(cell, direction);
    // A cell beyond `far` adds nothing; once some time reaches `far`, only `near` is still undecided.
    if (compare(bound2, some_far ? near2 : far2) > 0) continue;
    open.push_back({cell.from, middle});
    open.push_back({middle, cell.to});
  }
  return some_far ? Reach::Far : Reach::None;
}

}  // namespace graze::oracle
