// What the methods on a bounding volume hierarchy keep between steps: representatives, trees over the faces, and
// the bounds of the current step (R-TRI, Curtis et al. 2008).
//
// Leaves are the triangles that stand for a face; duplicates are left out. Bounds of swept triangles and edges are
// unions of bounds of swept vertices, in float, rounded outward. Static bodies have a tree of their own, which is
// made once, as are the contacts among them, until one of them stands elsewhere. Everything a pair of leaves needs
// lies in one cache line a leaf. Cost of a step: linear, with no more than a comparison for what is static.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <graze/detector.hpp>
#include <graze/methods.hpp>
#include <graze/results.hpp>
#include <graze/scene.hpp>
#include <graze/types.hpp>

#include "geometry/home_point.hpp"
#include "geometry/packed_box.hpp"
#include "geometry/path.hpp"
#include "geometry/volume.hpp"
#include "geometry/whereabouts.hpp"
#include "mesh/leaf.hpp"
#include "mesh/mesh_change.hpp"
#include "mesh/mesh_editor.hpp"
#include "mesh/representatives.hpp"
#include "pipeline/hierarchy_part.hpp"
#include "pipeline/id_ranges.hpp"
#include "pipeline/patch_mesh.hpp"

namespace graze {

/// The hierarchy's options with every choice made, the method's own where the user left it.
struct HierarchyChoices {
  BoundingVolume volume = BoundingVolume::AlignedBox;
  TreeBuilder builder = TreeBuilder::Sah;
  EdgeBounds edge_bounds = EdgeBounds::Stored;
  NormalCones cones = NormalCones::None;
  bool procedural = false;                 ///< representatives and orphans as in iccd
  bool adjacency = false;                  ///< asks for the faces of features, as adj does
  float most_angle = ConeRule::kAnyAngle;  ///< of the cones of patches, radians

  /// Whether the lists of faces are needed.
  [[nodiscard]] bool lists_faces() const {
    return procedural || adjacency || cones != NormalCones::None || builder == TreeBuilder::Connected;
  }
};
HierarchyChoices hierarchy_choices(Method method, const HierarchyOptions& options,
                                   const AdaptiveOptions& adaptive = {});

/// What was found among static bodies where they stand now. Empty until a query has looked.
struct StaticContacts {
  std::optional<std::vector<Impact>> impacts;
  std::optional<std::vector<Intersection>> intersections;
  std::optional<std::pair<double, std::vector<Proximity>>> proximities;  ///< and their distance

  [[nodiscard]] std::size_t memory_bytes() const {
    return (impacts ? impacts->capacity() * sizeof(Impact) : 0) +
           (intersections ? intersections->capacity() * sizeof(Intersection) : 0) +
           (proximities ? proximities->second.capacity() * sizeof(Proximity) : 0);
  }
};

/// An orphan: a vertex and the leaf of a face, or two edges.
struct Orphan {
  FeatureKind kind = FeatureKind::VertexFace;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

class Hierarchy {
 public:
  /// Pairs of leaves of which one moves, or neither.
  enum class Scope : std::uint8_t { Moving, Static };

  /// The scene is referred to.
  Hierarchy(const Scene& scene, const HierarchyChoices& choices);

  /// To be called before the scene changes by an edit. The first time it makes the tables that edits need: linear.
  void prepare_edit();
  /// Follows an edit of the scene, which has been made. Near the change only; the trees follow in the next update.
  /// Should memory run out, the hierarchy is to be made anew.
  void apply(const MeshChange& change);
  /// Compares all that is kept with what the scene would give from scratch: empty if nothing differs. For tests.
  [[nodiscard]] std::string validate() const;

  /// Bounds for the motion from x_t0 to x_t1: those of features that come within `gap` overlap. Preconditions:
  /// finite positions of all vertices; static bodies do not move.
  void update(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, double gap);

  /// Bounds around homes: features that come within `gap` of each other while their vertices stay within reach of
  /// home have bounds that overlap. Where homes move against static bodies by a common drift of up to `drift`, the
  /// bounds of those are widened. For every vertex; of static ones home is the position, reach 0. Invalidates what
  /// update() made.
  void update_homes(std::span<const HomePoint> homes, double gap, double drift);
  /// Some leaves of bodies that move, ascending, have other homes now: new bounds, and those of the nodes above
  /// (ADAPTIVE, section 4.3). Precondition: all leaves of a vertex with another home are there, and update_homes
  /// was the last update. Should memory run out, the next call is to be an update.
  void move_homes(std::span<const HomePoint> homes, std::span<const std::uint32_t> leaves);

  /// Looks for patches without a contact with themselves during a step, if the method has normal cones; leaf_pairs
  /// and open_orphans then leave out what is in one. Precondition: an update for this step or a part of it. What
  /// was proved holds until the next call; proofs of static bodies only if asked for.
  void prove(std::span<const VertexPath> paths, bool static_too, CullCounts& counts);
  /// For a later step with the bounds of an earlier one: the patches of moving bodies that are free are proved
  /// again, or in parts. Brings the pairs of leaves, masked and for continuous tests, whose bounds overlap and that
  /// are in one of them no more; adds the triangles that no patch holds any more to `violating`. Precondition:
  /// since the last prove no edit and no other query. Valid as leaf_pairs are.
  [[nodiscard]] std::vector<BvhTraversal> prove_again(std::span<const VertexPath> paths, CullCounts& counts,
                                                      std::uint64_t& violating);
  /// Nothing is proved any more: for queries that look for more than contacts.
  void forget_proofs();

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
    return orphan.kind == FeatureKind::VertexFace ? vertex_face_pair(orphan.a, leaves_[orphan.b].face())
                                                  : edge_edge_pair(edges_[orphan.a], edges_[orphan.b]);
  }
  [[nodiscard]] PatchView patch_view() const {
    return {leaves_, mesh_->incidence, mesh_->near_faces, mesh_->rings};
  }
  /// The lists of faces. Precondition: the method is one that walks them: adj or iccd.
  [[nodiscard]] const Incidence& incidence() const { return mesh_->incidence; }
  [[nodiscard]] const HierarchyChoices& choices() const { return options_; }
  /// The tree of the bodies that move, and what is proved of its patches: for those who show it.
  [[nodiscard]] const HierarchyPart& moving_part() const { return moving_; }
  /// Whether static bodies stand where their current bounds, and the contacts kept, were made for. True if there
  /// are none; false after an edit, until an update.
  [[nodiscard]] bool static_stand(std::span<const Vec3> x) const;
  [[nodiscard]] bool has_static() const { return !static_share_.leaves.empty(); }
  StaticContacts& static_contacts() { return static_contacts_; }

  [[nodiscard]] const Leaf& leaf(std::uint32_t index) const { return leaves_[index]; }
  [[nodiscard]] std::span<const Leaf> leaves() const { return leaves_; }
  [[nodiscard]] const Edge& edge(std::uint32_t id) const { return edges_[id]; }
  [[nodiscard]] std::span<const Edge> edges() const { return edges_; }
  [[nodiscard]] std::span<const PackedBox> vertex_boxes() const { return vertex_boxes_; }
  /// By edge, with the ids of the ends; none where they are not stored.
  [[nodiscard]] std::span<const PackedBox> edge_boxes() const { return edge_boxes_; }
  /// The bound of an edge, stored or not.
  [[nodiscard]] PackedBox edge_box(std::uint32_t id) const;

  /// Of everything that the constructor and update make: known before the first update.
  [[nodiscard]] std::size_t planned_bytes() const;
  [[nodiscard]] std::size_t memory_bytes() const;
  /// Of the trees and their volumes, and of the bounds of edges: what R-TRI compares.
  [[nodiscard]] std::size_t tree_bytes() const { return moving_.tree_bytes() + static_.tree_bytes(); }
  [[nodiscard]] std::size_t edge_bound_bytes() const { return edge_boxes_.size() * sizeof(PackedBox); }

 private:
  /// The vertices, edges and leaves that belong to bodies that move, or to static ones.
  struct Share {
    IdRanges vertices;
    IdRanges edges;
    IdRanges leaves;
  };
  /// Orphans of a tree that was built so many times, each with its patch.
  struct PlacedOrphans {
    std::vector<std::pair<Orphan, std::uint32_t>> orphans;
    std::uint64_t version = 0;
  };

  static constexpr std::size_t kPlacedBytes = sizeof(std::pair<Orphan, std::uint32_t>);

  void make_leaves();
  void make_shares();
  void follow_leaves(const LeafChanges& changes);
  void follow_edges(const LeafChanges& changes);
  [[nodiscard]] bool is_static(const Leaf& leaf) const;
  [[nodiscard]] PartMesh part_mesh(const Share& share, const Whereabouts& at) const;
  void make_bounds(const Whereabouts& at, double static_gap);
  void make_vertex_boxes(const Share& share, const Whereabouts& at);
  void make_edge_boxes(const Share& share);
  void update_static(Whereabouts at);
  [[nodiscard]] bool static_stand(const Whereabouts& at) const;
  void keep_static_positions(const Whereabouts& at);
  void update_part(HierarchyPart& part, const Share& share, const Whereabouts& at);
  /// Calls fn with a Volume's type and the volumes of leaves, by number, from their boxes.
  template <typename Fn>
  void with_leaf_volumes(const Whereabouts& at, const Fn& fn) const;
  void place_orphans(PlacedOrphans& placed, const HierarchyPart& part);
  [[nodiscard]] ConeRule cone_rule() const { return {options_.cones, options_.most_angle}; }

  HierarchyChoices options_;
  bool stored_edges_ = true;
  const Scene* scene_;
  std::vector<Edge> edges_;
  std::size_t vertex_count_ = 0;
  Share moving_share_;
  Share static_share_;
  bool shares_stale_ = false;         // an edit came
  std::vector<bool> leaf_is_static_;  // or was, when it was there
  std::optional<MeshEditor> editor_;  // from the first edit on
  std::vector<Leaf> leaves_;
  std::optional<PatchMesh> mesh_;  // where a choice needs it
  PlacedOrphans moving_orphans_;
  PlacedOrphans static_orphans_;
  HierarchyPart moving_;
  HierarchyPart static_;
  std::optional<double> homes_gap_;     // of bounds around homes, if those were made last
  bool static_valid_ = false;           // whether static bounds are whole
  bool static_edges_valid_ = false;     // and those of edges, where they are stored
  double static_gap_ = 0.0;             // what they were made for
  std::vector<Vec3> static_positions_;  // and where; none before the first update
  double static_size_ = 0.0;            // their largest coordinate
  std::vector<PackedBox> vertex_boxes_;
  std::vector<PackedBox> edge_boxes_;
  StaticContacts static_contacts_;
};

}  // namespace graze
