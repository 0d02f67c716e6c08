// First half of building clusters (build_clusters.hpp): groups the triangles that may share a cluster, by connected
// component and size, and computes the coordinates by which each group is split.
//
// All lists by triangle and by vertex share one block of memory, one after the other where possible: building
// clusters is the memory peak of the method, and freeing one block leaves one hole or none, where freeing many
// lists leaves many. Cost: O(n), O(n log n) if triangles are not ordered by component, and about 50 bytes per
// triangle.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "methods/cluster/build_clusters.hpp"
#include "methods/cluster/local_frame.hpp"
#include "methods/cluster/surface_coordinates.hpp"

namespace graze::methods {

/// Position of a leaf between pairs of landmarks on the surface of its component, in edges.
using SurfaceCoordinates = std::array<float, kLandmarks / 2>;

/// Triangle with the coordinates by which clusters are split: its centre, in units of the typical triangle size and
/// relative to an origin that the items of a range share, and its surface coordinates. The distance along a surface
/// is at least the distance through space, so the surface coordinates separate the layers of a fold.
struct ClusterItem {
  using Axes = std::array<float, 3 + kLandmarks / 2>;

  Axes centre;
  std::uint32_t place;  ///< index in the list of leaves
};

/// Range of items that may be mixed in clusters.
struct ItemRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  [[nodiscard]] std::size_t size() const { return end - begin; }
};

/// The block of work memory. What does not fit is allocated elsewhere.
class ClusterWork {
 public:
  explicit ClusterWork(const SurfaceMesh& mesh);
  ClusterWork(const ClusterWork&) = delete;
  ClusterWork& operator=(const ClusterWork&) = delete;

  /// Memory for lists that live until the items are made.
  [[nodiscard]] std::pmr::memory_resource& lists() { return lists_; }
  /// Memory for lists that live until the next call of scratch() or make_items().
  [[nodiscard]] std::pmr::memory_resource& scratch();
  /// Makes the items in place of the scratch memory.
  void make_items(std::size_t count);
  [[nodiscard]] std::span<ClusterItem> items() { return items_; }
  /// Unit of the items' centres: the typical triangle size.
  [[nodiscard]] double unit() const { return unit_; }
  void set_unit(double unit) { unit_ = unit; }

 private:
  std::size_t list_bytes_;
  std::size_t other_bytes_;
  std::unique_ptr<std::byte[]> block_;  // NOLINT(modernize-avoid-c-arrays)
  std::pmr::monotonic_buffer_resource lists_;
  std::pmr::monotonic_buffer_resource other_;
  std::pmr::vector<ClusterItem> items_;
  double unit_ = 1.0;
};

/// Sets the centre of an item, relative to an origin and in a unit; its surface coordinates stay as they are.
void set_centre(const ClusterInput& input, const Leaf& leaf, const Vec3& origin, double unit, ClusterItem& item);

/// Makes the items of the leaves, sorted into ranges that may be mixed.
std::vector<ItemRange> group_leaves(const ClusterInput& input, const ClusterLocalFrame& local_frame,
                                    std::span<const std::uint32_t> leaves, ClusterWork& work);

}  // namespace graze::methods
