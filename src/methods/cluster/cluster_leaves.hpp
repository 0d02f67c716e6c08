// What method `auto` keeps of a mesh beside its clusters: which triangles represent a face, and which features they
// represent (R-TRI, Curtis et al. 2008), one byte per triangle.
//
// Other methods keep boxes, vertices and edges of leaves (query/leaf/leaf_bounds.hpp), 76 bytes per triangle. Here
// clusters have the bounds, and vertices are read from the scene when clusters are built. Leaf i is triangle i
// until the first edit; then a MeshEditor numbers the leaves, and keeps the numbers of those that an edit does not
// touch. Neighbours of triangles, 12 bytes per triangle, are kept until the first clusters are built, or an edit
// comes. Cost: linear to construct, parallel; an edit costs what it changes, the first one linear time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <graze/scene.hpp>

#include "core/uninitialized_vector.hpp"
#include "mesh/mesh_change.hpp"
#include "mesh/mesh_editor.hpp"
#include "methods/cluster/build/leaf_view.hpp"

namespace graze::methods {

class ClusterLeaves {
 public:
  /// Refers to the scene.
  explicit ClusterLeaves(const Scene& scene);
  ClusterLeaves(const ClusterLeaves&) = delete;
  ClusterLeaves& operator=(const ClusterLeaves&) = delete;

  /// The leaves as of now: valid until the scene changes.
  [[nodiscard]] LeafView view() const;
  [[nodiscard]] std::size_t size() const { return masks_.size(); }
  /// Whether some numbers may be free: those of duplicates of a face, or what edits freed.
  [[nodiscard]] bool may_have_free() const { return may_have_free_; }

  /// Discards the neighbours, once there are clusters.
  void drop_neighbours() { UninitializedVector<Neighbours>().swap(neighbours_); }

  /// Call before an edit changes the scene. The first call builds the tables that edits need, in linear time.
  void prepare_edit();
  /// Updates the leaves after an edit of the scene, near the change only. If memory runs out, this object must be
  /// rebuilt. Precondition: prepare_edit() was called before the edit.
  LeafChanges follow(const MeshChange& change);

  [[nodiscard]] std::size_t memory_bytes() const;
  /// Compares the leaves with the features of the scene: empty if they agree. For tests.
  [[nodiscard]] std::string validate() const;

 private:
  const Scene* scene_;
  UninitializedVector<FeatureMask> masks_;      // by leaf; 0 for a free leaf
  UninitializedVector<Neighbours> neighbours_;  // by leaf, while they are needed
  bool may_have_free_ = false;
  std::optional<MeshEditor> editor_;  // from the first edit on
};

}  // namespace graze::methods
