// A square sheet that is crumpled to a ball: pleats in many directions, layers lying close all over.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scenes/animation.hpp"

namespace graze::scenes {

struct CrumpledOptions {
  std::size_t triangles = 4000;
  std::size_t frames = 4;   ///< >= 2; from flat to crumpled
  std::size_t pleats = 10;  ///< how many times it is pleated
  std::uint64_t seed = 1;   ///< of their directions
};

Animation crumpled_sheet(const CrumpledOptions& options = {});

}  // namespace graze::scenes
