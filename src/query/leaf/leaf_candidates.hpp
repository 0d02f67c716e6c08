// Candidates from pairs of leaves: a source of leaf pairs (LeafPairs) and a choice of their feature pairs
// (LeafFeatures) make a CandidateSource. The methods on hierarchies and on spatial hashing compose the two.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "query/candidate_source.hpp"
#include "query/leaf/leaf_features.hpp"
#include "query/leaf/leaf_pair_source.hpp"

namespace graze::query {

/// Turns features, given by leaf and edge number, into pairs of vertex ids in canonical order and pushes the pairs
/// into a stream.
template <typename Stream>
struct FeatureSink {
  const LeafBounds& mesh;
  Stream& stream;
  Stats& stats = stream.stats();

  /// Counts a triangle pair that the traversal leaves to the orphan sets because it shares vertices.
  void adjacent(unsigned shared) { ++(shared == 1 ? stats.culled.vertex_adjacent : stats.culled.edge_adjacent); }

  void vertex_face(VertexId v, std::uint32_t leaf, bool keep = true) {
    const Face face = mesh.leaf(leaf).face();
    stream.push(FeatureKind::VertexFace, PairVertices{v, face[0], face[1], face[2]}, keep);
  }
  void edge_edge(std::uint32_t a, std::uint32_t b, bool keep = true) {
    const auto [first, second] = std::minmax(mesh.edge(a), mesh.edge(b));
    stream.push(FeatureKind::EdgeEdge, PairVertices{first[0], first[1], second[0], second[1]}, keep);
  }
  void edge_edges(std::span<const PairVertices> pairs) {
    for (const PairVertices& pair : pairs) stream.push(FeatureKind::EdgeEdge, pair, true);
  }
  void edge_face(std::uint32_t edge, std::uint32_t leaf) { stream.push(mesh.edge(edge), mesh.leaf(leaf).face()); }
};

/// A choice of feature pairs: continuous(pairs, sink) pushes those for continuous tests and proximities.
template <typename Features>
concept LeafFeatures = requires(const Features& features, std::span<const LeafPair> pairs,
                                FeatureSink<CandidateStream>& sink) {
  features.continuous(pairs, sink);
};
/// Whether a choice of feature pairs has edge-face pairs, for intersections.
template <typename Features>
concept EdgeFaceFeatures = requires(const Features& features, std::span<const LeafPair> pairs,
                                    FeatureSink<EdgeFaceStream>& sink) {
  features.edge_face(pairs, sink);
};
/// Whether a choice of feature pairs defers some pairs of leaves to a later source.
template <typename Features>
concept DefersPairs = requires(const Features& features, const LeafPair& pair) {
  features.defers(pair);
};

/// Pairs of leaves that are deferred to a later source, by block.
using DeferredPairs = std::vector<std::vector<LeafPair>>;

template <LeafPairs Pairs, LeafFeatures Features>
class LeafCandidates final : public CandidateSource {
 public:
  /// Refers to filter, mesh and deferred. `deferred` receives the deferred pairs; null: no pair is deferred.
  LeafCandidates(const BodyFilter& filter, const LeafBounds& mesh, Pairs pairs, const Features& features,
                 DeferredPairs* deferred = nullptr)
      : filter_(filter), mesh_(mesh), pairs_(std::move(pairs)), features_(features), deferred_(deferred) {
    if (deferred_ != nullptr) deferred_->resize(pairs_.block_weights().size());
  }

  [[nodiscard]] std::vector<std::uint64_t> block_weights() const override { return pairs_.block_weights(); }

  void generate(std::size_t block, CandidateStream& stream) const override {
    FeatureSink<CandidateStream> sink{mesh_, stream};
    for_pairs(block, stream.stats(), [&](std::span<const LeafPair> pairs) { features_.continuous(pairs, sink); });
  }
  void generate_proximities(std::size_t block, ProximityStream& stream) const override {
    FeatureSink<ProximityStream> sink{mesh_, stream};
    for_pairs(block, stream.stats(), [&](std::span<const LeafPair> pairs) { features_.continuous(pairs, sink); });
  }
  void generate_edge_faces(std::size_t block, EdgeFaceStream& stream) const override {
    if constexpr (EdgeFaceFeatures<Features>) {
      FeatureSink<EdgeFaceStream> sink{mesh_, stream};
      for_pairs(block, stream.stats(), [&](std::span<const LeafPair> pairs) { features_.edge_face(pairs, sink); });
    } else {
      CandidateSource::generate_edge_faces(block, stream);
    }
  }

 private:
  template <typename Visit>
  void for_pairs(std::size_t block, Stats& stats, const Visit& visit) const {
    for_tested_pairs(filter_, mesh_, pairs_, block, stats, [&](std::span<const LeafPair> pairs) {
      if constexpr (DefersPairs<Features>) {
        if (deferred_ != nullptr) {
          std::vector<LeafPair> now;
          for (const LeafPair& pair : pairs) (features_.defers(pair) ? (*deferred_)[block] : now).push_back(pair);
          visit(std::span<const LeafPair>(now));
          return;
        }
      }
      visit(pairs);
    });
  }

  const BodyFilter& filter_;
  const LeafBounds& mesh_;
  Pairs pairs_;
  Features features_;
  DeferredPairs* deferred_;
};

template <typename Pairs, typename Features>
std::unique_ptr<const CandidateSource> make_leaf_candidates(const BodyFilter& filter, const LeafBounds& mesh,
                                                            Pairs pairs, const Features& features,
                                                            DeferredPairs* deferred = nullptr) {
  return std::make_unique<LeafCandidates<Pairs, Features>>(filter, mesh, std::move(pairs), features, deferred);
}

}  // namespace graze::query
