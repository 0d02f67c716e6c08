// State of method `auto` between continuous queries: clusters of triangles, a tree over them, the paths of the
// vertices, and the cached contacts of static features (temporal coherence).
//
// A vertex is kept in a step if it is static, has the position that it had, static, in the last step, and a
// completed query has cached its contacts. Feature pairs whose vertices are all kept are not tested again: their
// contacts are those of the last query. So static bodies, sleeping ones, and the part of a mesh that nothing has
// reached cost one comparison of positions. Clusters whose paths are unchanged since the last query keep their
// tables.
//
// Clusters are built once, and rebuilt when their triangles have moved apart; the tree, which is cheap, is
// reordered more often. Cost of a step: linear, a few nanoseconds per triangle. Memory: about 80 bytes per
// triangle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <graze/results.hpp>
#include <graze/scene.hpp>
#include <graze/types.hpp>

#include "core/uninitialized_vector.hpp"
#include "geometry/path.hpp"
#include "mesh/mesh_editor.hpp"
#include "methods/cluster/cluster.hpp"
#include "methods/cluster/cluster_leaves.hpp"
#include "methods/cluster/cluster_tree.hpp"
#include "methods/cluster/local_frame.hpp"

namespace graze::methods {

class ClusterMesh {
 public:
  /// References scene and leaves.
  ClusterMesh(const Scene& scene, ClusterLeaves& leaves) : scene_(&scene), leaves_(&leaves) {}

  /// Invalidates cached contacts that were found with another thickness. Call it before begin_step().
  void require_thickness(double thickness);
  /// Takes the paths of the vertices in the step from x_t0 to x_t1, and builds clusters if there are none or they
  /// have become too large. Call bound_step() or bound_part() next. Precondition: finite positions of all vertices.
  void begin_step(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1);
  /// Computes tables and bounds for the whole step.
  void bound_step(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1);
  /// Computes tables and bounds for the step prefix from x_t0 to x_until. Precondition: vertices that are static in
  /// the step do not move in x_until either.
  void bound_part(std::span<const Vec3> x_t0, std::span<const Vec3> x_until);
  /// Computes tables and bounds for one instant, and builds clusters as begin_step() does. Vertices v with kept[v]
  /// != 0 count as kept until the next step; `kept` may be empty. Paths and cached contacts of steps stay as they
  /// are.
  void bound_instant(std::span<const Vec3> x, std::span<const std::uint8_t> kept);
  /// Mean displacement of the vertices in the step, relative to the mean cluster size. May compute bounds.
  [[nodiscard]] double mean_displacement(std::span<const Vec3> x_t0);

  /// Updates the clusters after an edit of the scene; the leaves must already be updated. Clusters near the edit
  /// are rebuilt in the next step. With `forget`, all cached contacts are invalidated, else only those near the
  /// edit. If memory runs out, everything is built anew in the next step.
  void apply(const LeafChanges& changes, bool forget);
  /// Checks that every leaf is in exactly one cluster, with the features that it represents; returns an empty
  /// string if so. For tests.
  [[nodiscard]] std::string validate() const;

  [[nodiscard]] std::span<const VertexPath> paths() const { return paths_; }
  [[nodiscard]] std::span<const Cluster> clusters() const { return clusters_; }
  [[nodiscard]] const ClusterTree& tree() const { return tree_; }
  /// The local frame that most clusters share.
  [[nodiscard]] const ClusterLocalFrame& shared_frame() const { return shared_frame_; }
  /// Whether the clusters have become so large that the next step builds them anew.
  [[nodiscard]] bool needs_rebuild() const { return needs_rebuild_; }

  /// Returns the cached contacts whose vertices are all kept.
  [[nodiscard]] std::vector<Impact> kept_impacts() const;
  /// Whether any vertex is static in this step.
  [[nodiscard]] bool has_static_vertices() const { return has_static_vertices_; }
  /// Whether all vertices of a pair are static in this step: its contact can be cached.
  [[nodiscard]] bool is_static_pair(const FeaturePair& pair) const;
  /// Caches the contacts of static pairs, in lists of any length. Call it when a query has found all impacts;
  /// `found` excludes contacts that were cached already.
  void keep(const std::vector<std::vector<Impact>>& found);

  [[nodiscard]] std::size_t kept_cluster_count() const;
  [[nodiscard]] std::size_t memory_bytes() const;
  [[nodiscard]] static std::size_t planned_bytes(std::size_t vertices, std::size_t leaves);

 private:
  /// Flags of a vertex. Static: static in this step. Kept: static, unchanged, and Covered. Covered: its contacts
  /// with other vertices that were static when a query ended are in kept_. Same: its path is that of the previous
  /// step.
  enum Flag : std::uint8_t { Static = 1, Kept = 2, Covered = 4, Same = 8 };

  void prepare_clusters(std::span<const Vec3> x);
  void take_paths(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1);
  void make_clusters(std::span<const Vec3> x);
  void place_clusters(UninitializedVector<std::uint32_t> leaves, std::span<const Vec3> x);
  [[nodiscard]] std::vector<std::uint32_t> clusters_by_leaf() const;
  [[nodiscard]] std::vector<std::uint8_t> in_static_body() const;
  void mark_leaf_groups();
  void refit();
  /// Adds value(cluster) of all clusters, on all threads, with the same result for any number of them.
  template <typename Sum, typename Value>
  [[nodiscard]] Sum sum_over_clusters(Sum sum, const Value& value) const;
  [[nodiscard]] double spread() const;
  [[nodiscard]] bool is_kept(const FeaturePair& pair) const;

  const Scene* scene_;
  ClusterLeaves* leaves_;
  ClusterLocalFrame shared_frame_;
  UninitializedVector<Cluster> clusters_;
  // Leaves of the first cluster, then of the next one, and where they end, of clusters as they were made; empty
  // from the first edit on, when cluster_of_ replaces them.
  UninitializedVector<std::uint32_t> cluster_leaves_;
  std::vector<std::uint32_t> cluster_ends_;
  std::vector<std::uint32_t> cluster_of_;  // by leaf
  ClusterTree tree_;
  UninitializedVector<VertexPath> paths_;
  std::vector<std::uint8_t> flags_;         // by vertex
  bool has_static_vertices_ = false;        // whether a vertex is static in this step
  bool some_same_ = false;                  // whether a vertex has the path of the previous step
  double kept_thickness_ = 0.0;             // thickness of the queries that found kept_
  UninitializedVector<Impact> kept_;        // cached contacts of vertices that were static in the last query
  bool made_ = false;                       // whether clusters are built
  std::vector<std::uint32_t> unclustered_;  // leaves without a cluster since an edit
  std::vector<std::uint32_t> free_;         // free slots in clusters_
  bool tables_whole_ = false;               // whether tables are those of the whole step in paths_
  bool marked_ = true;                      // whether the last begin_step() was completed
  bool shared_frame_new_ = false;           // whether no table is in the current shared frame
  bool needs_rebuild_ = false;              // whether clusters have grown too much since they were built
  double spread_ = 0.0;                     // size of all clusters at the last refit; 0: never
  std::size_t made_count_ = 0;              // number of clusters when they were built
  double made_spread_ = 0.0;                // size of all clusters when they were built; 0: unknown
  double ordered_spread_ = 0.0;             // spread of the tree when it was ordered; 0: must be ordered
  double displacement_sum_ = 0.0;           // sum of the displacements of all vertices in this step
};

}  // namespace graze::methods
