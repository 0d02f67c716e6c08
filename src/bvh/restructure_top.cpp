// Selects and rebuilds subtrees of the upper level (restructure_top.hpp). The selection uses boxes, whatever the
// type of the volumes.
#include "bvh/restructure_top.hpp"

#include <algorithm>
#include <cmath>

#include "bvh/top_metric.hpp"
#include "core/assert.hpp"

namespace graze::bvh {

namespace {

using detail::UpperNode;

/// A new upper level of few components replaces the old one if it saves this fraction of the visits.
constexpr double kMinVisitSaving = 0.02;

/// Rebuild cost of an item per level, in units of one node visit: about 25 ns against 5 ns.
constexpr double kBuildCost = 5.0;

/// A subtree of the upper level and the new order of its components.
struct Regrouping {
  std::uint32_t block = 0;
  std::vector<std::uint32_t> slots;  ///< slots of its components before the rebuild
  std::vector<std::uint32_t> words;
  BvhTree order;

  [[nodiscard]] std::uint32_t end() const { return block + static_cast<std::uint32_t>(slots.size()) - 1; }
};

Regrouping regroup(const TwoLevelTree& two_level, std::span<const Aabb> boxes, std::uint32_t block,
                   std::uint32_t count) {
  Regrouping regrouping{.block = block, .slots = {}, .words = {}, .order = {}};
  std::vector<Aabb> items;
  for (std::uint32_t slot = 2 * block; slot < 2 * (block + count - 1); ++slot) {
    const std::uint32_t word = two_level.tree.words[slot];
    if (word < two_level.tree.upper_blocks) continue;
    regrouping.slots.push_back(slot);
    regrouping.words.push_back(word);
    items.push_back(boxes[slot]);
  }
  GRAZE_ASSERT(items.size() == count);
  regrouping.order = bvh_build(items, two_level.options.upper);
  return regrouping;
}

/// Calls fn(k, slot) for each component of a regrouping: the component that was at slots[k] moves to `slot`.
template <typename Fn>
void for_each_move(const Regrouping& regrouping, const Fn& fn) {
  const std::vector<std::uint32_t>& words = regrouping.order.words;
  for (std::uint32_t i = 2; i < words.size(); ++i) {
    if ((words[i] & kLeaf) != 0) fn(words[i] & ~kLeaf, 2 * regrouping.block - 2 + i);
  }
}

/// Chooses the subtrees to rebuild. Returns the first block of each, ascending; no subtree is inside another.
std::vector<std::uint32_t> choose(const TwoLevelTree& two_level, std::span<const UpperNode> nodes,
                                  const RestructureOptions& options) {
  const BvhTree& tree = two_level.tree;
  const std::uint32_t upper = tree.upper_blocks;
  const double weight = options.steps * upper;  // every component traverses the tree in every step
  std::vector<double> gains(upper);
  std::vector<bool> chosen(upper);
  for (std::uint32_t b = upper; b-- > 1;) {
    for (std::size_t slot = std::size_t{2} * b; slot < std::size_t{2} * b + 2; ++slot) {
      if (tree.words[slot] < upper) gains[b] += gains[tree.words[slot]];
    }
    const double predicted = detail::predicted_visits(two_level, nodes, b);
    if (nodes[b].count < 3 || !(nodes[b].visits > options.degraded * predicted)) continue;
    const double count = nodes[b].count;
    const double gain = weight * (nodes[b].visits - predicted) - kBuildCost * count * std::log2(count);
    // A tie goes to the higher node: its rebuild includes those of the nodes below it.
    if (gain > 0.0 && gain >= gains[b]) {
      gains[b] = gain;
      chosen[b] = true;
    }
  }
  std::vector<std::uint32_t> blocks;
  for (std::uint32_t b = 1; b < upper;) {
    if (chosen[b]) blocks.push_back(b);
    b += chosen[b] ? nodes[b].count - 1 : 1;
  }
  return blocks;
}

/// Returns the rebuilds to carry out; changes nothing.
std::vector<Regrouping> plan(const TwoLevelTree& two_level, std::span<const Aabb> boxes,
                             const RestructureOptions& options) {
  const std::uint32_t upper = two_level.tree.upper_blocks;
  const std::vector<UpperNode> nodes = detail::measure_upper(two_level.tree, upper, boxes);
  std::vector<Regrouping> regroupings;
  if (upper > options.rebuild_below) {
    for (const std::uint32_t b : choose(two_level, nodes, options)) {
      regroupings.push_back(regroup(two_level, boxes, b, nodes[b].count));
    }
    return regroupings;
  }
  Regrouping all = regroup(two_level, boxes, 1, upper);
  std::vector<Aabb> moved(boxes.size());
  for_each_move(all, [&](std::uint32_t k, std::uint32_t slot) { moved[slot] = boxes[all.slots[k]]; });
  detail::unite_boxes(all.order, upper, moved);
  const double visits = detail::measure_upper(all.order, upper, moved)[1].visits;
  if (visits < (1.0 - kMinVisitSaving) * nodes[1].visits) regroupings.push_back(std::move(all));
  return regroupings;
}

template <typename Volume>
Aabb box_of(const Volume& volume) {
  return {{volume.lo[0], volume.lo[1], volume.lo[2]}, {volume.hi[0], volume.hi[1], volume.hi[2]}};
}

}  // namespace

template <typename Volume>
std::size_t bvh_restructure_top(TwoLevelTree& two_level, BvhVolumes<Volume>& volumes,
                                const RestructureOptions& options) {
  BvhTree& tree = two_level.tree;
  GRAZE_ASSERT(volumes.block_count() == tree.block_count());
  const std::uint32_t upper = tree.upper_blocks;
  if (upper < 3) return 0;
  std::vector<Aabb> boxes(std::size_t{2} * upper);
  for (std::size_t i = 0; i < boxes.size(); ++i) boxes[i] = box_of(volumes.node(i));
  const std::vector<Regrouping> regroupings = plan(two_level, boxes, options);
  if (regroupings.empty()) return 0;

  std::size_t regrouped = 0;
  for (const Regrouping& regrouping : regroupings) {
    // Copies the volumes before any slot is overwritten.
    std::vector<Volume> kept;
    kept.reserve(regrouping.slots.size());
    for (const std::uint32_t slot : regrouping.slots) kept.push_back(volumes.node(slot));
    detail::attach_components(tree, regrouping.block, regrouping.order, regrouping.words);
    for_each_move(regrouping, [&](std::uint32_t k, std::uint32_t slot) {
      volumes.set_node(slot, kept[k]);
      boxes[slot] = box_of(kept[k]);
    });
    volumes.refit_blocks(tree, regrouping.block, regrouping.end());
    if (!two_level.changes.empty()) {
      std::fill(two_level.changes.begin() + regrouping.block, two_level.changes.begin() + regrouping.end(), 0U);
    }
    regrouped += regrouping.slots.size();
  }
  detail::unite_boxes(tree, upper, boxes);
  detail::finish_upper_level(two_level);
  const std::vector<UpperNode> nodes = detail::measure_upper(tree, upper, boxes);
  for (const Regrouping& regrouping : regroupings) {
    detail::calibrate(two_level, nodes, regrouping.block, regrouping.end());
  }
  return regrouped;
}

template std::size_t bvh_restructure_top(TwoLevelTree&, BvhVolumes<Aabb>&, const RestructureOptions&);
template std::size_t bvh_restructure_top(TwoLevelTree&, BvhVolumes<Dop18>&, const RestructureOptions&);
template std::size_t bvh_restructure_top(TwoLevelTree&, BvhVolumes<Dop26>&, const RestructureOptions&);

}  // namespace graze::bvh
