// Paths of rigid objects through many poses: checks, poses, and the first contact of two paths. See
// graze/rigid_motion.hpp.
//
// The times of both paths are merged. Between two of them each object is on a piece of one motion, or rests, and
// advance() searches the pieces in order until there is a contact. Linear in the merged times.
#include <graze/rigid_motion.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "rigid/motion/advance.hpp"

namespace graze {

using namespace rigid;

namespace {

void check_path(const RigidPath& path, const char* which) {
  if (path.motions.empty() || path.times.size() != path.motions.size() + 1)
    throw InputError(fmt::format("{}: {} times and {} motions; there must be one time more, and a motion", which,
                                 path.times.size(), path.motions.size()));
  for (std::size_t i = 0; i < path.times.size(); ++i) {
    const double time = path.times[i];
    if (!std::isfinite(time)) throw InputError(fmt::format("{}: time {} is {}, not finite", which, i, time));
    if (i > 0 && !(time > path.times[i - 1]))
      throw InputError(
          fmt::format("{}: time {} is {}, not after {}, the one before it", which, i, time, path.times[i - 1]));
  }
  for (std::size_t i = 0; i < path.motions.size(); ++i) {
    check_motion(path.motions[i], fmt::format("{}, motion {}", which, i).c_str());
    if (i > 0 && path.motions[i].start != path.motions[i - 1].end)
      throw InputError(fmt::format("{}: motion {} does not start where motion {} ends", which, i, i - 1));
  }
}

/// One object between two merged times.
struct Section {
  RigidMotion rest;  ///< used if motion is null
  const RigidMotion* motion = nullptr;
  double from = 0.0;
  double to = 1.0;

  [[nodiscard]] MotionPiece piece() const { return {motion != nullptr ? *motion : rest, from, to}; }
};

/// Time within a motion as a fraction of it.
double fraction(const RigidPath& path, std::size_t motion, double time) {
  const double from = path.times[motion];
  const double to = path.times[motion + 1];
  if (time <= from) return 0.0;
  if (time >= to) return 1.0;
  // Halves, so that nothing overflows.
  return std::clamp((0.5 * time - 0.5 * from) / (0.5 * to - 0.5 * from), 0.0, 1.0);
}

/// The motion that contains a time within the path.
std::size_t motion_at(const RigidPath& path, double time) {
  const auto after = std::upper_bound(path.times.begin(), path.times.end(), time);
  const auto index = static_cast<std::size_t>(after - path.times.begin());
  return std::clamp<std::size_t>(index, 1, path.motions.size()) - 1;
}

Section section(const RigidPath& path, double from, double to) {
  Section result;
  if (to <= path.times.front() || from >= path.times.back()) {
    result.rest = stationary(to <= path.times.front() ? path.motions.front().start : path.motions.back().end);
    return result;
  }
  const std::size_t motion = motion_at(path, from);
  result.motion = &path.motions[motion];
  result.from = fraction(path, motion, from);
  result.to = fraction(path, motion, to);
  if (!(result.from < result.to)) {  // a piece shorter than the resolution of the motion's times
    result.motion = nullptr;
    result.rest = stationary(pose_at(path.motions[motion], result.from));
  }
  return result;
}

}  // namespace

RigidPath path_through(std::span<const double> times, std::span<const Pose> poses, MotionPath path,
                       const Vec3& centre) {
  if (times.size() != poses.size() || times.size() < 2)
    throw InputError(
        fmt::format("{} times and {} poses: there must be equally many, at least two", times.size(), poses.size()));
  RigidPath result;
  result.times.assign(times.begin(), times.end());
  for (std::size_t i = 0; i + 1 < poses.size(); ++i)
    result.motions.push_back({.start = poses[i], .end = poses[i + 1], .path = path, .centre = centre});
  check_path(result, "path");
  return result;
}

RigidPath resting(const Pose& pose) {
  return {.times = {0.0, 1.0}, .motions = {stationary(pose)}};
}

Pose pose_at(const RigidPath& path, double time) {
  check_path(path, "path");
  if (!std::isfinite(time)) throw InputError(fmt::format("time {} is not finite", time));
  const std::size_t motion = motion_at(path, time);
  return pose_at(path.motions[motion], fraction(path, motion, time));
}

RigidImpact first_contact(const RigidObject& a, const RigidPath& path_a, const RigidObject& b,
                          const RigidPath& path_b, const AdvanceOptions& options) {
  check_path(path_a, "path of a");
  check_path(path_b, "path of b");
  check_tolerance(options.tolerance);
  const ObjectState& state_a = ObjectAccess::state(a);
  const ObjectState& state_b = ObjectAccess::state(b);
  for (const RigidMotion& motion : path_a.motions) check_motion(state_a, motion, "path of a");
  for (const RigidMotion& motion : path_b.motions) check_motion(state_b, motion, "path of b");

  std::vector<double> times;
  std::merge(path_a.times.begin(), path_a.times.end(), path_b.times.begin(), path_b.times.end(),
             std::back_inserter(times));
  times.erase(std::unique(times.begin(), times.end()), times.end());
  RigidWork work;
  RigidStats stats;
  for (std::size_t i = 0; i + 1 < times.size(); ++i) {
    const Section of_a = section(path_a, times[i], times[i + 1]);
    const Section of_b = section(path_b, times[i], times[i + 1]);
    RigidImpact impact = advance(state_a, of_a.piece(), state_b, of_b.piece(),
                                 {.tolerance = options.tolerance, .at_start = i == 0}, work);
    stats += impact.stats;
    if (!impact.pair) continue;
    // Rounded down, but not before the piece.
    const double within = 2.0 * (impact.toi * (0.5 * times[i + 1] - 0.5 * times[i]));
    const double time = std::nextafter(times[i] + within * (1.0 - 0x1p-50), times[i]);
    impact.toi = impact.toi == 0.0 ? times[i] : std::clamp(time, times[i], times[i + 1]);
    impact.stats = stats;
    return impact;
  }
  RigidImpact none;
  none.toi = times.back();
  none.stats = stats;
  return none;
}

}  // namespace graze
