// Balls that fly on straight lines through a box and through each other: many bodies with contacts between them.
// Cost: linear in vertices times frames.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scenes/animation.hpp"

namespace graze::scenes {

struct BallsOptions {
  std::size_t count = 16;  ///< number of balls
  std::size_t levels = 4;  ///< a ball has 8 * levels^2 triangles
  std::size_t frames = 5;  ///< >= 2
  std::uint64_t seed = 1;  ///< seed of radii, positions and velocities
};

Animation flying_balls(const BallsOptions& options = {});

}  // namespace graze::scenes
