// Impacts and first impact on leaves whose pairs a hierarchy or tables of voxels bring: one template for both.
//
// A Mesh is a LeafBounds with update(), prove() and forget_proofs(), for which compose_method() puts the methods
// together (methods/bvh/bvh_compose.hpp, methods/hash/hash_compose.hpp).
//
// First impact: bounds of a short part [0, h] of the step first. All contacts up to h are among its candidates, so
// once one is found that begins before h - tolerance, nothing later matters; else h grows. Contacts come early
// where there are many, and short sweeps overlap little.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "query/compose.hpp"
#include "query/step_prefix.hpp"

namespace graze::query::leaf_queries {

/// What a block found, and the pairs of leaves that it puts off.
template <typename Found>
struct StageResult : BlockResult<Found> {
  std::vector<LeafPair> deferred;
};

/// Whether a mesh has feature pairs that no pair of leaves dispatches. Their tests are a function beside the mesh's
/// class: test_orphans(query, mesh, bounds, scope, ...).
template <typename Mesh>
concept HasOrphans = requires(Mesh& mesh, CullCounts& counts) {
  mesh.open_orphans(LeafBounds::Scope::Moving, counts);
};

/// Tests the candidates of a method: sink(part, impacts) for what is found, then merge(part, share) in block order.
template <typename Found, typename Mesh, typename Sink, typename Merge>
void test_candidates(const DetectorQuery& query, Mesh& mesh, const FeatureBounds& bounds, LeafBounds::Scope scope,
                     const ImpactBatch::Step& step, MemoryBudget& budget, const Sink& sink, const Merge& merge) {
  DuplicateTestCheck duplicate_check(!may_repeat_tests(query.options));
  compose_method<QuerySpan::Step>(
      query, mesh, bounds, scope, PairTests::Continuous, budget,
      [&](const DetectorQuery& stage, const auto& source, const auto& features, std::vector<LeafPair>* deferred) {
        using Result = StageResult<Found>;
        run_leaf_pairs<Result>(
            stage, bounds.mesh, source,
            [&](Result& part, const auto& walk) {
              test_named<Found>(bounds.mesh, step, duplicate_check, part, sink, [&](auto& named) {
                std::vector<LeafPair>* const later = deferred != nullptr ? &part.deferred : nullptr;
                walk([&](std::span<const LeafPair> pairs) {
                  visit_or_defer(features, pairs, later,
                                 [&](std::span<const LeafPair> now) { features.continuous(now, named); });
                });
              });
            },
            [&](Result& part, double share) {
              if (deferred != nullptr) {
                budget.charge(part.deferred.size() * sizeof(LeafPair));
                deferred->insert(deferred->end(), part.deferred.begin(), part.deferred.end());
              }
              merge(part, share);
            });
      },
      [&](const DetectorQuery& stage) {
        if constexpr (HasOrphans<Mesh>) {
          test_orphans<Found>(stage, mesh, bounds, scope, step, budget, duplicate_check, sink, merge);
        }
      });
}

/// Proofs for a step: with a thickness more than contacts count, so there are none.
template <typename Mesh>
void prove(const DetectorQuery& query, Mesh& mesh, std::span<const VertexPath> paths, CullCounts& counts) {
  if (query.options.thickness > 0.0) {
    mesh.forget_proofs();
  } else {
    mesh.prove(paths, !mesh.static_contacts().impacts, counts);
  }
}

/// What a continuous query holds beside its results.
template <typename Mesh>
std::size_t planned_bytes(const Mesh& mesh, std::size_t vertex_count) {
  return mesh.planned_bytes() + vertex_count * sizeof(VertexPath);
}
template <typename Mesh>
std::size_t memory_bytes(const Mesh& mesh, std::size_t vertex_count) {
  const std::size_t taken = mesh.memory_bytes() + vertex_count * sizeof(VertexPath);
  return std::max(taken, planned_bytes(mesh, vertex_count));  // masks are made when they are needed
}

/// The impacts among static bodies, looked for once and kept. Precondition: the mesh is up to date.
template <typename Mesh>
const std::vector<Impact>& static_impacts(const DetectorQuery& query, Mesh& mesh, const FeatureBounds& bounds,
                                          const ImpactBatch::Step& step, MemoryBudget& budget, Stats& stats) {
  std::optional<std::vector<Impact>>& kept = mesh.static_contacts().impacts;
  if (kept || !mesh.has_static()) return kept ? *kept : kept.emplace();
  std::vector<Impact> impacts;
  using Found = std::vector<Impact>;
  test_candidates<Found>(
      query, mesh, bounds, LeafBounds::Scope::Static, step, budget,
      [&](BlockResult<Found>& part, std::span<const Impact> some) { keep_impacts(part.found, some, budget); },
      [&](BlockResult<Found>& part, double) {
        add_counters(stats, part.stats);
        impacts.insert(impacts.end(), part.found.begin(), part.found.end());
      });
  sort_impacts(impacts);
  impacts.shrink_to_fit();
  return kept.emplace(std::move(impacts));
}

template <typename Mesh>
Stats impacts_on(const DetectorQuery& query, Mesh& mesh, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                 MemoryBudget& budget, const FoundImpacts& found) {
  Stats stats;
  const Stopwatch update;
  const std::size_t planned = planned_bytes(mesh, x_t0.size());
  budget.charge(planned);
  std::vector<VertexPath> paths;
  make_paths(x_t0, x_t1, paths);
  const ImpactBatch::Step step{paths, query.elementary()};
  const FeatureBounds bounds{mesh, paths, query.options.thickness > 0.0};
  mesh.update(x_t0, x_t1, reported_gap(step.options, x_t0, x_t1));
  count_bounds(mesh, stats);
  prove(query, mesh, paths, stats.culled);
  stats.memory_bytes = memory_bytes(mesh, x_t0.size());
  budget.charge_rest(planned, stats.memory_bytes);
  stats.update_ms = update.ms();

  const Stopwatch loop;
  StageTimes times;
  const StaticStages stages(query, mesh.has_static() && !mesh.static_contacts().impacts);
  if (mesh.has_static()) {
    std::vector<Impact> still = static_impacts(stages.static_query, mesh, bounds, step, budget, stats);
    budget.charge(still.size() * sizeof(Impact));
    if (!still.empty()) found(still, 1.0);
  }
  using Found = std::vector<Impact>;
  test_candidates<Found>(
      stages.moving_query, mesh, bounds, LeafBounds::Scope::Moving, step, budget,
      [&](BlockResult<Found>& part, std::span<const Impact> some) { keep_impacts(part.found, some, budget); },
      [&](BlockResult<Found>& part, double share) {
        add_counters(stats, part.stats);
        times.add(part);
        if (!part.found.empty()) found(part.found, share);
      });
  times.write(loop.ms(), stats);
  return stats;
}

template <typename Mesh>
FirstImpact first_impact_on(const DetectorQuery& query, Mesh& mesh, std::span<const Vec3> x_t0,
                            std::span<const Vec3> x_t1) {
  FirstImpact result;
  MemoryBudget budget(query.options.memory_cap);
  const std::size_t planned = planned_bytes(mesh, x_t0.size()) + x_t0.size() * (sizeof(Vec3) + sizeof(VertexPath));
  budget.charge(planned);
  StageTimes times;
  const Stopwatch all;
  std::vector<VertexPath> paths;
  make_paths(x_t0, x_t1, paths);
  const ImpactBatch::Step step{paths, query.elementary()};
  const double gap = reported_gap(step.options, x_t0, x_t1);
  std::vector<Vec3> x_until;
  std::vector<VertexPath> paths_until;
  using Found = std::optional<Impact>;
  double update_ms = all.ms();
  bool static_first = false;
  constexpr std::array kParts = {0x1p-6, 0x1p-3, 1.0};
  for (std::size_t i = 0; i < kParts.size(); ++i) {
    const double until = kParts[i];
    const auto parts = static_cast<double>(kParts.size());
    const DetectorOptions options =
        stage_options(query.options, static_cast<double>(i) / parts, static_cast<double>(i + 1) / parts);
    const DetectorQuery part_query{query.scene, query.filter, options};
    const Stopwatch update;
    FeatureBounds bounds{mesh, paths, query.options.thickness > 0.0};
    if (until < 1.0) {
      const double room = truncate_step(x_t0, x_t1, until, x_until);
      make_paths(x_t0, x_until, paths_until);
      bounds.paths = paths_until;
      mesh.update(x_t0, x_until, gap + room);
    } else {
      mesh.update(x_t0, x_t1, gap);
    }
    // Proofs of the whole step, from its own positions: they hold for every part of it, whose ends are rounded.
    if (i == 0) prove(query, mesh, paths, result.stats.culled);
    update_ms += update.ms();
    if (i == 0) {
      result.stats.memory_bytes =
          memory_bytes(mesh, x_t0.size()) + x_t0.size() * (sizeof(Vec3) + sizeof(VertexPath));
      budget.charge_rest(planned, result.stats.memory_bytes);
      static_first = mesh.has_static() && !mesh.static_contacts().impacts;
    }
    const StaticStages stages(part_query, static_first);
    if (i == 0) {
      keep_earliest(result.impact, static_impacts(stages.static_query, mesh, bounds, step, budget, result.stats));
      static_first = false;
    }
    test_candidates<Found>(
        stages.moving_query, mesh, bounds, LeafBounds::Scope::Moving, step, budget,
        [](BlockResult<Found>& part, std::span<const Impact> some) { keep_earliest(part.found, some); },
        [&](BlockResult<Found>& part, double) {
          add_counters(result.stats, part.stats);
          times.add(part);
          if (part.found) keep_earliest(result.impact, {&*part.found, 1});
        });
    if (result.impact && result.impact->toi_lo < until - query.options.tolerance) {
      if (until < 1.0) report_progress(query.options, 1.0);
      break;
    }
  }
  times.write(all.ms() - update_ms, result.stats);
  result.stats.update_ms = update_ms;
  count_bounds(mesh, result.stats);  // of the last part
  if (result.impact) result.toi = result.impact->toi_lo;
  return result;
}

}  // namespace graze::query::leaf_queries
