// Builders of hierarchies, behind one call.
//
// Leaves hold one triangle each, as in R-TRI. All builders bound the depth by 64 + ceil(log2 n): a split that
// does not separate, or that comes too deep, is replaced by the median of the order (centroid, id). The tree is a
// function of the boxes alone, whatever the number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <graze/methods.hpp>

#include "bvh/tree.hpp"
#include "geometry/volume.hpp"

namespace graze::bvh {

struct BvhBuildOptions {
  TreeBuilder builder = TreeBuilder::Sah;
  std::uint32_t piece_leaves = 2048;  ///< longest subtree that refit treats as one task
};

/// The hierarchy over these boxes; leaf i is box i. Precondition: not TreeBuilder::Connected (bvh/two_level.hpp).
/// Boxes may be empty of volume, infinite, or all the same; no NaN.
BvhTree bvh_build(std::span<const Aabb> boxes, const BvhBuildOptions& options = {});

/// The boxes of all triangles from the volumes of their vertices: what bvh_build takes.
std::vector<Aabb> triangle_boxes(std::span<const Aabb> vertices, std::span<const Triangle> triangles);

namespace detail {

/// Cuts the subtree of these blocks for refit: appends its largest subtrees with at most
/// `piece_leaves` leaves to `pieces`, and the blocks above those to `top`. Nodes with children beyond their end
/// count as leaves: so the roots of a lower level do.
void bvh_cut_pieces(const BvhTree& tree, BvhTree::Piece blocks, std::uint32_t piece_leaves,
                    std::vector<BvhTree::Piece>& pieces, std::vector<std::uint32_t>& top);

BvhTree bvh_build_midpoint(std::span<const Aabb> boxes);
BvhTree bvh_build_sah(std::span<const Aabb> boxes);
BvhTree bvh_build_lbvh(std::span<const Aabb> boxes);

}  // namespace detail

}  // namespace graze::bvh
