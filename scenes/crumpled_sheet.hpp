// A square sheet that is crumpled to a ball: pleats in many directions, layers close to each other everywhere. A
// stress test of self-collision. Cost: linear in vertices times pleats times frames.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scenes/animation.hpp"

namespace graze::scenes {

struct CrumpledOptions {
  std::size_t triangles = 4000;
  std::size_t frames = 4;   ///< >= 2; from flat to crumpled
  std::size_t pleats = 10;  ///< number of pleating operations
  std::uint64_t seed = 1;   ///< seed of the pleat directions
};

Animation crumpled_sheet(const CrumpledOptions& options = {});

}  // namespace graze::scenes
