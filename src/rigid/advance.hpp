// Continuous collision detection of rigid motions by conservative advancement: the first time at which the
// triangles of two moving boxtrees come within a given distance.
//
// Each node pair has its own time, before which it is proved separated (rigid/moving_boxes.hpp). Children start
// from the time of their parents. Triangle pairs advance on their own (rigid/moving_triangles.hpp) until they are
// within the distance, or past the best contact so far, or at the end. A node pair whose time advances much is
// tested again at the new time; otherwise the larger node is opened, and the child that may touch first is visited
// first. So most node pairs are tested once, and there is no global time step. The proofs hold for the motion in
// real numbers that rigid/motion.hpp defines, and for the triangles of posed(pose_at(motion, t), x) at every double
// t.
//
// Time: that of a first-hit query whose boxes are thicker by the displacement of the objects. Memory: O(depth).
#pragma once

#include <graze/rigid.hpp>

#include "rigid/collide.hpp"
#include "rigid/object.hpp"

namespace graze::rigid {

/// Implements Collider::first_contact for checked motions and objects with boxtrees. The distance that counts as
/// contact is the tolerance times the sum of both diameters and both longest displacements, but at least 2^-40 of
/// the largest coordinates that occur, the resolution of doubles here. Throws InputError for a tolerance outside of
/// [2^-40, 1] and for objects with coordinates beyond 2^1000.
RigidImpact advance(const ObjectState& a, const RigidMotion& motion_a, const ObjectState& b,
                    const RigidMotion& motion_b, const AdvanceOptions& options, RigidWork& work);

/// Throws InputError, naming `which`, for a pose that is not finite or not a rotation (a reflection is not a
/// rotation), a centre that is not finite, or a length beyond 2^1000.
void check_motion(const RigidMotion& motion, const char* which);

}  // namespace graze::rigid
