// Connected builder: merges leaf groups bottom-up along mesh edges, so that every node is a connected patch; one
// binary tree per connected component.
//
// ICCD (Tang, Curtis, Yoon, Manocha 2009, VI-A) builds the trees of its objects bottom-up, "based on mesh
// connectivity and bounds on the normals", because normal cones and contours prove something about connected
// patches only. Here each round lets every leaf group pick its best mesh neighbour, and mutual picks merge, as in
// locally ordered clustering. If a round merges less than a tenth of a component, it continues with a maximal
// matching of neighbours. If that is too little as well (many groups around one hub), it pairs groups that have a
// common neighbour; only these nodes may be disconnected. So each round removes at least a tenth of the groups:
// depth O(log n) plus at most kMaxGroupsWithoutHubPairs, cost O((n + links) log n). The forest is the same with any
// number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "geometry/volume.hpp"

namespace graze::bvh {

/// Two leaves that share an edge; an edge with k faces yields the k-1 pairs of consecutive faces.
struct LeafLink {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

/// Cost of a merge: half the area of the common box, times (1 + the two weighted terms below). Measured on cloth
/// (92k triangles) against weights of 0: contours are 10 % shorter, patches with wide normals a tenth fewer, box
/// tests 1 % more. Links cannot decide whether a merged patch is a disc; short contours make it one (cloth and
/// bodies: 99 % of nodes).
struct ConnectedWeights {
  double normals = 2.0;  ///< weight of (diagonal of the box of unit normals)^2 over its maximum: 0 to 1
  double contour = 1.0;  ///< weight of (contour edges)^2 / (9 leaves): 1 for a triangle, less for round patches
};

/// With at most this many leaf groups left, a component gets no disconnected nodes.
inline constexpr std::size_t kMaxGroupsWithoutHubPairs = 32;

/// The trees of all components, as merges. Node i is leaf i if i < leaf_count, else merges[i - leaf_count].
struct ConnectedForest {
  struct Merge {
    std::uint32_t left = 0;
    std::uint32_t right = 0;
    friend bool operator==(const Merge&, const Merge&) = default;
  };
  struct Component {
    std::uint32_t root = 0;         ///< root node
    std::uint32_t first_merge = 0;  ///< its merges are contiguous, children before parents: leaf_count - 1 merges
    std::uint32_t leaf_count = 0;
    friend bool operator==(const Component&, const Component&) = default;
  };
  std::size_t leaf_count = 0;
  std::vector<Merge> merges;
  std::vector<Component> components;  ///< in the order of their smallest leaves
};

/// Builds the trees. Leaf i has boxes[i], possibly infinite but without NaN, and normals[i], of any length; a zero
/// or non-finite normal means unknown. `normals` may be empty. Links may repeat; a link from a leaf to itself has
/// no effect.
ConnectedForest bvh_build_connected(std::span<const Aabb> boxes, std::span<const Vec3> normals,
                                    std::span<const LeafLink> links, const ConnectedWeights& weights = {});

}  // namespace graze::bvh
