// See the header.
#include "pipeline/rigid_advance.hpp"

#include <graze/error.hpp>

namespace graze {

RigidImpact advance(const RigidObject::State& /*a*/, const RigidMotion& /*motion_a*/,
                    const RigidObject::State& /*b*/, const RigidMotion& /*motion_b*/,
                    const AdvanceOptions& /*options*/) {
  throw InputError("first_contact is not there yet");
}

void check_motion(const RigidMotion& motion, const char* which) {
  check_pose(motion.start, which);
  check_pose(motion.end, which);
}

RigidMotion standing(const Pose& pose) {
  return {pose, pose};
}

Pose pose_at(const RigidMotion& motion, double /*t*/) {
  return motion.start;
}

}  // namespace graze
