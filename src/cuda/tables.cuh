// Tables and bounds of clusters for a part of a step, the nodes of the tree over them, and the parameters of the
// part: what a query computes of all vertices and clusters, in linear time.
#pragma once

#include "cuda/device_scene.cuh"

namespace graze::cuda {

/// Positions in GPU memory that a step takes over, in pinned memory; null if they have been copied already.
struct GivenPositions {
  const Vec3* x_t0;
  const Vec3* x_t1;
};

/// The arrays of all vertices at both ends of a step that a query keeps; the same array twice for an instant.
struct OwnPositions {
  Vec3* x_t0;
  Vec3* x_t1;
  std::uint32_t count;
};

/// What summarize() computes beside the fields of StepControl.
struct SummaryRequest {
  const GivenPositions* given;    ///< copied to the own positions
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
void summarize(const OwnPositions& x, const SummaryRequest& request, SummaryBlock* blocks, std::uint32_t* ticket,
               StepControl* control, cudaStream_t stream);

/// Fills the tables of all clusters for the part of the step in `control`, and the nodes of the tree; in a batch
/// the lowest ones alone. `prove_self`: clusters are proved free of self-collision where they are.
void fill_tables(const ClusterShape* shapes, const TreeView& tree, const ScenesView& scenes, const PositionsView& x,
                 const StepControl* control, bool prove_self, ClusterTable* tables, cudaStream_t stream);

/// Size of all clusters, size of the lowest nodes, and the number of clusters with frames of their own: what
/// decides whether clusters or their order must be renewed. Sums in a fixed order. `sums`: three doubles for each
/// lowest node, then three for the results.
void measure(const ClusterTable* tables, const TreeView& tree, double* sums, cudaStream_t stream);

}  // namespace graze::cuda
