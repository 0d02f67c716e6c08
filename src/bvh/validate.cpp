// Validation of trees, volumes and two-level trees (validate.hpp).
#include "bvh/validate.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace graze::bvh {

namespace {

/// A node to visit, with the range of blocks that its subtree must own: one fewer than its leaves. In the upper
/// level the root of a component owns no blocks; in the lower level its range extends to the next root.
struct Visit {
  std::uint32_t node;
  std::uint32_t begin;
  std::uint32_t end;
  std::uint32_t depth;
};

class LinkCheck {
 public:
  explicit LinkCheck(const BvhTree& tree) : tree_(tree) {}

  std::string run() {
    const auto blocks = static_cast<std::uint32_t>(tree_.block_count());
    if (tree_.upper_blocks > blocks) return "the upper level has more blocks than the tree";
    const std::uint32_t upper = tree_.upper_blocks == 0 ? blocks : tree_.upper_blocks;
    std::vector<Visit> roots;
    std::string fault = check_subtree({0, 1, upper, 0}, &roots);
    if (!fault.empty()) return fault;
    if (tree_.upper_blocks != 0 && items_ != tree_.upper_blocks) {
      return fmt::format("{} components, expected {}", items_, tree_.upper_blocks);
    }
    const auto block_of = [&](const Visit& root) { return tree_.words[root.node]; };
    std::sort(roots.begin(), roots.end(),
              [&](const Visit& a, const Visit& b) { return block_of(a) < block_of(b); });
    if (!roots.empty() && block_of(roots[0]) != upper) return "components do not follow the upper level";
    for (std::size_t i = 0; i < roots.size(); ++i) {
      roots[i].begin = block_of(roots[i]);
      roots[i].end = i + 1 < roots.size() ? block_of(roots[i + 1]) : blocks;
      fault = check_subtree(roots[i], nullptr);
      if (!fault.empty()) return fault;
    }
    if (nodes_ != tree_.node_count()) return fmt::format("{} nodes, expected {}", nodes_, tree_.node_count());
    std::sort(seen_.begin(), seen_.end());
    const auto twice = std::adjacent_find(seen_.begin(), seen_.end());
    if (twice != seen_.end()) return fmt::format("leaf {} occurs twice", *twice);
    if (deepest_ != tree_.depth) return fmt::format("depth is {}, the tree states {}", deepest_, tree_.depth);
    return {};
  }

 private:
  /// Checks the subtree of a node. If `roots` is given, nodes whose children are beyond the range are appended to
  /// it, not visited.
  std::string check_subtree(const Visit& from, std::vector<Visit>* roots) {
    const std::uint32_t all = from.end;
    std::vector<Visit> todo{from};
    while (!todo.empty()) {
      const Visit visit = todo.back();
      todo.pop_back();
      deepest_ = std::max(deepest_, visit.depth);
      const std::uint32_t word = tree_.words[visit.node];
      if (word == kNoNode) return fmt::format("node {} is missing", visit.node);
      const bool leaf = (word & kLeaf) != 0;
      if (!leaf && word >= tree_.block_count()) return fmt::format("node {}: child block is missing", visit.node);
      if (leaf || (roots != nullptr && word >= all)) {
        if (visit.begin != visit.end) return fmt::format("node {}, a leaf, owns blocks", visit.node);
        ++items_;
        if (!leaf) {
          roots->push_back(visit);
          continue;
        }
        ++nodes_;
        seen_.push_back(word & ~kLeaf);
        continue;
      }
      ++nodes_;
      if (word != visit.begin || visit.begin >= visit.end) {
        return fmt::format("node {} has its children in block {}, not {}", visit.node, word, visit.begin);
      }
      if (tree_.parent[word] != visit.node) return fmt::format("block {} has a wrong parent", word);
      // The right child's blocks begin at its own children; if it has none in this range, at the end.
      const std::uint32_t right = tree_.words[std::size_t{2} * word + 1];
      const std::uint32_t cut = right >= all ? visit.end : right;
      if (cut <= word || cut > visit.end) return fmt::format("block {} has children outside its range", word);
      todo.push_back({2 * word + 1, cut, visit.end, visit.depth + 1});
      todo.push_back({2 * word, word + 1, cut, visit.depth + 1});
    }
    return {};
  }

  const BvhTree& tree_;
  std::vector<std::uint32_t> seen_;  ///< leaf numbers
  std::uint32_t deepest_ = 0;
  std::size_t nodes_ = 0;
  std::size_t items_ = 0;  ///< number of leaves and component roots visited, in both levels
};

std::string validate_pieces(const BvhTree& tree) {
  std::vector<int> covered(tree.block_count());
  const auto check = [&](const BvhTree::Piece& piece, std::size_t first, std::size_t last) -> std::string {
    if (piece.begin >= piece.end || piece.begin < first || piece.end > last) return "a piece is out of range";
    for (std::uint32_t b = piece.begin; b < piece.end; ++b) {
      ++covered[b];
      // A piece is a whole subtree: the parents of its blocks are inside, except that of the first block and, in a
      // piece of the lower level, those of whole components. No child block may be outside.
      const std::uint32_t above = tree.parent[b] / 2;
      const bool inside = above >= piece.begin && above < piece.end;
      const bool component = b >= tree.upper_blocks && above < tree.upper_blocks;
      if (b == piece.begin ? inside : !inside && !component) {
        return fmt::format("the piece at block {} is no subtree", piece.begin);
      }
      for (std::size_t slot = std::size_t{2} * b; slot < std::size_t{2} * b + 2; ++slot) {
        if (tree.words[slot] >= piece.end && tree.words[slot] < last) {
          return fmt::format("the piece at block {} leaves out block {}", piece.begin, tree.words[slot]);
        }
      }
    }
    return {};
  };
  for (const BvhTree::Piece& piece : tree.pieces) {
    std::string fault = check(piece, tree.upper_blocks, tree.block_count());
    if (!fault.empty()) return fault;
  }
  for (const BvhTree::Piece& piece : tree.upper_pieces) {
    std::string fault = check(piece, 1, tree.upper_blocks);
    if (!fault.empty()) return fault;
  }
  for (const std::uint32_t b : tree.top) {
    if (b >= tree.block_count()) return "a top block is out of range";
    ++covered[b];
  }
  if (!std::is_sorted(tree.top.begin(), tree.top.end())) return "top blocks are not in order";
  if (std::any_of(covered.begin(), covered.end(), [](int c) { return c != 1; })) {
    return "a block is not refitted exactly once";
  }
  return {};
}

}  // namespace

std::string bvh_validate(const BvhTree& tree) {
  const std::size_t blocks = std::max<std::size_t>(tree.leaf_count, 1);
  if (tree.block_count() != blocks || tree.words.size() != 2 * blocks) return "wrong number of blocks";
  if (tree.words[1] != kNoNode || tree.parent[0] != kNoNode) return "the root has a sibling or a parent";
  if (tree.leaf_count == 0) return tree.words[0] == kNoNode ? "" : "an empty tree has a root";
  std::string fault = LinkCheck(tree).run();
  return fault.empty() ? validate_pieces(tree) : fault;
}

template <typename Volume>
std::string bvh_validate(const BvhTree& tree, const BvhVolumes<Volume>& volumes) {
  std::string fault = bvh_validate(tree);
  if (!fault.empty()) return fault;
  if (volumes.block_count() != tree.block_count()) return "volumes and tree have different numbers of blocks";
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

std::string bvh_validate(const TwoLevelTree& two_level) {
  const BvhTree& tree = two_level.tree;
  std::string fault = bvh_validate(tree);
  if (!fault.empty()) return fault;
  if (two_level.components.size() != tree.upper_blocks) return "upper blocks and components differ in number";
  if (two_level.calibration.size() != tree.upper_blocks) return "the upper level is not calibrated";
  if (tree.leaf_count == 0) return {};
  // Words of the upper nodes that are not inner nodes of the upper level. Each leaf and block occurs once, and
  // therefore each component too.
  std::vector<std::uint32_t> hanging;
  for (std::size_t i = 0; i < std::size_t{2} * tree.upper_blocks; ++i) {
    if (tree.words[i] != kNoNode && tree.words[i] >= tree.upper_blocks) hanging.push_back(tree.words[i]);
  }
  if (!two_level.changes.empty() && two_level.changes.size() != tree.block_count()) {
    return "the number of change counts is not the number of blocks";
  }
  std::vector<std::uint32_t> stated;
  std::int64_t smallest = -1;
  std::uint32_t next = tree.upper_blocks;
  for (const TwoLevelTree::Component& component : two_level.components) {
    stated.push_back(component.root);
    if (component.block_count + 1 != component.leaf_count) return "a component states a wrong number of leaves";
    if (component.block_count > 0 && (component.root != next || component.first_block != next)) {
      return fmt::format("a component states block {}, not {}", component.root, next);
    }
    next += component.block_count;
    std::uint32_t leaf = component.root & ~kLeaf;
    if (component.block_count > 0) {
      leaf = kLeaf;
      for (std::size_t i = std::size_t{2} * component.first_block; i < std::size_t{2} * next; ++i) {
        leaf = std::min(leaf, tree.words[i] ^ kLeaf);
      }
    }
    if (component.smallest_leaf != leaf || leaf <= smallest) return "components are not ordered by leaf";
    smallest = leaf;
  }
  if (next != tree.block_count()) return "the components do not cover all blocks";
  std::sort(hanging.begin(), hanging.end());
  std::sort(stated.begin(), stated.end());
  if (hanging != stated) return "the upper level does not hold the listed components";
  return {};
}

template <typename Volume>
std::string bvh_validate(const TwoLevelTree& two_level, const BvhVolumes<Volume>& volumes) {
  std::string fault = bvh_validate(two_level);
  return fault.empty() ? bvh_validate(two_level.tree, volumes) : fault;
}

template std::string bvh_validate(const TwoLevelTree&, const BvhVolumes<Aabb>&);
template std::string bvh_validate(const TwoLevelTree&, const BvhVolumes<Dop18>&);
template std::string bvh_validate(const TwoLevelTree&, const BvhVolumes<Dop26>&);
template std::string bvh_validate(const BvhTree&, const BvhVolumes<Aabb>&);
template std::string bvh_validate(const BvhTree&, const BvhVolumes<Dop18>&);
template std::string bvh_validate(const BvhTree&, const BvhVolumes<Dop26>&);

}  // namespace graze::bvh
