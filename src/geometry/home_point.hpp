// Where a vertex is at home during a session, and how far it may stray (ADAPTIVE, sections 4.1 and 4.3).
//
// Bounds, distances and the pairs that follow from them are made for homes, once a session. They hold as long as no
// vertex strays farther than its reach: two features whose homes are a distance d apart stay apart while the
// farthest strays of both add up to less than d. Homes may be anywhere, so that their roundings cost nothing. One
// array, 32 bytes a vertex, which is how kernels gather it.
#pragma once

#include <graze/types.hpp>

namespace graze {

struct alignas(32) HomePoint {
  Vec3 x;                ///< home; finite
  float reach = 0.0F;    ///< >= 0: bounds hold the vertex up to this distance from home
  float strayed = 0.0F;  ///< at most this far from home during the current step, rounded up; infinite if unknown
};
static_assert(sizeof(HomePoint) == 32);

}  // namespace graze
