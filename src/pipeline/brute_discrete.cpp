// Intersections and proximities at one instant over all pairs (pipeline/brute.hpp). Boxes reject by comparison
// alone; what is left is decided by the exact elementary tests.
#include <algorithm>
#include <array>
#include <utility>

#include <graze/elementary.hpp>

#include "core/sort.hpp"
#include "pipeline/all_pairs.hpp"
#include "pipeline/brute.hpp"

namespace graze {

namespace {

template <typename Found>
struct BlockResult {
  std::vector<Found> found;
  Stats stats;
};

/// Runs test(block, row, column, part) over the candidates of all blocks and returns what was found, in block
/// order.
template <typename Found, typename Test>
std::vector<Found> find_in_blocks(const Query& query, std::span<const Vec3> x, double gap,
                                  std::span<const PairKind> kinds, MemoryBudget& budget, Stats& stats,
                                  const Test& test) {
  const Features& features = query.topology.features;
  const Stopwatch update;
  const FeatureBoxes boxes = make_feature_boxes(features, x, x);
  std::vector<PairBlock> blocks;
  for (const PairKind kind : kinds) append_pair_blocks(kind, features, blocks);
  stats.memory_bytes = query.topology.memory_bytes() + boxes.memory_bytes() + blocks.capacity() * sizeof(PairBlock);
  budget.charge(stats.memory_bytes);
  stats.update_ms = update.ms();

  const Stopwatch loop;
  std::vector<std::vector<Found>> parts;
  std::size_t count = 0;
  using Result = BlockResult<Found>;
  run_in_waves<Result>(
      query.options, std::span<const PairBlock>(blocks),
      [&](const PairBlock& block, Result& part) {
        part.stats.bv_tests = block.pairs;
        for_each_candidate(block, features, boxes, gap,
                           [&](std::size_t row, std::size_t column) { test(block.kind, row, column, part); });
        part.found.shrink_to_fit();
      },
      [&](Result& part) {
        add_counters(stats, part.stats);
        count += part.found.size();
        if (!part.found.empty()) parts.push_back(std::move(part.found));
      },
      [] {});
  std::vector<Found> all;
  all.reserve(count);
  for (std::vector<Found>& part : parts) {
    all.insert(all.end(), part.begin(), part.end());
    part = {};
  }
  stats.narrow_ms = loop.ms();
  return all;
}

/// Places of an edge and a face in their lists.
struct EdgeFacePlaces {
  std::uint32_t edge;
  std::uint32_t face;

  friend auto operator<=>(const EdgeFacePlaces&, const EdgeFacePlaces&) = default;
};

/// The pairs of triangles without a shared vertex of which one has the edge and the other is the face.
std::vector<std::array<std::uint32_t, 2>> triangle_pairs_of(const Topology& topology,
                                                            std::span<const EdgeFacePlaces> found,
                                                            MemoryBudget& budget) {
  std::vector<std::array<std::uint32_t, 2>> pairs;
  for (const auto& [edge, face] : found) {
    for (const std::uint32_t a : topology.edge_triangles[edge]) {
      const Face& face_a = topology.features.faces[topology.triangle_faces[a]];
      if (share_vertex(face_a, topology.features.faces[face])) continue;
      const auto others = topology.face_triangles[face];
      budget.charge(2 * sizeof(pairs[0]) * others.size());
      for (const std::uint32_t b : others) pairs.push_back({std::min(a, b), std::max(a, b)});
    }
  }
  parallel_sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  pairs.shrink_to_fit();
  return pairs;
}

}  // namespace

Intersections brute_intersections(const Query& query, std::span<const Vec3> x) {
  const Features& features = query.topology.features;
  Intersections result;
  MemoryBudget budget(query.options.memory_cap);
  constexpr std::array kKinds = {PairKind::EdgeFace};
  auto found = find_in_blocks<EdgeFacePlaces>(
      query, x, 0.0, kKinds, budget, result.stats,
      [&](PairKind, std::size_t row, std::size_t column, BlockResult<EdgeFacePlaces>& part) {
        const Edge& e = features.edges[row];
        const Face& f = features.faces[column];
        if (!intersect_edge_face({x[e[0]], x[e[1]], x[f[0]], x[f[1]], x[f[2]]}, &part.stats.tiers)) return;
        budget.charge(2 * sizeof(EdgeFacePlaces) + sizeof(Intersection));
        part.found.push_back({static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column)});
      });
  parallel_sort(found);  // places ascend as their ids do
  result.edge_face.reserve(found.size());
  for (const auto& [edge, face] : found) result.edge_face.push_back({features.edges[edge], features.faces[face]});
  result.triangle_pairs = triangle_pairs_of(query.topology, found, budget);
  return result;
}

Proximities brute_proximities(const Query& query, std::span<const Vec3> x, double d) {
  const Features& features = query.topology.features;
  Proximities result;
  MemoryBudget budget(query.options.memory_cap);
  constexpr std::array kKinds = {PairKind::VertexFace, PairKind::EdgeEdge};
  result.proximities = find_in_blocks<Proximity>(
      query, x, d, kKinds, budget, result.stats,
      [&](PairKind kind, std::size_t row, std::size_t column, BlockResult<Proximity>& part) {
        const bool vertex_face = kind == PairKind::VertexFace;
        const FeaturePair pair = vertex_face ? vertex_face_pair(features.vertices[row], features.faces[column])
                                             : edge_edge_pair(features.edges[row], features.edges[column]);
        const std::array points = {x[pair.vertices[0]], x[pair.vertices[1]], x[pair.vertices[2]],
                                   x[pair.vertices[3]]};
        ++(vertex_face ? part.stats.vf_tests : part.stats.ee_tests);
        const bool within = vertex_face ? within_vertex_face(points, d, &part.stats.tiers)
                                        : within_edge_edge(points, d, &part.stats.tiers);
        if (!within) return;
        budget.charge(2 * sizeof(Proximity));
        const ElementaryDistance at = vertex_face ? distance_vertex_face(points) : distance_edge_edge(points);
        part.found.push_back({.pair = pair, .distance = at.distance, .weights = at.weights});
      });
  parallel_sort(result.proximities, [](const Proximity& a, const Proximity& b) { return a.pair < b.pair; });
  return result;
}

}  // namespace graze
