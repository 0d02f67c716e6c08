// Tables and bounds of clusters for a part of a step, the nodes of the tree over them, and the parameters of the
// part: what a query computes of all vertices and clusters, in linear time.
#pragma once

#include "cuda/device_scene.cuh"

namespace graze::cuda {

/// What summarize() computes beside the fields of StepControl.
struct SummaryRequest {
  double thickness;               ///< 0: no gap
  double tolerance;               ///< of the elementary tests, for the gap
  double distance;                ///< gap of a query at one instant
  double cluster_size;            ///< mean size of a cluster, for the first part of a search for the first impact
  const std::uint8_t* is_static;  ///< by vertex; null if there is no static body
  const double* until;            ///< end of the part, a power of two; 0: the first part of a search is chosen
};

/// Partial results of summarize(), one for each of its blocks, and how many blocks have finished.
struct SummaryBlock {
  double lo[3];
  double hi[3];
  double largest;
  double displacement;
  std::uint32_t wrong;
};
inline constexpr unsigned kSummaryBlocks = 128;

/// Computes extent, largest coordinate, mean displacement and gap of a step, looks for coordinates that are not
/// finite and for static vertices that move, and chooses the first part if asked to. `ticket` must be 0, and is 0
/// again at the end.
void summarize(const PositionsView& x, const SummaryRequest& request, SummaryBlock* blocks, std::uint32_t* ticket,
               StepControl* control, cudaStream_t stream);

/// Fills the tables of all clusters for the part of the step in `control`, and the lowest nodes of the tree.
void fill_tables(const ClusterShape* shapes, const TreeView& tree, const ScenesView& scenes, const PositionsView& x,
                 const StepControl* control, ClusterTable* tables, cudaStream_t stream);

/// Computes the bounds of all nodes above the lowest.
void refit(const TreeView& tree, cudaStream_t stream);

/// Size of all clusters, size of the lowest nodes, and the number of clusters with frames of their own: what
/// decides whether clusters or their order must be renewed. Sums in a fixed order. `sums`: three doubles for each
/// lowest node, then three for the results.
void measure(const ClusterTable* tables, const TreeView& tree, double* sums, cudaStream_t stream);

}  // namespace graze::cuda
