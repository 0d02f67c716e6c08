// The normal-cone argument over a whole patch (ICCD), written plainly, and its careless variants: the same argument
// with checks omitted. Each variant is wrong on purpose; the gallery has the scenes that prove it wrong.
//
// The argument, along the fixed axis z: if at all times every triangle's projection has positive area, the boundary
// is one closed loop, and its projection is a simple polygon, then no two features of the patch touch. With
// Omission::None nothing is omitted, so that the tests also check the argument itself. Exact. Cost: O(n^2) planar
// tests.
#pragma once

#include <cstdint>
#include <string>

#include "oracle/brute_scene.hpp"

namespace graze::testing {

/// Checks that a careless variant omits; values can be combined with |.
enum class Omission : std::uint32_t {
  None = 0,
  MiddleNormal = 1U << 0U,          ///< tests the normals of t = 0 and t = 1, not the control normal between
  LaterNormals = 1U << 1U,          ///< tests the normals of t = 0 only
  VanishingTriangles = 1U << 2U,    ///< accepts a normal whose component along the axis is zero
  Orientation = 1U << 3U,           ///< ignores the sign of the angle to the axis: |n . z| > 0
  BoundaryDirections = 1U << 4U,    ///< takes an edge of two triangles for interior, whatever their winding
  OneLoop = 1U << 5U,               ///< accepts any set of boundary edges: several loops, loops that share vertices
  Holes = 1U << 6U,                 ///< tests only the longest loop of the boundary
  Contour = 1U << 7U,               ///< omits the contour test
  ContourBetweenEnds = 1U << 8U,    ///< tests the contour only at t = 0 and t = 1
  ContourTouching = 1U << 9U,       ///< a vertex touches an edge only if it is on its other side at t = 1
  ContourNearEdges = 1U << 10U,     ///< skips contour edges whose triangles share a vertex
  ContourPositions = 1U << 11U,     ///< takes contour edges with coinciding ends for neighbours
  ContourInProjection = 1U << 12U,  ///< skips contour edges whose swept boxes in space are separated
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

/// Whether the argument without the omitted checks claims that no two features of the patch touch in the step.
bool careless_says_free(const oracle::SceneStep& patch, Omission left_out);

}  // namespace graze::testing
