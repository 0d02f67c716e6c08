// Feature pairs between the two halves of the mid phase: pairs whose bounds overlap (pairs.cuh), in a list that the
// proofs read (proofs.cuh).
#pragma once

#include "cuda/device_scene.cuh"

namespace graze::cuda {

/// Which candidates a query wants.
enum class Candidates : std::uint8_t {
  Touching,   ///< vertex-face and edge-edge pairs that may touch
  WithinGap,  ///< vertex-face and edge-edge pairs that may come within the gap
  EdgeFaces,  ///< edge-face pairs that may touch, at one instant
};

/// A pair of features as a word: six bits for each vertex, its place among the vertices of both clusters; the kind
/// in the highest bits.
using FeatureWord = std::uint32_t;
inline constexpr unsigned kPlaceBits = 6;
inline constexpr std::uint32_t kOfSecond = methods::kClusterVertices;  ///< added to places of the second cluster
inline constexpr unsigned kKindShift = 30;
enum FeatureWordKind : std::uint32_t { kVertexFace = 0, kEdgeEdge = 1, kEdgeFace = 2 };

/// The place of a vertex of a pair: those of the first feature come first.
__device__ inline unsigned place(FeatureWord word, int corner) {
  return word >> (kPlaceBits * corner) & ((1U << kPlaceBits) - 1U);
}
__device__ inline std::uint32_t kind(FeatureWord word) {
  return word >> kKindShift;
}

/// What the feature pairs of two clusters have in common: lengths in the frame in which the clusters are compared.
struct alignas(16) PairFrame {
  float error;           ///< of both clusters together
  float gap;             ///< largest distance of a candidate
  float position_error;  ///< StepControl::position_error
  std::uint32_t of;      ///< whose frame: see below
};
/// The clusters have one frame, that of their tables; or it is that of the first or of the second one, and
/// coordinates in it are computed anew.
enum FrameOf : std::uint32_t { kOfBoth = 0, kOfFirstCluster = 1, kOfSecondCluster = 2 };

/// A feature pair whose bounds overlap. `pair`: number of the pair of clusters; kNoPair for an entry without one.
struct OverlappingPair {
  std::uint32_t pair;
  FeatureWord word;
};
inline constexpr std::uint32_t kNoPair = 0xffffffffU;

/// Overlapping feature pairs, in any order, and the frames of the pairs of clusters.
struct OverlapList {
  OverlappingPair* overlaps;
  std::uint32_t capacity;
  PairFrame* frames;  ///< by pair of clusters
};

}  // namespace graze::cuda
