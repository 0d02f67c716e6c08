// The detector: checks inputs, picks the method, limits threads, takes the time. No geometry here.
#include <graze/detector.hpp>

#include <optional>

#include "core/tasks.hpp"
#include "mesh/topology.hpp"
#include "pipeline/brute.hpp"
#include "pipeline/bvh_methods.hpp"
#include "pipeline/query.hpp"
#include "pipeline/validate.hpp"

namespace graze {

struct Detector::State {
  Scene scene;
  DetectorOptions options;
  Topology topology;
  std::optional<Hierarchy> hierarchy;  // for the methods that use one; a query updates it

  [[nodiscard]] bool brute() const { return options.method == Method::Brute; }

  /// Runs a query on as many threads as asked for, and notes its total time.
  template <typename Fn>
  auto run(const Stopwatch& total, const Fn& fn) const {
    decltype(fn(Query{topology, options})) result;
    with_threads(options.threads, [&] { result = fn(Query{topology, options}); });
    result.stats.total_ms = total.ms();
    return result;
  }
};

Detector::Detector(const Scene& scene, const DetectorOptions& options) {
  validate_options(options);
  state_ = std::make_unique<State>(State{.scene = scene, .options = options, .topology = {}, .hierarchy = {}});
  with_threads(options.threads, [&] {
    state_->topology = build_topology(state_->scene.triangles(), state_->scene.vertex_count());
    if (!state_->brute()) state_->hierarchy.emplace(state_->scene.triangles(), state_->topology);
  });
}

Detector::~Detector() = default;
Detector::Detector(Detector&&) noexcept = default;
Detector& Detector::operator=(Detector&&) noexcept = default;

// auto is r-tri so far. Intersections and proximities are answered over all pairs by every method.

Impacts Detector::impacts(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) const {
  const Stopwatch total;
  validate_step(state_->scene, x_t0, x_t1);
  return state_->run(total, [&](const Query& query) {
    return state_->brute() ? brute_impacts(query, x_t0, x_t1) : bvh_impacts(query, *state_->hierarchy, x_t0, x_t1);
  });
}

FirstImpact Detector::first_impact(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) const {
  const Stopwatch total;
  validate_step(state_->scene, x_t0, x_t1);
  return state_->run(total, [&](const Query& query) {
    return state_->brute() ? brute_first_impact(query, x_t0, x_t1)
                           : bvh_first_impact(query, *state_->hierarchy, x_t0, x_t1);
  });
}

Intersections Detector::intersections(std::span<const Vec3> x) const {
  const Stopwatch total;
  validate_positions(state_->scene, x, "x");
  return state_->run(total, [&](const Query& query) { return brute_intersections(query, x); });
}

Proximities Detector::proximities(std::span<const Vec3> x, double d) const {
  const Stopwatch total;
  validate_positions(state_->scene, x, "x");
  validate_distance(d);
  return state_->run(total, [&](const Query& query) { return brute_proximities(query, x, d); });
}

}  // namespace graze
