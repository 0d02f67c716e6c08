// The bounding volume hierarchy (BVH) that its methods keep between steps: leaves and their bounds
// (query/leaf/leaf_bounds.hpp), trees over the leaves, adjacency of the mesh, and the proofs of self-collision
// culling (R-TRI, Curtis et al. 2008; ICCD, Tang et al. 2009).
//
// Moving bodies have one tree, which is refitted for every step. Static bodies have their own tree, which is
// updated only when their bounds are. Cost of a step: linear.
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
#include "query/leaf/bounded_leaves.hpp"

namespace graze::methods {

/// The hierarchy's options, complete: the method's default replaces every option that the user did not set.
struct HierarchyChoices {
  research::BoundingVolume volume = research::BoundingVolume::Aabb;
  research::TreeBuilder builder = research::TreeBuilder::Sah;
  research::EdgeBounds edge_bounds = research::EdgeBounds::Stored;
  research::NormalCones cones = research::NormalCones::None;
  bool procedural = false;                ///< procedural representatives and orphan sets (iccd)
  bool adjacency = false;                 ///< needs the list of faces of each feature (adj)
  float max_angle = ConeRule::kAnyAngle;  ///< largest angle of a patch's normal cone, radians

  /// Whether the lists of faces of each feature are needed.
  [[nodiscard]] bool lists_faces() const {
    return procedural || adjacency || cones != research::NormalCones::None ||
           builder == research::TreeBuilder::Connected;
  }
};
HierarchyChoices hierarchy_choices(Method method, const research::HierarchyOptions& options,
                                   const research::AdaptiveOptions& adaptive = {});

/// An orphan pair: a vertex and the leaf of a face, or two edges.
struct Orphan {
  FeatureKind kind = FeatureKind::VertexFace;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

class Hierarchy final : public BoundedLeaves {
 public:
  /// Refers to the scene.
  Hierarchy(const Scene& scene, const HierarchyChoices& choices);

  /// Updates leaves and adjacency after an edit of the scene, near the change only; the next update changes the
  /// trees. Returns the changes of the leaves. If memory runs out, the hierarchy must be rebuilt.
  LeafChanges apply(const MeshChange& change);
  /// Compares all kept structures with fresh ones of the scene: empty if they agree. For tests.
  [[nodiscard]] std::string validate() const;

  /// Computes bounds of the motion from x_t0 to x_t1 and refits the trees: if two features come within `gap`, their
  /// bounds overlap. Preconditions: finite positions of all vertices; static bodies do not move.
  void update(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double gap) override;

  /// Computes bounds around reference positions: the bounds of features that come within `gap` of each other
  /// overlap while their vertices stay within their displacement bounds. Static bounds are widened for reference
  /// positions that drift against static bodies by up to `drift`. There is one point per vertex; a static vertex
  /// has its position and a displacement bound of 0. Replaces the bounds of update().
  void update_references(std::span<const ReferencePoint> reference_points, double gap, double drift);
  /// Recomputes the bounds of moving leaves with new reference positions, and of the nodes above them (ADAPTIVE,
  /// section 4.3). Preconditions: `leaves` is ascending and has all leaves of every vertex with a new reference
  /// position; update_references() was the last update. If memory runs out, the next call must be an update.
  void move_references(std::span<const ReferencePoint> reference_points, std::span<const std::uint32_t> leaves);

  /// Self-collision culling: proves patches free of contact with themselves during a step, if the method has normal
  /// cones. leaf_pairs() and open_orphans() then skip pairs within a free patch. Proofs are valid until the next
  /// call; `static_too`: also for static bodies. Precondition: an update for this step or a prefix of it.
  void prepare_culling(std::span<const VertexPath> paths, bool static_too, CullCounts& counts) override;
  /// Does what prepare_culling() does, for a query at one instant: both ends of each path coincide.
  void prepare_instant_culling(std::span<const VertexPath> paths, bool static_too, CullCounts& counts) override {
    prepare_culling(paths, static_too, counts);
  }
  /// Repeats the proofs of the free patches of moving bodies for a later step that keeps the bounds, for the whole
  /// patch or parts of it. Returns the overlapping masked leaf pairs (continuous tests) that are no longer in a
  /// free patch; adds the number of triangles that are no longer in any free patch to `violating`. Valid as long as
  /// leaf_pairs(). Precondition: no edit and no other query since the last proofs.
  [[nodiscard]] std::vector<BvhTraversal> prove_again(std::span<const VertexPath> paths, CullCounts& counts,
                                                      std::uint64_t& violating);
  /// Discards all proofs: for queries that report more than contacts.
  void disable_culling() override;

  /// Traversals over every pair of leaves whose bounds overlap; masked: without pairs that have no feature pair to
  /// test. Valid until the next update, or the next call for other tests.
  [[nodiscard]] std::vector<BvhTraversal> leaf_pairs(Scope scope, PairTests tests, bool masked);
  /// All overlapping pairs with at least one of `leaves` (ascending, moving) and with a feature pair for a
  /// continuous test. Ignores proofs. Each pair comes once, in a deterministic order: a leaf of `leaves` is first,
  /// a static leaf second. Runs one tree query per leaf: for few leaves. Adds to bv_tests.
  [[nodiscard]] std::vector<LeafPair> pairs_of(std::span<const std::uint32_t> leaves, std::uint64_t& bv_tests);
  /// The pairs of pairs_of() by one traversal of the marked part of the trees: for many leaves. Valid as long as
  /// leaf_pairs(), and until the next call.
  [[nodiscard]] std::vector<BvhTraversal> marked_leaf_pairs(std::span<const std::uint32_t> leaves);
  /// The orphans in no free patch; counts the other ones. Preconditions: choices().procedural, and an update.
  [[nodiscard]] std::vector<Orphan> open_orphans(Scope scope, CullCounts& counts);
  [[nodiscard]] FeaturePair feature_pair(const Orphan& orphan) const {
    return orphan.kind == FeatureKind::VertexFace ? vertex_face_pair(orphan.a, leaf(orphan.b).face())
                                                  : edge_edge_pair(edge(orphan.a), edge(orphan.b));
  }
  [[nodiscard]] PatchView patch_view() const {
    return {leaves(), mesh_->incidence, mesh_->near_faces, mesh_->rings};
  }
  /// The lists of faces of each feature. Precondition: choices().lists_faces().
  [[nodiscard]] const Incidence& incidence() const { return mesh_->incidence; }
  [[nodiscard]] const HierarchyChoices& choices() const { return options_; }
  /// The tree of moving bodies and its proofs, for reports.
  [[nodiscard]] const HierarchyPart& moving_part() const { return moving_; }

  /// Bytes that the constructor and update() allocate; known before the first update.
  [[nodiscard]] std::size_t planned_bytes() const override;
  [[nodiscard]] std::size_t memory_bytes() const override;
  /// Bytes of the trees and their volumes, the figure that R-TRI compares.
  [[nodiscard]] std::size_t tree_bytes() const { return moving_.tree_bytes() + static_.tree_bytes(); }

 private:
  /// Orphans, each with its patch, for the tree of this version.
  struct PlacedOrphans {
    std::vector<std::pair<Orphan, std::uint32_t>> orphans;
    std::uint64_t version = 0;
  };

  static constexpr std::size_t kPlacedBytes = sizeof(std::pair<Orphan, std::uint32_t>);

  Hierarchy(const Scene& scene, const HierarchyChoices& choices, std::optional<PatchMesh> mesh);

  [[nodiscard]] PartMesh part_mesh(const IdRanges& ranges, const MotionBounds& at) const;
  void make_bounds(MotionBounds at, double static_gap);
  void update_part(HierarchyPart& part, const IdRanges& ranges, const MotionBounds& at);
  /// Calls fn(type of volume, function from leaf number to volume).
  template <typename Fn>
  void with_leaf_volumes(const MotionBounds& at, const Fn& fn) const;
  void place_orphans(PlacedOrphans& placed, const HierarchyPart& part);
  [[nodiscard]] ConeRule cone_rule() const { return {options_.cones, options_.max_angle}; }

  HierarchyChoices options_;
  std::optional<PatchMesh> mesh_;  // if choices().lists_faces()
  PlacedOrphans moving_orphans_;
  PlacedOrphans static_orphans_;
  HierarchyPart moving_;
  HierarchyPart static_;
  std::optional<double> references_gap_;  // gap of the bounds around reference positions, if these are the latest
};

}  // namespace graze::methods
