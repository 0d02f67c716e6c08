// The detector: checks inputs, picks the method, limits threads, takes the time. No geometry here.
#include <graze/detector.hpp>

#include <algorithm>
#include <optional>

#include "core/tasks.hpp"
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

  [[nodiscard]] Query query() const { return {scene, filter, options}; }

  /// Runs a query on as many threads as asked for.
  template <typename Fn>
  auto run(const Fn& fn) const {
    decltype(fn()) result;
    with_threads(options.threads, [&] { result = fn(); });
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
  // The least that topology can take, before it is made; each query charges what it really takes.
  MemoryBudget(options.memory_cap).charge(least_topology_bytes(scene.vertex_count(), scene.triangle_count()));
  state_ = std::make_unique<State>(scene, options);
  with_threads(options.threads, [&] {
    if (options.method == Method::Brute) {
      state_->features = build_topology(state_->scene.triangles(), state_->scene.vertex_count()).features;
    } else {
      state_->hierarchy.emplace(state_->scene, hierarchy_choices(options.method, options.hierarchy));
    }
  });
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

}  // namespace graze
