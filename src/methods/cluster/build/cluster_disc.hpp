// Decides whether the faces of a cluster form a disc, orients them consistently, and finds the contour of the disc,
// for self-collision culling: the proof in self_proof.inl.hpp holds for discs.
//
// Conditions: the faces are connected by edges, each edge has one or two faces, the edges with one face form a
// single loop that passes each of its vertices once, and V - E + F = 1. These are sufficient: splitting every pinch
// vertex into one copy per fan of faces gives a connected surface with one boundary loop, for which V' - E + F <=
// 1, with equality only for a disc. Since V' >= V, V - E + F = 1 implies V' = V: there is no pinch vertex, and the
// surface is a disc. A disc has one orientation, up to the sign: that of the first face, whose vertices ascend.
// Flags that orient the faces alike, as the winding of most meshes does, are taken over; else the orientation is
// propagated from face to face. Cost: O(faces), a quarter of a microsecond, or one.
#pragma once

#include "methods/cluster/cluster.hpp"

namespace graze::methods {

/// Sets the orientation of the faces and the contour; contour_count = 0 if the faces do not form a disc. The result
/// does not depend on the flags kFlippedFace that the faces have before.
void find_contour(Cluster& cluster);

}  // namespace graze::methods
