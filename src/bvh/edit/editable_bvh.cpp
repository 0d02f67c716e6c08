// Removal, insertion, splitting and grafting of nodes in an editable BVH (editable_bvh.hpp).
#include "bvh/edit/editable_bvh.hpp"

#include <array>

#include "core/assert.hpp"

namespace graze::bvh::detail {

namespace {

/// The two parts of a node after a cut: the part split off and the rest; kNoNode if a part is empty.
struct Halves {
  std::uint32_t off = kNoNode;
  std::uint32_t rest = kNoNode;
};

}  // namespace

void EditableBvh::reserve(std::size_t blocks) {
  words.reserve(2 * blocks);
  parent.reserve(blocks);
  counts.reserve(blocks);
  changes.reserve(blocks);
  dirty.reserve(blocks);
}

std::uint32_t EditableBvh::add_root(std::uint32_t word) {
  const auto root = static_cast<std::uint32_t>(roots.size());
  roots.push_back(kNoNode);
  put(kLeaf | root, word);
  return root;
}

std::uint32_t EditableBvh::add_block(std::uint32_t left, std::uint32_t right, std::uint32_t changed) {
  const auto block = static_cast<std::uint32_t>(block_count());
  words.insert(words.end(), 2, kNoNode);
  parent.push_back(kNoNode);
  counts.push_back(count(left) + count(right));
  changes.push_back(changed);
  dirty.push_back(1);
  put(2 * block, left);
  put(2 * block + 1, right);
  return block;
}

void EditableBvh::put(std::uint32_t place, std::uint32_t word) {
  ((place & kLeaf) != 0 ? roots[place & ~kLeaf] : words[place]) = word;
  if (word == kNoNode) return;
  ((word & kLeaf) != 0 ? places[word & ~kLeaf] : parent[word]) = place;
}

void EditableBvh::note(std::uint32_t place, std::uint32_t came, std::uint32_t went, std::uint32_t weight) {
  while ((place & kLeaf) == 0) {
    const std::uint32_t block = place / 2;
    counts[block] += came - went;  // modulo 2^32
    changes[block] += weight * (came + went);
    dirty[block] = 1;
    place = parent[block];
  }
}

void EditableBvh::take_out(std::uint32_t word) {
  const std::uint32_t place = place_of(word);
  ((word & kLeaf) != 0 ? places[word & ~kLeaf] : parent[word]) = kNoNode;
  if ((place & kLeaf) != 0) {
    roots[place & ~kLeaf] = kNoNode;
    return;
  }
  const std::uint32_t block = place / 2;
  const std::uint32_t above = parent[block];
  dirty[block] = 1;
  note(above, 0, count(word), kRemovedWeight);
  put(above, words[place ^ 1U]);
  words[place] = words[place ^ 1U] = kNoNode;  // SampledBoxes reads ranges of the previous layout
}

void EditableBvh::insert(std::uint32_t place, std::uint32_t word, std::uint32_t weight) {
  const std::uint32_t beside = at(place);
  if (beside == kNoNode) {
    put(place, word);
    return;
  }
  note(place, count(word), 0, weight);
  put(place, add_block(beside, word));
}

std::uint32_t EditableBvh::split_off(std::span<const std::uint32_t> items) {
  // A block is off if both of its children are off. Ancestors of an off node that are not off themselves are cut.
  constexpr std::uint8_t kCut = 4;
  std::vector<std::uint8_t>& marks = marks_;  // number of children that are off, plus kCut
  std::vector<std::uint8_t>& off = off_;
  marks.resize(block_count());
  off.resize(places.size());
  std::vector<std::uint32_t> nodes;
  std::vector<std::uint32_t> cut;
  for (const std::uint32_t item : items) {
    off[item] = 1;
    std::uint32_t word = kLeaf | item;
    nodes.push_back(word);
    while (true) {
      const std::uint32_t place = place_of(word);
      GRAZE_ASSERT((place & kLeaf) == 0);
      if (++marks[place / 2] < 2) break;
      word = place / 2;
      nodes.push_back(word);
    }
  }
  std::uint32_t root_place = kNoNode;
  for (const std::uint32_t word : nodes) {
    std::uint32_t place = place_of(word);
    if ((marks[place / 2] & 3U) == 2) continue;
    while ((place & kLeaf) == 0 && marks[place / 2] < kCut) {
      marks[place / 2] |= kCut;
      cut.push_back(place / 2);
      place = parent[place / 2];
    }
    if ((place & kLeaf) != 0) root_place = place;
  }

  // Processes children before parents, with an explicit stack.
  struct StackEntry {
    std::uint32_t block;
    std::uint32_t done;
    std::array<Halves, 2> below;
  };
  const auto plain = [&](std::uint32_t word) {
    const bool is_off = (word & kLeaf) != 0 ? off[word & ~kLeaf] != 0 : marks[word] == 2;
    return is_off ? Halves{word, kNoNode} : Halves{kNoNode, word};
  };
  // Changes of a node that keeps a part: its share of the changes so far, plus the items it lost. Both halves keep
  // their nodes; a node degraded by many cuts is rebuilt later.
  const auto changed = [&](std::uint32_t block, std::uint32_t part) {
    const std::uint64_t share = std::uint64_t{changes[block]} * part / counts[block];
    return static_cast<std::uint32_t>(share) + kRemovedWeight * (counts[block] - part);
  };
  std::vector<StackEntry> stack{{at(root_place), 0, {}}};
  Halves result;
  while (!stack.empty()) {
    StackEntry& entry = stack.back();
    if (entry.done < 2) {
      const std::uint32_t child = words[std::size_t{2} * entry.block + entry.done];
      if ((child & kLeaf) == 0 && marks[child] >= kCut) {
        stack.push_back({child, 0, {}});
      } else {
        entry.below[entry.done++] = plain(child);
      }
      continue;
    }
    const auto [left, right] = entry.below;
    const std::uint32_t block = entry.block;
    const std::uint32_t off_changes = changed(block, count(left.off) + count(right.off));
    const std::uint32_t rest_count = count(left.rest) + count(right.rest);
    const std::uint32_t rest_changes = changed(block, rest_count);
    dirty[block] = 1;
    if (left.rest != kNoNode && right.rest != kNoNode) {
      put(2 * block, left.rest);
      put(2 * block + 1, right.rest);
      counts[block] = rest_count;
      changes[block] = rest_changes;
      result.rest = block;
    } else {
      result.rest = left.rest != kNoNode ? left.rest : right.rest;
    }
    if (left.off != kNoNode && right.off != kNoNode) {
      result.off = add_block(left.off, right.off, off_changes);
    } else {
      result.off = left.off != kNoNode ? left.off : right.off;
    }
    stack.pop_back();
    if (!stack.empty()) {
      StackEntry& above = stack.back();
      above.below[above.done++] = result;
    }
  }
  put(root_place, result.rest);
  for (const std::uint32_t word : nodes) {
    ((word & kLeaf) != 0 ? off[word & ~kLeaf] : marks[word]) = 0;
  }
  for (const std::uint32_t block : cut) marks[block] = 0;
  return result.off;
}

std::uint32_t EditableBvh::graft(const BvhTree& order, std::span<const std::uint32_t> nodes) {
  GRAZE_ASSERT(order.leaf_count == nodes.size());
  if (nodes.size() == 1) return nodes[0];
  // From the last block to the first, so that children come before their parents.
  std::vector<std::uint32_t> made(order.block_count());
  const auto node = [&](std::uint32_t word) { return (word & kLeaf) != 0 ? nodes[word & ~kLeaf] : made[word]; };
  for (std::size_t b = order.block_count(); b-- > 1;) {
    made[b] = add_block(node(order.words[2 * b]), node(order.words[2 * b + 1]));
  }
  return made[1];
}

std::vector<std::uint32_t> EditableBvh::graft(const ConnectedForest& forest, std::span<const std::uint32_t> items) {
  const std::size_t n = forest.leaf_count;
  std::vector<std::uint32_t> made(forest.merges.size());
  const auto node = [&](std::uint32_t i) { return i < n ? kLeaf | items[i] : made[i - n]; };
  for (std::size_t k = 0; k < made.size(); ++k) {
    made[k] = add_block(node(forest.merges[k].left), node(forest.merges[k].right));
  }
  std::vector<std::uint32_t> nodes;
  nodes.reserve(forest.components.size());
  for (const ConnectedForest::Component& component : forest.components) nodes.push_back(node(component.root));
  return nodes;
}

void EditableBvh::collect(std::uint32_t word, std::vector<std::uint32_t>& items) const {
  std::vector<std::uint32_t> todo{word};
  while (!todo.empty()) {
    const std::uint32_t node = todo.back();
    todo.pop_back();
    if ((node & kLeaf) != 0) {
      items.push_back(node & ~kLeaf);
      continue;
    }
    todo.push_back(words[std::size_t{2} * node + 1]);
    todo.push_back(words[std::size_t{2} * node]);
  }
}

}  // namespace graze::bvh::detail
