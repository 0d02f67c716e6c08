// A shape against the triangles of a mesh: descends the mesh's boxtree and tests the triangles of the leaves that
// it reaches.
//
// A node is culled if a certified lower bound of the distance of its box (rigid/shapes/mesh_boxes.hpp) and the
// shape's core exceeds the shape's radius and the error of the box. The bound comes from a few iterations of
// gjk.hpp, which start with the direction that was best for the parent; for a half-space from its one direction.
// Distances: best first, by the lower bounds of nodes. Cost: linear in the nodes that are not culled.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <graze/rigid_shapes.hpp>

#include "rigid/object.hpp"
#include "rigid/shapes/mesh_boxes.hpp"
#include "rigid/shapes/plane_bounds.hpp"
#include "rigid/shapes/solid_pair.hpp"

namespace graze::rigid {

class MeshSearch {
 public:
  /// The arguments must outlive it. Preconditions: the mesh has a boxtree, the pose was checked.
  MeshSearch(const PosedSolid& shape, const ObjectState& mesh, const Pose& pose);

  ShapeHit first();
  ShapeTriangles all();
  ShapeDistance distance(double tolerance);

 private:
  using Direction = narrow::Vec<double>;
  struct Node {
    std::uint32_t place = 0;
    NodeRange range;
    Direction guess;      ///< of the parent; zero: none
    double lo = 0.0;      ///< lower bound of the distance
    bool inside = false;  ///< all triangles below certainly meet the shape
  };

  [[nodiscard]] Bounds<double> bounds(const NodeRange& range, Direction& guess, const Goal<double>& goal);
  [[nodiscard]] Goal<double> hit_goal() const;
  /// Whether the triangles below may meet the shape; improves the guess.
  [[nodiscard]] bool near(Node& node, RigidStats& stats);
  /// Calls found(triangle, meeting) for each triangle that meets the shape until it returns true.
  template <typename Found>
  void visit(RigidStats& stats, const Found& found);
  /// Calls test(triangle, corners, lo) for each triangle below a node until it returns true; lo bounds the distance
  /// of the triangle and the shape's core from below, in units of the search.
  template <typename Test>
  bool in_group(const Node& node, const Test& test) const;
  [[nodiscard]] Meeting meet_triangle(const std::array<Vec3, 3>& corners, TierCounts& tiers) const;
  [[nodiscard]] Separation triangle_separation(const std::array<Vec3, 3>& corners, double tolerance, double beyond,
                                               TierCounts& tiers) const;
  /// A distance of the core, in units of the search, as a lower bound of the distance of the shape.
  [[nodiscard]] double shape_gap(double core_gap) const;

  const ObjectState& mesh_;
  const Pose& pose_;
  std::optional<Prepared> solid_;  ///< or a half-space:
  const Plane* plane_ = nullptr;
  std::optional<ScaledPlane> scaled_plane_;
  int exponent_ = 0;
  double extent_ = 0.0;  ///< of shape and mesh together
  double reach_ = 0.0;   ///< the shape's radius
  Vec3 origin_;
  std::optional<MeshBoxes> boxes_;
  Body<double> body_;  ///< the shape's core
  Body<double> box_;   ///< work space: corners of a node
};

}  // namespace graze::rigid
