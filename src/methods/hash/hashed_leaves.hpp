// What method `hash` keeps (HASH): the leaves and boxes of every method, slanted bounds of vertices and triangles,
// and tables of voxels in place of trees.
//
// Nothing outlives a step but what stands still: static bodies are bounded and put into voxels once, until one of
// them stands elsewhere (section 4.2). Cost of a step: linear.
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

#include "cull/neighbour_filter.hpp"
#include "geometry/kdop_slabs.hpp"
#include "hash/voxel_pairs.hpp"
#include "hash/voxel_table.hpp"
#include "query/leaf_bounds.hpp"

namespace graze::methods {

/// Options of the method with every choice made.
struct HashChoices {
  HashOptions hash;
  BoundingVolume volume = BoundingVolume::Kdop26;
  EdgeBounds edge_bounds = EdgeBounds::Stored;

  explicit HashChoices(const DetectorOptions& options)
      : hash(options.hash),
        volume(options.hierarchy.volume.value_or(BoundingVolume::Kdop26)),
        edge_bounds(options.hierarchy.edge_bounds) {
    if (hash.neighbours == NeighbourTest::LossyNormals) hash.representatives = false;
  }
};

/// Bounds of vertices and leaves, by number, in the slanted directions.
template <std::size_t K>
struct KdopSlabRows {
  static constexpr std::size_t kDirections = K;

  std::vector<KdopSlabs<K>> vertices;
  std::vector<KdopSlabs<K>> leaves;
};

class HashedLeaves : public LeafBounds {
 public:
  /// No slanted directions, or those of one kind of k-DOP.
  using AnyKdopSlabs = std::variant<std::monostate, KdopSlabRows<6>, KdopSlabRows<10>>;

  /// The scene is referred to.
  HashedLeaves(const Scene& scene, const HashChoices& choices);

  /// Bounds and voxels for the motion from x_t0 to x_t1, as Hierarchy::update. Should memory run out, the next call
  /// makes all anew.
  void update(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double gap);
  /// Takes the paths of a step for the test of neighbours, if one is chosen, until the next call or forget_proofs;
  /// they are referred to.
  void prove(std::span<const VertexPath> paths, bool, CullCounts&) {
    neighbours_ = {choices_.hash.neighbours, choices_.hash.normal_threshold, paths, scene().triangles()};
  }
  /// At an instant neighbours are not ruled out.
  void prove_instant(std::span<const VertexPath>, bool, CullCounts&) { neighbours_ = {}; }
  void forget_proofs() { neighbours_ = {}; }
  [[nodiscard]] const NeighbourFilter& neighbours() const { return neighbours_; }

  /// Follows an edit, as Hierarchy::apply; the voxels follow in the next update.
  void apply(const MeshChange& change) { follow(change); }
  [[nodiscard]] std::string validate() const { return LeafBounds::validate(); }

  [[nodiscard]] const HashChoices& choices() const { return choices_; }
  [[nodiscard]] const AnyKdopSlabs& slabs() const { return slabs_; }
  /// Whether vertices have slanted bounds: where triangles share them, when the leaves are made. Of loose triangles
  /// they cost more than they save, but the paper's way has them always.
  [[nodiscard]] bool has_element_slabs() const { return element_slabs_; }
  /// Every pair of leaves whose boxes overlap. Valid until the next update.
  [[nodiscard]] std::vector<VoxelPairs> leaf_pairs(Scope scope) const;
  /// Of the tables.
  void count(HashCounts& counts) const;

  [[nodiscard]] std::size_t planned_bytes() const;
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  /// Slanted bounds of these vertices and leaves.
  template <std::size_t K>
  void make_slabs(KdopSlabRows<K>& rows, const IdRanges& vertices, std::span<const std::uint32_t> leaves,
                  const MotionBounds& at) const;
  void make_slabs(const IdRanges& vertices, std::span<const std::uint32_t> leaves, const MotionBounds& at);

  HashChoices choices_;
  NeighbourFilter neighbours_;
  AnyKdopSlabs slabs_;
  bool element_slabs_;  // edits do not change it: bounds of what stands still are of one kind
  VoxelTable moving_;
  VoxelTable static_;
  double unit_ = 0.0;            // of CellRule::Levels: of both tables
  double cell_ = 0.0;            // of CellRule::Largest, from the first step on
  double static_cell_ = 0.0;     // that of the table of what stands still
  double static_largest_ = 0.0;  // and the largest extent there
};

}  // namespace graze::methods
