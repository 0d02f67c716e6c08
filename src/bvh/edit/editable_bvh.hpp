// Editable BVH: binary trees during an edit, with the blocks of tree.hpp in any order and the number of items below
// each block.
//
// To remove, insert or split off a node costs the length of its path to the root; blocks are never moved or reused.
// A block of the previous tree is `clean` if nothing below it has changed: its subtree is the same range of blocks
// as before, and LaidOut copies it as a whole. Items are leaves or, in the upper level, components; the word of an
// item is kLeaf | item. Cost: O(depth) per operation, and a linear pass, 1 to 2 ns per block, to lay the tree out
// again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bvh/build_connected.hpp"
#include "bvh/tree.hpp"
#include "core/tasks.hpp"

namespace graze::bvh::detail {

/// Weights of changes below a node. An inserted item is lower than a builder would put it; its place is good
/// beside a neighbour (kInsertedWeight) and rough by its box (kInsertedByBoxWeight). A removed item
/// (kRemovedWeight) leaves good nodes behind. A node is rebuilt at more than kMaxChangesPerItem per item: when two
/// thirds (one third by box) of it are new. Measured with 250k triangles, 1 % inserted or removed in each of 100
/// edits: bound tests are 1.04 to 1.07 (sheet) and 1.14 (soup) times those of a new tree; 1.9 times if rough
/// insertions have the weight of good ones.
inline constexpr std::uint32_t kInsertedWeight = 3;
inline constexpr std::uint32_t kInsertedByBoxWeight = 6;
inline constexpr std::uint32_t kRemovedWeight = 1;
inline constexpr std::uint32_t kMaxChangesPerItem = 2;

struct EditableBvh {
  // The place of a node: its slot, or kLeaf | number of the tree of which it is the root.
  std::vector<std::uint32_t> words;    ///< word of each slot
  std::vector<std::uint32_t> parent;   ///< for each block, the place of the node above it
  std::vector<std::uint32_t> counts;   ///< for each block, the number of items below
  std::vector<std::uint32_t> changes;  ///< for each block, weighted changes below since its node was built
  std::vector<std::uint8_t> dirty;     ///< for each block, 1 if it is new or something below it has changed
  std::vector<std::uint32_t> places;   ///< place of each item; kNoNode if it is in no tree
  std::vector<std::uint32_t> roots;    ///< for each tree, the word of its root; kNoNode if the tree is empty

  [[nodiscard]] std::size_t block_count() const { return parent.size(); }
  [[nodiscard]] bool has(std::uint32_t item) const { return item < places.size() && places[item] != kNoNode; }
  [[nodiscard]] bool clean(std::uint32_t word) const { return (word & kLeaf) != 0 || dirty[word] == 0; }
  [[nodiscard]] std::uint32_t count(std::uint32_t word) const {
    return word == kNoNode ? 0 : (word & kLeaf) != 0 ? 1 : counts[word];
  }
  [[nodiscard]] std::uint32_t at(std::uint32_t place) const {
    return (place & kLeaf) != 0 ? roots[place & ~kLeaf] : words[place];
  }
  [[nodiscard]] std::uint32_t place_of(std::uint32_t word) const {
    return (word & kLeaf) != 0 ? places[word & ~kLeaf] : parent[word];
  }
  /// Returns the number of the tree that contains a place.
  [[nodiscard]] std::uint32_t root_of(std::uint32_t place) const {
    while ((place & kLeaf) == 0) place = parent[place / 2];
    return place & ~kLeaf;
  }

  /// Reserves memory for this many blocks.
  void reserve(std::size_t blocks);
  std::uint32_t add_root(std::uint32_t word);
  /// Adds a block for a new node and returns it.
  std::uint32_t add_block(std::uint32_t left, std::uint32_t right, std::uint32_t changed = 0);
  /// Marks the blocks above a place as dirty; no item was inserted or removed.
  void touch(std::uint32_t place) { note(place, 0, 0, 0); }
  /// Detaches a node; its sibling replaces their parent.
  void take_out(std::uint32_t word);
  /// Inserts a detached node beside the node at this place, or at the place itself if it is empty. `weight`: see
  /// kInsertedWeight.
  void insert(std::uint32_t place, std::uint32_t word, std::uint32_t weight = kInsertedWeight);
  /// Detaches items of one tree, but not all of its items. The structure among these items is kept, and so is that
  /// of the remaining items. Returns the detached node above them. Cost: the items and the nodes that are cut.
  std::uint32_t split_off(std::span<const std::uint32_t> items);
  /// Joins detached nodes as in `order`, a one-level tree over nodes.size() leaves. Returns the new node.
  std::uint32_t graft(const BvhTree& order, std::span<const std::uint32_t> nodes);
  /// Returns one new node per component of a built forest; leaf i of the forest is items[i].
  std::vector<std::uint32_t> graft(const ConnectedForest& forest, std::span<const std::uint32_t> items);
  void put(std::uint32_t place, std::uint32_t word);
  /// Appends all items below a node.
  void collect(std::uint32_t word, std::vector<std::uint32_t>& items) const;

  /// Rebuilds the highest nodes below this place that have changed too much: calls rebuild(items), which must
  /// return a node over these items.
  template <typename Rebuild>
  void rebuild_changed(std::uint32_t place, const Rebuild& rebuild) {
    std::vector<std::uint32_t> todo{place};
    std::vector<std::uint32_t> items;
    while (!todo.empty()) {
      const std::uint32_t here = todo.back();
      todo.pop_back();
      const std::uint32_t word = at(here);
      if (word == kNoNode || clean(word)) continue;
      if (counts[word] > 2 && changes[word] > kMaxChangesPerItem * counts[word]) {
        items.clear();
        collect(word, items);
        put(here, rebuild(items));
        continue;
      }
      todo.push_back(2 * word + 1);
      todo.push_back(2 * word);
    }
  }

 private:
  void note(std::uint32_t place, std::uint32_t came, std::uint32_t went, std::uint32_t weight);

  std::vector<std::uint8_t> marks_;  ///< work space of split_off; 0 between calls
  std::vector<std::uint8_t> off_;
};

/// Trees under construction in the layout of tree.hpp.
class LaidOut {
 public:
  explicit LaidOut(std::size_t blocks) : words(2 * blocks, kNoNode), parent(blocks, kNoNode), source(blocks) {}

  std::vector<std::uint32_t> words;
  std::vector<std::uint32_t> parent;
  std::vector<std::uint32_t> source;  ///< for each block, the block of the editable BVH that it comes from

  /// Writes the blocks of a node, starting at block `first`. put_item(slot, word) fills the slots of items. The
  /// caller writes the slot of the node itself and the parent of its first block.
  template <typename PutItem>
  void add(const EditableBvh& forest, std::uint32_t root, std::uint32_t first, const PutItem& put_item) {
    struct Node {
      std::uint32_t word;
      std::uint32_t block;
    };
    if ((root & kLeaf) != 0) return;
    std::vector<Node> todo{{root, first}};
    while (!todo.empty()) {
      const Node node = todo.back();
      todo.pop_back();
      if (forest.clean(node.word)) {
        copy(forest, node.word, node.block, forest.counts[node.word] - 1, put_item);
        continue;
      }
      source[node.block] = node.word;
      std::uint32_t block = node.block + 1;
      for (std::uint32_t side = 0; side < 2; ++side) {
        const std::uint32_t child = forest.words[std::size_t{2} * node.word + side];
        const std::uint32_t slot = 2 * node.block + side;
        if ((child & kLeaf) != 0) {
          put_item(slot, child);
          continue;
        }
        words[slot] = block;
        parent[block] = slot;
        todo.push_back({child, block});
        block += forest.counts[child] - 1;
      }
    }
  }

 private:
  template <typename PutItem>
  void copy(const EditableBvh& forest, std::uint32_t from, std::uint32_t to, std::uint32_t length,
            const PutItem& put_item) {
    const std::uint32_t moved = to - from;  // modulo 2^32
    parallel_for(0, length, 16384, [&](std::size_t begin, std::size_t end) {
      for (auto i = static_cast<std::uint32_t>(begin); i < end; ++i) {
        source[to + i] = from + i;
        if (i > 0) parent[to + i] = forest.parent[from + i] + 2 * moved;
        for (std::uint32_t side = 0; side < 2; ++side) {
          const std::uint32_t word = forest.words[std::size_t{2} * (from + i) + side];
          const std::uint32_t slot = 2 * (to + i) + side;
          if ((word & kLeaf) != 0) {
            put_item(slot, word);
          } else {
            words[slot] = word + moved;
          }
        }
      }
    });
  }
};

}  // namespace graze::bvh::detail
