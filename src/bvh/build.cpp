// Selects the builder, then partitions the finished tree into the pieces that refit processes in parallel
// (build.hpp).
#include "bvh/build.hpp"

#include <graze/research.hpp>

#include "core/assert.hpp"
#include "core/tasks.hpp"

namespace graze::bvh {

namespace {

BvhTree build_with(research::TreeBuilder builder, std::span<const Aabb> boxes) {
  switch (builder) {
    case research::TreeBuilder::Midpoint:
      return detail::bvh_build_midpoint(boxes);
    case research::TreeBuilder::Sah:
      return detail::bvh_build_sah(boxes);
    case research::TreeBuilder::Lbvh:
      return detail::bvh_build_lbvh(boxes);
    case research::TreeBuilder::Connected:  // needs more than boxes: bvh_build_two_level
      break;
  }
  GRAZE_ASSERT(false);
  return {};
}

}  // namespace

BvhTree bvh_build(std::span<const Aabb> boxes, const BvhBuildOptions& options) {
  GRAZE_ASSERT(boxes.size() <= kMaxLeaves);
  BvhTree tree = build_with(options.builder, boxes);
  tree.top.push_back(0);
  const auto blocks = static_cast<std::uint32_t>(tree.block_count());
  if (blocks > 1) detail::bvh_cut_pieces(tree, {1, blocks}, options.piece_leaves, tree.pieces, tree.top);
  return tree;
}

// A subtree with m leaves owns m-1 blocks, so the length of its range gives its number of leaves.
void detail::bvh_cut_pieces(const BvhTree& tree, BvhTree::Piece blocks, std::uint32_t piece_leaves,
                            std::vector<BvhTree::Piece>& pieces, std::vector<std::uint32_t>& top) {
  std::vector<BvhTree::Piece> todo{blocks};
  while (!todo.empty()) {
    const BvhTree::Piece subtree = todo.back();
    todo.pop_back();
    if (subtree.end - subtree.begin < piece_leaves) {
      pieces.push_back(subtree);
      continue;
    }
    top.push_back(subtree.begin);
    // The words of leaves are greater than any block index.
    const std::uint32_t left = tree.words[std::size_t{2} * subtree.begin];
    const std::uint32_t right = tree.words[std::size_t{2} * subtree.begin + 1];
    const bool right_inner = right < blocks.end;
    if (right_inner) todo.push_back({right, subtree.end});
    if (left < blocks.end) todo.push_back({left, right_inner ? right : subtree.end});
  }
}

std::vector<Aabb> triangle_boxes(std::span<const Aabb> vertices, std::span<const Triangle> triangles) {
  std::vector<Aabb> boxes(triangles.size());
  parallel_for(0, triangles.size(), 4096, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) boxes[i] = triangle_volume(vertices, triangles[i]);
  });
  return boxes;
}

}  // namespace graze::bvh
