// Building blocks of the gallery: triangles wound by the side they show, grids of any shape, finer meshes with the
// same motion, and random moving sheets.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "oracle/brute_scene.hpp"

namespace graze::testing {

/// A step under construction. up() and down() wind a triangle so that it shows that side, seen along z at t = 0.
struct GalleryMesh {
  oracle::SceneStep step;

  VertexId vertex(const Vec3& t0, const Vec3& t1);
  VertexId vertex(const Vec3& at) { return vertex(at, at); }
  void up(VertexId a, VertexId b, VertexId c);
  void down(VertexId a, VertexId b, VertexId c);
  void quad(VertexId a, VertexId b, VertexId c, VertexId d);  ///< two triangles facing up
};

/// The position of vertex (i, j) of a grid.
using GridShape = std::function<Vec3(int, int)>;
/// columns x rows cells of two triangles facing up; vertex (i, j) has id j * (columns + 1) + i. Cells in `holes`
/// are omitted.
GalleryMesh grid(int columns, int rows, const GridShape& t0, const GridShape& t1,
                 const std::vector<std::array<int, 2>>& holes = {});
/// (i, j, 0).
Vec3 flat(int i, int j);
Vec3 polar(double radius, double degrees, double z);

/// The same motion on a finer mesh: each triangle is divided into four at the midpoints of its edges.
oracle::SceneStep refined(const oracle::SceneStep& step);

/// A square sheet of n by n cells that bends, folds and moves by a random 0.01 to 10 edge lengths. Equal seeds and
/// indices give equal sheets.
oracle::SceneStep random_sheet(std::uint64_t seed, std::uint64_t index, int n);

}  // namespace graze::testing
