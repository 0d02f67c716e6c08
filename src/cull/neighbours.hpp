// Self-collision culling of neighbours: pairs of triangles with a common vertex or edge, whose bounds always
// overlap (HASH, section 4.3, surface normal test). Offers the paper's lossy test, and a certified one that proves
// what it rules out. Cost: O(1) per pair.
#pragma once

#include <span>

#include <graze/types.hpp>

#include "geometry/path.hpp"

namespace graze::cull {

/// Returns whether two triangles with one or two common vertices are proved to touch nowhere else during the step:
/// no vertex-face or edge-edge pair of their features that are not incident comes into contact at any t in [0, 1].
/// False proves nothing. Returns false if a triangle repeats an id. Floating-point arithmetic with proved error
/// bounds; any finite positions. Constant time, about 40 ns.
bool neighbours_separated(std::span<const VertexPath> paths, const Triangle& a, const Triangle& b);

/// The paper's test, which is lossy: returns whether the unit normals at the end of the step have a dot product
/// above the threshold, after the triangles are oriented consistently if they share an edge. False if a normal is
/// undefined or its square leaves the range of doubles. Precondition: a and b have a common vertex.
bool normals_agree(std::span<const VertexPath> paths, const Triangle& a, const Triangle& b, double threshold);

}  // namespace graze::cull
