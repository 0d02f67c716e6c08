// Obstacles for cloth: a ball with bumps, a ground with cones, and a surface like a scanned figure. z is up. Cost:
// linear in the generated triangles; make_scan as make_skin (scenes/shapes/field.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "scenes/shapes.hpp"

namespace graze::scenes {

/// A closed ball of radius 1 with this number of round bumps of this height, evenly distributed.
Shape make_bumpy_ball(std::size_t bumps, double height, std::size_t triangles);

/// An open ground [-half, half]^2 at z = 0 with cones_per_side^2 cones in rows, and a vertex at each tip.
struct ConeFieldOptions {
  double half = 1.0;
  std::size_t cones_per_side = 3;
  double height = 0.5;
  double radius = 0.25;  ///< radius of a cone at the ground
  double blunt = 0.02;   ///< rounding radius of the tip; 0 is sharp
};
Shape make_cone_field(const ConeFieldOptions& options, std::size_t triangles);

/// A closed, lumpy surface in one piece, like a scan of a sitting hare: body, head, ears, paws, tail, and a rough
/// coat. It stands on z = 0, about 1.5 tall, within a radius of 0.8 of the z axis. `seed` determines the coat.
Shape make_scan(std::size_t triangles, std::uint64_t seed = 1);

}  // namespace graze::scenes
