// Boxes of the nodes of a boxtree at a pose, as eight corners relative to an origin: what a shape is tested
// against.
//
// A node's box is the root's minus the slabs of the cuts (rigid/boxtree/boxtree.hpp). In real numbers R (o + 2^e u)
// + t over the u of the box contains the triangles below the node, except for `error`, in units of the pair. With
// u = 2^-53, M the largest coordinate of the mesh and t, q of pose and origin, lengths in scene units:
//  - posing rounds each coordinate by at most 4 u (3.1 M + |t|) + 2^-1070, as of rigid/placement.cpp; so it does
//  for
//    the centre of the local frame, and its difference to q by u (3.1 M + |t| + |q|): 2 + 1 of these, sqrt(3) each;
//  - corners are sums of four vectors below the extent E of the root's corners: 8 u E in each coordinate;
//  - slack of the boxes and the rounding of their sums: twice boxtree_slack, times sqrt(3) 2^e.
// Constant cost for each node.
#pragma once

#include <array>
#include <cstdint>

#include "rigid/object.hpp"
#include "rigid/shapes/body.hpp"

namespace graze::rigid {

/// The box of a node in relative coordinates of its tree.
struct NodeRange {
  std::array<double, 3> lo{};
  std::array<double, 3> hi{};
};

class MeshBoxes {
 public:
  /// Precondition: the mesh has a boxtree with a node, and the pose was checked.
  MeshBoxes(const ObjectState& mesh, const Pose& pose, const Vec3& origin, int exponent);

  [[nodiscard]] const BoxNode& node(std::uint32_t place) const { return mesh_.boxtree.nodes[place]; }
  [[nodiscard]] NodeRange root() const;
  [[nodiscard]] static NodeRange child(const BoxNode& node, const NodeRange& parent);
  /// The eight corners.
  void corners(const NodeRange& range, Body<double>& body) const;
  /// How far a posed vertex may lie outside of the corners' hull.
  [[nodiscard]] double error() const { return error_; }

 private:
  const ObjectState& mesh_;
  narrow::Vec<double> centre_;                  ///< of the local frame
  std::array<narrow::Vec<double>, 3> columns_;  ///< images of the unit vectors of relative coordinates
  double error_ = 0.0;
};

}  // namespace graze::rigid
