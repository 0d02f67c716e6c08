// Builder: bottom-up along the mesh, so that every node is a connected patch, a binary tree for each component.
//
// Interactive CCD (Tang, Curtis, Yoon, Manocha 2009, VI-A) builds the trees of its objects bottom-up, "based on
// mesh connectivity and bounds on the normals", because normal cones and contours say something about connected
// patches alone. Here: rounds, in each of which every cluster picks the best of its mesh neighbours and mutual
// picks merge, as in locally ordered clustering. A round that merges less than a tenth of a component goes on to a
// maximal matching of neighbours; where even that is too little (many clusters round one hub), clusters with a
// common neighbour are paired: such nodes are the only ones that may be disconnected. So every round takes away a
// tenth at least: depth O(log n) beside kFewClusters, cost O((n + links) log n). The same forest at any number of
// threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "geometry/volume.hpp"

namespace graze::bvh {

/// Two leaves that share an edge; an edge with k faces gives the k-1 pairs of consecutive ones.
struct LeafLink {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

/// How merges are judged: half the area of the common box, times 1 + what follows. Measured on cloth (92k
/// triangles) against weights of 0: contours 10 % shorter, a tenth fewer patches of wide normals, boxes tested 1 %
/// more. Whether a merge keeps a disc can't be told from links; short contours see to it (cloth and bodies: 99 % of
/// nodes).
struct ConnectedWeights {
  double normals = 2.0;  ///< times the squared diagonal of the box of unit normals, over its greatest: 0 to 1
  double contour = 1.0;  ///< times (edges on the contour)^2 / (9 leaves): 1 for a triangle, less for round patches
};

/// Below this many clusters a component is never given disconnected nodes.
inline constexpr std::size_t kMaxLeafGroups = 32;

/// The trees of all components, as merges. Node i is leaf i below leaf_count, else merges[i - leaf_count].
struct ConnectedForest {
  struct Merge {
    std::uint32_t left = 0;
    std::uint32_t right = 0;
    friend bool operator==(const Merge&, const Merge&) = default;
  };
  struct Component {
    std::uint32_t root = 0;         ///< node
    std::uint32_t first_merge = 0;  ///< its merges lie together, children before parents: leaves - 1 of them
    std::uint32_t leaf_count = 0;
    friend bool operator==(const Component&, const Component&) = default;
  };
  std::size_t leaf_count = 0;
  std::vector<Merge> merges;
  std::vector<Component> components;  ///< by their smallest leaf
};

/// Leaf i has boxes[i] (infinite ones too, no NaN) and normals[i], of any length; zero or not finite: unknown.
/// `normals` may be empty. Links may repeat, and may join a leaf to itself, which says nothing.
ConnectedForest bvh_build_connected(std::span<const Aabb> boxes, std::span<const Vec3> normals,
                                    std::span<const LeafLink> links, const ConnectedWeights& weights = {});

}  // namespace graze::bvh
