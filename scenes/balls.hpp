// Balls that fly on straight lines through a box and through each other: many bodies, contacts between them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scenes/animation.hpp"

namespace graze::scenes {

struct BallsOptions {
  std::size_t count = 16;  ///< balls
  std::size_t levels = 4;  ///< a ball has 8 * levels^2 triangles
  std::size_t frames = 5;  ///< >= 2
  std::uint64_t seed = 1;  ///< of radii, places and velocities
};

Animation flying_balls(const BallsOptions& options = {});

}  // namespace graze::scenes
