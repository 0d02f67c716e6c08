// The detector: checks input, picks the method, limits threads, measures time. It has no geometry, and knows no
// method by name: methods/make_method.hpp has the factory.
#include <graze/detector.hpp>

#include <algorithm>
#include <atomic>
#include <new>
#include <optional>
#include <type_traits>
#include <vector>

#include "api/option_checks.hpp"
#include "core/tasks.hpp"
#include "mesh/side_table.hpp"
#include "mesh/topology.hpp"
#include "methods/make_method.hpp"
#include "query/contact_method.hpp"
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

/// Positions in which every removed vertex, whose given position may be anything, has the position of an existing
/// vertex: bounds over all vertices are then bounds over the existing ones.
class LivePositions {
 public:
  LivePositions(const Scene& scene, std::span<const VertexId> removed, std::span<const Vec3> x) : x_(x) {
    if (removed.empty()) return;
    copy_.assign(x.begin(), x.end());
    VertexId live = 0;
    while (live < x.size() && !scene.has_vertex(live)) ++live;
    const Vec3 place = live < x.size() ? x[live] : Vec3{};
    for (const VertexId v : removed) copy_[v] = place;
    x_ = copy_;
  }
  LivePositions(const LivePositions&) = delete;
  LivePositions& operator=(const LivePositions&) = delete;

  [[nodiscard]] std::span<const Vec3> get() const { return x_; }

 private:
  std::vector<Vec3> copy_;
  std::span<const Vec3> x_;
};

}  // namespace

struct Detector::State {
  State(const Scene& bodies, const DetectorOptions& given)
      : scene(bodies), options(given), filter(scene), method(methods::make_method(scene, options)) {}

  Scene scene;
  DetectorOptions options;
  BodyFilter filter;
  std::unique_ptr<ContactMethod> method;
  std::optional<mesh::SideTable> sides;  ///< of the scene's triangles, for intersections; made when it is needed
  bool stale = true;                     ///< the method must be rebuilt before the next query
  std::vector<VertexId> removed;         ///< removed vertices, whose slots remain

  /// Rebuilds all structures of the method from the scene.
  void rebuild() {
    stale = true;
    // Charges the least that topology can take before it is built; each query charges the actual bytes.
    MemoryBudget(options.memory_cap)
        .charge(mesh::least_topology_bytes(scene.vertex_count(), scene.triangle_count()));
    method->rebuild();
    filter.update();
    list_removed();
    stale = false;
  }

  /// Lists the removed vertices; most scenes have none, which all threads find out.
  void list_removed() {
    removed.clear();
    std::atomic<bool> any = false;
    parallel_for(0, scene.vertex_count(), std::size_t{1} << 15U, [&](std::size_t first, std::size_t last) {
      for (std::size_t v = first; v < last; ++v) {
        if (scene.body_of(static_cast<VertexId>(v)) == kNoBody) any.store(true, std::memory_order_relaxed);
      }
    });
    if (!any) return;
    for (VertexId v = 0; v < scene.vertex_count(); ++v) {
      if (!scene.has_vertex(v)) removed.push_back(v);
    }
  }

  /// Records the vertices that an edit removed.
  void note_removed(const SceneChange& change) {
    for (const SceneChange::MovedVertex& moved : change.moved_vertices) {
      if (moved.after == kNoBody) removed.push_back(moved.vertex);
    }
    for (std::size_t i = 0; i < change.new_vertices.size(); ++i) {
      if (change.new_vertices[i].body == kNoBody) {
        removed.push_back(static_cast<VertexId>(change.vertices_before + i));
      }
    }
  }

  [[nodiscard]] QueryContext query() const { return {scene, filter, options}; }
  [[nodiscard]] LivePositions live(std::span<const Vec3> x) const { return {scene, removed, x}; }

  /// Number of threads: one for a small scene, for which waking others does not pay off, unless the options set it.
  [[nodiscard]] unsigned threads() const {
    const bool few = scene.triangle_count() < method->min_triangles_for_threads();
    return options.threads == 0 && few ? 1 : options.threads;
  }

  /// Runs a query on threads() threads and measures its time: check() throws if the input is wrong, before anything
  /// changes.
  template <typename Result, typename Check, typename Fn>
  Result run(const Check& check, const Fn& fn) {
    const Stopwatch total;
    Result result;
    with_threads(threads(), [&] {
      check();
      if (stale) rebuild();
      result = fn();
    });
    if constexpr (std::is_same_v<Result, Stats>) {
      result.total_ms = total.ms();
    } else {
      result.stats.total_ms = total.ms();
    }
    return result;
  }
};

namespace {

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
    all.proximities = sorted_proximities(std::move(blocks));
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
