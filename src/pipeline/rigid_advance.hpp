// Conservative advancement of two moving boxtrees: the first time at which their triangles come within a distance.
#pragma once

#include <graze/rigid.hpp>

#include "pipeline/rigid_object.hpp"

namespace graze {

/// As Collider::first_contact; motions and options are checked, both objects have boxtrees.
RigidImpact advance(const RigidObject::State& a, const RigidMotion& motion_a, const RigidObject::State& b,
                    const RigidMotion& motion_b, const AdvanceOptions& options);

/// Throws InputError, naming `which`, for poses that are not finite or no rotations, or a centre that is not
/// finite.
void check_motion(const RigidMotion& motion, const char* which);

}  // namespace graze
