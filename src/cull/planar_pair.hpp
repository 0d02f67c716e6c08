// Filtered contact tests of moving vertices and edges in a plane, for the contour test (ICCD, Tang et al. 2009,
// section IV-C, planar (E,E) tests and Fig. 4).
//
// A vertex a and an edge cd, all in linear motion, touch at t iff f = (a - c) x (a - d) = 0 and p = (a - c).(a - d)
// <= 0 at t, both quadratic; this also holds for c = d. Equivalently, z = p + i f lies on the closed negative real
// axis. If the Bernstein coefficients of z lie in an open half-plane off that axis, the answer is No; if f changes
// its sign while p < 0, the answer is Yes; otherwise the step is halved up to five times. All bounds hold for the
// exact projections. A pair that remains undecided is Doubt, and planar_exact.hpp decides it. Cost: O(1), some 16
// products per vertex and edge.
#pragma once

#include <cstdint>

#include "cull/projection.hpp"

namespace graze::cull {

/// Projected vertex over the step. The exact point is within `error` of it in each component, at both ends.
struct PlanarPath {
  Vec2 t0;
  Vec2 t1;
  double error = 0.0;
};

enum class Touch : std::uint8_t { No, Yes, Doubt };

/// Result of a filtered vertex-edge test.
struct VertexEdge {
  Touch touch = Touch::Doubt;
  int side = 0;     ///< sign of f if it is proved constant over the whole step, else 0
  int side_t0 = 0;  ///< sign of f at t = 0; 0 if in doubt
};

/// Tests vertex a against the closed edge cd.
VertexEdge planar_vertex_edge(const PlanarPath& a, const PlanarPath& c, const PlanarPath& d);

/// Tests the closed edges ab and cd. Precondition: no common vertex.
Touch planar_edge_edge(const PlanarPath& a, const PlanarPath& b, const PlanarPath& c, const PlanarPath& d);

/// Tests whether the edges ab and bc share more than b. Also Yes if an edge shrinks to a point.
Touch planar_neighbours(const PlanarPath& a, const PlanarPath& b, const PlanarPath& c);

}  // namespace graze::cull
