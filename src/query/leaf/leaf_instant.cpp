// Intersections and proximities over pairs of leaves. See leaf_instant.hpp.
#include "query/leaf/leaf_instant.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "query/instant_loop.hpp"
#include "query/proximity_test.hpp"
#include "query/sort_pairs.hpp"

namespace graze::query {

namespace {

/// Calls generate(source, block, result) for every block of the sources of a query, and take(found) in block order.
template <typename Found, typename Generate, typename Take>
void find_among_leaves(const LeafQuery& leaf_query, LeafMethod& method, double progress_begin, double progress_end,
                       const Generate& generate, const Take& take) {
  const QueryContext& query = leaf_query.query;
  const auto sources = method.leaf_sources(leaf_query);
  const DetectorOptions options = stage_options(query.options, progress_begin, progress_end);
  find_at_instant<Found>({query.scene, query.filter, options}, *sources, leaf_query.stats, generate, take);
}

/// Updates the bounds of the mesh for one instant, and charges their memory.
void update_instant(BoundedLeaves& mesh, std::span<const Vec3> x, double gap, std::vector<VertexPath>& paths,
                    MemoryBudget& budget, Stats& stats) {
  const Stopwatch update;
  const std::size_t path_bytes = x.size() * sizeof(VertexPath);
  const std::size_t planned = mesh.planned_bytes() + path_bytes;
  budget.charge(planned);
  make_paths(x, x, paths);
  mesh.update(x, x, gap);
  mesh.count(stats);
  stats.memory_bytes = mesh.memory_bytes() + path_bytes;
  budget.charge_rest(planned, stats.memory_bytes);
  stats.update_ms = update.ms();
}

}  // namespace

Intersections leaf_intersections(const QueryContext& query, BoundedLeaves& mesh, LeafMethod& method,
                                 std::span<const Vec3> x) {
  Intersections result;
  MemoryBudget budget(query.options.memory_cap);
  std::vector<VertexPath> paths;
  update_instant(mesh, x, 0.0, paths, budget, result.stats);
  const FeatureBounds bounds{mesh, paths, false};
  std::optional<std::vector<Intersection>>& kept = mesh.static_contacts().intersections;
  const bool static_first = mesh.has_static() && !kept;
  const Stopwatch proofs;
  mesh.prepare_instant_culling(paths, !kept, result.stats.culled);
  result.stats.update_ms += proofs.ms();
  const Stopwatch loop;
  const auto find = [&](LeafBounds::Scope scope, double progress_begin, double progress_end) {
    std::vector<std::vector<Intersection>> blocks;
    find_among_leaves<Intersection>(
        {query, bounds, scope, PairTests::EdgeFace, true, budget, result.stats}, method, progress_begin,
        progress_end,
        [&](const CandidateSource& source, std::size_t block, InstantResult<Intersection>& found) {
          EdgeFaceStream stream{x, budget, found};
          source.generate_edge_faces(block, stream);
        },
        [&](std::vector<Intersection>&& some) { blocks.push_back(std::move(some)); });
    return blocks;
  };
  if (static_first) {
    std::vector<Intersection> all;
    for (const auto& block : find(LeafBounds::Scope::Static, 0.0, LeafBounds::kStaticShare)) {
      all.insert(all.end(), block.begin(), block.end());
    }
    kept = std::move(all);
  }
  std::vector<std::vector<Intersection>> found =
      find(LeafBounds::Scope::Moving, static_first ? LeafBounds::kStaticShare : 0.0, 1.0);
  if (kept) {
    budget.charge(2 * kept->size() * sizeof(Intersection));
    found.push_back(*kept);
  }
  result.edge_face = sorted_intersections(std::move(found));
  result.stats.narrow_ms = loop.ms();
  return result;
}

Stats leaf_proximities(const QueryContext& query, BoundedLeaves& mesh, LeafMethod& method, std::span<const Vec3> x,
                       double d, MemoryBudget& budget, FoundProximities found) {
  Stats stats;
  std::vector<VertexPath> paths;
  update_instant(mesh, x, d, paths, budget, stats);
  mesh.disable_culling();
  const FeatureBounds bounds{mesh, paths, d > 0.0};
  const Stopwatch loop;
  auto& kept = mesh.static_contacts().proximities;
  if (kept && kept->first != d) kept.reset();
  const bool static_first = mesh.has_static() && !kept;
  const auto find = [&](LeafBounds::Scope scope, double progress_begin, double progress_end, const auto& take) {
    find_among_leaves<Proximity>(
        {query, bounds, scope, PairTests::Continuous, true, budget, stats}, method, progress_begin, progress_end,
        [&](const CandidateSource& source, std::size_t block, InstantResult<Proximity>& result) {
          ProximityStream stream{x, d, budget, result};
          source.generate_proximities(block, stream);
        },
        take);
  };
  if (static_first) {
    std::vector<Proximity> all;
    find(LeafBounds::Scope::Static, 0.0, LeafBounds::kStaticShare,
         [&](std::vector<Proximity>&& some) { all.insert(all.end(), some.begin(), some.end()); });
    kept = std::pair(d, std::move(all));
  }
  find(LeafBounds::Scope::Moving, static_first ? LeafBounds::kStaticShare : 0.0, 1.0, found);
  if (kept && !kept->second.empty()) {
    budget.charge(kept->second.size() * sizeof(Proximity));
    found(std::vector<Proximity>(kept->second));
  }
  stats.narrow_ms = loop.ms();
  return stats;
}

}  // namespace graze::query
