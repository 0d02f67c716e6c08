// First half of the mid phase on the GPU: the feature pairs of pairs of clusters whose bounds overlap, each once
// and without incident ones.
#pragma once

#include "cuda/device_scene.cuh"
#include "cuda/feature_pairs.cuh"

namespace graze::cuda {

struct PairInput {
  const ClusterShape* shapes;
  const ClusterTable* tables;
  PositionsView x;
  const StepControl* control;
  const DevicePair* pairs;
  std::uint32_t pair_capacity;
};

/// Appends the overlapping feature pairs of the pairs of clusters to the list, and counts its places; those beyond
/// the capacity are counted alone. Writes the frames of the pairs of clusters that have any. `counters->next_pair`
/// must be 0.
void compare_pairs(Candidates wanted, const PairInput& input, const OverlapList& list, Counters* counters,
                   unsigned processors, cudaStream_t stream);

}  // namespace graze::cuda
