// A large pleated cloth that lies on still ridges and drifts over them slowly: analytic, no simulation.
//
// Made for methods that use what earlier steps knew: along the sequence nearly the same pairs stay near each other.
// The cloth touches the ridges where a slow wave presses it on, and itself where pleats close. In a step all of it
// goes 0.2 edge lengths on a circle, and beside that a vertex moves by a few hundredths of one. With gusts, time
// itself goes by up to fifteen times as fast in every other ten frames, and the cloth lifts off. Soft ridges quiver
// like jelly, and the cloth on them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scenes/animation.hpp"

namespace graze::scenes {

struct DriftingClothOptions {
  std::size_t size = 80;    ///< vertices along a side of the cloth, >= 2; the ridges have a third as many triangles
  std::size_t frames = 41;  ///< >= 2; a frame does not depend on how many there are
  std::uint64_t seed = 1;   ///< of the direction of drift, the waves and the jitter
  bool gusts = false;
  bool soft = false;  ///< ridges that deform
};

/// Bodies: the ridges, static unless soft, then the cloth.
Animation drifting_cloth(const DriftingClothOptions& options = {});

/// The time that a frame of the cloth with gusts shows, in frames of the calm one; grows by 1 to 15 a frame.
double gusty_time(std::size_t frame);

}  // namespace graze::scenes
