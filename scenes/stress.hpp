// Scenes that are hard on one assumption each: that triangles are spread out, that they are of like size, that they
// are round. All are made of loose triangles or sheets and have contacts in every step.
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

/// All the triangles drift about in one small cube, and two huge ones far from it: a grid laid out by the scene's
/// extent, or by its largest triangle, has one cell for all the others.
Animation one_cell(const StressOptions& options = {});

/// One triangle a hundred times as large as a finely meshed, wavy sheet passes through it at a slant.
Animation giant_triangle(const StressOptions& options = {});

/// Long and very thin triangles in all directions, each on a straight course through the others.
Animation needle_field(const StressOptions& options = {});

}  // namespace graze::scenes
