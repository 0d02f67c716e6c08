// The normal-cone argument over a whole patch, written down plainly, and its careless variants: the same argument
// with checks left out. Each variant is wrong on purpose; the gallery holds the scenes that prove it wrong.
//
// The argument, along the fixed axis z: at all times every triangle's projection has positive area, the boundary is
// one closed loop, and its projection is a simple polygon; then no two features of the patch meet. Nothing is left
// out with Omission::None, so that the tests also check the argument itself. Exact. Cost: O(n^2) planar tests.
#pragma once

#include <cstdint>
#include <string>

#include "oracle/brute_scene.hpp"

namespace graze::testing {

/// What a careless variant leaves out; values can be joined with |.
enum class Omission : std::uint32_t {
  None = 0,
  MiddleNormal = 1U << 0U,          ///< looks at the normals of t = 0 and t = 1, not at the control normal between
  LaterNormals = 1U << 1U,          ///< looks at the normals of t = 0 alone
  VanishingTriangles = 1U << 2U,    ///< takes a normal that is zero along the axis for a good one
  Orientation = 1U << 3U,           ///< takes the angle to the axis without its sign: |n . z| > 0
  BoundaryDirections = 1U << 4U,    ///< takes an edge of two triangles for an inner one, whatever their winding
  OneLoop = 1U << 5U,               ///< takes any set of boundary edges: several loops, loops that share vertices
  Holes = 1U << 6U,                 ///< tests the longest loop of the boundary alone
  Contour = 1U << 7U,               ///< does without the contour test
  ContourBetweenEnds = 1U << 8U,    ///< tests the contour at t = 0 and at t = 1 alone
  ContourTouching = 1U << 9U,       ///< a vertex meets an edge only if it is on its other side at t = 1
  ContourNearEdges = 1U << 10U,     ///< skips contour edges whose triangles have a vertex in common
  ContourPositions = 1U << 11U,     ///< takes contour edges with an end in the same place for neighbours
  ContourInProjection = 1U << 12U,  ///< skips contour edges whose swept boxes in space are apart
};
constexpr Omission operator|(Omission a, Omission b) {
  return static_cast<Omission>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}
constexpr bool has(Omission all, Omission one) {
  return (static_cast<std::uint32_t>(all) & static_cast<std::uint32_t>(one)) != 0;
}

/// The single omissions are 1 << i for i below this.
constexpr std::uint32_t kOmissions = 13;
/// "MiddleNormal|Contour", for messages.
std::string to_string(Omission left_out);

/// Whether the argument, less what is left out, claims that no two features of the patch meet in the step.
bool careless_says_free(const oracle::SceneStep& patch, Omission left_out);

}  // namespace graze::testing
