// The trees that the boxtree is compared with (BOXTREE, Table 1): AABBs, OBBs, 18- and 26-DOPs, spheres, as tight
// as floats allow, a pointer to two children each. Same walk, same leaves; one shape for all
// (rigid/trees/split_tree.hpp).
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

namespace graze::rigid {

class VolumeTree {
 public:
  VolumeTree() = default;
  virtual ~VolumeTree() = default;
  VolumeTree(const VolumeTree&) = delete;
  VolumeTree& operator=(const VolumeTree&) = delete;

  [[nodiscard]] virtual const Frame& frame() const = 0;
  [[nodiscard]] virtual std::size_t node_count() const = 0;
  [[nodiscard]] virtual std::size_t bytes_per_node() const = 0;
  [[nodiscard]] virtual std::uint32_t depth() const = 0;
  /// As validate_boxtree.
  [[nodiscard]] virtual std::string validate(std::span<const Vec3> positions,
                                             std::span<const Triangle> triangles) const = 0;
  /// As walk_boxtrees_scalar; `other` is of the same kind. A placement without slack and steps will do.
  std::uint64_t walk(const VolumeTree& other, const Placement& placement, LeafSink& sink,
                     FlopCounts* flops = nullptr, bool lift = true) const {
    return walk_with(other, placement, sink, flops, lift);
  }

 private:
  virtual std::uint64_t walk_with(const VolumeTree& other, const Placement& placement, LeafSink& sink,
                                  FlopCounts* flops, bool lift) const = 0;
};

/// Precondition: tree is not RigidTree::Boxtree. The same for any number of threads. Throws InputError for more
/// than 2^30 triangles.
std::unique_ptr<VolumeTree> build_volume_tree(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                                              RigidTree tree);

}  // namespace graze::rigid
