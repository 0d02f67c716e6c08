// Which triangles may be in one cluster, and by what they lie together: the first half of cutting a mesh into
// clusters (build_clusters.hpp).
//
// All lists by triangle and by vertex are in one block of memory, in turn where they can be: this is when a method
// needs the most, and a block that is given back leaves one hole, or none, where many lists leave many. Cost: O(n),
// O(n log n) where triangles are not in the order of pieces of mesh, and about 50 bytes a triangle.
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
#include "methods/cluster/surface_places.hpp"

namespace graze::methods {

/// Where a leaf is between pairs of landmarks on the surface of its piece of mesh, in edges.
using SurfacePlace = std::array<float, kLandmarks / 2>;

/// A triangle by what tells who lies together: its centre, in edge lengths; and its place on the surface. Along the
/// surface is as far as through space or farther, so folds are told apart by the latter.
struct ClusterItem {
  using Axes = std::array<float, 3 + kLandmarks / 2>;

  Axes centre;
  std::uint32_t place;  ///< in the list of leaves
};

/// Numbers of items that are to be clustered among themselves.
struct ItemRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  [[nodiscard]] std::size_t size() const { return end - begin; }
};

/// The block. What does not fit is taken elsewhere.
class ClusterWork {
 public:
  explicit ClusterWork(const SurfaceMesh& mesh);
  ClusterWork(const ClusterWork&) = delete;
  ClusterWork& operator=(const ClusterWork&) = delete;

  /// For lists that are needed until there are items.
  [[nodiscard]] std::pmr::memory_resource& lists() { return lists_; }
  /// For those that are not, until the next call.
  [[nodiscard]] std::pmr::memory_resource& scratch();
  /// Instead of the latter.
  void make_items(std::size_t count);
  [[nodiscard]] std::span<ClusterItem> items() { return items_; }

 private:
  std::size_t list_bytes_;
  std::size_t other_bytes_;
  std::unique_ptr<std::byte[]> block_;  // NOLINT(modernize-avoid-c-arrays)
  std::pmr::monotonic_buffer_resource lists_;
  std::pmr::monotonic_buffer_resource other_;
  std::pmr::vector<ClusterItem> items_;
};

/// Makes items of leaves, sorted into ranges of what may be mixed.
std::vector<ItemRange> group_leaves(const ClusterInput& input, const ClusterLocalFrame& frame,
                                    std::span<const std::uint32_t> leaves, ClusterWork& work);

}  // namespace graze::methods
