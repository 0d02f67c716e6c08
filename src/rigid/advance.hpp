// Conservative advancement of two moving boxtrees: the first time at which their triangles come within a distance.
//
// Every pair of nodes has its own time, before which it is proved apart (rigid/moving_boxes.hpp); children start
// from their parents' time, and leaves go on by themselves (rigid/moving_triangles.hpp) until they are within
// the distance, or beyond the best contact so far, or the end. A pair whose time grows much is looked at again
// there; else the larger node is opened, and the child that may touch first goes first. So most pairs are looked at
// once, and no time is common to all of them. What is proved holds for the motion in real numbers that
// rigid/motion.hpp states, and for the triangles of posed(pose_at(motion, t), x) at every double t.
//
// Time: like a first hit with boxes that are thicker by how far objects move. Memory: O(depth).
#pragma once

#include <graze/rigid.hpp>

#include "rigid/collide.hpp"
#include "rigid/object.hpp"

namespace graze::rigid {

/// As Collider::first_contact; motions are checked, both objects have boxtrees. The distance that counts as contact
/// is the tolerance times (both diameters and both longest ways), but no less than 2^-40 of the largest coordinates
/// that occur: doubles do not tell more. Throws InputError for a tolerance that is not in [2^-40, 1], and for
/// objects that reach beyond 2^1000.
RigidImpact advance(const ObjectState& a, const RigidMotion& motion_a, const ObjectState& b,
                    const RigidMotion& motion_b, const AdvanceOptions& options, RigidWork& work);

/// Throws InputError, naming `which`, for poses that are not finite or no rotations (a reflection is none), or a
/// centre that is not finite, or lengths beyond 2^1000.
void check_motion(const RigidMotion& motion, const char* which);

}  // namespace graze::rigid
