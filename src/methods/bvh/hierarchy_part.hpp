// One tree of a hierarchy: the leaves of moving bodies or of static bodies, with bounding volumes of the chosen
// kind and the masks of HasCompatible (R-TRI, Algorithm 1).
//
// The tree is built for the first step, refitted for later steps, and rebuilt when its quality has degraded. A
// two-level tree is restructured only at the top (ICCD, section VI-B), since patches of mesh stay together as they
// move. Edits of the mesh are collected and applied by the next update, when positions are known
// (bvh/edit/edit_tree.hpp). Cost of a refit: linear.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <graze/methods.hpp>
#include <graze/research.hpp>

#include "bvh/build.hpp"
#include "bvh/edit/edit_tree.hpp"
#include "bvh/masks.hpp"
#include "bvh/partial_refit.hpp"
#include "bvh/quality.hpp"
#include "bvh/restructure_top.hpp"
#include "bvh/traverse.hpp"
#include "bvh/two_level.hpp"
#include "bvh/volumes.hpp"
#include "core/id_ranges.hpp"
#include "cull/patch_culling.hpp"
#include "cull/patch_mesh.hpp"
#include "geometry/motion_bounds.hpp"
#include "mesh/leaf.hpp"
#include "mesh/mesh_editor.hpp"

namespace graze::methods {

/// The leaves of a tree, and the adjacency of their mesh.
struct PartMesh {
  std::span<const Leaf> leaves;     ///< the leaves of all trees, by number
  const IdRanges& ranges;           ///< the numbers of this tree's leaves, some of them free
  const PatchMesh* mesh = nullptr;  ///< null: neither patches nor cones
  MotionBounds at;                  ///< positions of vertices, for the normals by which patches are grouped
  bool cones = false;
  const MeshEditor* editor = nullptr;  ///< null before the first edit

  /// The normal of a face, in the orientation of its mesh component; not normalized.
  [[nodiscard]] Vec3 normal(std::uint32_t leaf) const;
  /// The numbers of the tree's leaves, ascending.
  [[nodiscard]] std::vector<std::uint32_t> numbers() const;
  /// Builds the two-level tree over leaves with these numbers and boxes.
  [[nodiscard]] TwoLevelTree build(std::span<const std::uint32_t> numbers, std::span<const Aabb> boxes) const;
};

/// Changes of leaves by edits since the last update.
struct LeafEdits {
  std::vector<std::uint32_t> touched;  ///< leaves that were removed, added or now have another face
  std::vector<LeafLink> lost;          ///< removed adjacencies: a removed leaf and a former neighbour
  std::vector<std::uint32_t> turned;   ///< remaining leaves whose orientation was reversed
  std::vector<std::uint32_t> changed;  ///< leaves that were added, or that now represent other features

  [[nodiscard]] std::size_t memory_bytes() const {
    return (touched.capacity() + turned.capacity() + changed.capacity()) * sizeof(std::uint32_t) +
           lost.capacity() * sizeof(LeafLink);
  }
  [[nodiscard]] bool empty() const { return touched.empty() && turned.empty() && changed.empty(); }
};

class HierarchyPart {
 public:
  /// Applies edits, then refits or builds the tree. leaf(i) is the volume of leaf i, box(i) its box.
  template <typename Volume, typename LeafVolume, typename LeafBox>
  void update(const PartMesh& mesh, research::TreeBuilder builder, const LeafVolume& leaf, const LeafBox& box) {
    if (!std::holds_alternative<BvhVolumes<Volume>>(volumes_)) volumes_.emplace<BvhVolumes<Volume>>();
    auto& volumes = std::get<BvhVolumes<Volume>>(volumes_);
    const std::size_t kind = mesh.at.has_reference_points() ? 1 : 0;
    const bool edited = built_ && !pending_.empty();
    if (edited && pending_.touched.size() > tree().leaf_count / kMaxEditedShare) built_ = false;
    if (built_) {
      if (edited) {
        built_ = false;  // if memory runs out, the next update rebuilds the tree
        edit_tree(mesh, builder);
        built_ = true;
      }
      volumes.refit(tree(), leaf);
      if (builder == research::TreeBuilder::Connected) {
        built_ = false;  // if memory runs out, the next update rebuilds the tree
        if (bvh_restructure_top(levels_, volumes) > 0) topology_changed();
        built_ = true;
        return;
      }
      if (!has_degraded(kind, bvh_cost(tree(), volumes))) return;
    }
    built_ = false;  // if memory runs out, the next update rebuilds the tree
    pending_ = {};
    topology_changed();
    patches_.reset();
    const std::vector<std::uint32_t> numbers = mesh.numbers();
    std::vector<Aabb> boxes(numbers.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) boxes[i] = box(numbers[i]);
    if (builder == research::TreeBuilder::Connected) {
      levels_ = mesh.build(numbers, boxes);
    } else {
      levels_ = {};
      levels_.options.upper.builder = builder;
      levels_.tree = bvh_build(boxes, levels_.options.upper);
    }
    bvh_renumber(levels_, numbers);
    volumes.refit(tree(), leaf);
    cost_at_build_ = {};
    cost_at_build_[kind] = bvh_cost(tree(), volumes);
    degradation_ = 1.0;
    leaves_at_build_ = tree().leaf_count;
    if (mesh.cones) patches_.emplace(tree(), first_patch_block(), mesh.leaves);
    ++version_;
    built_ = true;
  }

  /// Partial refit: recomputes the volumes of some leaves and of the nodes above them. Precondition: an update with
  /// this kind of volume.
  template <typename Volume, typename LeafVolume>
  void refit_leaves(std::span<const std::uint32_t> numbers, std::size_t leaf_count, const LeafVolume& leaf) {
    bvh_refit_leaves(tree(), std::get<BvhVolumes<Volume>>(volumes_), slots_of(numbers, leaf_count), leaf);
  }
  /// The slots of these leaves in the tree. `leaf_count`: the number of leaves of all trees.
  [[nodiscard]] std::vector<std::uint32_t> slots_of(std::span<const std::uint32_t> numbers, std::size_t leaf_count);

  /// Collects the changes of an edit for the next update. `leaves` are the leaves after the edit.
  void edit(const LeafEdits& edits, std::span<const Leaf> leaves);
  /// Whether edits are pending until the next update.
  [[nodiscard]] bool is_edited() const { return !pending_.empty(); }

  /// Proves patches free of self-collision; see PatchCulling. No effect without cones.
  void prove(std::span<const Leaf> leaves, std::span<const VertexPath> paths, const ConeRule& rule,
             CullCounts& counts) {
    if (patches_) patches_->prove(tree(), leaves, paths, rule, counts);
  }
  /// Repeats the proofs of free patches for another step; where a proof fails, tries the patches within.
  PatchCulling::Opened prove_again(std::span<const Leaf> leaves, std::span<const VertexPath> paths,
                                   const ConeRule& rule, CullCounts& counts) {
    return patches_ ? patches_->prove_again(tree(), leaves, paths, rule, counts) : PatchCulling::Opened{};
  }
  void forget_proofs() {
    if (patches_) patches_->forget();
  }
  /// Whether the patch of a block, or a patch that contains it, is proved free.
  [[nodiscard]] bool is_free(std::uint32_t block) const { return patches_ && patches_->is_free(tree(), block); }
  /// Null without cones, or before the first update.
  [[nodiscard]] const PatchCulling* patches() const { return patches_ ? &*patches_ : nullptr; }
  /// The block of each leaf, by number; kNoNode for leaves that are not in this tree. `leaf_count`: the number of
  /// leaves of all trees. Valid until version() changes, except for the upper level.
  [[nodiscard]] std::vector<std::uint32_t> leaf_blocks(std::size_t leaf_count) const;
  [[nodiscard]] const BvhTree& tree() const { return levels_.tree; }
  [[nodiscard]] std::uint64_t version() const { return version_; }

  /// The tree as the traversal reads it; `masked`: without leaf pairs that have no feature pair to test. `leaves`
  /// by number. Valid until the next update, or until a call for other tests.
  [[nodiscard]] BvhView view(PairTests tests, bool masked, std::span<const Leaf> leaves) {
    if (masked) make_masks(tests, leaves);
    BvhView view = std::visit(
        [&](const auto& volumes) { return bvh_view(tree(), volumes, masked ? &masks_ : nullptr); }, volumes_);
    if (patches_) view.self_free = patches_->self_free();
    return view;
  }

  /// Returns the view for continuous tests restricted to pairs with a marked leaf (ascending numbers); ignores
  /// proofs. Valid until the next update or call.
  [[nodiscard]] BvhView marked_view(std::span<const std::uint32_t> marked, std::span<const Leaf> leaves);

  /// Bytes of the arrays that update() allocates; known before its call.
  static std::size_t planned_bytes(std::size_t leaf_count, research::BoundingVolume volume, bool masked);
  /// Bytes of the tree and its volumes alone.
  [[nodiscard]] std::size_t tree_bytes() const;
  [[nodiscard]] std::size_t memory_bytes() const;

  /// Checks the tree, its volumes and its contours against the leaves; for tests. Empty while edits are pending.
  [[nodiscard]] std::string validate(const PartMesh& mesh, bool connected) const;

 private:
  /// Edits of more than 1/kMaxEditedShare of the leaves cause a rebuild of the tree.
  static constexpr std::size_t kMaxEditedShare = 4;

  void edit_tree(const PartMesh& mesh, research::TreeBuilder builder);
  /// The factor by which edits since the build are expected to change bvh_cost. The nodes of a level have together
  /// about the area of all leaves, so the cost grows with the number of levels.
  [[nodiscard]] double growth() const;
  /// Whether the tree has degraded and should be rebuilt; `cost` is its bvh_cost with bounds of this kind.
  bool has_degraded(std::size_t kind, double cost);
  void topology_changed();
  void make_masks(PairTests tests, std::span<const Leaf> leaves);

  /// The first block that is a patch. Blocks before it hold the roots of mesh components, or the root of a tree
  /// without components.
  [[nodiscard]] std::uint32_t first_patch_block() const;

  bool built_ = false;
  TwoLevelTree levels_;  ///< builders other than Connected: without components until an edit
  std::optional<PatchCulling> patches_;
  std::uint64_t version_ = 0;  ///< counts builds and edits
  BvhMasks masks_;
  bool masks_valid_ = false;                ///< whether masks_ agrees with the tree and leaf_masks_
  std::vector<LeafMask> leaf_masks_;        ///< by leaf number
  std::optional<PairTests> leaf_masks_of_;  ///< the tests of leaf_masks_; empty: not computed
  BvhMasks marked_masks_;
  std::vector<std::uint32_t> marked_blocks_;  ///< blocks above the marked leaves
  bool unmarked_valid_ = false;               ///< whether all other blocks of marked_masks_ are unmarked
  std::vector<std::uint32_t> leaf_slots_;     ///< by leaf number; empty: not computed
  std::variant<BvhVolumes<Aabb>, BvhVolumes<Dop18>, BvhVolumes<Dop26>> volumes_;
  /// Cost at build per bound kind: swept, reference; 0 unknown. Bounds around reference positions cost less, so
  /// each kind is compared with itself: a tree that alternates between both is not rebuilt each time.
  std::array<double, 2> cost_at_build_{};
  double degradation_ = 1.0;  ///< degradation: the latest cost divided by the expected cost of a fresh tree
  std::size_t leaves_at_build_ = 0;
  LeafEdits pending_;
};

}  // namespace graze::methods
