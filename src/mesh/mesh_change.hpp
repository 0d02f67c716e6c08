// What an edit does to the triangles of a scene, and to nothing else: the form in which structures take it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::mesh {

/// A triangle that came, went, or has other vertices now. kRemovedTriangle where there is none.
struct TriangleChange {
  TriangleId triangle = 0;
  Triangle before{};
  Triangle after{};
};

inline constexpr Triangle kRemovedTriangle = {kNoVertex, kNoVertex, kNoVertex};

struct MeshChange {
  std::vector<TriangleChange> triangles;  ///< each triangle once, ascending
  std::size_t vertex_count = 0;           ///< after it, removed ones included
  std::size_t triangle_count = 0;
};

}  // namespace graze::mesh
