// Continuous collision detection of rigid objects beyond one motion of two objects: paths through many poses, a
// moving object among many obstacles, which may move themselves, and batches of motions. All times of impact are
// certified: see RigidImpact in graze/rigid.hpp, and docs/guarantees.md.
//
// All functions need objects with boxtrees. They throw InputError, before any query runs, for a null object, an
// object with another tree or with coordinates beyond 2^1000, an invalid motion, and a tolerance outside of [2^-40,
// 1]; and Interrupted if BatchOptions::progress returns false. They may be called concurrently. Results do not
// depend on the number of threads. BatchOptions::collider is not used.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <graze/rigid.hpp>

namespace graze {

/// The path of an object through poses at increasing times: motion k leads from times[k] to times[k + 1]. Before
/// the first time and after the last one the object does not move. There is one time more than there are motions,
/// times are finite and increase strictly, and each motion starts at the pose where the one before it ends, bit for
/// bit. Functions throw InputError otherwise.
struct RigidPath {
  std::vector<double> times = {};         ///< at least two
  std::vector<RigidMotion> motions = {};  ///< at least one
};
/// Returns the path through poses, each at its time, along motions of one kind about one centre. Throws InputError
/// for different numbers of times and poses, fewer than two, and times that do not increase.
[[nodiscard]] GRAZE_API RigidPath path_through(std::span<const double> times, std::span<const Pose> poses,
                                               MotionPath path = MotionPath::Straight, const Vec3& centre = {});
/// Returns the path of an object that stays at one pose, with the times 0 and 1.
[[nodiscard]] GRAZE_API RigidPath resting(const Pose& pose);
/// Returns the pose at any finite time, rounded; exactly the poses of the motions at their times.
[[nodiscard]] GRAZE_API Pose pose_at(const RigidPath& path, double time);

/// Finds the first contact of two objects on their paths, over all times of both. `toi` is a time of the paths;
/// without contact, the last one. The tolerance is relative to the objects plus what they move between two times.
[[nodiscard]] GRAZE_API RigidImpact first_contact(const RigidObject& a, const RigidPath& path_a,
                                                  const RigidObject& b, const RigidPath& path_b,
                                                  const AdvanceOptions& options = {});

/// An object with its motion. The object must stay valid during the call.
struct ObjectMotion {
  const RigidObject* object = nullptr;  ///< not null, not owned
  RigidMotion motion = {};              ///< motion of the object
};
/// The motions of object a and of object b.
struct MotionPair {
  RigidMotion a = {};  ///< motion of object a
  RigidMotion b = {};  ///< motion of object b
};
/// The first contact of an object among obstacles.
struct ObstacleImpact {
  RigidImpact impact = {};                   ///< its pair is a triangle of the object and one of the obstacle
  std::optional<std::size_t> obstacle = {};  ///< index of the obstacle; empty if there is no contact
};

/// Finds the first contact of a moving object with any of many obstacles, moving or at rest (stationary()). Faster
/// than asking for each: obstacles whose boxes are not reached before a known contact are not looked at. `stats`
/// sums all work. Of several obstacles whose certified times are equal, the one that comes first in the list is
/// returned.
[[nodiscard]] GRAZE_API ObstacleImpact first_contact(const ObjectMotion& object,
                                                     std::span<const ObjectMotion> obstacles,
                                                     const AdvanceOptions& options = {},
                                                     const BatchOptions& batch = {});
/// Finds the first contact of a moving object with each of many obstacles, in the order of the obstacles.
[[nodiscard]] GRAZE_API std::vector<RigidImpact> first_contacts(const ObjectMotion& object,
                                                                std::span<const ObjectMotion> obstacles,
                                                                const AdvanceOptions& options = {},
                                                                const BatchOptions& batch = {});
/// Finds the first contact of one pair of objects for each of many pairs of motions, in their order.
[[nodiscard]] GRAZE_API std::vector<RigidImpact> first_contacts(const RigidObject& a, const RigidObject& b,
                                                                std::span<const MotionPair> motions,
                                                                const AdvanceOptions& options = {},
                                                                const BatchOptions& batch = {});

}  // namespace graze
