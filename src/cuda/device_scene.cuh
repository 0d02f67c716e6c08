// The scene as the kernels see it: clusters of triangles (methods/cluster/cluster.hpp) in two parts, what stays
// between steps and what is computed for each step, the nodes of the tree over them, and the parameters of a query.
//
// Clusters are in the order of the tree, so that a node is a run of 32 clusters or of 32 nodes, and neighbours in
// space are neighbours in memory. There may be many scenes, each a run of clusters and of vertices: a batch.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

#include <graze/types.hpp>

#include "methods/cluster/cluster.hpp"
#include "methods/cluster/local_frame.hpp"

namespace graze::cuda {

using methods::ClusterLocalFrame;

/// What a cluster keeps between steps: the words of its features, as in methods::Cluster.
struct alignas(16) ClusterShape {
  std::uint32_t ids[methods::kClusterVertices];
  std::uint32_t edges[methods::kClusterEdges];
  std::uint32_t faces[methods::kClusterFaces];
  std::uint8_t contour[methods::kContourPlaces];
  std::uint8_t vertex_count;
  std::uint8_t owned_vertices;
  std::uint8_t edge_count;
  std::uint8_t face_count;
  std::uint8_t contour_count;
};

/// Coordinates of a vertex at t0 and t1 in a local frame, and its id.
struct alignas(16) VertexRow {
  float x0, y0, z0, x1;
  float y1, z1;
  std::uint32_t id;
  float unused;
};

/// What is computed of a cluster for a step: the tables and bounds of methods::Cluster.
struct alignas(16) ClusterTable {
  VertexRow rows[methods::kClusterVertices];
  float lo[6];
  float hi[6];
  float slabs_lo[2][10];
  float slabs_hi[2][10];
  float normal[3];
  float slab_lo[2];
  float slab_hi[2];
  float error;
  std::uint32_t slow;
  std::uint32_t own_frame;  ///< 1 if the shared frame does not resolve the cluster
  std::uint32_t self_free;  ///< 1 if no two features of the cluster touch unless they are incident
  ClusterLocalFrame frame;
};

/// Node of the tree: bounds linear in time of 32 children, in the scene's coordinates, rounded outward; empty for
/// missing children. Rows as in methods::LinearBox.
struct alignas(16) TreeNode {
  double lo[6][32];
  double hi[6][32];
};

inline constexpr unsigned kTreeWidth = 32;
inline constexpr unsigned kMaxLevels = 6;

/// Levels of the tree, from the lowest, whose children are clusters, to the root. Missing children of the levels
/// above the lowest have no bounds.
struct TreeView {
  TreeNode* levels[kMaxLevels];
  std::uint32_t* arrived[kMaxLevels];  ///< by node: children whose bounds are there; 0 between kernels
  std::uint32_t counts[kMaxLevels];    ///< nodes of each level
  std::uint32_t level_count;
  std::uint32_t cluster_count;
};

/// Positions of all vertices at both ends of a step.
struct PositionsView {
  const Vec3* x_t0;
  const Vec3* x_t1;
  std::uint32_t count;
};

/// The position of a vertex at the end of a part [0, until] of a step, as query/step_prefix.hpp computes it.
__device__ inline Vec3 end_of_part(const Vec3& p, const Vec3& q, double until) {
  if (until == 1.0) return q;
  if (p.x == q.x && p.y == q.y && p.z == q.z) return p;
  const double rest = 1.0 - until;
  return {rest * p.x + until * q.x, rest * p.y + until * q.y, rest * p.z + until * q.z};
}

/// Two clusters by number, a <= b; equal for the self-collision test of one cluster.
using DevicePair = uint2;

/// The scenes of a batch. With one scene all pointers but `shared` are null.
struct ScenesView {
  const ClusterLocalFrame* shared;      ///< by scene: the frame that most of its clusters share
  const std::uint32_t* of_cluster;      ///< scene of each cluster
  const std::uint32_t* cluster_ends;    ///< by scene: where its clusters end
  const std::uint32_t* of_vertex;       ///< scene of each vertex
  const std::uint32_t* first_vertices;  ///< by scene; then the number of all vertices
  std::uint32_t count;
  std::uint32_t vertex_count;

  [[nodiscard]] __device__ const ClusterLocalFrame& frame_of_cluster(std::uint32_t cluster) const {
    return shared[of_cluster == nullptr ? 0 : of_cluster[cluster]];
  }
  /// The bucket of an impact in their order (order.cuh): scene by scene, vertex-face before edge-edge, by first
  /// vertex.
  [[nodiscard]] __device__ std::uint32_t bucket(bool edge_edge, std::uint32_t first) const {
    if (of_vertex == nullptr) return edge_edge ? vertex_count + first : first;
    const std::uint32_t scene = of_vertex[first];
    const std::uint32_t begin = first_vertices[scene];
    return begin + first + (edge_edge ? first_vertices[scene + 1] - begin : 0U);
  }
};

/// A removed vertex, and one whose position it takes.
using RemovedVertex = uint2;

/// Bodies of the vertices, where not all pairs of bodies are tested; vertices of static bodies, and removed ones.
struct FilterView {
  const std::uint8_t* is_static;  ///< by vertex; null if there is no static body
  const RemovedVertex* removed;
  std::uint32_t removed_count;
  const std::uint32_t* body_of;  ///< by vertex; null if all pairs are tested
  const std::uint32_t* groups;   ///< by body
  const std::uint32_t* meets;    ///< by body
  const std::uint64_t* ignored;  ///< ignored pairs of bodies, the lower one in the high word, sorted
  std::uint32_t ignored_count;

  __device__ bool tests(std::uint32_t v, std::uint32_t w) const {
    if (body_of == nullptr) return true;
    const std::uint32_t a = body_of[v];
    const std::uint32_t b = body_of[w];
    if ((groups[a] & meets[b]) == 0 || (groups[b] & meets[a]) == 0) return false;
    const std::uint64_t key = static_cast<std::uint64_t>(min(a, b)) << 32U | max(a, b);
    std::uint32_t first = 0;
    std::uint32_t last = ignored_count;
    while (first < last) {
      const std::uint32_t middle = (first + last) / 2;
      if (ignored[middle] < key) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    return first == ignored_count || ignored[first] != key;
  }
};

inline constexpr std::uint32_t kNoWrong = 0xffffffffU;

/// Parameters of one part of a query, in GPU memory: kernels of the step compute some of them.
struct StepControl {
  double until;           ///< the part is [0, until] of the step
  double gap;             ///< largest distance of a candidate, in the scene's coordinates
  double position_error;  ///< bound on errors of positions other than the clusters' own; included in gap
  double size;            ///< largest extent of the scene
  double largest;         ///< largest absolute coordinate
  double displacement;    ///< mean over the vertices
  std::uint32_t wrong;    ///< the first vertex that is not finite, or static and moves; kNoWrong if there is none
  std::uint32_t unused;
};

/// Counters of a query, in GPU memory. Lists go on counting beyond their capacity, so that the host learns how long
/// they must be.
struct Counters {
  std::uint32_t pairs;      ///< overlapping pairs of clusters
  std::uint32_t next_pair;  ///< the next pair that a warp takes
  std::uint32_t overlaps;   ///< places in the list of overlapping feature pairs
  std::uint32_t vf;         ///< vertex-face candidates
  std::uint32_t ee;         ///< edge-edge candidates, or edge-face candidates
  std::uint32_t records;    ///< results
  std::uint32_t undecided;  ///< candidates that are left to the host
  std::uint32_t most_in_bucket;
  std::uint32_t settled_by_filter;  ///< candidates that the search left open and the filter ruled out
  std::uint32_t settled_exactly;    ///< those that touch at t0
  unsigned long long overlapping;   ///< overlapping pairs of clusters again, in a counter that cannot overflow
  unsigned long long bv_tests;
  unsigned long long cluster_pairs;
  unsigned long long feature_tests;
  unsigned long long feature_pairs;
  unsigned long long best_toi;  ///< bits of the earliest toi_lo so far, of a search for the first impact
};

}  // namespace graze::cuda
