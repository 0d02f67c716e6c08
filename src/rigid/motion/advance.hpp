// Continuous collision detection of rigid motions: the first time at which the triangles of two moving boxtrees
// come within a given distance, certified.
//
// Time is cut into slabs. In each, the boxes of both trees are bounded along fixed directions by functions that are
// linear in time plus a curvature (rigid/motion/moving_slab.hpp), and a simultaneous traversal in SIMD lanes finds
// the window of times in which each pair of nodes may touch (rigid/motion/moving_traversal.hpp). A slab is cut in
// two until its curvature is small against the smaller object: translations need one slab, half a turn about
// twenty. First the window of the roots is found, and slabs are searched earliest first. Triangle pairs with a
// window are narrowed by their own separating axis test (rigid/motion/moving_triangle_window.hpp) and then advanced
// conservatively, each on its own (rigid/motion/moving_triangles.hpp), until they are within the distance, past the
// best contact so far, or past their window.
//
// Conservative advancement goes back to Mirtich, Impulse-based dynamic simulation of rigid body systems (1996),
// with the directional bounds of Zhang, Lee and Kim, Interactive continuous collision detection for non-convex
// polyhedra (2006). They take global steps by the distance of the objects; here each pair has its own times, and no
// distance of objects is computed.
//
// Exactness. Triangles that may touch at the start are tested exactly there. Triangles that start disjoint do not
// cross before they are near, and every time before the reported one is covered by a direction that separates the
// pair. The proofs hold for the motion in real numbers that rigid/motion/motion.hpp defines, and for the triangles
// of posed(pose_at(motion, t), x) at every double t. Where one slab or piece ends and the next begins, a pair is
// separated by margins at the end of the one, so at the start of the next it is disjoint, or closer than rounding:
// then it counts as contact.
//
// Time: some times that of a first-hit query for each slab. Memory: O(depth) and a fixed table.
#pragma once

#include <graze/rigid.hpp>

#include "rigid/collide.hpp"
#include "rigid/object.hpp"

namespace graze::rigid {

/// A piece of a motion, from one time of it to another.
struct MotionPiece {
  const RigidMotion& motion;
  double from = 0.0;
  double to = 1.0;
};

struct AdvanceLimits {
  double tolerance = 1e-6;
  /// Contacts after this time of the pieces are not looked for; also the time of no contact.
  double horizon = 1.0;
  /// Whether the start of the pieces is the start of both motions, where triangles are tested exactly. Otherwise
  /// they must be known not to intersect there.
  bool at_start = true;
};

/// Implements Collider::first_contact for checked motions and objects with boxtrees, over pieces of two motions at
/// equal times. The distance that counts as contact is the tolerance times the sum of both diameters and both
/// longest displacements, but at least 2^-40 of the largest coordinates that occur, the resolution of doubles here.
/// Throws InputError for a tolerance outside of [2^-40, 1] and for motions that check_motion refuses.
RigidImpact advance(const ObjectState& a, const MotionPiece& piece_a, const ObjectState& b,
                    const MotionPiece& piece_b, const AdvanceLimits& limits, RigidWork& work);

/// A time until which the objects are proved not to touch, from the boxes of their roots alone: 0 if nothing is
/// proved, 2 if they do not touch at all. Preconditions as for advance().
double separated_until(const ObjectState& a, const MotionPiece& piece_a, const ObjectState& b,
                       const MotionPiece& piece_b);

/// Throws InputError, naming `which`, for a pose that is not finite or not a rotation (a reflection is not a
/// rotation), a centre that is not finite, a length beyond 2^1000, or turns and an axis that do not fit the poses.
void check_motion(const RigidMotion& motion, const char* which);
/// Also for poses that move vertices of the object out of the range of doubles, and an object without a boxtree or
/// with coordinates beyond 2^1000.
void check_motion(const ObjectState& object, const RigidMotion& motion, const char* which);
/// Throws InputError for a tolerance outside of [2^-40, 1].
void check_tolerance(double tolerance);

}  // namespace graze::rigid
