// What a method keeps of its mesh between steps: the leaves, which are the triangles that stand for a face (R-TRI,
// Curtis et al. 2008: representatives; duplicates are left out), their edges, and the bounds of the current step.
// The base of what finds pairs of leaves: trees (methods/bvh/hierarchy.hpp), or tables of voxels.
//
// Bounds of swept triangles and edges are unions of bounds of swept vertices, in float, rounded outward. Those of
// static bodies are made once, as are the contacts among them, until one of them stands elsewhere. Everything a
// pair of leaves needs lies in one cache line a leaf. Cost of a step: linear, with no more than a comparison for
// what is static.
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
#include "geometry/motion_bounds.hpp"
#include "geometry/packed_box.hpp"
#include "mesh/leaf.hpp"
#include "mesh/mesh_change.hpp"
#include "mesh/mesh_editor.hpp"
#include "mesh/representatives.hpp"

namespace graze::query {

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

/// The numbers in these ranges that are not free, ascending.
std::vector<std::uint32_t> live_leaves(std::span<const Leaf> leaves, const IdRanges& ranges);

class LeafBounds {
 public:
  /// Pairs of leaves of which one moves, or neither.
  enum class Scope : std::uint8_t { Moving, Static };
  /// Share of a query's work that the pairs of static bodies take, at a guess: for progress.
  static constexpr double kStaticShare = 0.25;

  LeafBounds(const LeafBounds&) = delete;
  LeafBounds& operator=(const LeafBounds&) = delete;

  /// To be called before the scene changes by an edit. The first time it makes the tables that edits need: linear.
  void prepare_edit();

  /// Whether static bodies stand where their current bounds, and the contacts kept, were made for. True if there
  /// are none; false after an edit, until an update.
  [[nodiscard]] bool static_unmoved(std::span<const Vec3> x) const;
  [[nodiscard]] bool has_static() const { return !static_share_.leaves.empty(); }
  StaticContacts& static_contacts() { return static_contacts_; }

  /// By number; a free one has the id kRepresentsNothing.
  [[nodiscard]] const Leaf& leaf(std::uint32_t index) const { return leaves_[index]; }
  [[nodiscard]] std::span<const Leaf> leaves() const { return leaves_; }
  [[nodiscard]] const Edge& edge(std::uint32_t id) const { return edges_[id]; }
  [[nodiscard]] std::span<const Edge> edges() const { return edges_; }
  [[nodiscard]] std::span<const PackedBox> vertex_boxes() const { return vertex_boxes_; }
  /// By edge, with the ids of the ends; none where they are not stored.
  [[nodiscard]] std::span<const PackedBox> edge_boxes() const { return edge_boxes_; }
  /// The bound of an edge, stored or not.
  [[nodiscard]] PackedBox edge_box(std::uint32_t id) const;
  [[nodiscard]] std::size_t edge_bound_bytes() const { return edge_boxes_.size() * sizeof(PackedBox); }

 protected:
  /// Sees the representatives that leaves are made from, which are not kept, and the leaves, when they are made.
  using Look = std::function<void(const Representatives&, std::span<Leaf>)>;
  /// What an edit did to leaves, and whether to some that move, or that are static.
  struct Followed {
    LeafChanges changes;
    bool touches_moving = false;
    bool touches_static = false;
  };

  /// The scene is referred to.
  LeafBounds(const Scene& scene, research::EdgeBounds edge_bounds, const Look& look = {});
  ~LeafBounds() = default;

  /// Boxes of vertices, edges and leaves: of what moves; of static bodies for a gap of their own, if they stand
  /// elsewhere or those there are do not serve. If so, returns where and for which gap, which has some room: what
  /// else is made of static leaves is to be made anew, and then to be told by static_bounds_are_made(). Until then
  /// static bounds are not valid, and the next call makes them again: memory may run out.
  [[nodiscard]] std::optional<MotionBounds> make_boxes(const MotionBounds& at, double static_gap);
  void static_bounds_are_made() { static_valid_ = true; }
  /// Some leaves of bodies that move have other homes: their boxes, and those of what they represent.
  /// Preconditions: all leaves of a vertex with another home are there; the last boxes were those around homes.
  void move_boxes(const MotionBounds& at, std::span<const std::uint32_t> leaves);

  /// Follows an edit of the scene, which has been made: leaves, edges, what is static. Near the change only. Should
  /// memory run out, all is to be made anew. Precondition: prepare_edit was called before.
  Followed follow(const MeshChange& change);

  [[nodiscard]] const Scene& scene() const { return *scene_; }
  [[nodiscard]] std::size_t vertex_count() const { return vertex_count_; }
  [[nodiscard]] std::span<Leaf> own_leaves() { return leaves_; }
  /// Null before the first edit.
  [[nodiscard]] const MeshEditor* editor() const { return editor_ ? &*editor_ : nullptr; }
  /// The numbers of leaves that move or are static, and of some that are free. Of the last make_boxes, as are the
  /// next two: see shares_stale.
  [[nodiscard]] const IdRanges& moving_vertices() const { return moving_share_.vertices; }
  [[nodiscard]] const IdRanges& static_vertices() const { return static_share_.vertices; }
  [[nodiscard]] const IdRanges& moving_ranges() const { return moving_share_.leaves; }
  [[nodiscard]] const IdRanges& static_ranges() const { return static_share_.leaves; }
  /// Less those that are free; ascending.
  [[nodiscard]] std::vector<std::uint32_t> moving_leaves() const { return live_leaves(leaves_, moving_ranges()); }
  [[nodiscard]] std::vector<std::uint32_t> static_leaves() const { return live_leaves(leaves_, static_ranges()); }
  /// Whether an edit came since.
  [[nodiscard]] bool shares_stale() const { return shares_stale_; }
  /// Whether static bounds are whole.
  [[nodiscard]] bool static_valid() const { return static_valid_; }

  /// Of everything that the constructor and make_boxes make: known before the first call.
  [[nodiscard]] std::size_t planned_bytes() const;
  [[nodiscard]] std::size_t memory_bytes() const;
  /// Compares leaves and edges with what the scene would give from scratch: empty if nothing differs. For tests.
  [[nodiscard]] std::string validate() const;
  /// By leaf, the triangle; kNoLeaf for a free one.
  [[nodiscard]] std::vector<std::uint32_t> leaf_triangles() const;
  /// The representatives that leaves tell of, by triangle.
  [[nodiscard]] Representatives represented() const;

 private:
  /// The vertices, edges and leaves that belong to bodies that move, or to static ones.
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
  void make_leaf_boxes(const Share& share);
  [[nodiscard]] bool update_static(MotionBounds& at);
  [[nodiscard]] bool static_unmoved(const MotionBounds& at) const;
  void keep_static_positions(const MotionBounds& at);

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
  bool static_valid_ = false;           // whether static bounds are whole
  bool static_edges_valid_ = false;     // and those of edges, where they are stored
  double static_gap_ = 0.0;             // what they were made for
  std::vector<Vec3> static_positions_;  // and where; none before the first update
  double static_size_ = 0.0;            // their largest coordinate
  std::vector<PackedBox> vertex_boxes_;
  std::vector<PackedBox> edge_boxes_;
  StaticContacts static_contacts_;
};

}  // namespace graze::query
