// Change of a scene's triangles by an edit: the form in which data structures receive it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::mesh {

/// A triangle that was added, removed or given other vertices. `before` or `after` is kRemovedTriangle if the
/// triangle does not exist then.
struct TriangleChange {
  TriangleId triangle = 0;
  Triangle before{};
  Triangle after{};
};

inline constexpr Triangle kRemovedTriangle = {kNoVertex, kNoVertex, kNoVertex};

struct MeshChange {
  std::vector<TriangleChange> triangles;  ///< ascending, each triangle once
  std::size_t vertex_count = 0;           ///< number of vertices after the edit, removed ones included
  std::size_t triangle_count = 0;
};

}  // namespace graze::mesh
