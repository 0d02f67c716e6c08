// Neighbour filter: applies the chosen test that rules out pairs of triangles with a common vertex (HASH, section
// 4.3; cull/neighbours.hpp). Used for impacts without thickness.
#pragma once

#include <span>

#include <graze/methods.hpp>
#include <graze/research.hpp>

#include "cull/neighbours.hpp"
#include "geometry/path.hpp"
#include "mesh/leaf.hpp"

namespace graze::cull {

/// The chosen test and its data. References the paths of the whole step that is tested.
struct NeighbourFilter {
  research::NeighbourTest test = research::NeighbourTest::None;
  double threshold = 0.0;
  std::span<const VertexPath> paths = {};
  std::span<const Triangle> triangles = {};  ///< triangles of the scene: a leaf does not keep the orientation

  /// Returns whether the pair is ruled out. Preconditions: a test other than None is chosen; a and b have a common
  /// vertex.
  [[nodiscard]] bool rules_out(const Leaf& a, const Leaf& b) const {
    if (test == research::NeighbourTest::Certified) return neighbours_separated(paths, a.vertices, b.vertices);
    return normals_agree(paths, triangles[triangle_of(a.id)], triangles[triangle_of(b.id)], threshold);
  }
};

}  // namespace graze::cull
