// Selective restructuring of the upper level of a two-level tree after its components have moved (Tang et al. 2009,
// VI-B, after Yoon, Curtis, Manocha 2007).
//
// Few components: builds a new upper level each time and keeps it if it saves at least the fraction kMinVisitSaving
// of the visits. The build is so cheap (512 components: 0.1 ms) that no prediction is reliable enough to skip it.
// If there is no gain, the old level stays, and with it everything that callers store per block. Many components:
// computes for each node its cost now and its predicted cost after a rebuild (top_metric.hpp), chooses bottom-up,
// among the degraded nodes, the set of disjoint subtrees with the greatest benefit less cost, and rebuilds only
// these subtrees, in their own blocks. Cost: O(C), and O(k log k) for k regrouped components. The result is the
// same with any number of threads.
#pragma once

#include <cstddef>

#include "bvh/two_level.hpp"
#include "bvh/volumes.hpp"

namespace graze::bvh {

struct RestructureOptions {
  std::size_t rebuild_below = 512;  ///< up to this many components the whole upper level is rebuilt
  double degraded = 1.1;            ///< rebuild a node only if its visits exceed this factor times the prediction
  double steps = 8.0;               ///< expected lifetime of a rebuild in steps: multiplies the benefit
};

/// Regroups components by their volumes, which must have been refitted, and updates the volumes of the upper level:
/// tree and volumes are then as after a refit. The blocks of components do not change. Returns the number of
/// regrouped components; 0 means that nothing has changed. If it is not 0, recompute data stored per upper block,
/// such as BvhMasks.
template <typename Volume>
std::size_t bvh_restructure_top(TwoLevelTree& two_level, BvhVolumes<Volume>& volumes,
                                const RestructureOptions& options = {});

}  // namespace graze::bvh
