// What the methods on a bounding volume hierarchy keep between steps: beside leaves and their bounds
// (query/leaf_bounds.hpp) trees over them, the mesh between them, and what is proved of its patches (R-TRI,
// Curtis et al. 2008; ICCD, Tang et al. 2009).
//
// Static bodies have a tree of their own, which is made when their bounds are. Cost of a step: linear.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <graze/detector.hpp>
#include <graze/methods.hpp>
#include <graze/research.hpp>
#include <graze/results.hpp>
#include <graze/scene.hpp>
#include <graze/types.hpp>

#include "core/id_ranges.hpp"
#include "cull/patch_mesh.hpp"
#include "geometry/motion_bounds.hpp"
#include "geometry/path.hpp"
#include "geometry/reference_point.hpp"
#include "geometry/volume.hpp"
#include "mesh/leaf.hpp"
#include "mesh/mesh_change.hpp"
#include "methods/bvh/hierarchy_part.hpp"
#include "query/bounded_leaves.hpp"

namespace graze::methods {

/// The hierarchy's options with every choice made, the method's own where the user left it.
struct HierarchyChoices {
  research::BoundingVolume volume = research::BoundingVolume::Aabb;
  research::TreeBuilder builder = research::TreeBuilder::Sah;
  research::EdgeBounds edge_bounds = research::EdgeBounds::Stored;
  research::NormalCones cones = research::NormalCones::None;
  bool procedural = false;                 ///< representatives and orphans as in iccd
  bool adjacency = false;                  ///< asks for the faces of features, as adj does
  float most_angle = ConeRule::kAnyAngle;  ///< of the cones of patches, radians

  /// Whether the lists of faces are needed.
  [[nodiscard]] bool lists_faces() const {
    return procedural || adjacency || cones != research::NormalCones::None ||
           builder == research::TreeBuilder::Connected;
  }
};
HierarchyChoices hierarchy_choices(Method method, const research::HierarchyOptions& options,
                                   const research::AdaptiveOptions& adaptive = {});

/// An orphan: a vertex and the leaf of a face, or two edges.
struct Orphan {
  FeatureKind kind = FeatureKind::VertexFace;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

class Hierarchy final : public BoundedLeaves {
 public:
  /// The scene is referred to.
  Hierarchy(const Scene& scene, const HierarchyChoices& choices);

  /// Follows an edit of the scene, which has been made. Near the change only; the trees follow in the next update.
  /// Should memory run out, the hierarchy is to be made anew. Returns what it did to leaves.
  LeafChanges apply(const MeshChange& change);
  /// Compares all that is kept with what the scene would give from scratch: empty if nothing differs. For tests.
  [[nodiscard]] std::string validate() const;

  /// Bounds for the motion from x_t0 to x_t1: those of features that come within `gap` overlap. Preconditions:
  /// finite positions of all vertices; static bodies do not move.
  void update(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double gap) override;

  /// Bounds around reference positions: bounds of features that come within `gap` of each other overlap while their
  /// vertices stay within their displacement bounds. Where the reference positions drift against static bodies by
  /// up to `drift`, the bounds of static bodies are widened. One point for each vertex; that of a static vertex is
  /// its position, with a displacement bound of 0. Invalidates what update() made.
  void update_references(std::span<const ReferencePoint> reference_points, double gap, double drift);
  /// Gives some leaves of moving bodies, ascending, new reference positions: makes their bounds and those of the
  /// nodes above anew (ADAPTIVE, section 4.3). Precondition: `leaves` has all leaves of a vertex with a new
  /// reference position, and update_references was the last update. If memory runs out, the next call must be an
  /// update.
  void move_references(std::span<const ReferencePoint> reference_points, std::span<const std::uint32_t> leaves);

  /// Looks for patches without a contact with themselves during a step, if the method has normal cones; leaf_pairs
  /// and open_orphans then leave out what is in one. Precondition: an update for this step or a part of it. What
  /// was proved holds until the next call; proofs of static bodies only if asked for.
  void prepare_culling(std::span<const VertexPath> paths, bool static_too, CullCounts& counts) override;
  /// The same at an instant, where paths stand still.
  void prepare_instant_culling(std::span<const VertexPath> paths, bool static_too, CullCounts& counts) override {
    prepare_culling(paths, static_too, counts);
  }
  /// For a later step with the bounds of an earlier one: the patches of moving bodies that are free are proved
  /// again, or in parts. Brings the pairs of leaves, masked and for continuous tests, whose bounds overlap and that
  /// are in one of them no more; adds the triangles that no patch holds any more to `violating`. Precondition:
  /// since the last prove no edit and no other query. Valid as leaf_pairs are.
  [[nodiscard]] std::vector<BvhTraversal> prove_again(std::span<const VertexPath> paths, CullCounts& counts,
                                                      std::uint64_t& violating);
  /// Nothing is proved any more: for queries that look for more than contacts.
  void disable_culling() override;

  /// Every pair of leaves whose bounds overlap; masked: less those that have no test to dispatch. Valid until the
  /// next update, or the next call for other tests.
  [[nodiscard]] std::vector<BvhTraversal> leaf_pairs(Scope scope, PairTests tests, bool masked);
  /// All pairs of leaves of which at least one is among `leaves` (ascending, of bodies that move), whose bounds
  /// overlap and that have a continuous test to dispatch, proved or not; each once, one in `leaves` first, a static
  /// one second. One query a leaf: for few. Deterministic order. Adds to bv_tests.
  [[nodiscard]] std::vector<LeafPair> pairs_of(std::span<const std::uint32_t> leaves, std::uint64_t& bv_tests);
  /// The same by one traversal of the marked part of the trees: for many. Valid as leaf_pairs, and until the next
  /// call.
  [[nodiscard]] std::vector<BvhTraversal> marked_leaf_pairs(std::span<const std::uint32_t> leaves);
  /// The orphans that no proved patch holds; the others are counted. Precondition: procedural, and updated.
  [[nodiscard]] std::vector<Orphan> open_orphans(Scope scope, CullCounts& counts);
  [[nodiscard]] FeaturePair feature_pair(const Orphan& orphan) const {
    return orphan.kind == FeatureKind::VertexFace ? vertex_face_pair(orphan.a, leaf(orphan.b).face())
                                                  : edge_edge_pair(edge(orphan.a), edge(orphan.b));
  }
  [[nodiscard]] PatchView patch_view() const {
    return {leaves(), mesh_->incidence, mesh_->near_faces, mesh_->rings};
  }
  /// The lists of faces. Precondition: the method is one that walks them: adj or iccd.
  [[nodiscard]] const Incidence& incidence() const { return mesh_->incidence; }
  [[nodiscard]] const HierarchyChoices& choices() const { return options_; }
  /// The tree of the bodies that move, and what is proved of its patches: for those who show it.
  [[nodiscard]] const HierarchyPart& moving_part() const { return moving_; }

  /// Of everything that the constructor and update make: known before the first update.
  [[nodiscard]] std::size_t planned_bytes() const override;
  [[nodiscard]] std::size_t memory_bytes() const override;
  /// Of the trees and their volumes: what R-TRI compares.
  [[nodiscard]] std::size_t tree_bytes() const { return moving_.tree_bytes() + static_.tree_bytes(); }

 private:
  /// Orphans of a tree that was built so many times, each with its patch.
  struct PlacedOrphans {
    std::vector<std::pair<Orphan, std::uint32_t>> orphans;
    std::uint64_t version = 0;
  };

  static constexpr std::size_t kPlacedBytes = sizeof(std::pair<Orphan, std::uint32_t>);

  Hierarchy(const Scene& scene, const HierarchyChoices& choices, std::optional<PatchMesh> mesh);

  [[nodiscard]] PartMesh part_mesh(const IdRanges& ranges, const MotionBounds& at) const;
  void make_bounds(const MotionBounds& at, double static_gap);
  void update_part(HierarchyPart& part, const IdRanges& ranges, const MotionBounds& at);
  /// Calls fn with a Volume's type and the volumes of leaves, by number, from their boxes.
  template <typename Fn>
  void with_leaf_volumes(const MotionBounds& at, const Fn& fn) const;
  void place_orphans(PlacedOrphans& placed, const HierarchyPart& part);
  [[nodiscard]] ConeRule cone_rule() const { return {options_.cones, options_.most_angle}; }

  HierarchyChoices options_;
  std::optional<PatchMesh> mesh_;  // where a choice needs it
  PlacedOrphans moving_orphans_;
  PlacedOrphans static_orphans_;
  HierarchyPart moving_;
  HierarchyPart static_;
  std::optional<double> references_gap_;  // of bounds around reference positions, if those were made last
};

}  // namespace graze::methods
