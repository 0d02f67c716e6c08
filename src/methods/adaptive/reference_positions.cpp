// Implementation of reference positions and displacement bounds, with the rounding analysis of their header. See
// reference_positions.hpp.
#include "methods/adaptive/reference_positions.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "core/assert.hpp"
#include "core/tasks.hpp"
#include "geometry/vec.hpp"
#include "geometry/volume.hpp"

namespace graze::methods {

namespace {

constexpr std::size_t kGrain = 4096;

constexpr double kRoundings = 0x1p-48;  // see the rounding analysis in reference_positions.hpp

/// Returns a float that is at least the exact value that x was rounded from; infinity for NaN.
float round_up_with_error(double x, double size) {
  const double more = x + kRoundings * (x + size) + static_cast<double>(std::numeric_limits<float>::min());
  return std::isnan(more) ? std::numeric_limits<float>::infinity() : round_up(more);
}

double speed_of(const Vec3& displacement) {
  return std::sqrt(dot(displacement, displacement));
}

}  // namespace

bool ReferencePositions::begin(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, const Mesh& mesh,
                               const Plan& plan) {
  GRAZE_ASSERT(mesh.groups.size() == x_t0.size() && x_t1.size() == x_t0.size());
  // Squares of doubles, and sums of distances in floats, must neither overflow nor underflow.
  constexpr double kLargest = 1e30;
  constexpr double kSmallest = 1e-25;
  double largest = 0.0;
  for (std::size_t v = 0; v < x_t0.size(); ++v) largest = std::max({largest, max_abs(x_t0[v]), max_abs(x_t1[v])});
  if (!(largest <= kLargest && largest >= kSmallest)) return false;
  points_.resize(x_t0.size());
  displacement_.resize(x_t0.size());
  choose_sample(x_t0, x_t1, mesh.groups);
  place(x_t0, x_t1, mesh, plan);
  drift_bound_ = std::max(drift_bound_, drift_);
  return true;
}

ReferencePositions::Displacement ReferencePositions::displacement_of(VertexId v, const Vec3& x_t0,
                                                                     const Vec3& x_t1) const {
  const Vec3 start = (x_t0 - points_[v].x) - drift_t0_;
  const Vec3 end = (x_t1 - points_[v].x) - drift_t1_;
  const double drift = std::max(max_abs(drift_t0_), max_abs(drift_t1_));
  const auto along = [&](double a, double b) {
    return round_up_with_error(std::max(std::abs(a), std::abs(b)), drift);
  };
  Displacement displacement;
  displacement.distance =
      std::max(round_up_with_error(speed_of(start), drift), round_up_with_error(speed_of(end), drift));
  displacement.along = {along(start.x, end.x), along(start.y, end.y), along(start.z, end.z)};
  return displacement;
}

void ReferencePositions::raise_bound(VertexId v, const Displacement& displacement,
                                     const std::array<double, 3>& sides) {
  ReferencePoint& point = points_[v];
  point.displacement_bound = std::max(point.displacement_bound, displacement.distance);
  displacement_[v] = displacement.distance;
  for (std::size_t k = 0; k < 3; ++k) {
    const double side = std::max(sides[k], static_cast<double>(displacement.along[k]));
    const double share = std::ceil(256.0 * (side / static_cast<double>(point.displacement_bound)));
    // Adding one covers the rounding errors. NaN gives the whole displacement bound.
    point.sides[k] = share < 254.0 ? static_cast<std::uint8_t>(share + 1.0) : ReferencePoint::kWholeBound;
  }
}

void ReferencePositions::choose_sample(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                                       std::span<const std::uint32_t> groups) {
  constexpr std::size_t kMaxSamples = 1024;
  const std::size_t stride = std::max<std::size_t>(1, groups.size() / kMaxSamples);
  sample_.clear();
  Vec3 sum = {};
  for (std::size_t v = 0; v < groups.size(); v += stride) {
    if (!moves(groups[v])) continue;
    sample_.push_back(static_cast<VertexId>(v));
    sum = sum + (x_t1[v] - x_t0[v]);
  }
  step_drift_ = {};
  if (sample_.empty()) return;
  const Vec3 mean = (1.0 / static_cast<double>(sample_.size())) * sum;
  double with = 0.0;
  double without = 0.0;
  for (const VertexId v : sample_) {
    const Vec3 displacement = x_t1[v] - x_t0[v];
    without += speed_of(displacement);
    with += speed_of(displacement - mean);
  }
  // Pairs with static bodies pay for the drift, so subtracting it must at least halve the mean displacement.
  if (with < 0.5 * without) {
    step_drift_ = mean;
  } else {
    sample_.clear();
  }
}

void ReferencePositions::place(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, const Mesh& mesh,
                               const Plan& plan) {
  const double ahead = 0.5 * (plan.alpha - 1.0);
  parallel_for(0, points_.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t v = first; v < last; ++v) {
      if (!moves(mesh.groups[v])) {
        points_[v] = {.x = x_t0[v], .displacement_bound = 0.0F};
        displacement_[v] = 0.0F;
        continue;
      }
      const Vec3 displacement = x_t1[v] - x_t0[v];
      points_[v] = {.x = x_t1[v] + ahead * displacement, .displacement_bound = 0.0F};
      displacement_[v] = static_cast<float>(speed_of(displacement - step_drift_));
    }
  });
  slack_.assign(mesh.mean_edge_lengths.size(), 0.0);
  std::vector<std::size_t> counts(slack_.size(), 0);
  for (std::size_t v = 0; v < points_.size(); ++v) {
    if (!moves(mesh.groups[v])) continue;
    slack_[mesh.groups[v]] += static_cast<double>(displacement_[v]);
    ++counts[mesh.groups[v]];
  }
  for (std::size_t body = 0; body < slack_.size(); ++body) {
    const double mean_speed = counts[body] == 0 ? 0.0 : slack_[body] / static_cast<double>(counts[body]);
    slack_[body] = plan.beta * mean_speed + plan.gamma * mesh.mean_edge_lengths[body];
  }
  drift_t0_ = common_drift(x_t0);
  drift_t1_ = common_drift(x_t1);
  drift_ = drift_size();
  const double half_way = 0.5 * (plan.alpha + 1.0);
  drift_bound_ = round_up((half_way + plan.beta) * speed_of(step_drift_));
  parallel_for(0, points_.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t v = first; v < last; ++v) {
      if (!moves(mesh.groups[v])) continue;
      const double slack = slack_[mesh.groups[v]];
      const Vec3 u = (x_t1[v] - x_t0[v]) - step_drift_;
      points_[v].displacement_bound = plan.bounded
                                          ? round_up(half_way * static_cast<double>(displacement_[v]) + slack)
                                          : std::numeric_limits<float>::infinity();
      raise_bound(
          static_cast<VertexId>(v), displacement_of(static_cast<VertexId>(v), x_t0[v], x_t1[v]),
          {half_way * std::abs(u.x) + slack, half_way * std::abs(u.y) + slack, half_way * std::abs(u.z) + slack});
    }
  });
}

float ReferencePositions::drift_size() const {
  return sample_.empty() ? 0.0F
                         : std::max(round_up_with_error(speed_of(drift_t0_), 0.0),
                                    round_up_with_error(speed_of(drift_t1_), 0.0));
}

Vec3 ReferencePositions::common_drift(std::span<const Vec3> x) const {
  if (sample_.empty()) return {};
  // Use medians, so that one vertex that jumps does not shift all others.
  std::vector<double> along(sample_.size());
  const auto median = [&](double Vec3::*axis) {
    for (std::size_t i = 0; i < along.size(); ++i) along[i] = x[sample_[i]].*axis - points_[sample_[i]].x.*axis;
    const auto middle = along.begin() + static_cast<std::ptrdiff_t>(along.size() / 2);
    std::nth_element(along.begin(), middle, along.end());
    return *middle;
  };
  return {median(&Vec3::x), median(&Vec3::y), median(&Vec3::z)};
}

bool ReferencePositions::measure_displacements(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                                               std::span<const std::uint32_t> groups) {
  GRAZE_ASSERT(x_t0.size() == points_.size() && x_t1.size() == points_.size());
  drift_t0_ = common_drift(x_t0);
  drift_t1_ = common_drift(x_t1);
  drift_ = drift_size();
  std::atomic<bool> unchanged = true;
  parallel_for(0, points_.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      if (groups[i] == kStatic && x_t0[i] != points_[i].x) unchanged.store(false, std::memory_order_relaxed);
      if (!moves(groups[i])) continue;
      const auto v = static_cast<VertexId>(i);
      const Displacement found = displacement_of(v, x_t0[v], x_t1[v]);
      // The computed side is never larger than the side that the bounding volumes were built for.
      bool within = true;
      for (std::size_t k = 0; k < 3; ++k)
        within = within && static_cast<double>(found.along[k]) <= points_[v].side(k);
      displacement_[v] = within ? found.distance : std::numeric_limits<float>::infinity();
    }
  });
  return unchanged;
}

std::size_t ReferencePositions::renew_references(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                                                 const Mesh& mesh, const Plan& plan) {
  std::size_t count = 0;
  for (VertexId v = 0; v < points_.size(); ++v) {
    if (!is_dangling(v)) continue;
    ++count;
    ReferencePoint& point = points_[v];
    // Subtract the drift: reference positions are relative to zero drift.
    const Vec3 end = x_t1[v] - drift_t1_;
    const Vec3 u = end - (x_t0[v] - drift_t0_);
    // A vertex that jumps is not expected to continue at that speed.
    const double alpha = speed_of(u) > 2.0 * static_cast<double>(point.displacement_bound) ? 0.0 : plan.alpha;
    const double half_way = 0.5 * (alpha + 1.0);
    const double slack = slack_[mesh.groups[v]];
    point.x = end + (0.5 * (alpha - 1.0)) * u;
    if (!is_finite(point.x)) point.x = end;
    point.displacement_bound = round_up(half_way * speed_of(u) + slack);
    raise_bound(
        v, displacement_of(v, x_t0[v], x_t1[v]),
        {half_way * std::abs(u.x) + slack, half_way * std::abs(u.y) + slack, half_way * std::abs(u.z) + slack});
  }
  return count;
}

double ReferencePositions::mean_displacement_bound(const Mesh& mesh) const {
  double sum = 0.0;
  std::size_t count = 0;
  for (std::size_t v = 0; v < points_.size(); ++v) {
    if (!moves(mesh.groups[v]) || !(mesh.mean_edge_lengths[mesh.groups[v]] > 0.0)) continue;
    sum += static_cast<double>(points_[v].displacement_bound) / mesh.mean_edge_lengths[mesh.groups[v]];
    ++count;
  }
  return count == 0 ? 0.0 : sum / static_cast<double>(count);
}

std::size_t ReferencePositions::memory_bytes() const {
  return points_.capacity() * sizeof(ReferencePoint) + displacement_.capacity() * sizeof(float) +
         sample_.capacity() * sizeof(VertexId) + slack_.capacity() * sizeof(double);
}

}  // namespace graze::methods
