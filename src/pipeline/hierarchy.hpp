// What the methods on a bounding volume hierarchy keep between steps: representatives, the tree over the faces, and
// the boxes of the current step (R-TRI, Curtis et al. 2008).
//
// Leaves are the triangles that stand for a face (duplicates are left out). Boxes of swept triangles and edges are
// unions of boxes of swept vertices, in float, rounded outward. The tree is built for the first step and refitted
// for the others, until its quality says that a new one pays. Cost of a step: linear.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "bvh/build.hpp"
#include "bvh/masks.hpp"
#include "bvh/traverse.hpp"
#include "bvh/volumes.hpp"
#include "mesh/representatives.hpp"
#include "mesh/topology.hpp"

namespace graze {

class Hierarchy {
 public:
  /// Leaf masks for vertex-face and edge-edge tests, or for edge-face tests.
  enum class Tests : std::uint8_t { Continuous, Discrete };

  Hierarchy(std::span<const Triangle> triangles, const Topology& topology);

  /// Boxes for the motion from x_t0 to x_t1: those of features that come within `gap` overlap. Preconditions:
  /// finite positions of all vertices.
  void update(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double gap);

  /// Every pair of leaves whose boxes overlap; with representatives, less those that have no test to dispatch.
  [[nodiscard]] BvhTraversal all_leaf_pairs() const { return BvhTraversal(bvh_view(tree_, volumes_)); }
  [[nodiscard]] BvhTraversal representative_leaf_pairs(Tests tests) const;

  [[nodiscard]] const Representatives& representatives() const { return representatives_; }
  [[nodiscard]] RepresentativeId id(std::uint32_t leaf) const { return leaves_[leaf]; }
  [[nodiscard]] const Face& face(std::uint32_t leaf) const { return faces_[leaf]; }
  [[nodiscard]] const Aabb& leaf_box(std::uint32_t leaf) const { return leaf_boxes_[leaf]; }
  [[nodiscard]] const Aabb& vertex_box(VertexId vertex) const { return vertex_boxes_[vertex]; }
  [[nodiscard]] const Aabb& edge_box(std::uint32_t edge) const { return edge_boxes_[edge]; }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  void build();

  Representatives representatives_;
  std::vector<RepresentativeId> leaves_;
  std::vector<Face> faces_;  // by leaf
  BvhTree tree_;
  BvhMasks continuous_masks_;
  BvhMasks discrete_masks_;
  BvhVolumes<Aabb> volumes_;
  double cost_at_build_ = 0.0;
  std::vector<Aabb> vertex_boxes_;
  std::vector<Aabb> edge_boxes_;
  std::vector<Aabb> leaf_boxes_;
};

}  // namespace graze
