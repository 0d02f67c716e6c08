// Blocks of work of method `auto`: pairs of clusters whose bounds overlap, about the same number in each block.
// Base of its candidate sources.
#pragma once

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
      : query_(query), mesh_(mesh), traversal_(mesh.tree(), gap) {}

  [[nodiscard]] std::uint64_t front_tests() const { return traversal_.front_tests(); }

  [[nodiscard]] std::vector<std::uint64_t> block_weights() const override {
    return std::vector<std::uint64_t>(traversal_.block_count(), 1);  // blocks weigh about the same
  }
  /// Waves are as long as many threads need, or as short as the cache of one thread likes: answers, their order and
  /// counters depend on the blocks alone.
  [[nodiscard]] WaveSizes wave_sizes() const override {
    return query_.options.threads == 1 ? WaveSizes{.first = 16, .last = 32} : WaveSizes{.first = 256, .last = 1024};
  }

 protected:
  /// Calls collect(std::span<const ClusterPair>) for the pairs of clusters of a block, in chunks.
  template <typename Collect>
  void for_pairs(std::size_t block, Stats& stats, const Collect& collect) const {
    stats.bv_tests += traversal_.run(block, collect);
  }

  [[nodiscard]] const QueryContext& query() const { return query_; }
  [[nodiscard]] const ClusterMesh& mesh() const { return mesh_; }

 private:
  const QueryContext& query_;
  const ClusterMesh& mesh_;
  ClusterTraversal traversal_;
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
