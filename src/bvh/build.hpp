// BVH builders behind one call: midpoint, SAH and LBVH (build_midpoint.cpp, build_sah.cpp, build_lbvh.cpp). The
// builder that follows mesh connectivity is build_connected.hpp.
//
// Each leaf holds one triangle, as in R-TRI. All builders bound the depth by 64 + ceil(log2 n): a split that leaves
// one side empty, or that is too deep, is replaced by the median in the order (centroid, id). The tree depends on
// the boxes alone, not on the number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <graze/methods.hpp>
#include <graze/research.hpp>

#include "bvh/tree.hpp"
#include "geometry/volume.hpp"

namespace graze::bvh {

struct BvhBuildOptions {
  research::TreeBuilder builder = research::TreeBuilder::Sah;
  std::uint32_t piece_leaves = 2048;  ///< maximum number of leaves of a subtree that refit processes as one task
};

/// Builds the hierarchy over these boxes; leaf i is box i. Boxes may have zero volume, be infinite or be equal, but
/// must have no NaN. Precondition: the builder is not research::TreeBuilder::Connected (see bvh/two_level.hpp).
BvhTree bvh_build(std::span<const Aabb> boxes, const BvhBuildOptions& options = {});

/// Returns the box of each triangle, the union of the volumes of its vertices: the input of bvh_build.
std::vector<Aabb> triangle_boxes(std::span<const Aabb> vertices, std::span<const Triangle> triangles);

namespace detail {

/// Partitions the subtree in `blocks` for parallel refit: appends its largest subtrees with at most `piece_leaves`
/// leaves to `pieces`, and the blocks above them to `top`. Nodes whose children are beyond blocks.end, such as the
/// roots of a lower level, count as leaves.
void bvh_cut_pieces(const BvhTree& tree, BvhTree::Piece blocks, std::uint32_t piece_leaves,
                    std::vector<BvhTree::Piece>& pieces, std::vector<std::uint32_t>& top);

BvhTree bvh_build_midpoint(std::span<const Aabb> boxes);
BvhTree bvh_build_sah(std::span<const Aabb> boxes);
BvhTree bvh_build_lbvh(std::span<const Aabb> boxes);

}  // namespace detail

}  // namespace graze::bvh
