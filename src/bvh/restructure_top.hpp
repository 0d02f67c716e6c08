// Update of the upper level of a two-level tree after its components have moved (Tang et al. 2009, VI-B, after
// Yoon, Curtis, Manocha 2007).
//
// Few components: the upper level is built anew each time, and taken if it is better by kWorthTaking. The build is
// cheaper than any guess that would save it is reliable (512 components: 0.1 ms), and keeping the old one when
// nothing is gained keeps what callers have stored by block. Many: selective restructuring. Every node tells what
// it costs now and what a rebuild is predicted to bring (top_metric.hpp); of those that have degraded, the set of
// subtrees with the greatest benefit less cost is chosen bottom-up, and only these are rebuilt, in their own
// blocks. Cost: O(C), and O(k log k) for k components that are regrouped. The same at any number of threads.
#pragma once

#include <cstddef>

#include "bvh/two_level.hpp"
#include "bvh/volumes.hpp"

namespace graze::bvh {

struct RestructureOptions {
  std::size_t rebuild_below = 512;  ///< "few": up to this many components
  double degraded = 1.1;            ///< a node is rebuilt only if it costs more than this times the prediction
  double steps = 8.0;               ///< how long a rebuild is expected to last: benefit counts that often
};

/// Regroups components by their volumes, which must have been refitted, and brings the volumes of the upper level
/// up to date: the tree and its volumes are then as if refitted anew. Blocks of components stay as they are.
/// Returns how many components were regrouped; 0: nothing has changed. What a caller keeps by upper block
/// (BvhMasks) must be made anew else.
template <typename Volume>
std::size_t bvh_restructure_top(TwoLevelTree& two_level, BvhVolumes<Volume>& volumes,
                                const RestructureOptions& options = {});

}  // namespace graze::bvh
