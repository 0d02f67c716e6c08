// What method `auto` keeps of a mesh for continuous queries: clusters of triangles, a tree over them, the ways of
// vertices, and the contacts among what stands still.
//
// A vertex is kept in a step if it stands still where it stood, still, when the last query ended. Pairs of features
// all of whose vertices are kept are not looked at again: their contacts are those of the last query. So static
// bodies, sleeping ones, and the part of a mesh that nothing has reached cost one comparison of positions. Clusters
// whose ways are those of the last query keep their tables.
//
// Clusters are made once, and again where what lies in them has moved apart; the order of the tree, which is cheap,
// more often. Cost of a step: linear, a few nanoseconds a triangle. Memory: about 80 bytes a triangle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <graze/results.hpp>
#include <graze/scene.hpp>
#include <graze/types.hpp>

#include "geometry/path.hpp"
#include "mesh/mesh_editor.hpp"
#include "methods/cluster/cluster.hpp"
#include "methods/cluster/cluster_tree.hpp"
#include "methods/cluster/local_frame.hpp"
#include "query/leaf_bounds.hpp"

namespace graze::methods {

class ClusterMesh {
 public:
  /// Scene and leaves are referred to; their boxes are not used.
  ClusterMesh(const Scene& scene, const LeafBounds& leaves) : scene_(&scene), leaves_(&leaves) {}

  /// The ways of vertices in the step from x_t0 to x_t1, and clusters where there are none yet, or no good ones.
  /// Bounds are to be made next. Preconditions: finite positions of all vertices.
  void begin_step(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1);
  /// Tables and bounds for the whole step.
  void bound_step(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1);
  /// The same for a part of it, from its begin to x_until, where what stands still in the step does.
  void bound_part(std::span<const Vec3> x_t0, std::span<const Vec3> x_until);
  /// How far vertices go in the step, in the mean, as a share of the size of a cluster. May make bounds.
  [[nodiscard]] double mean_displacement(std::span<const Vec3> x_t0);

  /// Follows an edit of the scene, which the leaves have followed: clusters near it are made anew in the next step.
  /// With `forget`, contacts of what stands still are looked for again everywhere, else near the edit. Should
  /// memory run out, all is to be made anew.
  void apply(const LeafChanges& changes, bool forget);
  /// Whether every leaf is in one cluster, with the features that it represents: empty if so. For tests.
  [[nodiscard]] std::string validate() const;

  [[nodiscard]] std::span<const VertexPath> paths() const { return paths_; }
  [[nodiscard]] std::span<const Cluster> clusters() const { return clusters_; }
  [[nodiscard]] const ClusterTree& tree() const { return tree_; }
  [[nodiscard]] const ClusterLocalFrame& frame() const { return frame_; }

  /// The contacts of the last query of which all vertices are kept.
  [[nodiscard]] std::vector<Impact> kept_impacts() const;
  /// Whether any vertex stands still in this step.
  [[nodiscard]] bool has_static_vertices() const { return has_static_vertices_; }
  /// Whether all vertices of a pair stand still: a contact to be kept.
  [[nodiscard]] bool is_static_pair(const FeaturePair& pair) const;
  /// To be called when a query has found all: contacts of what stands still, less those that were kept already.
  void keep(std::vector<Impact> found);

  [[nodiscard]] std::size_t kept_cluster_count() const;
  [[nodiscard]] std::size_t memory_bytes() const;
  [[nodiscard]] static std::size_t planned_bytes(std::size_t vertices, std::size_t leaves);

 private:
  /// Of a vertex: it stands still in this step; and is kept; contacts of it, with others that stood still when a
  /// query ended, are in kept_; its way is that of the step before.
  enum Flag : std::uint8_t { Still = 1, Kept = 2, Covered = 4, Same = 8 };

  void take_paths(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1);
  void make_clusters(std::span<const Vec3> x);
  void place_clusters(std::vector<std::uint32_t> leaves, std::span<const Vec3> x);
  void mark_clusters();
  void refit();
  [[nodiscard]] double spread() const;
  [[nodiscard]] bool is_kept(const FeaturePair& pair) const;

  const Scene* scene_;
  const LeafBounds* leaves_;
  ClusterLocalFrame frame_;
  std::vector<Cluster> clusters_;
  std::vector<std::uint32_t> cluster_of_;  // by leaf
  ClusterTree tree_;
  std::vector<VertexPath> paths_;
  std::vector<std::uint8_t> flags_;   // by vertex
  bool has_static_vertices_ = false;  // whether one of them stands still
  bool some_same_ = false;            // or goes as in the step before
  std::vector<Impact> kept_;          // contacts of what stood still when the last query ended
  bool made_ = false;                 // whether there are clusters
  std::vector<std::uint32_t> loose_;  // leaves that are in no cluster since an edit
  std::vector<std::uint32_t> free_;   // places of clusters that are gone
  bool tables_whole_ = false;         // whether tables are those of the whole step in paths_
  bool marked_ = true;                // whether the last step got as far as marks
  bool frame_new_ = false;            // whether no table is of this frame
  bool rotten_ = false;               // whether clusters have grown much since they were made
  double spread_ = 0.0;               // their size when bounds were made last; 0: never
  std::size_t made_count_ = 0;        // clusters when they were made
  double made_spread_ = 0.0;          // and when they were made; 0: not known yet
  double ordered_spread_ = 0.0;       // that of the tree when it was put in order; 0: to be put in order
  double displacement_sum_ = 0.0;     // of vertices in this step, summed
};

}  // namespace graze::methods
