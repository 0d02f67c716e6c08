// Random soups with everything that is legal: edges with many triangles, duplicates, repeated ids, unused vertices.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include <graze/types.hpp>

namespace graze {

inline Triangle random_triangle(std::mt19937& random, std::size_t vertex_count) {
  Triangle t{};
  for (VertexId& v : t) v = static_cast<VertexId>(random() % vertex_count);
  return t;
}

/// With few vertices duplicates and repeated ids are common. A quarter of the triangles copy an earlier one with
/// its ids rotated.
inline std::vector<Triangle> random_soup(std::mt19937& random, std::size_t vertex_count,
                                         std::size_t triangle_count) {
  std::vector<Triangle> triangles;
  for (std::size_t i = 0; i < triangle_count; ++i) {
    if (!triangles.empty() && random() % 4 == 0) {
      const Triangle t = triangles[random() % triangles.size()];
      triangles.push_back({t[1], t[0], t[2]});
    } else {
      triangles.push_back(random_triangle(random, vertex_count));
    }
  }
  return triangles;
}

}  // namespace graze
