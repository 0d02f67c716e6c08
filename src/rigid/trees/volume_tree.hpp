// The bounding volume hierarchies that the boxtree is compared with (BOXTREE, Table 1): AABB tree, OBB tree, 18-
// and 26-DOP trees, sphere tree. Volumes are as tight as floats allow; each node has an index of two children.
// Traversal and leaves are the boxtree's (rigid/trees/paired_traversal.hpp), and all kinds share one topology
// (rigid/trees/split_tree.hpp). Build: O(n log n).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <graze/rigid.hpp>

#include "rigid/leaf_sink.hpp"
#include "rigid/local_frame.hpp"
#include "rigid/placement.hpp"
#include "rigid/trees/operation_count.hpp"
#include "rigid/trees/split_tree.hpp"

namespace graze::rigid {

class VolumeTree {
 public:
  VolumeTree() = default;
  virtual ~VolumeTree() = default;
  VolumeTree(const VolumeTree&) = delete;
  VolumeTree& operator=(const VolumeTree&) = delete;

  [[nodiscard]] virtual const LocalFrame& local_frame() const = 0;
  [[nodiscard]] virtual std::size_t node_count() const = 0;
  [[nodiscard]] virtual std::size_t bytes_per_node() const = 0;
  [[nodiscard]] virtual std::uint32_t depth() const = 0;
  /// See validate_boxtree.
  [[nodiscard]] virtual std::string validate(std::span<const Vec3> positions,
                                             std::span<const Triangle> triangles) const = 0;
  /// Traverses two trees of the same kind, see traverse_boxtrees_scalar. The placement needs no slack and no steps.
  std::uint64_t traverse(const VolumeTree& other, const Placement& placement, LeafSink& sink,
                         FlopCounts* flops = nullptr, bool lift = true) const {
    return traverse_with(other, placement, sink, flops, lift);
  }

 private:
  virtual std::uint64_t traverse_with(const VolumeTree& other, const Placement& placement, LeafSink& sink,
                                      FlopCounts* flops, bool lift) const = 0;
};

/// Builds a tree of any kind but RigidTree::Boxtree. The result does not depend on the number of threads. Throws
/// InputError for more than 2^30 triangles. Volumes are fitted to `topology`, which must have every triangle once;
/// by default to that of build_split_tree.
std::unique_ptr<VolumeTree> build_volume_tree(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                                              RigidTree tree, const SplitTree* topology = nullptr);

}  // namespace graze::rigid
