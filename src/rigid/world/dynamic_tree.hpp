// Dynamic tree of boxes (dynamic AABB tree): the broad phase of a world. A binary tree whose leaves are boxes with
// an item each; leaves are inserted, removed and replaced one at a time.
//
// The structure is that of Box2D and of Bullet's dbvt: a leaf gets the sibling that adds least surface area (greedy
// branch and bound after Bittner, Hapala and Havran, "Fast insertion-based optimization of bounding volume
// hierarchies", 2013, as presented by Catto, "Dynamic bounding volume hierarchies", GDC 2019), and the way back to
// the root swaps a child with a grandchild where that lowers the area (rotations of Kopta et al., "Fast, effective
// BVH updates for animated scenes", 2012). What differs: boxes are doubles; among equal costs the lower subtree is
// taken, so that many equal boxes give a balanced tree and not a list; and rebuild() makes a new tree of all leaves
// with the binned surface area heuristic (Wald, 2007) after changes of most of them. Insertion, removal: O(height);
// rebuild: O(n log n).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "rigid/world/world_box.hpp"

namespace graze::rigid {

class DynamicTree {
 public:
  using Index = std::int32_t;
  static constexpr Index kNone = -1;

  struct Node {
    WorldBox box;
    Index parent = kNone;     ///< of an unused node: the next one
    Index left = kNone;       ///< kNone: a leaf, or unused
    Index right = kNone;      ///< of a leaf: its item
    std::int32_t height = 0;  ///< 0: a leaf; -1: unused

    [[nodiscard]] bool leaf() const { return left == kNone; }
    [[nodiscard]] std::uint32_t item() const { return static_cast<std::uint32_t>(right); }
  };

  /// Adds a leaf and returns its index, which is valid until it is removed. Precondition: item < 2^31. Throws
  /// nothing but std::bad_alloc, and then changes nothing.
  Index insert(const WorldBox& box, std::uint32_t item);
  void remove(Index leaf);
  /// Gives a leaf another box: the same as removing and inserting it, without allocation.
  void replace(Index leaf, const WorldBox& box);
  /// Work space of a rebuild.
  class Rebuild;
  /// Sets the box of a leaf alone. The tree must be rebuilt before anything else is done with it.
  void set_box(Index leaf, const WorldBox& box) { node(leaf).box = box; }
  /// Makes a new tree of all leaves; their indices stay. Allocates nothing but in the constructor of the work
  /// space.
  void rebuild(Rebuild& work);

  [[nodiscard]] const WorldBox& box(Index leaf) const { return nodes_[static_cast<std::size_t>(leaf)].box; }
  [[nodiscard]] Index root() const { return root_; }
  [[nodiscard]] const Node& at(Index index) const { return nodes_[static_cast<std::size_t>(index)]; }
  [[nodiscard]] std::size_t leaves() const { return leaves_; }
  [[nodiscard]] std::int32_t height() const { return root_ == kNone ? 0 : at(root_).height; }
  [[nodiscard]] std::uint64_t memory_bytes() const { return nodes_.capacity() * sizeof(Node); }

  /// Calls visit(item) for every leaf whose box overlaps `box`, in an order that depends on the tree. Returns the
  /// number of overlap tests.
  template <typename Visit>
  std::uint64_t for_overlaps(const WorldBox& box, const Visit& visit) const {
    return descend([&](const Node& node) { return node.box.overlaps(box); }, visit);
  }
  /// Calls visit(item) for every leaf that `enter` accepts with all nodes above it. Returns the number of calls of
  /// `enter`.
  template <typename Enter, typename Visit>
  std::uint64_t descend(const Enter& enter, const Visit& visit) const {
    if (root_ == kNone) return 0;
    // A path waits with one sibling a level, so the stack never exceeds the height.
    constexpr std::int32_t kInPlace = 96;
    if (height() < kInPlace) {
      std::array<Index, kInPlace>
          stack;  // NOLINT(cppcoreguidelines-pro-type-member-init): written before it is read
      return descend_with(stack.data(), enter, visit);
    }
    std::vector<Index> stack(static_cast<std::size_t>(height()) + 1);
    return descend_with(stack.data(), enter, visit);
  }

  /// Checks links, heights, boxes and counts. Returns an empty string, or one line about the first error. O(n).
  [[nodiscard]] std::string validate() const;

 private:
  template <typename Enter, typename Visit>
  std::uint64_t descend_with(Index* stack, const Enter& enter, const Visit& visit) const {
    std::uint64_t tests = 1;
    if (!enter(at(root_))) return tests;
    std::size_t waiting = 0;
    Index here = root_;
    for (;;) {
      const Node& parent = at(here);
      if (parent.leaf()) {
        visit(parent.item());
      } else {
        tests += 2;
        const bool left = enter(at(parent.left));
        const bool right = enter(at(parent.right));
        if (left || right) {
          here = left ? parent.left : parent.right;
          if (left && right) stack[waiting++] = parent.right;
          continue;
        }
      }
      if (waiting == 0) return tests;
      here = stack[--waiting];
    }
  }

  Node& node(Index index) { return nodes_[static_cast<std::size_t>(index)]; }
  Index take_node();
  void free_node(Index index);
  void link(Index leaf);
  void unlink(Index leaf);
  [[nodiscard]] Index best_sibling(const WorldBox& box) const;
  void refit_upwards(Index index);
  void fit(Index index);
  void rotate(Index index);

  std::vector<Node> nodes_;
  Index root_ = kNone;
  Index free_ = kNone;
  std::size_t leaves_ = 0;
};

class DynamicTree::Rebuild {
 public:
  /// Room for all leaves that the tree has.
  explicit Rebuild(const DynamicTree& tree) {
    items.reserve(tree.leaves());
    open.reserve(tree.leaves() + 1);
    made.reserve(tree.leaves());
  }

 private:
  friend class DynamicTree;
  /// A leaf with the centre of its box.
  struct Item {
    Index leaf;
    std::array<double, 3> centre;
  };
  struct Task {
    std::size_t first;
    std::size_t last;
    Index parent;
    bool left;
    std::int32_t depth;
  };
  std::size_t split(const DynamicTree& tree, const Task& task);

  std::vector<Item> items;
  std::vector<Task> open;
  std::vector<Index> made;  ///< inner nodes, parents first
};

}  // namespace graze::rigid
