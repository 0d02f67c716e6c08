// Projections of two moving objects over a slab of time. See the header.
#include "rigid/motion/moving_slab.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "geometry/vec.hpp"

namespace graze::rigid {

namespace {

Vec3 column(const Rows& m, std::size_t k) {
  if (k == 0) return {m[0].x, m[1].x, m[2].x};
  if (k == 1) return {m[0].y, m[1].y, m[2].y};
  return {m[0].z, m[1].z, m[2].z};
}

}  // namespace

MovingObject::MovingObject(const ObjectState& state, Motion its_motion, int exponent)
    : object(state),
      motion(std::move(its_motion)),
      unit(std::ldexp(1.0, state.boxtree.local_frame.exponent - exponent)),
      middle(motion.from_centre(state.boxtree.local_frame.origin)),
      far(length(middle) + 1.75 * unit),
      slack(2.0 * boxtree_slack(state.boxtree)) {
  // The speed perpendicular to the axis is the length of a linear function of the relative coordinates, at most
  // that at the middle of the root's box plus the half sides times the slopes. kVelocityError covers the rounding.
  const Rows& start = motion.start().rotation;
  Vec3 lever = motion.angle() * cross(motion.axis(), times(start, middle)) + motion.sweep();
  double more = 0.0;
  double square = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto lo = static_cast<double>(state.boxtree.lo[i]);
    const auto hi = static_cast<double>(state.boxtree.hi[i]);
    const Vec3 slope = (motion.angle() * unit) * cross(motion.axis(), column(start, i));
    lever = lever + (0.5 * (lo + hi)) * slope;
    more += (0.5 * (hi - lo) + slack) * length(slope);
    square += (hi - lo) * (hi - lo);
  }
  size = unit * std::sqrt(square);
  const double transverse_speed = length(lever) + more + kVelocityError;
  speed = motion.speed(transverse_speed, far);
  acceleration_bound = motion.acceleration_bound(transverse_speed, far);
}

MovingSlab::MovingSlab(const MovingObject& a, const MovingObject& b, double t0, double t1)
    : a_(a),
      b_(b),
      t0_(t0),
      t1_(t1),
      at_a_{a.motion.at(t0), a.motion.at(t1)},
      at_b_{b.motion.at(t0), b.motion.at(t1)},
      between_{} {
  for (std::size_t end = 0; end < 2; ++end) between_[end] = at_b_[end].point(b.middle) - at_a_[end].point(a.middle);
}

std::array<Vec3, 3> MovingSlab::axes(const std::array<Motion::Instant, 2>& at) {
  // Columns have length 1 within 1e-6.
  std::array<Vec3, 3> result;
  for (std::size_t i = 0; i < 3; ++i) result[i] = (0.5 - 0x1p-19) * (column(at[0].turn, i) + column(at[1].turn, i));
  return result;
}

double MovingSlab::bend(const Vec3& direction) const {
  const double acceleration = length_of_product(direction, a_.motion.axis()) * a_.acceleration_bound +
                              length_of_product(direction, b_.motion.axis()) * b_.acceleration_bound + kSpeedMargin;
  return acceleration * duration() * duration() * (0.125 + 0x1p-40);
}

double MovingSlab::bend() const {
  return (a_.acceleration_bound + b_.acceleration_bound) * duration() * duration() * 0.125;
}

std::array<Vec3, kSlabDirections> MovingSlab::box_directions() const {
  const std::array<Vec3, 3> a = axes_a();
  const std::array<Vec3, 3> b = axes_b();
  std::array<Vec3, kSlabDirections> directions{};
  for (std::size_t i = 0; i < 3; ++i) {
    directions[i] = a[i];
    directions[3 + i] = b[i];
    for (std::size_t j = 0; j < 3; ++j) directions[6 + 3 * i + j] = cross(a[i], b[j]);
  }
  return directions;
}

TimeWindow<double> MovingSlab::root_window() const {
  TimeWindow<double> window;
  const auto reach = [](const MovingObject& object, const Motion::Instant& at, const Vec3& d) {
    double lo = 0.0;
    double hi = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double slope = object.unit * dot(d, column(at.turn, i));
      const double one = slope * static_cast<double>(object.object.boxtree.lo[i]);
      const double other = slope * static_cast<double>(object.object.boxtree.hi[i]);
      lo += std::min(one, other) - object.slack * std::abs(slope);
      hi += std::max(one, other) + object.slack * std::abs(slope);
    }
    return std::pair(lo, hi);
  };
  for (const Vec3& d : box_directions()) {
    const double margin = bend(d) + kGapMargin;
    std::array<double, 2> forward{};   // from a to b
    std::array<double, 2> backward{};  // from b to a
    for (std::size_t end = 0; end < 2; ++end) {
      const double offset = dot(d, between_[end]);
      const auto [lo_a, hi_a] = reach(a_, at_a_[end], d);
      const auto [lo_b, hi_b] = reach(b_, at_b_[end], d);
      forward[end] = offset + lo_b - hi_a - margin;
      backward[end] = lo_a - (offset + hi_b) - margin;
    }
    for (const auto& gap : {forward, backward}) {
      if (gap[0] > 0.0 && gap[1] > 0.0) return {1.0, 1.0};
      if (gap[0] > 0.0) window.start = std::max(window.start, gap[0] / (gap[0] - gap[1]) * (1.0 - 0x1p-48));
      if (gap[1] > 0.0) window.tail = std::max(window.tail, gap[1] / (gap[1] - gap[0]) * (1.0 - 0x1p-48));
    }
  }
  return window;
}

void MovingSlab::project(const std::array<Vec3, kSlabDirections>& directions, SlabFrame& frame) const {
  const double steps_a = static_cast<double>(a_.object.boxtree.depth);
  const double steps_b = static_cast<double>(b_.object.boxtree.depth);
  const double both = a_.unit + b_.unit;
  const double rounding =
      1.001 * 1.75 *
          (0x1p-23 * (both + far()) + a_.slack * a_.unit + b_.slack * b_.unit +
           0x1p-22 * (2.0 * (steps_a + 8.0) * a_.unit + 2.0 * (steps_b + 8.0) * (b_.unit + far()))) +
      kGapMargin + 0x1p-120;
  for (std::size_t end = 0; end < 2; ++end) {
    std::array<Vec3, 3> columns_a;
    std::array<Vec3, 3> columns_b;
    for (std::size_t i = 0; i < 3; ++i) {
      columns_a[i] = a_.unit * column(at_a_[end].turn, i);
      columns_b[i] = b_.unit * column(at_b_[end].turn, i);
    }
    for (std::size_t k = 0; k < kSlabDirections; ++k) {
      const Vec3& d = directions[k];
      for (std::size_t i = 0; i < 3; ++i) {
        frame.slope_a[end][i][k] = static_cast<float>(dot(d, columns_a[i]));
        frame.slope_b[end][i][k] = static_cast<float>(dot(d, columns_b[i]));
      }
      const double offset = dot(d, between_[end]);
      const double margin = (rounding + bend(d)) * (1.0 + 0x1p-20);
      frame.before[end][k] = static_cast<float>(offset - margin);
      frame.beyond[end][k] = static_cast<float>(offset + margin);
    }
  }
}

}  // namespace graze::rigid
