// Binary trees while they are being edited: the blocks of tree.hpp, but in any order, and with a count of what is
// below each.
//
// Nodes are taken out, hung in and split off at the cost of the way up; blocks are never moved or used again.
// Blocks of the tree before that nothing has happened below stay `clean`: such a subtree is the range of blocks it
// was, and lay_out copies it as one. Items are leaves, or in the upper of two levels components; a word says kLeaf
// | item. Cost: O(depth) an operation, and a linear pass, 1 to 2 ns a block, to lay it out again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bvh/build_connected.hpp"
#include "bvh/tree.hpp"
#include "core/tasks.hpp"

namespace graze::bvh::detail {

/// How changes of a node are weighed. An item that came hangs lower than a builder would put it, in a place that is
/// good if beside a neighbour, rough if by its box; one that went leaves good nodes behind. A node is built anew at
/// kMostChanges an item: when two thirds (one third) of it have come since. Measured: 250k triangles of which 1 %
/// come or go in each of 100 edits, bound tests 1.04 to 1.07 (sheet) and 1.14 (soup) of those in a tree built anew;
/// rough ones weighed as the others: 1.9.
inline constexpr std::uint32_t kCame = 3;
inline constexpr std::uint32_t kCameByBox = 6;
inline constexpr std::uint32_t kWent = 1;
inline constexpr std::uint32_t kMaxChanges = 2;

struct EditableBvh {
  // A place is where a node hangs: its slot, or kLeaf | number of the tree whose root it is.
  std::vector<std::uint32_t> words;    ///< of each slot
  std::vector<std::uint32_t> parent;   ///< of each block: the place of the node above it
  std::vector<std::uint32_t> counts;   ///< of each block: items below
  std::vector<std::uint32_t> changes;  ///< of each block: what came and went since the node was built, weighed
  std::vector<std::uint8_t> dirty;     ///< of each block: something has happened below, or it is new
  std::vector<std::uint32_t> places;   ///< of each item; kNoNode: not in any tree
  std::vector<std::uint32_t> roots;    ///< of each tree: the word of its root; kNoNode: empty

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
  /// The number of the tree that a place is in.
  [[nodiscard]] std::uint32_t root_of(std::uint32_t place) const {
    while ((place & kLeaf) == 0) place = parent[place / 2];
    return place & ~kLeaf;
  }

  /// Room for blocks and items to come.
  void reserve(std::size_t blocks);
  std::uint32_t add_root(std::uint32_t word);
  /// A new node's block.
  std::uint32_t add_block(std::uint32_t left, std::uint32_t right, std::uint32_t changed = 0);
  /// Notes that something has happened below the place, and no item came or went.
  void touch(std::uint32_t place) { note(place, 0, 0, 0); }
  /// The node hangs nowhere after; its sibling takes the parent's place.
  void take_out(std::uint32_t word);
  /// Puts a node that hangs nowhere beside the one at this place, or there if nothing is. `weight`: see kCame.
  void hang(std::uint32_t place, std::uint32_t word, std::uint32_t weight = kCame);
  /// Takes items of one tree out, not all of it. What structure they have among themselves is kept, and so is that
  /// of the others. Returns the node above them, which hangs nowhere. Cost: the items, and the nodes that are cut.
  std::uint32_t split_off(std::span<const std::uint32_t> items);
  /// Nodes that hang nowhere, joined as a tree of one level over that many leaves says.
  std::uint32_t graft(const BvhTree& order, std::span<const std::uint32_t> nodes);
  /// One node for each component of a built forest; leaf i of it is items[i].
  std::vector<std::uint32_t> graft(const ConnectedForest& forest, std::span<const std::uint32_t> items);
  void put(std::uint32_t place, std::uint32_t word);
  /// All items below a node, appended.
  void collect(std::uint32_t word, std::vector<std::uint32_t>& items) const;

  /// Calls rebuild(items), which returns a node over them, for the highest nodes below this place that have changed
  /// too much.
  template <typename Rebuild>
  void rebuild_changed(std::uint32_t place, const Rebuild& rebuild) {
    std::vector<std::uint32_t> todo{place};
    std::vector<std::uint32_t> items;
    while (!todo.empty()) {
      const std::uint32_t here = todo.back();
      todo.pop_back();
      const std::uint32_t word = at(here);
      if (word == kNoNode || clean(word)) continue;
      if (counts[word] > 2 && changes[word] > kMaxChanges * counts[word]) {
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

  std::vector<std::uint8_t> marks_;  ///< of split_off, 0 between its calls
  std::vector<std::uint8_t> off_;
};

/// Trees in the layout of tree.hpp, in the making.
class LaidOut {
 public:
  explicit LaidOut(std::size_t blocks) : words(2 * blocks, kNoNode), parent(blocks, kNoNode), source(blocks) {}

  std::vector<std::uint32_t> words;
  std::vector<std::uint32_t> parent;
  std::vector<std::uint32_t> source;  ///< of each block: what it was in the loose forest

  /// Writes the blocks of a node from `first` on. put_item(slot, item word) fills the slots of items. The slot of
  /// the node itself, and who is above its first block, are the caller's.
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
