// Stress scenes, each of which violates one assumption of a broad phase: that triangles are spread out, of similar
// size, or well shaped. All consist of disconnected triangles or sheets and have contacts in every step. Cost:
// linear in triangles times frames.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scenes/animation.hpp"

namespace graze::scenes {

struct StressOptions {
  std::size_t triangles = 2000;
  std::size_t frames = 3;  ///< >= 2
  std::uint64_t seed = 1;
};

/// All triangles drift in one small cube, except two huge ones far from it: a grid whose cell size follows the
/// scene's extent, or its largest triangle, has one cell for all the others.
Animation one_cell(const StressOptions& options = {});

/// One triangle a hundred times as large as a finely meshed, wavy sheet passes through the sheet at an angle.
Animation giant_triangle(const StressOptions& options = {});

/// Long and very thin triangles in all directions, each on a straight path through the others.
Animation needle_field(const StressOptions& options = {});

}  // namespace graze::scenes
