// One tree of a hierarchy: the leaves of the bodies that move, or of those that do not, with volumes of the kind
// that was asked for and the masks of HasCompatible (R-TRI, Algorithm 1).
//
// Built for the first step, refitted for the others, and built anew when its quality says so; of a two-level tree
// only the top (ICCD, section VI-B): patches of mesh do not fall apart when they move. Edits of the mesh are
// collected and taken in by the next update, when positions are known (bvh/edit/edit_tree.hpp). Cost of a refit:
// linear.
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

/// The leaves that a tree is over, and what is known of the mesh between them.
struct PartMesh {
  std::span<const Leaf> leaves;     ///< all there are, by number
  const IdRanges& ranges;           ///< the numbers of those of this tree, and of some that are free
  const PatchMesh* mesh = nullptr;  ///< none: neither patches nor cones
  MotionBounds at;                  ///< of vertices; for the normals that patches are grouped by
  bool cones = false;
  const MeshEditor* editor = nullptr;  ///< once there have been edits

  /// Of a face, in the orientation of its piece of mesh; of any length.
  [[nodiscard]] Vec3 normal(std::uint32_t leaf) const;
  /// The numbers of the tree's leaves, ascending.
  [[nodiscard]] std::vector<std::uint32_t> numbers() const;
  /// Two-level tree over leaves with these numbers and boxes.
  [[nodiscard]] TwoLevelTree build(std::span<const std::uint32_t> numbers, std::span<const Aabb> boxes) const;
};

/// What edits did to leaves since the last update.
struct LeafEdits {
  std::vector<std::uint32_t> touched;  ///< leaves that went, came or stand for another face
  std::vector<LeafLink> lost;          ///< those that went, each with every neighbour that it had
  std::vector<std::uint32_t> turned;   ///< leaves that stayed and have the other side up now
  std::vector<std::uint32_t> changed;  ///< those that came, or stayed and represent other features now

  [[nodiscard]] std::size_t memory_bytes() const {
    return (touched.capacity() + turned.capacity() + changed.capacity()) * sizeof(std::uint32_t) +
           lost.capacity() * sizeof(LeafLink);
  }
  [[nodiscard]] bool empty() const { return touched.empty() && turned.empty() && changed.empty(); }
};

class HierarchyPart {
 public:
  /// Volumes for new bounds: leaf(i) is the volume of leaf number i, box(i) its box.
  template <typename Volume, typename LeafVolume, typename LeafBox>
  void update(const PartMesh& mesh, research::TreeBuilder builder, const LeafVolume& leaf, const LeafBox& box) {
    if (!std::holds_alternative<BvhVolumes<Volume>>(volumes_)) volumes_.emplace<BvhVolumes<Volume>>();
    auto& volumes = std::get<BvhVolumes<Volume>>(volumes_);
    const std::size_t kind = mesh.at.has_reference_points() ? 1 : 0;
    const bool edited = built_ && !pending_.empty();
    if (edited && pending_.touched.size() > tree().leaf_count / kMaxEditedShare) built_ = false;
    if (built_) {
      if (edited) {
        built_ = false;  // should memory run out halfway, the next update starts again
        edit_tree(mesh, builder);
        built_ = true;
      }
      volumes.refit(tree(), leaf);
      if (builder == research::TreeBuilder::Connected) {
        built_ = false;  // should memory run out halfway, the next update starts again
        if (bvh_restructure_top(levels_, volumes) > 0) topology_changed();
        built_ = true;
        return;
      }
      if (!has_rotted(kind, bvh_cost(tree(), volumes))) return;
    }
    built_ = false;  // should memory run out below, the next update starts again
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
    rot_ = 1.0;
    leaves_at_build_ = tree().leaf_count;
    if (mesh.cones) patches_.emplace(tree(), first_patch_block(), mesh.leaves);
    ++version_;
    built_ = true;
  }

  /// New volumes of some leaves and of the nodes above them. Precondition: updated with this kind of volume.
  template <typename Volume, typename LeafVolume>
  void refit_leaves(std::span<const std::uint32_t> numbers, std::size_t leaf_count, const LeafVolume& leaf) {
    bvh_refit_leaves(tree(), std::get<BvhVolumes<Volume>>(volumes_), slots_of(numbers, leaf_count), leaf);
  }
  /// Where leaves with these numbers stand in the tree; there are `leaf_count` numbers in all.
  [[nodiscard]] std::vector<std::uint32_t> slots_of(std::span<const std::uint32_t> numbers, std::size_t leaf_count);

  /// What an edit did to leaves, which are as after it; the next update takes it in.
  void edit(const LeafEdits& edits, std::span<const Leaf> leaves);
  /// Whether edits wait for the next update.
  [[nodiscard]] bool is_edited() const { return !pending_.empty(); }

  /// Looks for patches without a contact with themselves; see PatchCulling. Precondition: updated with cones.
  void prove(std::span<const Leaf> leaves, std::span<const VertexPath> paths, const ConeRule& rule,
             CullCounts& counts) {
    if (patches_) patches_->prove(tree(), leaves, paths, rule, counts);
  }
  /// For another step: of the patches that are free, and of those within.
  PatchCulling::Opened prove_again(std::span<const Leaf> leaves, std::span<const VertexPath> paths,
                                   const ConeRule& rule, CullCounts& counts) {
    return patches_ ? patches_->prove_again(tree(), leaves, paths, rule, counts) : PatchCulling::Opened{};
  }
  void forget_proofs() {
    if (patches_) patches_->forget();
  }
  /// Whether the patch of a block, or one that holds it, is proved free.
  [[nodiscard]] bool is_free(std::uint32_t block) const { return patches_ && patches_->is_free(tree(), block); }
  /// Null without cones, or before the first update.
  [[nodiscard]] const PatchCulling* patches() const { return patches_ ? &*patches_ : nullptr; }
  /// The blocks that leaves stand in, by number, of which there are `leaf_count`; kNoNode for those that are not in
  /// this tree. Valid as long as version() is the same, but for the upper level.
  [[nodiscard]] std::vector<std::uint32_t> leaf_blocks(std::size_t leaf_count) const;
  [[nodiscard]] const BvhTree& tree() const { return levels_.tree; }
  [[nodiscard]] std::uint64_t version() const { return version_; }

  /// With masks, leaf pairs that have no test to dispatch are left out. `leaves` by number. Valid until the next
  /// update, or until it is asked for the other tests.
  [[nodiscard]] BvhView view(PairTests tests, bool masked, std::span<const Leaf> leaves) {
    if (masked) make_masks(tests, leaves);
    BvhView view = std::visit(
        [&](const auto& volumes) { return bvh_view(tree(), volumes, masked ? &masks_ : nullptr); }, volumes_);
    if (patches_) view.self_free = patches_->self_free();
    return view;
  }

  /// The same for continuous tests with leaves of which at least one is marked (ascending numbers); what is proved
  /// is not heeded. Valid until the next update or call.
  [[nodiscard]] BvhView marked_view(std::span<const std::uint32_t> marked, std::span<const Leaf> leaves);

  /// Of the arrays that update makes; known before it is called.
  static std::size_t planned_bytes(std::size_t leaf_count, research::BoundingVolume volume, bool masked);
  /// Of the tree and its volumes alone.
  [[nodiscard]] std::size_t tree_bytes() const;
  [[nodiscard]] std::size_t memory_bytes() const;

  /// Checks the tree, its volumes and its contours against the leaves; for tests. Nothing while edits wait.
  [[nodiscard]] std::string validate(const PartMesh& mesh, bool connected) const;

 private:
  /// Edits of more than this part of the leaves: the tree is built anew.
  static constexpr std::size_t kMaxEditedShare = 4;

  void edit_tree(const PartMesh& mesh, research::TreeBuilder builder);
  /// By how much bvh_cost is expected to grow by edits since the build: nodes of a level have about the area of the
  /// leaves together, so it does as the number of levels.
  [[nodiscard]] double growth() const;
  /// Whether the tree should be built anew, its cost with bounds of this kind being `cost`.
  bool has_rotted(std::size_t kind, double cost);
  void topology_changed();
  void make_masks(PairTests tests, std::span<const Leaf> leaves);

  /// Blocks before it hold the roots of pieces of mesh, or, of a tree that knows of none, its own root.
  [[nodiscard]] std::uint32_t first_patch_block() const;

  bool built_ = false;
  TwoLevelTree levels_;  ///< of other builders without components
  std::optional<PatchCulling> patches_;
  std::uint64_t version_ = 0;  ///< counts builds
  BvhMasks masks_;
  bool masks_valid_ = false;                ///< masks_ are those of the tree and of leaf_masks_
  std::vector<LeafMask> leaf_masks_;        ///< by number
  std::optional<PairTests> leaf_masks_of_;  ///< the tests that they are for; none: to be made
  BvhMasks marked_masks_;
  std::vector<std::uint32_t> marked_blocks_;  ///< those above the marked leaves
  bool unmarked_valid_ = false;               ///< the others are as without marks
  std::vector<std::uint32_t> leaf_slots_;     ///< by number; none: to be made
  std::variant<BvhVolumes<Aabb>, BvhVolumes<Dop18>, BvhVolumes<Dop26>> volumes_;
  /// Of sweeps and of bounds around homes, which cost less: like is compared with like, so that a tree that sees
  /// both by turns stays. 0: there were none since the build.
  std::array<double, 2> cost_at_build_{};
  double rot_ = 1.0;  ///< the latest cost, as a multiple of that which a fresh tree is expected to have
  std::size_t leaves_at_build_ = 0;
  LeafEdits pending_;
};

}  // namespace graze::methods
