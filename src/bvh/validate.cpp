// See validate.hpp.
#include "bvh/validate.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace graze {

namespace {

/// A node on the way down, with the range of blocks that must be its own: leaves of the subtree less one.
struct Visit {
  std::uint32_t node;
  std::uint32_t begin;
  std::uint32_t end;
  std::uint32_t depth;
};

std::string validate_links(const BvhTree& tree) {
  std::vector<bool> seen(tree.leaf_count);
  std::uint32_t deepest = 0;
  std::size_t nodes = 0;
  std::vector<Visit> todo{{0, 1, static_cast<std::uint32_t>(tree.block_count()), 0}};
  while (!todo.empty()) {
    const Visit visit = todo.back();
    todo.pop_back();
    ++nodes;
    deepest = std::max(deepest, visit.depth);
    const std::uint32_t word = tree.words[visit.node];
    if (word == kNoNode) return fmt::format("node {} is missing", visit.node);
    if ((word & kLeaf) != 0) {
      const std::uint32_t primitive = word & ~kLeaf;
      if (primitive >= tree.leaf_count)
        return fmt::format("node {} is leaf {}, out of range", visit.node, primitive);
      if (seen[primitive]) return fmt::format("leaf {} is there twice", primitive);
      seen[primitive] = true;
      if (visit.begin != visit.end) return fmt::format("node {}, a leaf, owns blocks", visit.node);
      continue;
    }
    if (word != visit.begin || visit.begin >= visit.end) {
      return fmt::format("node {} has its children in block {}, not {}", visit.node, word, visit.begin);
    }
    if (tree.parent[word] != visit.node) return fmt::format("block {} does not know its parent", word);
    // Where the right child's blocks begin: at its own children, or, if it is a leaf, at the end.
    const std::uint32_t right = tree.words[std::size_t{2} * word + 1];
    const std::uint32_t cut = (right & kLeaf) != 0 ? visit.end : right;
    if (cut <= word || cut > visit.end) return fmt::format("block {} has children outside its range", word);
    todo.push_back({2 * word + 1, cut, visit.end, visit.depth + 1});
    todo.push_back({2 * word, word + 1, cut, visit.depth + 1});
  }
  if (nodes != tree.node_count()) return fmt::format("{} nodes, expected {}", nodes, tree.node_count());
  if (std::find(seen.begin(), seen.end(), false) != seen.end()) return "a leaf is missing";
  if (deepest != tree.depth) return fmt::format("depth {} is stated as {}", deepest, tree.depth);
  return {};
}

std::string validate_pieces(const BvhTree& tree) {
  std::vector<int> covered(tree.block_count());
  for (const BvhTree::Piece& piece : tree.pieces) {
    if (piece.begin >= piece.end || piece.end > tree.block_count()) return "a piece is out of range";
    for (std::uint32_t b = piece.begin; b < piece.end; ++b) {
      ++covered[b];
      // A whole subtree: parents of its blocks are inside, but for that of the first.
      const std::uint32_t above = tree.parent[b] / 2;
      if ((above < piece.begin || above >= piece.end) != (b == piece.begin)) {
        return fmt::format("the piece at block {} is no subtree", piece.begin);
      }
    }
  }
  for (const std::uint32_t b : tree.top) {
    if (b >= tree.block_count()) return "a top block is out of range";
    ++covered[b];
  }
  if (!std::is_sorted(tree.top.begin(), tree.top.end())) return "top blocks are not in order";
  if (std::any_of(covered.begin(), covered.end(), [](int c) { return c != 1; })) {
    return "a block is refitted not once";
  }
  return {};
}

}  // namespace

std::string bvh_validate(const BvhTree& tree) {
  const std::size_t blocks = std::max<std::size_t>(tree.leaf_count, 1);
  if (tree.block_count() != blocks || tree.words.size() != 2 * blocks) return "wrong number of blocks";
  if (tree.words[1] != kNoNode || tree.parent[0] != kNoNode) return "the root has a sibling or a parent";
  if (tree.leaf_count == 0) return tree.words[0] == kNoNode ? "" : "an empty tree has a root";
  std::string fault = validate_links(tree);
  return fault.empty() ? validate_pieces(tree) : fault;
}

template <typename Volume>
std::string bvh_validate(const BvhTree& tree, const BvhVolumes<Volume>& volumes) {
  std::string fault = bvh_validate(tree);
  if (!fault.empty()) return fault;
  if (volumes.block_count() != tree.block_count()) return "volumes of another tree";
  for (std::size_t i = 0; i < tree.words.size(); ++i) {
    const std::uint32_t word = tree.words[i];
    if (word == kNoNode) {
      if (volumes.node(i) != Volume()) return fmt::format("slot {} holds no node but has a volume", i);
    } else if ((word & kLeaf) == 0) {
      Volume both = volumes.node(std::size_t{2} * word);
      both.include(volumes.node(std::size_t{2} * word + 1));
      if (volumes.node(i) != both) return fmt::format("node {} is not the union of its children", i);
    }
  }
  return {};
}

template std::string bvh_validate(const BvhTree&, const BvhVolumes<Aabb>&);
template std::string bvh_validate(const BvhTree&, const BvhVolumes<Dop18>&);
template std::string bvh_validate(const BvhTree&, const BvhVolumes<Dop26>&);

}  // namespace graze
