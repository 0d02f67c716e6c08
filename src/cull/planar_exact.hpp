// Exact contact tests of moving vertices and edges in projection: decides what the filter of planar_pair.hpp leaves
// in doubt, for points in space and a projection axis (contour test, ICCD section IV-C).
//
// The projections are integers on a common power-of-two lattice, and so are the coefficients of f and p. The sign
// of p at a root of f follows from p mod f, which is linear: a linear function at a root is X + Y sqrt(D) with
// integers X, Y, D. Decides every finite input, degenerate or not. Cost: O(1), some microseconds; numbers over 512
// bits allocate.
#pragma once

#include "cull/projection.hpp"
#include "geometry/path.hpp"

namespace graze::cull {

/// Returns whether vertex a touches the closed edge cd at some time of the step, in projection.
bool exact_vertex_edge(const ProjectionAxis& axis, const VertexPath& a, const VertexPath& c, const VertexPath& d);

/// Returns whether the closed edges ab and cd touch at some time of the step, in projection. Precondition: the
/// edges have no common vertex.
bool exact_edge_edge(const ProjectionAxis& axis, const VertexPath& a, const VertexPath& b, const VertexPath& c,
                     const VertexPath& d);

/// Returns whether the edges ab and bc share more than b at some time of the step, in projection.
bool exact_neighbours(const ProjectionAxis& axis, const VertexPath& a, const VertexPath& b, const VertexPath& c);

}  // namespace graze::cull
