// Two uneven sheets, one of which passes through the other: many contacts, none of them a self-contact.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scenes/animation.hpp"

namespace graze::scenes {

struct SheetsOptions {
  std::size_t size = 12;   ///< vertices along a side of each sheet, >= 2
  std::size_t frames = 2;  ///< >= 2; the passage takes all of them
  std::uint64_t seed = 1;  ///< of the unevenness
  double unevenness =
      0.02;  ///< largest offset of a vertex, in half sides; with 0 and size odd, all meets at t = 1/2
};

Animation crossing_sheets(const SheetsOptions& options = {});

}  // namespace graze::scenes
