// The two assignment schemas that R-TRI (Curtis et al. 2008, section 4.3.1) compares on a regular mesh, and the
// count of elementary tests that a single contact costs: its Table 1.
//
// The regular mesh is a torus of columns x rows squares, each cut by a diagonal into a lower and an upper triangle:
//
//   (i,j+1)---(i+1,j+1)      lower: (i,j) (i+1,j) (i,j+1)
//      |  \  upper |         upper: (i+1,j+1) (i,j+1) (i+1,j)
//      | lower  \  |         every vertex has degree six, every edge one lower and one upper triangle
//    (i,j)-----(i+1,j)
//
// The paper's figures fix the schemas up to symmetry. Maximal: each lower triangle represents its three edges and
// vertex (i,j), the upper ones nothing. Uniform: each triangle represents two features, half of them one vertex and
// one edge, half two edges. The mean over all contacts is 19.5 (vertex-face) and 13 (edge-edge) whatever the
// schema, since the counts are products of sums; so the printed 18 for "both types" of Uniform faces can only mean
// lower and upper triangles that represent a vertex (the others cost 3 + 18), which takes a chequerboard of
// squares. Cost: O(triangles).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "mesh/representatives.hpp"
#include "mesh/topology.hpp"
#include "research/namespaces.hpp"

namespace graze::papers {

struct RegularTorus {
  std::uint32_t columns = 0;
  std::uint32_t rows = 0;
  std::vector<Triangle> triangles;  ///< lower(i, j) is 2 (j columns + i), upper(i, j) the next

  [[nodiscard]] std::uint32_t vertex_count() const { return columns * rows; }
  /// Indices are taken modulo columns and rows.
  [[nodiscard]] VertexId vertex(std::uint32_t i, std::uint32_t j) const { return j % rows * columns + i % columns; }
  [[nodiscard]] std::uint32_t lower(std::uint32_t i, std::uint32_t j) const { return 2 * vertex(i, j); }
  [[nodiscard]] std::uint32_t upper(std::uint32_t i, std::uint32_t j) const { return 2 * vertex(i, j) + 1; }
};

/// Precondition: columns and rows >= 4, so that no two sides of a fan are the same edge.
RegularTorus make_regular_torus(std::uint32_t columns, std::uint32_t rows);

Representatives maximal_schema(const RegularTorus& torus);
/// Precondition: columns and rows are even.
Representatives uniform_schema(const RegularTorus& torus);

/// Numbers of elementary tests that a method dispatches.
struct ElementaryCounts {
  std::uint64_t vf = 0;
  std::uint64_t ee = 0;

  [[nodiscard]] std::uint64_t total() const { return vf + ee; }
  friend bool operator==(const ElementaryCounts&, const ElementaryCounts&) = default;
};

/// Counts the tests of all pairs of a triangle of `a` and a triangle of `b`, of different bodies (Algorithm 1
/// without bounds). Precondition: no kRepresentsNothing.
ElementaryCounts count_elementary_tests(std::span<const RepresentativeId> a, std::span<const RepresentativeId> b);

/// A row of Table 1: the elementary tests that the triangles around one contact dispatch.
struct SchemaScenario {
  const char* name;          ///< as the paper names it
  ElementaryCounts counts;   ///< ours
  ElementaryCounts printed;  ///< the paper's
};
/// The six rows of Table 1, in its order, counted on two 4 x 4 tori.
std::array<SchemaScenario, 6> schema_scenarios();

}  // namespace graze::papers
