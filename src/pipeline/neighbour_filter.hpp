// What rules out pairs of triangles with a common vertex (HASH, section 4.3; cull/neighbours.hpp), as it was
// chosen.
#pragma once

#include <span>

#include <graze/methods.hpp>

#include "cull/neighbours.hpp"
#include "geometry/path.hpp"
#include "mesh/leaf.hpp"

namespace graze {

/// With the paths of the whole step that it is for, which are referred to.
struct NeighbourFilter {
  NeighbourTest test = NeighbourTest::None;
  double threshold = 0.0;
  std::span<const VertexPath> paths = {};

  /// Precondition: a test, and a common vertex.
  [[nodiscard]] bool rules_out(const Leaf& a, const Leaf& b) const {
    return test == NeighbourTest::Certified ? neighbours_apart(paths, a.vertices, b.vertices)
                                            : normals_agree(paths, a.vertices, b.vertices, threshold);
  }
};

}  // namespace graze
