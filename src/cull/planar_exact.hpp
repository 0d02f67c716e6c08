// The questions of planar_pair for points in space and an axis to project along, answered exactly.
//
// The projections are integers on a common power-of-two lattice, and so are the coefficients of f and p. Signs of p
// at the roots of f: p mod f is linear, and a linear function at a root is X + Y sqrt(D) with integers X, Y, D.
// Decides every finite input, degenerate or not. Cost: O(1), some microseconds; numbers over 512 bits allocate.
#pragma once

#include "cull/projection.hpp"
#include "geometry/path.hpp"

namespace graze::cull {

/// Does vertex a touch the closed edge cd at some time of the step, in projection?
bool exact_vertex_edge(const ProjectionAxis& axis, const VertexPath& a, const VertexPath& c, const VertexPath& d);

/// Do the closed edges ab and cd, which have no common vertex?
bool exact_edge_edge(const ProjectionAxis& axis, const VertexPath& a, const VertexPath& b, const VertexPath& c,
                     const VertexPath& d);

/// Do the edges ab and bc share more than b at some time?
bool exact_neighbours(const ProjectionAxis& axis, const VertexPath& a, const VertexPath& b, const VertexPath& c);

}  // namespace graze::cull
