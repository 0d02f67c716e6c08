// Motions of the benchmark of first contacts: an object against a copy of itself, a tilted floor and a room of a
// few large triangles; hits, near misses and clear misses.
//
// A near miss is made from a motion with a sideways offset: bisection finds the offset from which on none of 101
// sampled poses intersects, and a share is added to it. Every case is a function of its kind and number alone (and
// of the sine of the standard library). Cost: some thousand first hits a near miss.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <graze/rigid.hpp>

#include "scenes/shapes.hpp"

namespace graze::benchmarks {

/// Poses at which a motion is sampled for comparison.
inline constexpr std::size_t kSamples = 101;

enum class MotionPartner : std::uint8_t { Copy, Floor, Room };

/// One kind of motion; the first object moves, the partner is static unless `both` is set.
struct MotionKind {
  std::string_view name;
  MotionPartner partner = MotionPartner::Copy;
  double clearance =
      -1.0;           ///< < 0: the path leads through the partner; else that share beyond the last sampled hit
  bool both = false;  ///< the partner moves, too
  double turn = 0.0;  ///< turn of the moving object, in radians
};
[[nodiscard]] const std::vector<MotionKind>& motion_kinds();

struct MotionCase {
  RigidMotion a;
  RigidMotion b;
};

/// A square of two triangles, tilted, ten times as large as the unit object; and the walls of a room of that size.
[[nodiscard]] scenes::Shape partner_shape(MotionPartner partner, const scenes::Shape& object);
/// Motions of one kind. None intersects at its start.
[[nodiscard]] std::vector<MotionCase> motion_cases(const MotionKind& kind, const RigidObject& object,
                                                   const RigidObject& partner, std::size_t count);

}  // namespace graze::benchmarks
