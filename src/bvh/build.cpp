// Picks the builder, then cuts the finished tree into the pieces that refit works on (build.hpp).
#include "bvh/build.hpp"

#include "core/assert.hpp"
#include "core/tasks.hpp"

namespace graze {

namespace {

BvhTree build_with(TreeBuilder builder, std::span<const Aabb> boxes) {
  switch (builder) {
    case TreeBuilder::Midpoint:
      return detail::bvh_build_midpoint(boxes);
    case TreeBuilder::Sah:
      return detail::bvh_build_sah(boxes);
    case TreeBuilder::Lbvh:
      return detail::bvh_build_lbvh(boxes);
  }
  GRAZE_ASSERT(false);
  return {};
}

/// The largest subtrees with at most `piece_leaves` leaves, and the blocks above them. A subtree with m leaves owns
/// m-1 blocks, so its leaves are counted from its range.
void cut_pieces(BvhTree& tree, std::uint32_t piece_leaves) {
  struct Subtree {
    std::uint32_t block;
    std::uint32_t end;
  };
  tree.top.push_back(0);
  if (tree.leaf_count < 2) return;
  std::vector<Subtree> todo{{1, static_cast<std::uint32_t>(tree.block_count())}};
  while (!todo.empty()) {
    const Subtree subtree = todo.back();
    todo.pop_back();
    if (subtree.end - subtree.block < piece_leaves) {
      tree.pieces.push_back({subtree.block, subtree.end});
      continue;
    }
    tree.top.push_back(subtree.block);
    const std::uint32_t left = tree.words[std::size_t{2} * subtree.block];
    const std::uint32_t right = tree.words[std::size_t{2} * subtree.block + 1];
    const bool right_inner = (right & kLeaf) == 0;
    if (right_inner) todo.push_back({right, subtree.end});
    if ((left & kLeaf) == 0) todo.push_back({left, right_inner ? right : subtree.end});
  }
}

}  // namespace

BvhTree bvh_build(std::span<const Aabb> boxes, const BvhBuildOptions& options) {
  GRAZE_ASSERT(boxes.size() <= kMaxLeaves);
  BvhTree tree = build_with(options.builder, boxes);
  cut_pieces(tree, options.piece_leaves);
  return tree;
}

std::vector<Aabb> triangle_boxes(std::span<const Aabb> vertices, std::span<const Triangle> triangles) {
  std::vector<Aabb> boxes(triangles.size());
  parallel_for(0, triangles.size(), 4096, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) boxes[i] = triangle_volume(vertices, triangles[i]);
  });
  return boxes;
}

}  // namespace graze
