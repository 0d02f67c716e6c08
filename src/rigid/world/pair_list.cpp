// Update of the overlapping pairs. See the header.
#include "rigid/world/pair_list.hpp"

#include <algorithm>
#include <iterator>

#include "core/sort.hpp"
#include "core/tasks.hpp"

namespace graze::rigid {

namespace {

/// Changed objects that are looked up together.
constexpr std::size_t kPerBlock = 32;

struct Block {
  std::vector<std::uint64_t> keys;
  std::uint64_t tests = 0;
};

}  // namespace

void PairList::make_room(std::size_t slots) {
  if (slots <= changed_.size()) return;
  const std::size_t room = std::max<std::size_t>({slots, 16, 2 * changed_.size()});
  marked_.reserve(room);
  changed_.resize(room);
}

std::uint64_t PairList::update(const ObjectTable& objects, const WorldTrees& trees) {
  if (marked_.empty()) return 0;
  std::vector<Block> blocks((marked_.size() + kPerBlock - 1) / kPerBlock);
  parallel_for(0, blocks.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      Block& block = blocks[i];
      const std::size_t end = std::min(marked_.size(), (i + 1) * kPerBlock);
      for (std::size_t m = i * kPerBlock; m < end; ++m) {
        const std::uint32_t slot = marked_[m];
        const WorldSlot& object = objects[slot];
        if (object.leaf == DynamicTree::kNone) continue;
        const WorldBox box = trees.of(object.motion).box(object.leaf);
        block.tests += trees.for_overlaps(box, [&](std::uint32_t other) {
          // Of two changed objects, the one of the smaller slot finds the pair.
          if (other == slot || (changed_[other] != 0 && other < slot)) return;
          if (object.masks.meet(objects[other].masks)) block.keys.push_back(pair_key(slot, other));
        });
      }
    }
  });
  std::uint64_t tests = 0;
  std::vector<std::uint64_t> found;
  std::size_t count = 0;
  for (const Block& block : blocks) count += block.keys.size();
  found.reserve(count);
  for (const Block& block : blocks) {
    found.insert(found.end(), block.keys.begin(), block.keys.end());
    tests += block.tests;
  }
  parallel_sort(found);
  std::vector<std::uint64_t> merged;
  merged.reserve(pairs_.size() + found.size());
  const auto stays = [&](std::uint64_t key) {
    return changed_[first_of(key)] == 0 && changed_[second_of(key)] == 0;
  };
  auto next = found.begin();
  for (const std::uint64_t key : pairs_) {
    if (!stays(key)) continue;
    while (next != found.end() && *next < key) merged.push_back(*next++);
    merged.push_back(key);
  }
  merged.insert(merged.end(), next, found.end());
  pairs_.swap(merged);
  for (const std::uint32_t slot : marked_) changed_[slot] = 0;
  marked_.clear();
  return tests;
}

}  // namespace graze::rigid
