// Pairs of leaves in blocks: from traversals, or from a list; the loop over them, and the adapters that name
// features.
//
// Blocks depend on the trees alone and run in waves (query/query.hpp), so that results and counters are the same
// for any number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bvh/traverse.hpp"
#include "mesh/leaf_pair.hpp"
#include "query/candidate_stream.hpp"
#include "query/leaf_bounds.hpp"
#include "query/query.hpp"

namespace graze::query {

class LeafPairSource {
 public:
  explicit LeafPairSource(std::vector<BvhTraversal> traversals) : traversals_(std::move(traversals)) {}
  /// A list of pairs that a traversal brought, and that were counted then; or of such as are new.
  explicit LeafPairSource(std::vector<LeafPair> list, bool counted = true)
      : list_(std::move(list)), counted_(counted) {}

  static constexpr std::uint64_t kWeight = std::uint64_t{1} << 20U;  ///< groups are about equal; waves of 16 to 32
  /// A group of a traversal, or a piece of the list.
  struct Block {
    std::size_t traversal = 0;
    std::size_t group = 0;
    std::uint64_t pairs = 0;  ///< weight for waves and progress
  };
  [[nodiscard]] std::vector<Block> blocks() const {
    std::vector<Block> blocks;
    for (std::size_t t = 0; t < traversals_.size(); ++t) {
      for (std::size_t g = 0; g < traversals_[t].group_count(); ++g) blocks.push_back({t, g, kWeight});
    }
    for (std::size_t g = 0; g * kPairsPerBlock < list_.size(); ++g) blocks.push_back({0, g, kWeight});
    return blocks;
  }

  /// Whether the pairs were counted before.
  [[nodiscard]] bool counted() const { return counted_; }

  /// Calls visit(std::span<LeafPair>) for the pairs of a block, some at a time, and counts its bound tests.
  template <typename Visit>
  void run(const Block& block, Stats& stats, const Visit& visit) const {
    std::vector<LeafPair> pairs;
    if (traversals_.empty()) {
      const std::size_t begin = block.group * kPairsPerBlock;
      const std::size_t end = std::min(begin + kPairsPerBlock, list_.size());
      pairs.assign(list_.begin() + static_cast<std::ptrdiff_t>(begin),
                   list_.begin() + static_cast<std::ptrdiff_t>(end));
      visit(std::span<LeafPair>(pairs));
      return;
    }
    const BvhTraversal& from = traversals_[block.traversal];
    stats.bv_tests += from.run_group(block.group, [&](std::span<const LeafPair> chunk) {
      pairs.assign(chunk.begin(), chunk.end());
      visit(std::span<LeafPair>(pairs));
    });
  }

 private:
  static constexpr std::size_t kPairsPerBlock = 4096;

  std::vector<BvhTraversal> traversals_;
  std::vector<LeafPair> list_;
  bool counted_ = false;
};

/// Runs work(part, walk) for every block, where walk(visit) calls visit(std::span<const LeafPair>) for the block's
/// pairs of bodies that the query looks at; then merge(part, share) in block order.
template <typename Result, typename Source, typename Work, typename Merge>
void run_leaf_pairs(const DetectorQuery& query, const LeafBounds& mesh, const Source& source, const Work& work,
                    const Merge& merge) {
  using Block = typename Source::Block;
  const std::vector<Block> blocks = source.blocks();
  const auto ignored = [&](const LeafPair& pair) {
    return !query.filter.tests(mesh.leaf(pair.a).vertices[0], mesh.leaf(pair.b).vertices[0]);
  };
  run_in_waves<Result>(
      query.options, std::span<const Block>(blocks),
      [&](const Block& block, Result& part) {
        work(part, [&](const auto& visit) {
          source.run(block, part.stats, [&](std::span<LeafPair> pairs) {
            if (!query.filter.tests_all()) {
              pairs = pairs.first(
                  static_cast<std::size_t>(std::remove_if(pairs.begin(), pairs.end(), ignored) - pairs.begin()));
            }
            part.stats.triangle_pairs += source.counted() ? 0 : pairs.size();
            visit(std::span<const LeafPair>(pairs));
          });
        });
      },
      merge, [] {});
}

/// Features by their ids become pairs in canonical order: push(kind, vertices, keep). Counts what is left to
/// orphans.
template <typename Push>
struct NamedPairs {
  const LeafBounds& mesh;
  const Push& push;
  Stats& stats;

  /// A pair of triangles that is not looked at, as it has so many vertices in common.
  void adjacent(unsigned shared) { ++(shared == 1 ? stats.culled.vertex_adjacent : stats.culled.edge_adjacent); }

  void vertex_face(VertexId v, std::uint32_t leaf, bool keep = true) {
    const Face face = mesh.leaf(leaf).face();
    push(FeatureKind::VertexFace, PairVertices{v, face[0], face[1], face[2]}, keep);
  }
  void edge_edge(std::uint32_t a, std::uint32_t b, bool keep = true) {
    const auto [first, second] = std::minmax(mesh.edge(a), mesh.edge(b));
    push(FeatureKind::EdgeEdge, PairVertices{first[0], first[1], second[0], second[1]}, keep);
  }
  void edge_edges(std::span<const PairVertices> pairs) {
    for (const PairVertices& pair : pairs) push(FeatureKind::EdgeEdge, pair, true);
  }
};

/// Calls candidates(named) with a NamedPairs whose pairs are tested, and sink(part, impacts) for what touches.
/// `Part` is a BlockResult<Found>, or has one as its base.
template <typename Found, typename Part, typename Sink, typename Candidates>
void test_named(const LeafBounds& mesh, const ImpactBatch::Step& step, DuplicateTestCheck& duplicate_check,
                Part& part, const Sink& sink, const Candidates& candidates) {
  const auto found = [&](std::span<const Impact> impacts) { sink(part, impacts); };
  CandidateStream stream(step, duplicate_check, static_cast<BlockResult<Found>&>(part), found);
  const auto push = [&](FeatureKind kind, const PairVertices& vertices, bool keep) {
    stream.push(kind, vertices, keep);
  };
  NamedPairs<decltype(push)> named{mesh, push, part.stats};
  candidates(named);
  stream.finish();
}

}  // namespace graze::query
