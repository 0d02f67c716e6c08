// Tests of the orphans of iccd: feature pairs that only adjacent triangles have (ICCD, section V).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "methods/bvh/hierarchy.hpp"
#include "query/leaf_features.hpp"
#include "query/leaf_pair_source.hpp"

namespace graze::methods {

/// A piece of the list a block: sink(part, impacts) for what is found, then merge(part, share) in block order.
template <typename Found, typename Sink, typename Merge>
void test_orphans(const DetectorQuery& query, Hierarchy& hierarchy, const FeatureBounds& bounds,
                  Hierarchy::Scope scope, const ImpactBatch::Step& step, MemoryBudget& budget,
                  DuplicateTestCheck& duplicate_check, const Sink& sink, const Merge& merge) {
  struct Block {
    std::size_t begin = 0;
    std::uint64_t pairs = 0;
  };
  constexpr std::size_t kOrphansPerBlock = 4096;
  BlockResult<Found> all;
  const std::vector<Orphan> orphans = hierarchy.open_orphans(scope, all.stats.culled);
  const std::size_t bytes = orphans.size() * sizeof(Orphan);
  budget.charge(bytes);
  merge(all, 0.0);
  std::vector<Block> blocks;
  for (std::size_t begin = 0; begin < orphans.size(); begin += kOrphansPerBlock) {
    blocks.push_back({begin, std::min(kOrphansPerBlock, orphans.size() - begin)});
  }
  const bool by_bounds = hierarchy.choices().edge_bounds != EdgeBounds::None;
  const auto is_tested = [&](const Orphan& orphan) {
    if (orphan.kind == FeatureKind::VertexFace) {
      const Leaf& leaf = hierarchy.leaf(orphan.b);
      return query.filter.tests(orphan.a, leaf.vertices[0]) && (!by_bounds || bounds.vertex_face(orphan.a, leaf));
    }
    return query.filter.tests(hierarchy.edge(orphan.a)[0], hierarchy.edge(orphan.b)[0]) &&
           (!by_bounds || bounds.edge_edge(orphan.a, orphan.b));
  };
  run_in_waves<BlockResult<Found>>(
      query.options, std::span<const Block>(blocks),
      [&](const Block& block, BlockResult<Found>& part) {
        test_named<Found>(hierarchy, step, duplicate_check, part, sink, [&](auto& named) {
          for (std::size_t i = block.begin; i < block.begin + block.pairs; ++i) {
            const Orphan& orphan = orphans[i];
            if (!is_tested(orphan)) continue;
            ++part.stats.culled.orphans;
            if (orphan.kind == FeatureKind::VertexFace) {
              named.vertex_face(orphan.a, orphan.b);
            } else {
              named.edge_edge(orphan.a, orphan.b);
            }
          }
        });
      },
      merge, [] {});
  budget.release(bytes);
}

}  // namespace graze::methods
