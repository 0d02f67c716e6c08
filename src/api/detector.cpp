// The detector: checks inputs, picks the method, limits threads, takes the time. No geometry here.
#include <graze/detector.hpp>

#include <algorithm>
#include <new>
#include <optional>

#include "api/option_checks.hpp"
#include "core/tasks.hpp"
#include "mesh/representatives.hpp"
#include "mesh/topology.hpp"
#include "methods/adaptive/adaptive.hpp"
#include "methods/brute/brute.hpp"
#include "methods/bvh/bvh_method.hpp"
#include "methods/cluster/cluster_method.hpp"
#include "methods/hash/hash_method.hpp"
#include "query/candidate_stream.hpp"
#include "query/compose.hpp"
#include "query/query.hpp"
#include "scene/input_checks.hpp"
#include "scene/scene_change.hpp"

namespace graze {

using namespace api;
using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
using namespace hash;
using namespace query;
using namespace methods;

namespace {

/// Positions in which removed vertices, where anything may be given, are where some other vertex is: bounds of all
/// vertices are then bounds of those that are there.
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
  State(const Scene& bodies, const DetectorOptions& given) : scene(bodies), options(given), filter(scene) {
    if (options.method == Method::Adaptive) adaptive.emplace(options.adaptive);
  }

  Scene scene;
  DetectorOptions options;
  BodyFilter filter;
  Features features;                    // for brute alone
  std::optional<Hierarchy> hierarchy;   // for the methods that use one; a query updates it
  std::optional<ClusterMesh> clusters;  // for continuous queries of auto; the leaves are the hierarchy's
  std::optional<HashedLeaves> hashed;   // for hash
  std::optional<Adaptive> adaptive;     // for adaptive
  bool stale = true;                    // what is kept is not the scene's: an edit came
  std::vector<VertexId> removed;        // vertices of which only the slot is left

  /// Makes all that is kept from the scene anew.
  void rebuild() {
    stale = true;
    clusters.reset();
    hierarchy.reset();
    hashed.reset();
    if (adaptive) adaptive->scene_edited();
    features = {};
    // The least that topology can take, before it is made; each query charges what it really takes.
    MemoryBudget(options.memory_cap).charge(least_topology_bytes(scene.vertex_count(), scene.triangle_count()));
    if (options.method == Method::Brute) {
      features = build_topology(scene.triangles(), scene.vertex_count()).features;
    } else if (options.method == Method::Hash) {
      hashed.emplace(scene, HashChoices(options));
    } else {
      hierarchy.emplace(scene, hierarchy_choices(options.method, options.hierarchy, options.adaptive));
      if (options.method == Method::Auto) clusters.emplace(scene, *hierarchy);
    }
    filter.update();
    removed.clear();
    for (VertexId v = 0; v < scene.vertex_count(); ++v) {
      if (!scene.has_vertex(v)) removed.push_back(v);
    }
    stale = false;
  }

  /// Remembers the vertices that an edit removed.
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

  [[nodiscard]] DetectorQuery query() const { return {scene, filter, options}; }
  [[nodiscard]] LivePositions live(std::span<const Vec3> x) const { return {scene, removed, x}; }

  /// How many threads to run on: unless asked for, others are not woken for what is done before they come.
  [[nodiscard]] unsigned threads() const {
    constexpr std::size_t kMinTrianglesForThreads = 500;
    const bool few = scene.triangle_count() < kMinTrianglesForThreads && options.method != Method::Brute;
    return options.threads == 0 && few ? 1 : options.threads;
  }

  /// Runs a query on as many threads as asked for.
  template <typename Fn>
  auto run(const Fn& fn) {
    decltype(fn()) result;
    with_threads(threads(), [&] {
      if (stale) rebuild();
      result = fn();
    });
    return result;
  }

  Stats find_impacts(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, MemoryBudget& budget,
                     const FoundImpacts& found) {
    if (adaptive) return adaptive->impacts(query(), *hierarchy, x_t0, x_t1, budget, found);
    if (clusters) {
      return cluster_impacts(query(), *clusters, hierarchy->memory_bytes(), x_t0, x_t1, budget, found);
    }
    if (hashed) return hash_impacts(query(), *hashed, x_t0, x_t1, budget, found);
    return hierarchy ? bvh_impacts(query(), *hierarchy, x_t0, x_t1, budget, found)
                     : brute_impacts(query(), features, x_t0, x_t1, budget, found);
  }
};

Detector::Detector(const Scene& scene, const DetectorOptions& options) {
  validate_options(options);
  // Before the scene is copied: what does not fit must not cost anything.
  MemoryBudget(options.memory_cap).charge(least_topology_bytes(scene.vertex_count(), scene.triangle_count()));
  state_ = std::make_unique<State>(scene, options);
  with_threads(state_->threads(), [&] { state_->rebuild(); });
}

Detector::~Detector() = default;
Detector::Detector(Detector&&) noexcept = default;
Detector& Detector::operator=(Detector&&) noexcept = default;

Impacts Detector::impacts(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) const {
  const Stopwatch total;
  validate_step(state_->scene, x_t0, x_t1);
  Impacts result = state_->run([&] {
    const LivePositions start = state_->live(x_t0);
    const LivePositions end = state_->live(x_t1);
    Impacts all;
    MemoryBudget budget(state_->options.memory_cap);
    all.stats = state_->find_impacts(start.get(), end.get(), budget, [&](std::span<Impact> some, double share) {
      budget.charge(some.size() * kSortBytes);
      // Room for all, as it looks now: memory that is not touched costs little, a move to another place does.
      const std::size_t count = all.impacts.size() + some.size();
      if (count > all.impacts.capacity()) {
        constexpr double kMargin = 1.5;
        const double foreseen = kMargin * static_cast<double>(count) / share;
        all.impacts.reserve(std::clamp(static_cast<std::size_t>(foreseen), 2 * count, 4 * count));
      }
      all.impacts.insert(all.impacts.end(), some.begin(), some.end());
    });
    sort_impacts(all.impacts);
    return all;
  });
  result.stats.total_ms = total.ms();
  return result;
}

Stats Detector::impacts(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, const ImpactSink& sink) const {
  const Stopwatch total;
  // Repeats are known only when all are there; of adj, which block tests a pair is up to the threads.
  if (may_repeat_tests(state_->options) || state_->options.method == Method::Adj) {
    const Impacts all = impacts(x_t0, x_t1);
    if (!all.impacts.empty() && !sink(all.impacts)) throw Interrupted();
    return all.stats;
  }
  validate_step(state_->scene, x_t0, x_t1);
  Stats stats = state_->run([&] {
    const LivePositions start = state_->live(x_t0);
    const LivePositions end = state_->live(x_t1);
    MemoryBudget budget(state_->options.memory_cap);
    return state_->find_impacts(start.get(), end.get(), budget, [&](std::span<Impact> some, double) {
      if (!sink(some)) throw Interrupted();
      budget.release(some.size() * sizeof(Impact));
    });
  });
  stats.total_ms = total.ms();
  return stats;
}

FirstImpact Detector::first_impact(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) const {
  const Stopwatch total;
  validate_step(state_->scene, x_t0, x_t1);
  FirstImpact result = state_->run([&] {
    const LivePositions start = state_->live(x_t0);
    const LivePositions end = state_->live(x_t1);
    if (state_->adaptive) {
      return state_->adaptive->first_impact(state_->query(), *state_->hierarchy, start.get(), end.get());
    }
    if (state_->clusters) {
      return cluster_first_impact(state_->query(), *state_->clusters, state_->hierarchy->memory_bytes(),
                                  start.get(), end.get());
    }
    if (state_->hashed) return hash_first_impact(state_->query(), *state_->hashed, start.get(), end.get());
    return state_->hierarchy ? bvh_first_impact(state_->query(), *state_->hierarchy, start.get(), end.get())
                             : brute_first_impact(state_->query(), state_->features, start.get(), end.get());
  });
  result.stats.total_ms = total.ms();
  return result;
}

Intersections Detector::intersections(std::span<const Vec3> x) const {
  const Stopwatch total;
  validate_positions(state_->scene, x, "x");
  Intersections result = state_->run([&] {
    const LivePositions at = state_->live(x);
    if (state_->adaptive) state_->adaptive->hierarchy_used();
    if (state_->hashed) return hash_intersections(state_->query(), *state_->hashed, at.get());
    return state_->hierarchy ? bvh_intersections(state_->query(), *state_->hierarchy, at.get())
                             : brute_intersections(state_->query(), state_->features, at.get());
  });
  result.stats.total_ms = total.ms();
  return result;
}

Proximities Detector::proximities(std::span<const Vec3> x, double d) const {
  const Stopwatch total;
  validate_positions(state_->scene, x, "x");
  validate_distance(d);
  Proximities result = state_->run([&] {
    const LivePositions at = state_->live(x);
    if (state_->adaptive) state_->adaptive->hierarchy_used();
    if (state_->hashed) return hash_proximities(state_->query(), *state_->hashed, at.get(), d);
    return state_->hierarchy ? bvh_proximities(state_->query(), *state_->hierarchy, at.get(), d)
                             : brute_proximities(state_->query(), state_->features, at.get(), d);
  });
  result.stats.total_ms = total.ms();
  return result;
}

SceneEdit Detector::begin_edit() {
  return state_->scene.begin_edit();
}

void Detector::apply(const SceneEdit& edit) {
  State& state = *state_;
  if (state.options.method != Method::Brute) require_representable(edit.triangle_count());
  with_threads(state.threads(), [&] {
    const MeshChange& mesh = edit.change().mesh;
    // What changes most of the mesh, and brute: the next query makes all anew.
    constexpr std::size_t kMaxEditedShare = 4;
    const bool local = (state.hierarchy || state.hashed) && !state.stale &&
                       mesh.triangles.size() <= state.scene.triangle_count() / kMaxEditedShare;
    if (local) state.hierarchy ? state.hierarchy->prepare_edit() : state.hashed->prepare_edit();
    state.scene.apply(edit);
    state.stale = true;  // should memory run out below: the edit is made, and the next query makes the rest
    try {
      if (!local) return;
      state.note_removed(edit.change());
      if (state.adaptive) state.adaptive->scene_edited();
      const bool filtered = !state.filter.tests_all();
      LeafChanges changes;
      if (state.hierarchy) {
        changes = state.hierarchy->apply(mesh);
      } else {
        state.hashed->apply(mesh);
      }
      state.filter.update();
      if (state.clusters) state.clusters->apply(changes, filtered || !state.filter.tests_all());
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
    if (state_->stale) return;
    if (state_->hierarchy) {
      difference = state_->hierarchy->validate();
      if (difference.empty() && state_->clusters) difference = state_->clusters->validate();
    } else if (state_->hashed) {
      difference = state_->hashed->validate();
    } else if (state_->features !=
               build_topology(state_->scene.triangles(), state_->scene.vertex_count()).features) {
      difference = "features are not those of the scene";
    }
  });
  return difference;
}

}  // namespace graze
