// Whether the faces of a cluster are a disc: oriented alike, and with one closed contour.
//
// A disc is what the proof of a cluster by itself speaks of (self_proof.inl.hpp). Faces hang together by edges, an
// edge has one face or two, those with one form a single loop that passes each of its vertices once, and V - E + F
// = 1. That is enough: a surface with one contour that hangs together by edges has V - E + F <= 1 once every vertex
// where it touches itself is counted as often as it does so; the loop touches itself nowhere, and a touch elsewhere
// would make the count larger than the sum has room for. Orientation is carried over from face to face; a disc has
// one. Cost: O(faces), about half a microsecond.
#pragma once

#include "methods/cluster/cluster.hpp"

namespace graze::methods {

/// Sets the orientation of faces, and the contour; no contour where they are no disc.
void find_contour(Cluster& cluster);

}  // namespace graze::methods
