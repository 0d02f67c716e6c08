// Builds the hierarchy for distance queries. See the header.
#include "rigid/distance/proximity_tree.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "geometry/volume.hpp"
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

Point minus(const Point& u, const Point& v) {
  return {u[0] - v[0], u[1] - v[1], u[2] - v[2]};
}
double dot(const Point& u, const Point& v) {
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}
Point cross(const Point& u, const Point& v) {
  return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
}
Point in_doubles(const std::array<float, 3>& p) {
  return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
}

/// Coordinates x of points in a box: u = centre + sum of x_j axis_j. Rounding errs by at most 2^-48 of |u -
/// centre|.
class Coordinates {
 public:
  explicit Coordinates(const ObbVolume& box) : centre_(in_doubles(box.centre)) {
    const std::array<Point, 3> axes{in_doubles(box.axes[0]), in_doubles(box.axes[1]), in_doubles(box.axes[2])};
    for (std::size_t i = 0; i < 3; ++i) {
      rows_[i] = cross(axes[(i + 1) % 3], axes[(i + 2) % 3]);
      const double determinant = dot(rows_[i], axes[i]);  // nearly 1 or -1
      for (double& c : rows_[i]) c /= determinant;
    }
  }
  [[nodiscard]] Point operator()(const Point& u) const {
    const Point from = minus(u, centre_);
    return {dot(rows_[0], from), dot(rows_[1], from), dot(rows_[2], from)};
  }

 private:
  Point centre_;
  std::array<Point, 3> rows_;
};

/// The box with the axes of a fitted box, as tight as floats allow. Fitted boxes grow by a millionth of their
/// length on all sides, because float axes are not quite orthonormal; where faces are parallel and near, that is
/// much.
ObbVolume tightened(ObbVolume box, std::span<const Corners> triangles) {
  Point lo{};
  Point hi{};
  const auto measure = [&] {
    const Coordinates coordinates(box);
    lo = coordinates(triangles[0][0]);
    hi = lo;
    for (const Corners& corners : triangles) {
      for (const Point& corner : corners) {
        const Point x = coordinates(corner);
        for (std::size_t i = 0; i < 3; ++i) {
          lo[i] = std::min(lo[i], x[i]);
          hi[i] = std::max(hi[i], x[i]);
        }
      }
    }
  };
  measure();
  for (std::size_t k = 0; k < 3; ++k) {
    double c = static_cast<double>(box.centre[k]);
    for (std::size_t i = 0; i < 3; ++i) c += 0.5 * (lo[i] + hi[i]) * static_cast<double>(box.axes[i][k]);
    box.centre[k] = static_cast<float>(c);
  }
  measure();
  Point half{};
  for (std::size_t i = 0; i < 3; ++i) half[i] = std::max(hi[i], -lo[i]);
  const double rounding = 0x1p-46 * std::max({half[0], half[1], half[2]}) + 0x1p-52;
  for (std::size_t i = 0; i < 3; ++i) box.half[i] = round_up(half[i] + rounding);
  return box;
}

bool contains(const ObbVolume& box, const Point& u) {
  const Point x = Coordinates(box)(u);
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(std::abs(x[i]) <= static_cast<double>(box.half[i]))) return false;
  }
  return true;
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
      const std::span below_it(ordered_.data() + range.first, range.last - range.first);
      set_box(tree_.nodes[node], lane, tightened(ObbVolume::fit(below_it), below_it));
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
  /// one level less suffices. So the nodes with few children are at the top, where there are few nodes. Returns
  /// their number.
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
          if (!contains(box, corner))
            return fmt::format("the box of slot {} does not hold triangle {}", slot, triangle);
        }
      }
    }
  }
  const auto missing = std::find(seen.begin(), seen.end(), false);
  return missing == seen.end() ? std::string() : fmt::format("triangle {} is in no group", missing - seen.begin());
}

}  // namespace graze::rigid
