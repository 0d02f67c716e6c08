// The detector: checks inputs, picks the method, limits threads, takes the time. No geometry here.
#include <graze/detector.hpp>

#include <algorithm>
#include <optional>

#include "core/tasks.hpp"
#include "mesh/representatives.hpp"
#include "mesh/topology.hpp"
#include "pipeline/brute.hpp"
#include "pipeline/bvh_methods.hpp"
#include "pipeline/candidate_stream.hpp"
#include "pipeline/query.hpp"
#include "pipeline/validate.hpp"

namespace graze {

struct Detector::State {
  State(const Scene& bodies, const DetectorOptions& given) : scene(bodies), options(given), filter(scene) {}

  Scene scene;
  DetectorOptions options;
  BodyFilter filter;
  Features features;                   // for brute alone
  std::optional<Hierarchy> hierarchy;  // for the methods that use one; a query updates it
  bool stale = true;                   // topology and hierarchy are not the scene's: an edit came

  /// Makes all that is kept from the scene anew.
  void rebuild() {
    stale = true;
    hierarchy.reset();
    features = {};
    // The least that topology can take, before it is made; each query charges what it really takes.
    MemoryBudget(options.memory_cap).charge(least_topology_bytes(scene.vertex_count(), scene.triangle_count()));
    if (options.method == Method::Brute) {
      features = build_topology(scene.triangles(), scene.vertex_count()).features;
    } else {
      hierarchy.emplace(scene, hierarchy_choices(options.method, options.hierarchy));
    }
    filter.update();
    stale = false;
  }

  [[nodiscard]] Query query() const { return {scene, filter, options}; }

  /// Runs a query on as many threads as asked for.
  template <typename Fn>
  auto run(const Fn& fn) {
    decltype(fn()) result;
    with_threads(options.threads, [&] {
      if (stale) rebuild();
      result = fn();
    });
    return result;
  }

  Stats find_impacts(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, MemoryBudget& budget,
                     const FoundImpacts& found) {
    return hierarchy ? bvh_impacts(query(), *hierarchy, x_t0, x_t1, budget, found)
                     : brute_impacts(query(), features, x_t0, x_t1, budget, found);
  }
};

Detector::Detector(const Scene& scene, const DetectorOptions& options) {
  validate_options(options);
  // Before the scene is copied: what does not fit must not cost anything.
  MemoryBudget(options.memory_cap).charge(least_topology_bytes(scene.vertex_count(), scene.triangle_count()));
  state_ = std::make_unique<State>(scene, options);
  with_threads(options.threads, [&] { state_->rebuild(); });
}

Detector::~Detector() = default;
Detector::Detector(Detector&&) noexcept = default;
Detector& Detector::operator=(Detector&&) noexcept = default;

// auto is r-tri so far.

Impacts Detector::impacts(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) const {
  const Stopwatch total;
  validate_step(state_->scene, x_t0, x_t1);
  Impacts result = state_->run([&] {
    Impacts all;
    MemoryBudget budget(state_->options.memory_cap);
    all.stats = state_->find_impacts(x_t0, x_t1, budget, [&](std::span<const Impact> some, double share) {
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
  // Of basic, duplicates are known only when all are there; of adj, which block tests a pair is up to the threads.
  if (state_->options.method == Method::Basic || state_->options.method == Method::Adj) {
    const Impacts all = impacts(x_t0, x_t1);
    if (!all.impacts.empty() && !sink(all.impacts)) throw Interrupted();
    return all.stats;
  }
  validate_step(state_->scene, x_t0, x_t1);
  Stats stats = state_->run([&] {
    MemoryBudget budget(state_->options.memory_cap);
    return state_->find_impacts(x_t0, x_t1, budget, [&](std::span<const Impact> some, double) {
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
    return state_->hierarchy ? bvh_first_impact(state_->query(), *state_->hierarchy, x_t0, x_t1)
                             : brute_first_impact(state_->query(), state_->features, x_t0, x_t1);
  });
  result.stats.total_ms = total.ms();
  return result;
}

Intersections Detector::intersections(std::span<const Vec3> x) const {
  const Stopwatch total;
  validate_positions(state_->scene, x, "x");
  Intersections result = state_->run([&] {
    return state_->hierarchy ? bvh_intersections(state_->query(), *state_->hierarchy, x)
                             : brute_intersections(state_->query(), state_->features, x);
  });
  result.stats.total_ms = total.ms();
  return result;
}

Proximities Detector::proximities(std::span<const Vec3> x, double d) const {
  const Stopwatch total;
  validate_positions(state_->scene, x, "x");
  validate_distance(d);
  Proximities result = state_->run([&] {
    return state_->hierarchy ? bvh_proximities(state_->query(), *state_->hierarchy, x, d)
                             : brute_proximities(state_->query(), state_->features, x, d);
  });
  result.stats.total_ms = total.ms();
  return result;
}

SceneEdit Detector::begin_edit() {
  return state_->scene.begin_edit();
}

void Detector::apply(const SceneEdit& edit) {
  const std::size_t triangles = edit.triangle_count();
  if (state_->options.method != Method::Brute) require_representable(triangles);
  state_->scene.apply(edit);
  state_->stale = true;  // the next query makes it anew: nothing can fail from here on
}

const Scene& Detector::scene() const {
  return state_->scene;
}

std::string Detector::validate() const {
  return {};
}

}  // namespace graze
