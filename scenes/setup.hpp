// What the setups of simulated scenes share: edge lengths, placing shapes, pieces to break into.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scenes/random.hpp"
#include "scenes/shapes.hpp"

namespace graze::scenes {

/// Mean length of the triangles' sides. The distance contacts hold is a share of it: kThickness.
double mean_edge(const Shape& shape);

/// Large against the rounding of positions; so small that layers which slide on each other still meet between one
/// frame and the next, on the straight line: those are the contacts of the simulated scenes.
inline constexpr double kThickness = 0.01;

/// A rotation by random turns about the three axes.
struct Turn {
  double about_x = 0.0;
  double about_y = 0.0;
  double about_z = 0.0;
};
Turn random_turn(Random& random);

/// The shape scaled, then turned, then moved.
Shape placed_shape(const Shape& shape, double scale, const Turn& turn, const Vec3& move);

/// Cuts the triangles of a shape into about that many connected patches: each triangle goes with the nearest of so
/// many seed triangles, drawn at random. Cost: triangles times pieces.
std::vector<std::uint32_t> make_pieces(const Shape& shape, std::size_t pieces, Random& random);

}  // namespace graze::scenes
