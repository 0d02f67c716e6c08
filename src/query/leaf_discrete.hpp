// Intersections and proximities at one instant on leaves whose pairs a hierarchy or tables of voxels bring: one
// template for both (a Mesh as in query/leaf_continuous.hpp). At an instant an edge is a segment, tested as
// such against the boxes of faces (R-TRI, section 5.1); what is left is decided by the exact elementary tests.
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <graze/elementary.hpp>

#include "query/compose.hpp"
#include "query/intersections.hpp"
#include "query/proximity_test.hpp"

namespace graze::query::leaf_queries {

template <typename Found>
struct DiscreteResult {
  std::vector<Found> found;
  Stats stats;
  std::vector<LeafPair> deferred;
};

/// Runs visit(features, pairs, part) over the pairs of leaves of a method, and returns what was found in block
/// order.
template <typename Found, typename Mesh, typename Visit>
std::vector<Found> find_pairs(const DetectorQuery& query, Mesh& mesh, const FeatureBounds& bounds,
                              LeafBounds::Scope scope, PairTests tests, MemoryBudget& budget, Stats& stats,
                              const Visit& visit) {
  std::vector<Found> all;
  using Result = DiscreteResult<Found>;
  compose_method<QuerySpan::Instant>(
      query, mesh, bounds, scope, tests, budget,
      [&](const DetectorQuery& stage, const auto& source, const auto& features, std::vector<LeafPair>* deferred) {
        run_leaf_pairs<Result>(
            stage, bounds.mesh, source,
            [&](Result& part, const auto& walk) {
              std::vector<LeafPair>* const later = deferred != nullptr ? &part.deferred : nullptr;
              walk([&](std::span<const LeafPair> pairs) {
                visit_or_defer(features, pairs, later,
                               [&](std::span<const LeafPair> now) { visit(features, now, part); });
              });
            },
            [&](Result& part, double) {
              add_counters(stats, part.stats);
              all.insert(all.end(), part.found.begin(), part.found.end());
              if (deferred == nullptr) return;
              budget.charge(part.deferred.size() * sizeof(LeafPair));
              deferred->insert(deferred->end(), part.deferred.begin(), part.deferred.end());
            });
      },
      [](const DetectorQuery&) {});
  return all;
}

/// Updates the mesh for one instant.
template <typename Mesh>
void update_instant(Mesh& mesh, std::span<const Vec3> x, double gap, std::vector<VertexPath>& paths,
                    MemoryBudget& budget, Stats& stats) {
  const Stopwatch update;
  const std::size_t path_bytes = x.size() * sizeof(VertexPath);
  const std::size_t planned = mesh.planned_bytes() + path_bytes;
  budget.charge(planned);
  make_paths(x, x, paths);
  mesh.update(x, x, gap);
  count_bounds(mesh, stats);
  stats.memory_bytes = mesh.memory_bytes() + path_bytes;
  budget.charge_rest(planned, stats.memory_bytes);
  stats.update_ms = update.ms();
}

/// Candidates of a discrete query, tested at once.
struct EdgeFaceSink {
  const DetectorQuery& query;
  const LeafBounds& mesh;
  std::span<const Vec3> x;
  MemoryBudget& budget;
  DiscreteResult<Intersection>& part;

  void edge_face(std::uint32_t edge, std::uint32_t leaf) {
    const Edge& e = mesh.edge(edge);
    const Face f = mesh.leaf(leaf).face();
    if (!intersect_edge_face({x[e[0]], x[e[1]], x[f[0]], x[f[1]], x[f[2]]}, &part.stats.tiers)) return;
    budget.charge(2 * sizeof(Intersection));
    part.found.push_back({e, f});
  }
};

template <typename Mesh>
Intersections intersections_on(const DetectorQuery& query, Mesh& mesh, std::span<const Vec3> x) {
  Intersections result;
  MemoryBudget budget(query.options.memory_cap);
  std::vector<VertexPath> paths;
  update_instant(mesh, x, 0.0, paths, budget, result.stats);
  const FeatureBounds bounds{mesh, paths, false};
  std::optional<std::vector<Intersection>>& kept = mesh.static_contacts().intersections;
  const Stopwatch proofs;
  mesh.prove_instant(paths, !kept, result.stats.culled);
  result.stats.update_ms += proofs.ms();
  const Stopwatch loop;
  const StaticStages stages(query, mesh.has_static() && !kept);
  const auto find = [&](const DetectorQuery& stage, LeafBounds::Scope scope) {
    return find_pairs<Intersection>(
        stage, mesh, bounds, scope, PairTests::EdgeFace, budget, result.stats,
        [&](const auto& features, std::span<const LeafPair> pairs, DiscreteResult<Intersection>& part) {
          EdgeFaceSink sink{query, mesh, x, budget, part};
          features.edge_face(pairs, sink);
        });
  };
  if (mesh.has_static() && !kept) kept = find(stages.static_query, LeafBounds::Scope::Static);
  std::vector<Intersection> found = find(stages.moving_query, LeafBounds::Scope::Moving);
  if (kept) {
    budget.charge(2 * kept->size() * sizeof(Intersection));
    found.insert(found.end(), kept->begin(), kept->end());
  }
  write_intersections(query.scene, std::move(found), budget, result);
  result.stats.narrow_ms = loop.ms();
  return result;
}

template <typename Mesh>
Proximities proximities_on(const DetectorQuery& query, Mesh& mesh, std::span<const Vec3> x, double d) {
  Proximities result;
  MemoryBudget budget(query.options.memory_cap);
  std::vector<VertexPath> paths;
  update_instant(mesh, x, d, paths, budget, result.stats);
  mesh.forget_proofs();
  const FeatureBounds bounds{mesh, paths, d > 0.0};
  const Stopwatch loop;
  auto& kept = mesh.static_contacts().proximities;
  if (kept && kept->first != d) kept.reset();
  const StaticStages stages(query, mesh.has_static() && !kept);
  const auto find = [&](const DetectorQuery& stage, LeafBounds::Scope scope) {
    return find_pairs<Proximity>(
        stage, mesh, bounds, scope, PairTests::Continuous, budget, result.stats,
        [&](const auto& features, std::span<const LeafPair> pairs, DiscreteResult<Proximity>& part) {
          const auto push = [&](FeatureKind kind, const PairVertices& vertices, bool keep) {
            if (keep) test_proximity({kind, vertices}, x, d, budget, part.stats, part.found);
          };
          NamedPairs<decltype(push)> named{mesh, push, part.stats};
          features.continuous(pairs, named);
        });
  };
  if (mesh.has_static() && !kept) kept = std::pair(d, find(stages.static_query, LeafBounds::Scope::Static));
  result.proximities = find(stages.moving_query, LeafBounds::Scope::Moving);
  if (kept) {
    budget.charge(2 * kept->second.size() * sizeof(Proximity));
    result.proximities.insert(result.proximities.end(), kept->second.begin(), kept->second.end());
  }
  sort_proximities(result.proximities);
  result.stats.narrow_ms = loop.ms();
  return result;
}

}  // namespace graze::query::leaf_queries
