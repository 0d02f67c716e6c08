// Blocks of work of method `auto`: pairs of clusters below pairs of nodes of the traversal's front, a few pairs of
// the front in a block. Base of its candidate sources.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "methods/cluster/cluster_mesh.hpp"
#include "methods/cluster/cluster_pairs.hpp"
#include "methods/cluster/cluster_traversal.hpp"
#include "query/candidate_source.hpp"

namespace graze::methods {

class ClusterBlocks : public CandidateSource {
 public:
  /// `gap`: largest distance of a candidate. Refers to query and mesh.
  ClusterBlocks(const QueryContext& query, const ClusterMesh& mesh, double gap)
      : query_(query), mesh_(mesh), traversal_(mesh.tree(), gap) {
    constexpr std::size_t kMinBlocks = 512;  // where the front has as many pairs
    constexpr std::size_t kMaxPairsPerBlock = 64;
    pairs_per_block_ = std::clamp<std::size_t>(traversal_.front().size() / kMinBlocks, 1, kMaxPairsPerBlock);
  }

  [[nodiscard]] std::uint64_t front_tests() const { return traversal_.front_tests(); }

  [[nodiscard]] std::vector<std::uint64_t> block_weights() const override {
    const std::size_t count = (traversal_.front().size() + pairs_per_block_ - 1) / pairs_per_block_;
    return std::vector<std::uint64_t>(count, 1);  // blocks weigh the same
  }
  /// Waves are as long as many threads need, or as short as the cache of one thread likes: answers, their order and
  /// counters depend on the blocks alone.
  [[nodiscard]] WaveSizes wave_sizes() const override {
    return query_.options.threads == 1 ? WaveSizes{.first = 16, .last = 32} : WaveSizes{.first = 64, .last = 512};
  }

 protected:
  /// Calls collect(std::span<const ClusterPair>) for the pairs of clusters of a block, in chunks.
  template <typename Collect>
  void for_pairs(std::size_t block, Stats& stats, const Collect& collect) const {
    const std::size_t begin = block * pairs_per_block_;
    const std::size_t end = std::min(begin + pairs_per_block_, traversal_.front().size());
    for (std::size_t i = begin; i < end; ++i) stats.bv_tests += traversal_.run(traversal_.front()[i], collect);
  }

  [[nodiscard]] const QueryContext& query() const { return query_; }
  [[nodiscard]] const ClusterMesh& mesh() const { return mesh_; }

 private:
  const QueryContext& query_;
  const ClusterMesh& mesh_;
  ClusterTraversal traversal_;
  std::size_t pairs_per_block_ = 1;
};

/// Pushes the candidates of a buffer to a stream, those of bodies that are not tested as filtered out, and empties
/// it.
template <typename Stream>
void push_candidates(PairBuffer& buffer, const BodyFilter& filter, Stream& stream) {
  const bool all = filter.tests_all();
  for (const auto& v : buffer.vertex_faces) {
    stream.push(FeatureKind::VertexFace, v, all || filter.tests(v[0], v[1]));
  }
  for (const auto& v : buffer.edge_edges) {
    stream.push(FeatureKind::EdgeEdge, v, all || filter.tests(v[0], v[2]));
  }
  buffer.vertex_faces.clear();
  buffer.edge_edges.clear();
}

}  // namespace graze::methods
