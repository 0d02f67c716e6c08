// Builds the hierarchy for distance queries. See the header.
#include "rigid/distance/proximity_tree.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "rigid/trees/obb_volume.hpp"
#include "rigid/trees/split_tree.hpp"

namespace graze::rigid {

namespace {

Corners relative(const LocalFrame& frame, std::span<const Vec3> positions, const Triangle& triangle) {
  return {frame.relative(positions[triangle[0]]), frame.relative(positions[triangle[1]]),
          frame.relative(positions[triangle[2]])};
}

void set_box(WideNode& node, std::size_t lane, const ObbVolume& box) {
  for (std::size_t k = 0; k < 3; ++k) {
    node.centre[k][lane] = box.centre[k];
    node.half[k][lane] = box.half[k];
    for (std::size_t i = 0; i < 3; ++i) node.axes[i][k][lane] = box.axes[i][k];
  }
}

ObbVolume box_of(const WideNode& node, std::size_t lane) {
  ObbVolume box{};
  for (std::size_t k = 0; k < 3; ++k) {
    box.centre[k] = node.centre[k][lane];
    box.half[k] = node.half[k][lane];
    for (std::size_t i = 0; i < 3; ++i) box.axes[i][k] = node.axes[i][k][lane];
  }
  return box;
}

class Builder {
 public:
  Builder(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
    tree_.local_frame = make_local_frame(positions, triangles);
    if (triangles.empty()) return;
    std::vector<Corners> corners;
    corners.reserve(triangles.size());
    for (const Triangle& triangle : triangles) corners.push_back(relative(tree_.local_frame, positions, triangle));
    shape_ = build_split_tree(corners);
    ordered_.reserve(corners.size());
    for (const std::uint32_t triangle : shape_.order) ordered_.push_back(corners[triangle]);
    tree_.nodes.emplace_back();
    const std::array<std::uint32_t, 1> whole{0};
    fill(0, whole);
  }

  ProximityTree take() { return std::move(tree_); }

 private:
  [[nodiscard]] std::uint32_t size(std::uint32_t binary) const {
    return shape_.nodes[binary].last - shape_.nodes[binary].first;
  }

  /// Fills a node with these nodes of the binary tree as its children, and all nodes below.
  void fill(std::size_t node, std::span<const std::uint32_t> children) {
    tree_.nodes[node].count = static_cast<std::uint32_t>(children.size());
    for (std::size_t lane = 0; lane < kWide; ++lane) {
      const std::uint32_t binary = children[lane < children.size() ? lane : 0];
      const SplitTree::Node& range = shape_.nodes[binary];
      if (lane >= children.size()) {
        set_box(tree_.nodes[node], lane, box_of(tree_.nodes[node], 0));
        tree_.nodes[node].child[lane] = tree_.nodes[node].child[0];
        continue;
      }
      set_box(tree_.nodes[node], lane,
              ObbVolume::fit(std::span(ordered_.data() + range.first, range.last - range.first)));
      if (size(binary) <= kWide) {
        tree_.nodes[node].child[lane] = static_cast<std::uint32_t>(tree_.groups.size()) | WideNode::kGroupBit;
        add_group(range);
        continue;
      }
      const std::size_t below = tree_.nodes.size();
      tree_.nodes.emplace_back();
      tree_.nodes[node].child[lane] = static_cast<std::uint32_t>(below);
      std::array<std::uint32_t, kWide> open{};
      fill(below, std::span(open.data(), unfold(binary, open)));
    }
  }

  void add_group(const SplitTree::Node& range) {
    LeafGroup& group = tree_.groups.emplace_back();
    group.count = range.last - range.first;
    for (std::uint32_t i = 0; i < kWide; ++i)
      group.triangles[i] = shape_.order[range.first + (i < group.count ? i : 0)];
  }

  /// Up to eight descendants that partition a node: opens the largest again and again, but none of a size for which
  /// one level less suffices. So the nodes with few children are at the top, where there are few nodes. Returns their
  /// number.
  std::size_t unfold(std::uint32_t binary, std::array<std::uint32_t, kWide>& open) const {
    std::size_t enough = kWide;
    while (enough * kWide < size(binary)) enough *= kWide;
    open[0] = binary;
    std::size_t count = 1;
    while (count < kWide) {
      std::size_t largest = 0;
      for (std::size_t i = 1; i < count; ++i) {
        if (size(open[i]) > size(open[largest])) largest = i;
      }
      if (size(open[largest]) <= enough) break;
      const std::uint32_t child = shape_.nodes[open[largest]].child;
      open[largest] = child;
      open[count++] = child + 1;
    }
    return count;
  }

  ProximityTree tree_;
  SplitTree shape_;
  std::vector<Corners> ordered_;
};

}  // namespace

ProximityTree build_proximity_tree(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
  if (triangles.size() > std::size_t{1} << 28U)
    throw InputError(
        fmt::format("{} triangles are too many: a distance query takes at most 2^28", triangles.size()));
  return Builder(positions, triangles).take();
}

std::string validate_proximity_tree(const ProximityTree& tree, std::span<const Vec3> positions,
                                    std::span<const Triangle> triangles) {
  std::vector<bool> seen(triangles.size(), false);
  struct Below {
    std::uint32_t slot;
    std::vector<std::uint32_t> above;  ///< slots from the root to this one
  };
  std::vector<Below> stack;
  if (!tree.nodes.empty()) stack.push_back({0, {0}});
  while (!stack.empty()) {
    const Below now = std::move(stack.back());
    stack.pop_back();
    if (!tree.is_group(now.slot)) {
      const std::uint32_t node = tree.child(now.slot);
      for (std::uint32_t lane = 0; lane < tree.nodes[node].count; ++lane) {
        Below next{static_cast<std::uint32_t>(node * kWide + lane), now.above};
        next.above.push_back(next.slot);
        stack.push_back(std::move(next));
      }
      continue;
    }
    const LeafGroup& group = tree.groups[tree.group(now.slot)];
    for (std::uint32_t i = 0; i < group.count; ++i) {
      const TriangleId triangle = group.triangles[i];
      if (triangle >= triangles.size() || seen[triangle])
        return fmt::format("triangle {} does not exist or is in two groups", triangle);
      seen[triangle] = true;
      for (const std::uint32_t slot : now.above) {
        const ObbVolume box = box_of(tree.nodes[slot / kWide], slot % kWide);
        for (const Point& corner : relative(tree.local_frame, positions, triangles[triangle])) {
          if (!box.contains(corner))
            return fmt::format("the box of slot {} does not hold triangle {}", slot, triangle);
        }
      }
    }
  }
  const auto missing = std::find(seen.begin(), seen.end(), false);
  return missing == seen.end() ? std::string() : fmt::format("triangle {} is in no group", missing - seen.begin());
}

}  // namespace graze::rigid
