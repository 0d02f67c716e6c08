// Intersections and proximities at one instant over all pairs (methods/brute/brute.hpp). Boxes reject by comparison
// alone; what is left is decided by the exact elementary tests.
#include <array>
#include <utility>

#include <graze/elementary.hpp>

#include "methods/brute/all_pairs.hpp"
#include "methods/brute/brute.hpp"
#include "query/intersections.hpp"
#include "query/proximity_test.hpp"

namespace graze::methods {

namespace {

template <typename Found>
struct BlockResult {
  std::vector<Found> found;
  Stats stats;
};

/// Runs test(block, row, column, part) over the candidates of all blocks and returns what was found, in block
/// order.
template <typename Found, typename Test>
std::vector<Found> find_in_blocks(const DetectorQuery& query, const Features& features, std::span<const Vec3> x,
                                  double gap, std::span<const PairKind> kinds, MemoryBudget& budget, Stats& stats,
                                  const Test& test) {
  const Stopwatch update;
  std::vector<PairBlock> blocks;
  for (const PairKind kind : kinds) append_pair_blocks(kind, features, blocks);
  stats.memory_bytes =
      features.memory_bytes() + feature_boxes_bytes(features) + blocks.capacity() * sizeof(PairBlock);
  budget.charge(stats.memory_bytes);
  const FeatureBoxes boxes = make_feature_boxes(features, x, x);
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
      [&](Result& part, double) {
        add_counters(stats, part.stats);
        count += part.found.size();
        if (!part.found.empty()) parts.push_back(std::move(part.found));
      },
      [] {});
  std::vector<Found> all;
  all.reserve(count);
  for (std::vector<Found>& part : parts) {
    all.insert(all.end(), part.begin(), part.end());
    part = std::vector<Found>();
  }
  stats.narrow_ms = loop.ms();
  return all;
}

}  // namespace

Intersections brute_intersections(const DetectorQuery& query, const Features& features, std::span<const Vec3> x) {
  Intersections result;
  MemoryBudget budget(query.options.memory_cap);
  constexpr std::array kKinds = {PairKind::EdgeFace};
  auto found = find_in_blocks<Intersection>(
      query, features, x, 0.0, kKinds, budget, result.stats,
      [&](PairKind, std::size_t row, std::size_t column, BlockResult<Intersection>& part) {
        const Edge& e = features.edges[row];
        const Face& f = features.faces[column];
        if (!query.filter.tests(e[0], f[0])) return;
        if (!intersect_edge_face({x[e[0]], x[e[1]], x[f[0]], x[f[1]], x[f[2]]}, &part.stats.tiers)) return;
        budget.charge(2 * sizeof(Intersection));
        part.found.push_back({e, f});
      });
  write_intersections(query.scene, std::move(found), budget, result);
  return result;
}

Proximities brute_proximities(const DetectorQuery& query, const Features& features, std::span<const Vec3> x,
                              double d) {
  Proximities result;
  MemoryBudget budget(query.options.memory_cap);
  constexpr std::array kKinds = {PairKind::VertexFace, PairKind::EdgeEdge};
  result.proximities = find_in_blocks<Proximity>(
      query, features, x, d, kKinds, budget, result.stats,
      [&](PairKind kind, std::size_t row, std::size_t column, BlockResult<Proximity>& part) {
        const bool vertex_face = kind == PairKind::VertexFace;
        const FeaturePair pair = vertex_face ? vertex_face_pair(features.vertices[row], features.faces[column])
                                             : edge_edge_pair(features.edges[row], features.edges[column]);
        if (query.filter.tests(pair.vertices[0], pair.vertices[2])) {
          test_proximity(pair, x, d, budget, part.stats, part.found);
        }
      });
  sort_proximities(result.proximities);
  return result;
}

}  // namespace graze::methods
