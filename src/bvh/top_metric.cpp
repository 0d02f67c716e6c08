// Overlap probabilities and expected visits of the upper level (top_metric.hpp).
#include "bvh/top_metric.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/assert.hpp"
#include "core/tasks.hpp"

namespace graze::bvh::detail {

namespace {

constexpr std::size_t kRun = 4096;

/// Returns extents in double, with infinities clamped to the largest float: sums and products of three extents stay
/// finite.
std::array<double, 3> extents(const Aabb& box) {
  constexpr float kMaxFloat = std::numeric_limits<float>::max();
  std::array<double, 3> extent;
  for (std::size_t k = 0; k < 3; ++k) {
    const double hi = std::clamp(box.hi[k], -kMaxFloat, kMaxFloat);
    const double lo = std::clamp(box.lo[k], -kMaxFloat, kMaxFloat);
    extent[k] = std::max(hi - lo, 0.0);
  }
  return extent;
}

/// Probability that a component overlaps a box: the enlargement of boxes per axis, and the scale of the root.
class Chance {
 public:
  Chance(const BvhTree& tree, std::uint32_t upper, std::span<const Aabb> boxes) {
    // Adds sums over runs of fixed length in order: the result has the same bits with any number of threads.
    const std::array<double, 3> root = extents(boxes[0]);
    std::vector<std::array<double, 3>> sums((boxes.size() + kRun - 1) / kRun);
    parallel_for(0, sums.size(), 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t s = first; s < last; ++s) {
        for (std::size_t i = std::max<std::size_t>(s * kRun, 2); i < std::min((s + 1) * kRun, boxes.size()); ++i) {
          if (tree.words[i] < upper) continue;
          const std::array<double, 3> extent = extents(boxes[i]);
          for (std::size_t k = 0; k < 3; ++k) sums[s][k] += extent[k];
        }
      }
    });
    for (const std::array<double, 3>& sum : sums) {
      for (std::size_t k = 0; k < 3; ++k) grown_[k] += sum[k];
    }
    // The second term, root / upper, is the mean distance of points on a line: it keeps the probability of points
    // above 0.
    for (std::size_t k = 0; k < 3; ++k) {
      grown_[k] = (grown_[k] + root[k]) / static_cast<double>(upper);
      if (root[k] > 0.0) {
        scale_[k] = 1.0 / (root[k] + grown_[k]);
      } else {
        grown_[k] = 1.0;  // flat axis: contributes a factor of 1
      }
    }
  }

  [[nodiscard]] double operator()(const Aabb& box) const {
    const std::array<double, 3> extent = extents(box);
    return (extent[0] + grown_[0]) * scale_[0] * ((extent[1] + grown_[1]) * scale_[1]) *
           ((extent[2] + grown_[2]) * scale_[2]);
  }

 private:
  std::array<double, 3> grown_{};
  std::array<double, 3> scale_{1.0, 1.0, 1.0};
};

}  // namespace

double UpperNode::uncalibrated_visits() const {
  const double most = 2.0 * count - 1.0;
  return std::min(most * chance, (1.0 + std::log2(static_cast<double>(count))) * chance + 2.0 * items);
}

std::vector<UpperNode> measure_upper(const BvhTree& tree, std::uint32_t upper, std::span<const Aabb> boxes) {
  GRAZE_ASSERT(boxes.size() == std::size_t{2} * upper);
  std::vector<UpperNode> nodes(upper);
  if (upper < 2) return nodes;
  const Chance chance(tree, upper, boxes);
  std::vector<double> chances(boxes.size());
  parallel_for(0, boxes.size(), kRun, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) chances[i] = chance(boxes[i]);
  });
  for (std::uint32_t b = upper; b-- > 1;) {
    UpperNode& node = nodes[b];
    node.chance = chances[tree.parent[b]];
    node.visits = node.chance;
    for (std::size_t slot = std::size_t{2} * b; slot < std::size_t{2} * b + 2; ++slot) {
      const std::uint32_t word = tree.words[slot];
      UpperNode child;
      if (word < upper) {
        child = nodes[word];
      } else {
        child.visits = child.items = chances[slot];
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
  parallel_for(std::max(first, 1U), std::max(last, 1U), kRun, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) {
      two_level.calibration[b] = static_cast<float>(nodes[b].visits / nodes[b].uncalibrated_visits());
    }
  });
}

double predicted_visits(const TwoLevelTree& two_level, std::span<const UpperNode> nodes, std::uint32_t block) {
  return static_cast<double>(two_level.calibration[block]) * nodes[block].uncalibrated_visits();
}

}  // namespace graze::bvh::detail
