// Whether two solids in contact overlap or only touch, decided in rational arithmetic where no edge of one passes
// through the interior of a face of the other.
//
// The insides share a point if and only if one of these holds: a piece of the boundary of A lies inside of B; a
// piece of the boundary of B lies inside of A; or a piece of both boundaries has both insides on the same side.
// (Otherwise the boundary of an open set of common points would have no place.) A triangle that touches none of the
// other solid is one piece together with its neighbours of that kind. A triangle T that touches others is cut into
// convex cells by the planes of those triangles, and where they lie in T's plane, by their sides. No triangle
// passes through the interior of a cell, so one point of it, the mean of its corners, decides for the cell: by the
// parity of a ray (ray_parity.hpp, here in rationals), or, on a common piece, by the parities of both solids right
// beside it. A ray that leaves T's plane at that point gives these: triangles through its start do not count.
//
// The cells are exact, and exact for any input; the parity beside a common piece presumes that no other triangle of
// the same solid passes through that point. Cost: for a triangle with k others in contact up to k^2 / 2 cells, each
// with a ray; a millisecond or so for small k.
#pragma once

#include <span>

#include <graze/rigid.hpp>

#include "rigid/distance/search.hpp"
#include "rigid/distance/solid_topology.hpp"

namespace graze::rigid {

/// Whether both triangles have area and an edge of one passes through the interior of the other, exactly and
/// strictly. Two solids with such triangles in their boundaries overlap.
bool pierces(const TriangleCorners& a, const TriangleCorners& b);

/// A solid in a pose with its topology.
struct SolidSide {
  ProximitySide side;
  const SolidTopology& topology;
};

/// Whether some point is inside of both solids. `pairs`: all pairs of triangles that intersect, sorted, at least
/// one, none of which pierces.
bool insides_meet(const SolidSide& a, const SolidSide& b, std::span<const TrianglePair> pairs);

}  // namespace graze::rigid
