// Moving vertices and edges of one plane: do they touch at some time of the step? Filtered; ICCD (Tang et al.,
// section IV-C), planar (E,E) tests and Fig. 4.
//
// A vertex a and an edge cd, all moving straight, touch at t iff f = (a - c) x (a - d) = 0 and p = (a - c).(a - d)
// <= 0 there, both quadratics; this holds where c = d, too. With z = p + i f: iff z is on the closed negative real
// axis. Bernstein coefficients of z in an open half-plane off that axis prove "no"; f that changes its sign where p
// < 0 proves "yes"; in between the step is halved a few times. All bounds hold for the exact projections: what is
// not proved is Doubt, for planar_exact to decide. Cost: O(1), some 16 products a vertex and edge.
#pragma once

#include <cstdint>

#include "cull/projection.hpp"

namespace graze::cull {

/// A projected vertex over the step. The exact point is within `error` of it in each component, at both ends.
struct PlanarPath {
  Vec2 t0;
  Vec2 t1;
  double error = 0.0;
};

enum class Touch : std::uint8_t { No, Yes, Doubt };

/// What a filtered vertex-edge test proves.
struct VertexEdge {
  Touch touch = Touch::Doubt;
  int side = 0;     ///< sign of f, if it is strictly the same over the whole step; else, or in doubt, 0
  int side_t0 = 0;  ///< sign of f at t = 0; 0 in doubt
};

/// Vertex a against the closed edge cd.
VertexEdge planar_vertex_edge(const PlanarPath& a, const PlanarPath& c, const PlanarPath& d);

/// Closed edges ab and cd without a common vertex.
Touch planar_edge_edge(const PlanarPath& a, const PlanarPath& b, const PlanarPath& c, const PlanarPath& d);

/// Edges ab and bc: do they share more than b? Yes also where an edge shrinks to a point.
Touch planar_neighbours(const PlanarPath& a, const PlanarPath& b, const PlanarPath& c);

}  // namespace graze::cull
