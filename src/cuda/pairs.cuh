// Mid phase on the GPU: the feature pairs of pairs of clusters that may touch, the candidates of the elementary
// tests, each once.
#pragma once

#include "cuda/device_scene.cuh"

namespace graze::cuda {

/// Which candidates a query wants.
enum class Candidates : std::uint8_t {
  Touching,   ///< vertex-face and edge-edge pairs that may touch
  WithinGap,  ///< vertex-face and edge-edge pairs that may come within the gap
  EdgeFaces,  ///< edge-face pairs that may touch, at one instant
};

/// A candidate: vertex ids in canonical order. Edge-face: the edge and two vertices of the face; `last` has the
/// third.
using DeviceCandidate = uint4;

struct CandidateLists {
  DeviceCandidate* vf;
  DeviceCandidate* ee;  ///< edge-edge, or edge-face
  std::uint32_t* last;  ///< of edge-face
  std::uint32_t vf_capacity;
  std::uint32_t ee_capacity;
};

struct PairInput {
  const ClusterShape* shapes;
  const ClusterTable* tables;
  PositionsView x;
  FilterView filter;
  const StepControl* control;
  const DevicePair* pairs;
  std::uint32_t pair_capacity;
  std::uint32_t first_pair;  ///< of the part of the list that is wanted
  std::uint32_t last_pair;   ///< its end, or more than the list has
};

/// Appends the candidates of the pairs of clusters to the lists, and counts them; those beyond the capacity are
/// counted alone. `counters->next_pair` must be 0.
void collect_pairs(Candidates wanted, const PairInput& input, const CandidateLists& lists, Counters* counters,
                   unsigned processors, cudaStream_t stream);

}  // namespace graze::cuda
