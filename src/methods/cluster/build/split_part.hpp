// Splits a part of a mesh into clusters: recursively in two, along the longest of its axes, at a multiple of a full
// cluster (build_clusters.hpp).
//
// The axes are the coordinates of the triangles' centres and their surface coordinates. Coordinates are rounded to
// 16 bits, relative to the range to split, so that a triangle is one vector of eight numbers, and comparing,
// measuring and moving it takes one instruction each. A histogram finds the numbers next to the split; only the few
// triangles in its bin are sorted. Cost: O(n log n), about 4 ns per triangle and level.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/function_ref.hpp"
#include "methods/cluster/build/surface_coordinates.hpp"
#include "methods/cluster/cluster.hpp"

namespace graze::methods {

/// Coordinates by which triangles are split: the centre, in units of the typical triangle size, and the surface
/// coordinates. The distance along a surface is at least the distance through space, so the surface coordinates
/// separate the layers of a fold.
using SplitAxes = std::array<float, 3 + kLandmarks / 2>;

/// Splits one range of triangles after the other; keeps its work space.
class PartSplitter {
 public:
  static constexpr std::size_t kMaxSize = std::size_t{1} << 16U;

  /// Divides the indices 0, 1, ... of `axes` into clusters. fits(indices) says whether at most kClusterFaces of
  /// them fit into a cluster; if so, take() follows: they are the next cluster. Precondition: at most kMaxSize
  /// triangles.
  void split(std::span<const SplitAxes> axes, FunctionRef<bool(std::span<const std::uint16_t>)> fits,
             FunctionRef<void()> take);

 private:
  static constexpr std::size_t kLanes = 8;
  static constexpr std::size_t kIndexLane = kLanes - 1;
  /// Rounded axes of a triangle, and its index in the last lane, as the 16 bits of an unsigned number.
  struct alignas(16) Item {
    std::array<std::int16_t, kLanes> lanes;

    [[nodiscard]] std::uint16_t index() const { return static_cast<std::uint16_t>(lanes[kIndexLane]); }
  };
  struct Range {
    std::size_t begin;
    std::size_t end;
  };

  void round(std::span<const SplitAxes> axes, const Range& range);
  [[nodiscard]] std::size_t cut(std::span<const SplitAxes> axes, const Range& range);

  std::vector<Item> items_;
  std::vector<Range> stack_;
};

}  // namespace graze::methods
