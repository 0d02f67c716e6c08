// See homes.hpp.
#include "coherence/homes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/assert.hpp"
#include "core/tasks.hpp"
#include "geometry/vec.hpp"
#include "geometry/volume.hpp"

namespace graze {

namespace {

constexpr std::size_t kGrain = 4096;

/// Never less than |difference - drift|, for both as doubles give them; see homes.hpp.
float distance_above(const Vec3& from_home, const Vec3& drift) {
  constexpr double kRoundings = 0x1p-48;
  const Vec3 stray = from_home - drift;
  const double distance = std::sqrt(dot(stray, stray));
  const double above =
      distance + kRoundings * (distance + max_abs(drift)) + static_cast<double>(std::numeric_limits<float>::min());
  return std::isnan(above) ? std::numeric_limits<float>::infinity() : round_up(above);
}

double speed_of(const Vec3& displacement) {
  return std::sqrt(dot(displacement, displacement));
}

}  // namespace

bool Homes::begin(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, const Mesh& mesh, const Plan& plan) {
  GRAZE_ASSERT(mesh.groups.size() == x_t0.size() && x_t1.size() == x_t0.size());
  // Squares of doubles, and sums of distances in floats, must neither overflow nor vanish.
  constexpr double kLargest = 1e30;
  constexpr double kSmallest = 1e-25;
  double largest = 0.0;
  for (std::size_t v = 0; v < x_t0.size(); ++v) largest = std::max({largest, max_abs(x_t0[v]), max_abs(x_t1[v])});
  if (!(largest <= kLargest && largest >= kSmallest)) return false;
  points_.resize(x_t0.size());
  choose_sample(x_t0, x_t1, mesh.groups);
  place(x_t0, x_t1, mesh, plan);
  stray(x_t0, x_t1, mesh.groups);
  for (HomePoint& point : points_) point.reach = std::max(point.reach, point.strayed);
  drift_reach_ = std::max(drift_reach_, drift_);
  return true;
}

void Homes::choose_sample(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                          std::span<const std::uint32_t> groups) {
  constexpr std::size_t kMost = 1024;
  const std::size_t stride = std::max<std::size_t>(1, groups.size() / kMost);
  sample_.clear();
  Vec3 sum = {};
  for (std::size_t v = 0; v < groups.size(); v += stride) {
    if (groups[v] == kStill) continue;
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
  // Pairs with still bodies pay for it, so it must be worth something.
  if (with < 0.5 * without) {
    step_drift_ = mean;
  } else {
    sample_.clear();
  }
}

void Homes::place(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, const Mesh& mesh, const Plan& plan) {
  const double ahead = 0.5 * (plan.alpha - 1.0);
  parallel_for(0, points_.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t v = first; v < last; ++v) {
      if (mesh.groups[v] == kStill) {
        points_[v] = {x_t0[v], 0.0F, 0.0F};
        continue;
      }
      const Vec3 displacement = x_t1[v] - x_t0[v];
      points_[v] = {x_t1[v] + ahead * displacement, 0.0F, static_cast<float>(speed_of(displacement - step_drift_))};
    }
  });
  slack_.assign(mesh.mean_edge_lengths.size(), 0.0);
  std::vector<std::size_t> counts(slack_.size(), 0);
  for (std::size_t v = 0; v < points_.size(); ++v) {
    if (mesh.groups[v] == kStill) continue;
    slack_[mesh.groups[v]] += static_cast<double>(points_[v].strayed);
    ++counts[mesh.groups[v]];
  }
  for (std::size_t body = 0; body < slack_.size(); ++body) {
    const double mean_speed = counts[body] == 0 ? 0.0 : slack_[body] / static_cast<double>(counts[body]);
    slack_[body] = plan.beta * mean_speed + plan.gamma * mesh.mean_edge_lengths[body];
  }
  const double half_way = 0.5 * (plan.alpha + 1.0);
  parallel_for(0, points_.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t v = first; v < last; ++v) {
      if (mesh.groups[v] == kStill) continue;
      points_[v].reach = plan.bounded
                             ? round_up(half_way * static_cast<double>(points_[v].strayed) + slack_[mesh.groups[v]])
                             : std::numeric_limits<float>::infinity();
    }
  });
  drift_reach_ = round_up((half_way + plan.beta) * speed_of(step_drift_));
}

Vec3 Homes::common_drift(std::span<const Vec3> x) const {
  if (sample_.empty()) return {};
  Vec3 sum = {};
  for (const VertexId v : sample_) sum = sum + (x[v] - points_[v].x);
  return (1.0 / static_cast<double>(sample_.size())) * sum;
}

void Homes::stray(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, std::span<const std::uint32_t> groups) {
  GRAZE_ASSERT(x_t0.size() == points_.size() && x_t1.size() == points_.size());
  drift_t0_ = common_drift(x_t0);
  drift_t1_ = common_drift(x_t1);
  drift_ = sample_.empty() ? 0.0F : std::max(distance_above(drift_t0_, {}), distance_above(drift_t1_, {}));
  parallel_for(0, points_.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t v = first; v < last; ++v) {
      if (groups[v] == kStill) continue;
      HomePoint& point = points_[v];
      point.strayed =
          std::max(distance_above(x_t0[v] - point.x, drift_t0_), distance_above(x_t1[v] - point.x, drift_t1_));
    }
  });
}

std::size_t Homes::rehome(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, const Mesh& mesh,
                          const Plan& plan) {
  std::size_t count = 0;
  for (VertexId v = 0; v < points_.size(); ++v) {
    if (!is_dangling(v)) continue;
    ++count;
    HomePoint& point = points_[v];
    // As if the drift had not been: homes are where it is none.
    const Vec3 start = x_t0[v] - drift_t0_;
    const Vec3 end = x_t1[v] - drift_t1_;
    const Vec3 displacement = end - start;
    point.x = end + (0.5 * (plan.alpha - 1.0)) * displacement;
    if (!is_finite(point.x)) point.x = end;
    point.strayed =
        std::max(distance_above(x_t0[v] - point.x, drift_t0_), distance_above(x_t1[v] - point.x, drift_t1_));
    const double reach = 0.5 * (plan.alpha + 1.0) * speed_of(displacement) + slack_[mesh.groups[v]];
    point.reach = std::max(round_up(reach), point.strayed);
  }
  return count;
}

std::size_t Homes::memory_bytes() const {
  return points_.capacity() * sizeof(HomePoint) + sample_.capacity() * sizeof(VertexId) +
         slack_.capacity() * sizeof(double);
}

}  // namespace graze
