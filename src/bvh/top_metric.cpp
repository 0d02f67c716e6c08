// See top_metric.hpp.
#include "bvh/top_metric.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/assert.hpp"

namespace graze::detail {

namespace {

/// In double, with infinities cut to the largest float: sums and products of three are numbers.
std::array<double, 3> extents(const Aabb& box) {
  constexpr float kMost = std::numeric_limits<float>::max();
  std::array<double, 3> extent;
  for (std::size_t k = 0; k < 3; ++k) {
    const double hi = std::clamp(box.hi[k], -kMost, kMost);
    const double lo = std::clamp(box.lo[k], -kMost, kMost);
    extent[k] = std::max(hi - lo, 0.0);
  }
  return extent;
}

/// What boxes are grown by, and the chance that follows.
class Chance {
 public:
  Chance(const BvhTree& tree, std::uint32_t upper, std::span<const Aabb> boxes) : root_(extents(boxes[0])) {
    for (std::size_t i = 2; i < boxes.size(); ++i) {
      if (tree.words[i] < upper) continue;
      const std::array<double, 3> extent = extents(boxes[i]);
      for (std::size_t k = 0; k < 3; ++k) grown_[k] += extent[k];
    }
    // The second part is how far apart points on a line would be: also of those no chance is 0.
    for (std::size_t k = 0; k < 3; ++k) grown_[k] = (grown_[k] + root_[k]) / static_cast<double>(upper);
  }

  [[nodiscard]] double operator()(const Aabb& box) const {
    const std::array<double, 3> extent = extents(box);
    double chance = 1.0;
    for (std::size_t k = 0; k < 3; ++k) {
      if (root_[k] > 0.0) chance *= (extent[k] + grown_[k]) / (root_[k] + grown_[k]);
    }
    return chance;
  }

 private:
  std::array<double, 3> root_;
  std::array<double, 3> grown_{};
};

}  // namespace

double UpperNode::law() const {
  const double most = 2.0 * count - 1.0;
  return std::min(most * chance, (1.0 + std::log2(static_cast<double>(count))) * chance + 2.0 * items);
}

std::vector<UpperNode> measure_upper(const BvhTree& tree, std::uint32_t upper, std::span<const Aabb> boxes) {
  GRAZE_ASSERT(boxes.size() == std::size_t{2} * upper);
  std::vector<UpperNode> nodes(upper);
  if (upper < 2) return nodes;
  const Chance chance(tree, upper, boxes);
  for (std::uint32_t b = upper; b-- > 1;) {
    UpperNode& node = nodes[b];
    node.chance = chance(boxes[tree.parent[b]]);
    node.visits = node.chance;
    for (std::size_t slot = std::size_t{2} * b; slot < std::size_t{2} * b + 2; ++slot) {
      const std::uint32_t word = tree.words[slot];
      UpperNode child;
      if (word < upper) {
        child = nodes[word];
      } else {
        child.visits = child.items = chance(boxes[slot]);
        child.count = 1;
      }
      node.visits += child.visits;
      node.items += child.items;
      node.count += child.count;
    }
  }
  return nodes;
}

void unite_boxes(const BvhTree& tree, std::uint32_t upper, std::span<Aabb> boxes) {
  for (std::uint32_t b = upper; b-- > 1;) {
    Aabb both = boxes[std::size_t{2} * b];
    both.include(boxes[std::size_t{2} * b + 1]);
    boxes[tree.parent[b]] = both;
  }
}

void calibrate(TwoLevelTree& two_level, std::span<const UpperNode> nodes, std::uint32_t first, std::uint32_t last) {
  two_level.calibration.resize(nodes.size(), 1.0F);
  for (std::uint32_t b = std::max(first, 1U); b < last; ++b) {
    two_level.calibration[b] = static_cast<float>(nodes[b].visits / nodes[b].law());
  }
}

double predicted_visits(const TwoLevelTree& two_level, std::span<const UpperNode> nodes, std::uint32_t block) {
  return static_cast<double>(two_level.calibration[block]) * nodes[block].law();
}

}  // namespace graze::detail
