// Sampling and caching of node boxes, and the descent by least growth (sampled_boxes.hpp).
#include "bvh/sampled_boxes.hpp"

#include <algorithm>

namespace graze::bvh::detail {

namespace {

constexpr std::uint32_t kSamples = 8;

}  // namespace

Aabb SampledBoxes::component_box(std::uint32_t component) {
  const std::uint32_t root = lower_.forest->roots[component];
  return root == kNoNode ? Aabb() : box_of(lower_, root);
}

std::uint32_t SampledBoxes::fitting_place(std::uint32_t place, const Aabb& box, std::uint32_t count) {
  return fit(lower_, place, box, count);
}

std::uint32_t SampledBoxes::fitting_upper_place(const Aabb& box) {
  return fit(upper_, kLeaf, box, 1);
}

Aabb SampledBoxes::box_of(Level& level, std::uint32_t word) {
  if (word == kNoNode) return {};
  if ((word & kLeaf) != 0) {
    return &level == &upper_ ? component_box(word & ~kLeaf) : leaves_.box(word & ~kLeaf);
  }
  if (level.index.size() <= word) level.index.resize(level.forest->block_count(), kNoNode);
  if (level.index[word] == kNoNode) {
    const Aabb box = sample(level, word);
    level.index[word] = static_cast<std::uint32_t>(level.boxes.size());
    level.boxes.push_back(box);
  }
  return level.boxes[level.index[word]];
}

Aabb SampledBoxes::sample(Level& level, std::uint32_t block) {
  const std::vector<std::uint32_t>& words = level.forest->words;
  Aabb box;
  if (block >= level.counts.size() || (level.cut && level.forest->dirty[block] != 0)) {
    box = box_of(level, words[std::size_t{2} * block]);
    box.include(box_of(level, words[std::size_t{2} * block + 1]));
    return box;
  }
  const std::size_t begin = std::size_t{2} * block;
  const std::size_t length = std::size_t{2} * (level.counts[block] - 1);
  const auto is_item = [&](std::size_t slot) { return words[slot] != kNoNode && (words[slot] & kLeaf) != 0; };
  if (level.counts[block] <= kSamples) {
    for (std::size_t slot = begin; slot < begin + length; ++slot) {
      if (is_item(slot)) box.include(box_of(level, words[slot]));
    }
    return box;
  }
  std::size_t slot = begin;
  for (std::size_t k = 0; k < kSamples; ++k) {
    slot = std::max(slot, begin + k * length / kSamples);
    while (slot < begin + length && !is_item(slot)) ++slot;
    if (slot == begin + length) break;
    box.include(box_of(level, words[slot++]));
  }
  return box;
}

std::uint32_t SampledBoxes::fit(Level& level, std::uint32_t place, const Aabb& box, std::uint32_t count) {
  const EditableBvh& forest = *level.forest;
  while (true) {
    const std::uint32_t word = forest.at(place);
    if (word == kNoNode || forest.count(word) <= count) return place;
    double least = 0.0;
    double least_area = 0.0;
    for (std::uint32_t slot = 2 * word; slot < 2 * word + 2; ++slot) {
      Aabb both = box_of(level, forest.words[slot]);
      const double area = half_area(both);
      both.include(box);
      const double growth = half_area(both) - area;
      if (slot % 2 == 0 || growth < least || (growth == least && area < least_area)) {
        least = growth;
        least_area = area;
        place = slot;
      }
    }
    // The new node will be below the chosen child.
    const std::uint32_t chosen = forest.words[place];
    if ((chosen & kLeaf) == 0) level.boxes[level.index[chosen]].include(box);
  }
}

}  // namespace graze::bvh::detail
