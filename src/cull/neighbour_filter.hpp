// What rules out pairs of triangles with a common vertex (HASH, section 4.3; cull/neighbours.hpp), as it was
// chosen.
#pragma once

#include <span>

#include <graze/methods.hpp>

#include "cull/neighbours.hpp"
#include "geometry/path.hpp"
#include "mesh/leaf.hpp"

namespace graze::cull {

/// With the paths of the whole step that it is for, which are referred to.
struct NeighbourFilter {
  NeighbourTest test = NeighbourTest::None;
  double threshold = 0.0;
  std::span<const VertexPath> paths = {};
  std::span<const Triangle> triangles = {};  ///< of the scene: leaves do not tell which way round theirs run

  /// Precondition: a test, and a common vertex.
  [[nodiscard]] bool rules_out(const Leaf& a, const Leaf& b) const {
    if (test == NeighbourTest::Certified) return neighbours_separated(paths, a.vertices, b.vertices);
    return normals_agree(paths, triangles[triangle_of(a.id)], triangles[triangle_of(b.id)], threshold);
  }
};

}  // namespace graze::cull
