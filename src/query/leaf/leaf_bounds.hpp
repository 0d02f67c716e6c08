// Leaves (unique faces), edges and bounds kept between steps. A leaf is the triangle that represents a face (R-TRI,
// Curtis et al. 2008: representatives); duplicate triangles have no leaf. The structures that find pairs of leaves
// derive from this class: trees (methods/bvh/hierarchy.hpp) and voxel tables (methods/hash).
//
// Bounds of swept triangles and edges are unions of bounds of swept vertices, in float, rounded outward. The bounds
// of static bodies and the contacts among them are computed once and kept until a static body is at another
// position. All data that a pair of leaves needs is in one cache line per leaf. Cost of a step: linear; for static
// bodies only a comparison of positions.
//
// Where floats do not resolve many leaves, because these are far from the origin for their size, all bounds are in
// mapped coordinates (geometry/coordinate_map.hpp). The maps are kept as long as they resolve the leaves about as
// well as when they were made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <graze/methods.hpp>
#include <graze/research.hpp>
#include <graze/results.hpp>
#include <graze/scene.hpp>
#include <graze/types.hpp>

#include "core/id_ranges.hpp"
#include "core/uninitialized_vector.hpp"
#include "geometry/coordinate_map.hpp"
#include "geometry/motion_bounds.hpp"
#include "geometry/packed_box.hpp"
#include "mesh/leaf.hpp"
#include "mesh/mesh_change.hpp"
#include "mesh/mesh_editor.hpp"
#include "mesh/representatives.hpp"

namespace graze::query {

/// Results among static bodies at their current positions. Empty until a query has computed them.
struct StaticContacts {
  std::optional<std::vector<Impact>> impacts;  ///< of a query with impact_thickness
  double impact_thickness = 0.0;
  std::optional<std::vector<Intersection>> intersections;
  std::optional<std::pair<double, std::vector<Proximity>>> proximities;  ///< with the distance of the query

  /// Discards impacts that were found with another thickness.
  void require_thickness(double thickness) {
    if (impact_thickness != thickness) impacts.reset();
    impact_thickness = thickness;
  }

  [[nodiscard]] std::size_t memory_bytes() const {
    return (impacts ? impacts->capacity() * sizeof(Impact) : 0) +
           (intersections ? intersections->capacity() * sizeof(Intersection) : 0) +
           (proximities ? proximities->second.capacity() * sizeof(Proximity) : 0);
  }
};

/// The leaf numbers in these ranges that are in use (not free), ascending.
std::vector<std::uint32_t> live_leaves(std::span<const Leaf> leaves, const IdRanges& ranges);

class LeafBounds {
 public:
  /// Pairs with at least one moving leaf, or pairs of two static leaves.
  enum class Scope : std::uint8_t { Moving, Static };
  /// Estimated share of a query's work for pairs of static bodies: for progress.
  static constexpr double kStaticShare = 0.25;

  LeafBounds(const LeafBounds&) = delete;
  LeafBounds& operator=(const LeafBounds&) = delete;

  /// Call before an edit changes the scene. The first call builds the tables that edits need, in linear time.
  void prepare_edit();

  /// Whether static bodies are at the positions of their current bounds and kept contacts. True if there are no
  /// static bodies; false after an edit, until an update.
  [[nodiscard]] bool static_unmoved(std::span<const Vec3> x) const;
  [[nodiscard]] bool has_static() const { return !static_share_.leaves.empty(); }
  StaticContacts& static_contacts() { return static_contacts_; }

  /// The leaf with a number; a free number has a leaf with the id kRepresentsNothing.
  [[nodiscard]] const Leaf& leaf(std::uint32_t index) const { return leaves_[index]; }
  [[nodiscard]] std::span<const Leaf> leaves() const { return leaves_; }
  [[nodiscard]] const Edge& edge(std::uint32_t id) const { return edges_[id]; }
  [[nodiscard]] std::span<const Edge> edges() const { return edges_; }
  [[nodiscard]] std::span<const PackedBox> vertex_boxes() const { return vertex_boxes_; }
  /// The boxes of edges, by edge id, each with the vertex ids of its ends; empty if edge bounds are not stored.
  [[nodiscard]] std::span<const PackedBox> edge_boxes() const { return edge_boxes_; }
  /// The box of an edge: stored, or computed from the vertex boxes.
  [[nodiscard]] PackedBox edge_box(std::uint32_t id) const;
  [[nodiscard]] std::size_t edge_bound_bytes() const { return edge_boxes_.size() * sizeof(PackedBox); }
  /// The maps of all current bounds; null if bounds are in given coordinates.
  [[nodiscard]] const CoordinateMaps* maps() const { return maps_ ? &*maps_ : nullptr; }
  /// The gap of the bounds of moving leaves; the gap of static bounds is at least as large.
  [[nodiscard]] double gap() const { return gap_; }

 protected:
  /// Called when the leaves are made, with the representatives (which are not kept) and the leaves. If it is empty,
  /// no representatives are made.
  using Look = std::function<void(const Representatives&, std::span<Leaf>)>;
  /// The changes of leaves by an edit, and whether they include moving or static leaves.
  struct Followed {
    LeafChanges changes;
    bool touches_moving = false;
    bool touches_static = false;
  };

  /// Refers to the scene. `volume`: the bounds that the structures over leaves have.
  LeafBounds(const Scene& scene, research::EdgeBounds edge_bounds, research::BoundingVolume volume,
             const Look& look = {});
  ~LeafBounds() = default;

  /// Computes boxes of vertices, edges and leaves of moving bodies; of static ones, with their own gap, only if
  /// they moved or the gap changed. In that case returns their motion bounds, whose gap has headroom: the caller
  /// then rebuilds its structures over static leaves and calls static_bounds_are_made(). Until that call static
  /// bounds are invalid, and the next make_boxes() recomputes them, since memory may run out. Sets at.maps, and
  /// remakes all bounds if the maps change; only this function changes them.
  [[nodiscard]] std::optional<MotionBounds> make_boxes(MotionBounds& at, double static_gap);
  void static_bounds_are_made() { static_valid_ = true; }
  /// Recomputes the boxes of moving leaves with new reference positions, and of the features that they represent.
  /// Preconditions: `leaves` has every leaf of a vertex with a new reference position; the previous boxes used
  /// reference positions.
  void move_boxes(const MotionBounds& at, std::span<const std::uint32_t> leaves);

  /// Updates leaves, edges and static flags after an edit of the scene, near the change only. If memory runs out,
  /// this object must be rebuilt. Precondition: prepare_edit() was called before the edit.
  Followed follow(const MeshChange& change);

  [[nodiscard]] const Scene& scene() const { return *scene_; }
  [[nodiscard]] std::size_t vertex_count() const { return vertex_count_; }
  [[nodiscard]] std::span<Leaf> own_leaves() { return leaves_; }
  /// Null before the first edit.
  [[nodiscard]] const MeshEditor* editor() const { return editor_ ? &*editor_ : nullptr; }
  /// Ids of moving and of static vertices, and numbers of moving and of static leaves (some of them free), as of
  /// the last make_boxes(): see shares_stale().
  [[nodiscard]] const IdRanges& moving_vertices() const { return moving_share_.vertices; }
  [[nodiscard]] const IdRanges& static_vertices() const { return static_share_.vertices; }
  [[nodiscard]] const IdRanges& moving_ranges() const { return moving_share_.leaves; }
  [[nodiscard]] const IdRanges& static_ranges() const { return static_share_.leaves; }
  /// Numbers of moving and of static leaves, ascending. Excludes free leaves.
  [[nodiscard]] std::vector<std::uint32_t> moving_leaves() const { return live_leaves(leaves_, moving_ranges()); }
  [[nodiscard]] std::vector<std::uint32_t> static_leaves() const { return live_leaves(leaves_, static_ranges()); }
  /// Whether an edit followed the last make_boxes().
  [[nodiscard]] bool shares_stale() const { return shares_stale_; }
  /// Counts the changes of maps(): sizes of boxes of different versions are not comparable.
  [[nodiscard]] std::uint64_t maps_version() const { return maps_version_; }
  /// Whether static bounds are complete.
  [[nodiscard]] bool static_valid() const { return static_valid_; }

  /// Bytes that the constructor and make_boxes() allocate; known before the first call of make_boxes().
  [[nodiscard]] std::size_t planned_bytes() const;
  [[nodiscard]] std::size_t memory_bytes() const;
  /// Compares leaves and edges with fresh ones of the scene: empty if they agree. For tests.
  [[nodiscard]] std::string validate() const;
  /// The triangle of each leaf; kNoLeaf for a free leaf.
  [[nodiscard]] std::vector<std::uint32_t> leaf_triangles() const;
  /// The representatives by triangle, reconstructed from the leaves.
  [[nodiscard]] Representatives represented() const;

 private:
  /// The vertices, edges and leaves of moving bodies, or of static bodies.
  struct Share {
    IdRanges vertices;
    IdRanges edges;
    IdRanges leaves;
  };

  void make_leaves(const Look& look);
  void make_shares();
  void follow_leaves(const LeafChanges& changes);
  void follow_edges(const LeafChanges& changes);
  [[nodiscard]] bool is_static(const Leaf& leaf) const;
  void make_vertex_boxes(const Share& share, const MotionBounds& at);
  void make_edge_boxes(const Share& share);
  [[nodiscard]] std::size_t make_leaf_boxes(const Share& share, const MotionBounds& at);
  [[nodiscard]] std::optional<MotionBounds> make_all_boxes(const MotionBounds& at, double static_gap,
                                                           bool renew_static);
  [[nodiscard]] std::size_t unresolved() const { return moving_unresolved_ + static_unresolved_; }
  void add_samples(std::vector<Triangle>& triangles, bool unresolved_only, const MotionBounds& at) const;
  void change_maps(std::optional<CoordinateMaps> maps);
  [[nodiscard]] bool update_static(MotionBounds& at, bool renew);
  [[nodiscard]] bool static_unmoved(const MotionBounds& at) const;
  void keep_static_positions(const MotionBounds& at);

  bool stored_edges_ = true;
  const Scene* scene_;
  UninitializedVector<Edge> edges_;
  std::size_t vertex_count_ = 0;
  Share moving_share_;
  Share static_share_;
  bool shares_stale_ = false;         // an edit followed make_shares()
  std::vector<bool> leaf_is_static_;  // by number; a free leaf keeps its last value
  std::optional<MeshEditor> editor_;  // from the first edit on
  UninitializedVector<Leaf> leaves_;
  bool static_valid_ = false;           // whether static bounds are complete
  bool static_edges_valid_ = false;     // whether stored bounds of static edges are complete
  double static_gap_ = 0.0;             // gap of the static bounds
  std::vector<Vec3> static_positions_;  // positions of the static bounds; empty before the first update
  double static_size_ = 0.0;            // largest coordinate of static_positions_
  std::vector<PackedBox> vertex_boxes_;
  std::vector<PackedBox> edge_boxes_;
  StaticContacts static_contacts_;
  std::size_t directions_;                 // of the volumes over leaves, each with a map
  double gap_ = 0.0;                       // gap of the bounds of moving leaves
  std::optional<CoordinateMaps> maps_;     // empty while floats resolve nearly all leaves
  std::uint64_t maps_version_ = 0;         // counts changes of maps_
  std::uint64_t static_maps_version_ = 0;  // the version of maps_ that static bounds have
  std::size_t moving_unresolved_ = 0;      // moving leaves that the current bounds do not resolve
  std::size_t static_unresolved_ = 0;      // static leaves that the current bounds do not resolve
  std::size_t tolerated_unresolved_ = 0;   // with more unresolved leaves the maps are made anew
};

}  // namespace graze::query
