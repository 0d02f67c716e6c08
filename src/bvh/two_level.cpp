// Builds the two levels and joins them in one tree (two_level.hpp).
#include "bvh/two_level.hpp"

#include <algorithm>

#include "bvh/top_metric.hpp"
#include "core/assert.hpp"
#include "core/tasks.hpp"

namespace graze::bvh {

namespace {

/// Writes the blocks of a component. The order of a node's blocks: the block of its children, the left child's
/// blocks, the right child's blocks. `sizes` is the number of leaves below each merge. Returns the depth.
std::uint32_t lay_out(const ConnectedForest& forest, std::span<const std::uint32_t> sizes, std::uint32_t root,
                      std::uint32_t first_block, BvhTree& tree) {
  struct Node {
    std::uint32_t merge;
    std::uint32_t block;
    std::uint32_t depth;
  };
  const auto leaf_count = static_cast<std::uint32_t>(forest.leaf_count);
  if (root < leaf_count) return 0;
  std::uint32_t deepest = 0;
  std::vector<Node> todo{{root - leaf_count, first_block, 1}};
  while (!todo.empty()) {
    const Node node = todo.back();
    todo.pop_back();
    deepest = std::max(deepest, node.depth);
    const ConnectedForest::Merge& merge = forest.merges[node.merge];
    std::uint32_t block = node.block + 1;
    std::uint32_t slot = 2 * node.block;
    for (const std::uint32_t child : {merge.left, merge.right}) {
      if (child < leaf_count) {
        tree.words[slot] = kLeaf | child;
      } else {
        tree.words[slot] = block;
        tree.parent[block] = slot;
        todo.push_back({child - leaf_count, block, node.depth + 1});
        block += sizes[child - leaf_count] - 1;
      }
      ++slot;
    }
  }
  return deepest;
}

}  // namespace

void detail::attach_components(BvhTree& tree, std::uint32_t block, const BvhTree& order,
                               std::span<const std::uint32_t> words) {
  const auto hang = [&](std::uint32_t slot, std::uint32_t word) {
    tree.words[slot] = word;
    if ((word & kLeaf) == 0) tree.parent[word] = slot;
  };
  if (words.size() == 1) {
    hang(0, words[0]);
    return;
  }
  // Block b of `order` becomes block + b - 1 of the tree; block 0 of `order` is the node above.
  parallel_for(1, order.block_count(), 4096, [&](std::size_t first, std::size_t last) {
    for (auto b = static_cast<std::uint32_t>(first); b < last; ++b) {
      const std::uint32_t here = block + b - 1;
      if (b > 1) tree.parent[here] = order.parent[b] + 2 * block - 2;
      for (std::uint32_t side = 0; side < 2; ++side) {
        const std::uint32_t word = order.words[std::size_t{2} * b + side];
        if ((word & kLeaf) != 0) {
          hang(2 * here + side, words[word & ~kLeaf]);
        } else {
          tree.words[std::size_t{2} * here + side] = word + block - 1;
        }
      }
    }
  });
}

void detail::cut_components(TwoLevelTree& two_level) {
  BvhTree& tree = two_level.tree;
  const std::uint32_t piece_leaves = two_level.options.upper.piece_leaves;
  BvhTree::Piece run{tree.upper_blocks, tree.upper_blocks};
  const auto close_run = [&] {
    if (run.begin < run.end) tree.pieces.push_back(run);
  };
  for (const TwoLevelTree::Component& component : two_level.components) {
    if (component.block_count == 0) continue;
    const std::uint32_t end = component.first_block + component.block_count;
    if (end - run.begin < piece_leaves) {
      run.end = end;
      continue;
    }
    close_run();
    run = {component.first_block, end};
    if (component.block_count >= piece_leaves) {
      bvh_cut_pieces(tree, run, piece_leaves, tree.pieces, tree.top);
      run = {end, end};
    }
  }
  close_run();
}

void detail::finish_upper_level(TwoLevelTree& two_level) {
  BvhTree& tree = two_level.tree;
  const std::uint32_t upper = tree.upper_blocks;
  const std::uint32_t piece_leaves = two_level.options.upper.piece_leaves;
  tree.upper_pieces.clear();
  std::vector<std::uint32_t> top{0};
  if (upper > 1) bvh_cut_pieces(tree, {1, upper}, piece_leaves, tree.upper_pieces, top);
  const auto lower = std::lower_bound(tree.top.begin(), tree.top.end(), upper);
  top.insert(top.end(), lower, tree.top.end());
  tree.top = std::move(top);

  // Depth of the nodes in each block; 0 for block 0.
  std::vector<std::uint32_t> depths(upper);
  tree.depth = 0;
  for (std::uint32_t b = 1; b < upper; ++b) {
    depths[b] = depths[tree.parent[b] / 2] + 1;
    tree.depth = std::max(tree.depth, depths[b]);
  }
  for (const TwoLevelTree::Component& component : two_level.components) {
    if (component.block_count == 0) continue;
    tree.depth = std::max(tree.depth, depths[tree.parent[component.root] / 2] + component.depth);
  }
}

TwoLevelTree bvh_build_two_level(std::span<const Aabb> boxes, std::span<const Vec3> normals,
                                 std::span<const LeafLink> links, const TwoLevelOptions& options) {
  GRAZE_ASSERT(boxes.size() <= kMaxLeaves);
  const std::size_t n = boxes.size();
  const ConnectedForest forest = bvh_build_connected(boxes, normals, links, options.weights);
  TwoLevelTree two_level;
  two_level.options = options;
  BvhTree& tree = two_level.tree;
  tree.leaf_count = n;
  tree.words.assign(2 * std::max<std::size_t>(n, 1), kNoNode);
  tree.parent.assign(std::max<std::size_t>(n, 1), kNoNode);
  tree.top.push_back(0);
  if (n == 0) return two_level;

  const std::size_t count = forest.components.size();
  tree.upper_blocks = static_cast<std::uint32_t>(count);
  two_level.components.resize(count);
  std::vector<std::uint32_t> sizes(forest.merges.size());
  std::vector<Aabb> merged(forest.merges.size());
  std::vector<Aabb> root_boxes(count);
  std::vector<std::uint32_t> roots(count);
  parallel_for(0, count, 256, [&](std::size_t first, std::size_t last) {
    for (std::size_t c = first; c < last; ++c) {
      const ConnectedForest::Component& from = forest.components[c];
      TwoLevelTree::Component& component = two_level.components[c];
      component.smallest_leaf = from.root;  // inner nodes have greater numbers than leaves
      for (std::uint32_t k = from.first_merge; k < from.first_merge + from.leaf_count - 1; ++k) {
        for (const std::uint32_t child : {forest.merges[k].left, forest.merges[k].right}) {
          sizes[k] += child < n ? 1 : sizes[child - n];
          merged[k].include(child < n ? boxes[child] : merged[child - n]);
          component.smallest_leaf = std::min(component.smallest_leaf, child);
        }
      }
      component.first_block = tree.upper_blocks + from.first_merge;
      component.block_count = from.leaf_count - 1;
      component.leaf_count = from.leaf_count;
      component.root = from.root < n ? kLeaf | from.root : component.first_block;
      component.depth = lay_out(forest, sizes, from.root, component.first_block, tree);
      roots[c] = component.root;
      root_boxes[c] = from.root < n ? boxes[from.root] : merged[from.root - n];
    }
  });

  const BvhTree order = bvh_build(root_boxes, options.upper);
  if (count > 1) {
    tree.words[0] = 1;
    tree.parent[1] = 0;
  }
  detail::attach_components(tree, 1, order, roots);
  detail::finish_upper_level(two_level);
  detail::cut_components(two_level);

  std::vector<Aabb> upper_boxes(2 * count);
  if (count == 1) upper_boxes[0] = root_boxes[0];
  for (std::size_t i = 2; i < order.words.size(); ++i) {
    if ((order.words[i] & kLeaf) != 0) upper_boxes[i] = root_boxes[order.words[i] & ~kLeaf];
  }
  detail::unite_boxes(tree, tree.upper_blocks, upper_boxes);
  detail::calibrate(two_level, detail::measure_upper(tree, tree.upper_blocks, upper_boxes), 1, tree.upper_blocks);
  return two_level;
}

void bvh_renumber(BvhTree& tree, std::span<const std::uint32_t> numbers) {
  GRAZE_ASSERT(numbers.size() == tree.leaf_count && std::is_sorted(numbers.begin(), numbers.end()));
  parallel_for(0, tree.words.size(), 8192, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      std::uint32_t& word = tree.words[i];
      if (word != kNoNode && (word & kLeaf) != 0) word = kLeaf | numbers[word & ~kLeaf];
    }
  });
}

void bvh_renumber(TwoLevelTree& two_level, std::span<const std::uint32_t> numbers) {
  bvh_renumber(two_level.tree, numbers);
  for (TwoLevelTree::Component& component : two_level.components) {
    component.smallest_leaf = numbers[component.smallest_leaf];
    if (component.block_count == 0) component.root = kLeaf | component.smallest_leaf;
  }
}

}  // namespace graze::bvh
