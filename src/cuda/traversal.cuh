// Broad phase on the GPU: the pairs of clusters whose bounds linear in time overlap.
#pragma once

#include "cuda/device_scene.cuh"

namespace graze::cuda {

/// Appends the overlapping pairs of each cluster of [first, last) with itself and with clusters of higher number to
/// `pairs`, within the gap of `control`, and counts them. Pairs beyond the capacity are counted alone. Their order
/// depends on the run; what follows does not depend on it.
/// In a batch the same for each scene: no pair has clusters of two scenes.
void traverse(const TreeView& tree, const ScenesView& scenes, const StepControl* control, std::uint32_t first,
              std::uint32_t last, DevicePair* pairs, std::uint32_t capacity, Counters* counters,
              cudaStream_t stream);

}  // namespace graze::cuda
