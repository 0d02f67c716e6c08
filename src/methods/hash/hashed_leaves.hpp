// Broad-phase data of method `hash` (HASH): the leaves and boxes that every method has, diagonal slabs of vertices
// and triangles (k-DOPs without the box), and voxel tables of a spatial hash in place of BVHs.
//
// Only the data of static bodies outlives a step: their bounds and voxels are computed once and kept until one of
// the bodies moves (section 4.2). Cost of a step: linear in the number of triangles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <graze/detector.hpp>
#include <graze/methods.hpp>
#include <graze/research.hpp>

#include "cull/neighbour_filter.hpp"
#include "geometry/kdop_slabs.hpp"
#include "hash/voxel_pairs.hpp"
#include "hash/voxel_table.hpp"
#include "query/leaf/bounded_leaves.hpp"

namespace graze::methods {

/// Options of the method with every default resolved.
struct HashChoices {
  research::HashOptions hash;
  research::BoundingVolume volume = research::BoundingVolume::Kdop26;
  research::EdgeBounds edge_bounds = research::EdgeBounds::Stored;

  explicit HashChoices(const DetectorOptions& options)
      : hash(options.research->hash),
        volume(options.research->hierarchy.volume.value_or(research::BoundingVolume::Kdop26)),
        edge_bounds(options.research->hierarchy.edge_bounds) {
    if (hash.neighbours == research::NeighbourTest::LossyNormals) hash.representatives = false;
  }
};

/// Diagonal slabs of vertices and leaves, indexed by vertex and leaf number.
template <std::size_t K>
struct KdopSlabRows {
  static constexpr std::size_t kDirections = K;

  std::vector<KdopSlabs<K>> vertices;
  std::vector<KdopSlabs<K>> leaves;
};

class HashedLeaves final : public BoundedLeaves {
 public:
  /// Holds no diagonal slabs, or the slabs of one kind of k-DOP.
  using AnyKdopSlabs = std::variant<std::monostate, KdopSlabRows<6>, KdopSlabRows<10>>;

  /// Keeps a reference to the scene.
  HashedLeaves(const Scene& scene, const HashChoices& choices);

  /// Computes bounds and voxels for the motion from x_t0 to x_t1, as Hierarchy::update does. If memory runs out,
  /// the next call computes everything again.
  void update(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double gap) override;
  /// Sets the paths of a step for the neighbour test, if one is chosen, until the next call or disable_culling.
  /// Keeps a reference to the paths.
  void prepare_culling(std::span<const VertexPath> paths, bool, CullCounts&) override {
    neighbours_ = {choices_.hash.neighbours, choices_.hash.normal_threshold, paths, scene().triangles()};
  }
  /// Turns the neighbour test off: at an instant it rules out nothing.
  void prepare_instant_culling(std::span<const VertexPath>, bool, CullCounts&) override { neighbours_ = {}; }
  void disable_culling() override { neighbours_ = {}; }
  [[nodiscard]] const NeighbourFilter& neighbours() const { return neighbours_; }

  /// Applies an edit, as Hierarchy::apply does; the next update changes the voxels.
  void apply(const MeshChange& change) { follow(change); }
  [[nodiscard]] std::string validate() const { return LeafBounds::validate(); }

  [[nodiscard]] const HashChoices& choices() const { return choices_; }
  [[nodiscard]] const AnyKdopSlabs& slabs() const { return slabs_; }
  /// Whether vertices have diagonal slabs: true if triangles share vertices when the leaves are created. For
  /// triangles that share few vertices the slabs cost more than they save; the paper's variant always has them.
  [[nodiscard]] bool has_element_slabs() const { return element_slabs_; }
  /// Returns every pair of leaves whose boxes overlap. Valid until the next update.
  [[nodiscard]] std::vector<VoxelPairs> leaf_pairs(Scope scope) const;
  /// Adds the counters of the voxel tables.
  void count(Stats& stats) const override;

  [[nodiscard]] std::size_t planned_bytes() const override;
  [[nodiscard]] std::size_t memory_bytes() const override;

 private:
  /// Computes the diagonal slabs of these vertices and leaves.
  template <std::size_t K>
  void make_slabs(KdopSlabRows<K>& rows, const IdRanges& vertices, std::span<const std::uint32_t> leaves,
                  const MotionBounds& at) const;
  void make_slabs(const IdRanges& vertices, std::span<const std::uint32_t> leaves, const MotionBounds& at);

  HashChoices choices_;
  NeighbourFilter neighbours_;
  AnyKdopSlabs slabs_;
  bool element_slabs_;  // fixed at construction: the kept bounds of static bodies must be of one kind
  VoxelTable moving_;
  VoxelTable static_;
  double unit_ = 0.0;            // research::CellRule::Levels: common factor of the cell sizes of both tables
  double cell_ = 0.0;            // research::CellRule::Largest: cell size, kept from the first step on
  std::uint64_t cell_maps_ = 0;  // version of the coordinate maps for which cell_ is a size
  double static_cell_ = 0.0;     // cell size of the static table
  double static_largest_ = 0.0;  // largest triangle extent in the static table
};

}  // namespace graze::methods
