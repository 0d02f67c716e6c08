// Two uneven sheets, one of which passes through the other: many contacts between bodies, no self-collision. Cost:
// linear in vertices times frames.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scenes/animation.hpp"

namespace graze::scenes {

struct SheetsOptions {
  std::size_t size = 12;   ///< vertices along a side of each sheet, >= 2
  std::size_t frames = 2;  ///< >= 2; the passage takes all frames
  std::uint64_t seed = 1;  ///< seed of the unevenness
  double unevenness =
      0.02;  ///< largest offset of a vertex, in half sides; if 0 and size is odd, all contacts are at t = 1/2
};

Animation crossing_sheets(const SheetsOptions& options = {});

}  // namespace graze::scenes
