// Second half of the mid phase on the GPU: of the feature pairs whose bounds overlap, those that no proof in floats
// rules out are the candidates of the elementary tests.
#pragma once

#include "cuda/device_scene.cuh"
#include "cuda/feature_pairs.cuh"
#include "cuda/pairs.cuh"

namespace graze::cuda {

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

/// Appends the candidates among the overlapping pairs to the lists, and counts them; those beyond the capacity are
/// counted alone. `input` is that of compare_pairs().
void prove_pairs(Candidates wanted, const PairInput& input, const OverlapList& overlaps, const FilterView& filter,
                 const CandidateLists& lists, Counters* counters, unsigned processors, cudaStream_t stream);

}  // namespace graze::cuda
