// Neighbours: pairs of triangles with a common vertex or edge, whose bounds always overlap (HASH, section 4.3,
// surface normal test; the lossy one as the paper has it, and one that proves what it rules out).
#pragma once

#include <span>

#include <graze/types.hpp>

#include "geometry/path.hpp"

namespace graze::cull {

/// Whether it is proved that two triangles with one or two common vertices touch nowhere else during the step: no
/// vertex-face and no edge-edge pair of theirs whose features are not incident comes into contact at any t in [0,
/// 1]. False says nothing. Ids of a triangle may repeat: then false. By rounded arithmetic with proved bounds; any
/// finite positions. Constant time, about 40 ns.
bool neighbours_separated(std::span<const VertexPath> paths, const Triangle& a, const Triangle& b);

/// The paper's test, which is lossy: whether the unit normals at the end of the step, turned so that the triangles
/// run the same way round where they share an edge, have a dot product above the threshold. False where one is not
/// defined, or its square is beyond the doubles. For pairs with common vertices.
bool normals_agree(std::span<const VertexPath> paths, const Triangle& a, const Triangle& b, double threshold);

}  // namespace graze::cull
