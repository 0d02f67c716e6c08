// The detector: checks input, picks the method, limits threads, measures time. It has no geometry, and knows no
// method by name: api/pick_method.hpp makes them.
#include <graze/detector.hpp>

#include <algorithm>
#include <new>
#include <vector>

#include "api/detector_state.hpp"
#include "api/option_checks.hpp"
#include "core/tasks.hpp"
#include "query/intersections.hpp"
#include "query/safe_step.hpp"
#include "query/sort_pairs.hpp"
#include "scene/input_checks.hpp"
#include "scene/scene_change.hpp"

namespace graze {

using namespace api;
using namespace core;
using namespace query;
using namespace scene;
using mesh::MeshChange;

namespace {

/// All results of blocks that come in order.
template <typename Result>
std::vector<Result> joined(std::vector<std::vector<Result>> blocks) {
  if (blocks.empty()) return {};
  std::vector<Result> all = std::move(blocks.front());
  for (std::size_t b = 1; b < blocks.size(); ++b) all.insert(all.end(), blocks[b].begin(), blocks[b].end());
  return all;
}

/// Checks of the positions of a query, for State::run().
auto check_step(const Scene& scene, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) {
  return [&scene, x_t0, x_t1] { validate_step(scene, x_t0, x_t1); };
}
auto check_positions(const Scene& scene, std::span<const Vec3> x) {
  return [&scene, x] { validate_positions(scene, x, "x"); };
}

}  // namespace

Detector::Detector(const Scene& scene, const DetectorOptions& options) {
  validate_options(options);
  // Checked before the scene is copied, so that a scene that does not fit costs nothing.
  MemoryBudget(options.memory_cap).charge(mesh::least_topology_bytes(scene.vertex_count(), scene.triangle_count()));
  state_ = std::make_unique<State>(scene, options);
  with_threads(state_->threads(), [&] { state_->rebuild(); });
}

Detector::~Detector() = default;
Detector::Detector(Detector&&) noexcept = default;
Detector& Detector::operator=(Detector&&) noexcept = default;

Impacts Detector::impacts(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) {
  return state_->run<Impacts>(check_step(state_->scene, x_t0, x_t1), [&] {
    const LivePositions start = state_->live(x_t0);
    const LivePositions end = state_->live(x_t1);
    Impacts all;
    MemoryBudget budget(state_->options.memory_cap);
    if (state_->method->reports_in_order()) {
      const auto take = [&](std::span<const Impact> impacts) {
        all.impacts.assign(impacts.begin(), impacts.end());
      };
      all.stats = state_->method->ordered_impacts(state_->query(), {start.get(), end.get()}, budget, take);
      return all;
    }
    std::vector<std::vector<Impact>> blocks;
    const auto keep = [&](std::vector<Impact>&& impacts) {
      budget.charge(impacts.size() * kSortBytes<Impact>);
      blocks.push_back(std::move(impacts));
    };
    all.stats = state_->method->impacts(state_->query(), {start.get(), end.get()}, budget, keep);
    all.impacts = sorted_impacts(std::move(blocks));
    return all;
  });
}

Stats Detector::impacts(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, const ImpactSink& sink) {
  // Duplicates are known only when all impacts are found.
  if (!state_->method->reports_once()) {
    const Impacts all = impacts(x_t0, x_t1);
    if (!all.impacts.empty() && !sink(all.impacts)) throw Interrupted();
    return all.stats;
  }
  return state_->run<Stats>(check_step(state_->scene, x_t0, x_t1), [&] {
    const LivePositions start = state_->live(x_t0);
    const LivePositions end = state_->live(x_t1);
    MemoryBudget budget(state_->options.memory_cap);
    if (state_->method->reports_in_order()) {
      const auto view = [&](std::span<const Impact> impacts) {
        if (!impacts.empty() && !sink(impacts)) throw Interrupted();
      };
      return state_->method->ordered_impacts(state_->query(), {start.get(), end.get()}, budget, view);
    }
    const auto stream = [&](std::vector<Impact>&& impacts) {
      if (!sink(impacts)) throw Interrupted();
      budget.release(impacts.size() * sizeof(Impact));
    };
    return state_->method->impacts(state_->query(), {start.get(), end.get()}, budget, stream);
  });
}

FirstImpact Detector::first_impact(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) {
  return state_->run<FirstImpact>(check_step(state_->scene, x_t0, x_t1), [&] {
    const LivePositions start = state_->live(x_t0);
    const LivePositions end = state_->live(x_t1);
    return state_->method->first_impact(state_->query(), {start.get(), end.get()});
  });
}

SafeStep Detector::safe_step(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                             const SafeStepOptions& options) {
  validate_safe_step(options);
  return state_->run<SafeStep>(check_step(state_->scene, x_t0, x_t1), [&] {
    const LivePositions start = state_->live(x_t0);
    const LivePositions end = state_->live(x_t1);
    DetectorOptions beyond = state_->options;
    beyond.thickness = std::max(beyond.thickness, options.min_distance);
    const QueryContext query{state_->scene, state_->filter, beyond};
    SafeStep result = find_safe_step(*state_->method, query, {start.get(), end.get()}, options.keep);
    const std::span<const Vec3> given = result.step == 1.0 ? x_t1 : x_t0;
    for (const VertexId v : state_->removed) result.positions[v] = given[v];
    return result;
  });
}

Intersections Detector::intersections(std::span<const Vec3> x, const IntersectionOptions& options) {
  return state_->run<Intersections>(check_positions(state_->scene, x), [&] {
    const LivePositions at = state_->live(x);
    return find_intersections(*state_->method, state_->query(), at.get(), options, state_->sides);
  });
}

Proximities Detector::proximities(std::span<const Vec3> x, double d) {
  validate_distance(d);
  return state_->run<Proximities>(check_positions(state_->scene, x), [&] {
    const LivePositions at = state_->live(x);
    Proximities all;
    MemoryBudget budget(state_->options.memory_cap);
    std::vector<std::vector<Proximity>> blocks;
    const auto keep = [&](std::vector<Proximity>&& some) {
      budget.charge(some.size() * kSortBytes<Proximity>);
      blocks.push_back(std::move(some));
    };
    all.stats = state_->method->proximities(state_->query(), at.get(), d, budget, keep);
    all.proximities =
        state_->method->reports_in_order() ? joined(std::move(blocks)) : sorted_proximities(std::move(blocks));
    return all;
  });
}

Stats Detector::proximities(std::span<const Vec3> x, double d, const ProximitySink& sink) {
  // Duplicates are known only when all proximities are found.
  if (!state_->method->reports_once()) {
    const Proximities all = proximities(x, d);
    if (!all.proximities.empty() && !sink(all.proximities)) throw Interrupted();
    return all.stats;
  }
  validate_distance(d);
  return state_->run<Stats>(check_positions(state_->scene, x), [&] {
    const LivePositions at = state_->live(x);
    MemoryBudget budget(state_->options.memory_cap);
    const auto stream = [&](std::vector<Proximity>&& some) {
      if (!sink(some)) throw Interrupted();
      budget.release(some.size() * sizeof(Proximity));
    };
    return state_->method->proximities(state_->query(), at.get(), d, budget, stream);
  });
}

SceneEdit Detector::begin_edit() {
  return state_->scene.begin_edit();
}

void Detector::apply(const SceneEdit& edit) {
  State& state = *state_;
  ContactMethod& method = *state.method;
  method.check_triangle_count(edit.triangle_count());
  with_threads(state.threads(), [&] {
    const MeshChange& mesh = edit.change().mesh;
    // After a change of a large part of the mesh the next query rebuilds everything.
    constexpr std::size_t kMaxEditedShare = 4;
    const bool local = method.follows_edits() && !state.stale &&
                       mesh.triangles.size() <= state.scene.triangle_count() / kMaxEditedShare;
    if (local) method.prepare_edit();
    state.scene.apply(edit);
    state.sides.reset();
    state.stale = true;  // if memory runs out below, the edit is applied and the next query rebuilds the method
    try {
      if (!local) return;
      state.note_removed(edit.change());
      const bool was_filtered = !state.filter.tests_all();
      state.filter.update();
      method.apply(mesh, was_filtered || !state.filter.tests_all());
      state.stale = false;
    } catch (const std::bad_alloc&) {
    }
  });
}

const Scene& Detector::scene() const {
  return state_->scene;
}

Impacts find_impacts(std::span<const Triangle> triangles, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                     const DetectorOptions& options) {
  const Stopwatch total;
  Scene scene;
  scene.add_body({.positions = x_t0, .triangles = triangles});
  Impacts result = Detector(scene, options).impacts(x_t0, x_t1);
  result.stats.total_ms = total.ms();
  return result;
}

std::string Detector::validate() const {
  std::string difference;
  with_threads(state_->options.threads, [&] {
    if (!state_->stale) difference = state_->method->validate();
  });
  return difference;
}

std::size_t Detector::memory_bytes() const {
  return state_->method->memory_bytes() + (state_->sides ? state_->sides->memory_bytes() : 0);
}

}  // namespace graze
