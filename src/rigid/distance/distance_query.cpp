// DistanceQuery, and distances of many poses or obstacles in parallel. See graze/rigid_distance.hpp.
#include <graze/rigid_distance.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "rigid/collide.hpp"
#include "rigid/distance/search.hpp"
#include "rigid/query_runs.hpp"

namespace graze {

using namespace rigid;
using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;

namespace {

void check_options(const DistanceOptions& options) {
  if (!(options.relative >= 0.0 && options.relative <= 1.0))
    throw InputError(fmt::format("relative tolerance {} is outside [0, 1]", options.relative));
  if (!(options.absolute >= 0.0))
    throw InputError(fmt::format("absolute tolerance {} is not a number >= 0", options.absolute));
  if (!(options.limit > 0.0)) throw InputError(fmt::format("limit {} is not a distance > 0", options.limit));
}

void check_distance(double d) {
  if (!(d >= 0.0 && std::isfinite(d))) throw InputError(fmt::format("distance {} is not a finite number >= 0", d));
}

void check_poses(const ObjectState& a, const Pose& pose_a, const ObjectState& b, const Pose& pose_b) {
  check_pose(a, pose_a, "pose of a");
  check_pose(b, pose_b, "pose of b");
}

ProximitySide side_of(const ObjectState& object, const Pose& pose) {
  return {object, object.distance_data.tree(object), pose};
}

/// The distance of checked input.
RigidDistance distance_of(const ObjectState& a, const Pose& pose_a, const ObjectState& b, const Pose& pose_b,
                          const DistanceOptions& options, std::optional<TrianglePair> start, ProximityWork& work) {
  return search_distance(side_of(a, pose_a), side_of(b, pose_b), options, start, work);
}

}  // namespace

struct DistanceQuery::State {
  State(const RigidObject& object_a, const RigidObject& object_b, const DistanceQueryOptions& chosen)
      : kept_a(object_a),
        kept_b(object_b),
        a(ObjectAccess::state(kept_a)),
        b(ObjectAccess::state(kept_b)),
        options(chosen) {}

  [[nodiscard]] std::optional<TrianglePair> start() const {
    return options.coherence ? closest : std::optional<TrianglePair>();
  }

  RigidObject kept_a;  // copies, so that later assignments to the caller's objects have no effect
  RigidObject kept_b;
  const ObjectState& a;
  const ObjectState& b;
  DistanceQueryOptions options;
  ProximityWork work;
  std::optional<TrianglePair> closest;  ///< of the last query that found one
};

DistanceQuery::DistanceQuery(const RigidObject& a, const RigidObject& b, const DistanceQueryOptions& options)
    : state_(std::make_unique<State>(a, b, options)) {
  (void)state_->a.distance_data.tree(state_->a);
  (void)state_->b.distance_data.tree(state_->b);
}
DistanceQuery::~DistanceQuery() = default;
DistanceQuery::DistanceQuery(DistanceQuery&&) noexcept = default;
DistanceQuery& DistanceQuery::operator=(DistanceQuery&&) noexcept = default;

RigidDistance DistanceQuery::distance(const Pose& pose_a, const Pose& pose_b, const DistanceOptions& options) {
  check_options(options);
  check_poses(state_->a, pose_a, state_->b, pose_b);
  RigidDistance result = distance_of(state_->a, pose_a, state_->b, pose_b, options, state_->start(), state_->work);
  if (result.pair) state_->closest = result.pair;
  return result;
}

WithinDistance DistanceQuery::within(const Pose& pose_a, const Pose& pose_b, double d) {
  check_distance(d);
  check_poses(state_->a, pose_a, state_->b, pose_b);
  WithinDistance result =
      search_within(side_of(state_->a, pose_a), side_of(state_->b, pose_b), d, state_->start(), state_->work);
  if (result.pair) state_->closest = result.pair;
  return result;
}

RigidProximities DistanceQuery::proximities(const Pose& pose_a, const Pose& pose_b, double d) {
  check_distance(d);
  check_poses(state_->a, pose_a, state_->b, pose_b);
  const ProximitySide a = side_of(state_->a, pose_a);
  const ProximitySide b = side_of(state_->b, pose_b);
  RigidProximities result;
  const auto never = [](const TrianglePair&) { return false; };
  for (const TrianglePair& pair : sorted_pairs(search_pairs(a, b, d, state_->work, result.stats, never)))
    result.proximities.push_back(proximity_of(a, b, pair));
  return result;
}

RigidDistance distance(const PosedObject& a, const PosedObject& b, const DistanceOptions& options) {
  if (a.object == nullptr || b.object == nullptr)
    throw InputError(fmt::format("object {} is a null pointer", a.object == nullptr ? "a" : "b"));
  check_options(options);
  const ObjectState& state_a = ObjectAccess::state(*a.object);
  const ObjectState& state_b = ObjectAccess::state(*b.object);
  check_poses(state_a, a.pose, state_b, b.pose);
  ProximityWork work;
  return distance_of(state_a, a.pose, state_b, b.pose, options, std::nullopt, work);
}

std::vector<RigidDistance> distances(const RigidObject& a, const RigidObject& b, std::span<const PosePair> poses,
                                     const DistanceBatchOptions& options) {
  check_options(options.distance);
  const ObjectState& state_a = ObjectAccess::state(a);
  const ObjectState& state_b = ObjectAccess::state(b);
  for (std::size_t i = 0; i < poses.size(); ++i)
    numbered("query", i, [&] { check_poses(state_a, poses[i].a, state_b, poses[i].b); });
  std::vector<RigidDistance> results(poses.size());
  if (poses.empty()) return results;
  (void)state_a.distance_data.tree(state_a);
  (void)state_b.distance_data.tree(state_b);
  in_runs(poses.size(), options.threads, options.progress,
          [&](std::size_t first, std::size_t last, QueryProgress& progress) {
            ProximityWork work;
            std::optional<TrianglePair> closest;
            for (std::size_t i = first; i < last; ++i) {
              results[i] = distance_of(state_a, poses[i].a, state_b, poses[i].b, options.distance, closest, work);
              if (options.query.coherence && results[i].pair) closest = results[i].pair;
              if (!progress.go_on()) break;
            }
          });
  return results;
}

std::vector<RigidDistance> distances(const PosedObject& object, std::span<const PosedObject> obstacles,
                                     const DistanceBatchOptions& options) {
  check_options(options.distance);
  if (object.object == nullptr) throw InputError("the object of a batch is a null pointer");
  const ObjectState& state = ObjectAccess::state(*object.object);
  check_pose(state, object.pose, "pose of the object");
  for (std::size_t i = 0; i < obstacles.size(); ++i) {
    if (obstacles[i].object == nullptr) throw InputError(fmt::format("obstacle {} is a null pointer", i));
    numbered("obstacle", i,
             [&] { check_pose(ObjectAccess::state(*obstacles[i].object), obstacles[i].pose, "its pose"); });
  }
  std::vector<RigidDistance> results(obstacles.size());
  in_runs(obstacles.size(), options.threads, options.progress,
          [&](std::size_t first, std::size_t last, QueryProgress& progress) {
            ProximityWork work;
            for (std::size_t i = first; i < last; ++i) {
              const ObjectState& obstacle = ObjectAccess::state(*obstacles[i].object);
              results[i] = distance_of(state, object.pose, obstacle, obstacles[i].pose, options.distance,
                                       std::nullopt, work);
              if (!progress.go_on()) break;
            }
          });
  return results;
}

}  // namespace graze
