// Helpers shared by the setups of simulated scenes: edge lengths, placement of shapes, pieces for fracture.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scenes/random.hpp"
#include "scenes/shapes.hpp"

namespace graze::scenes {

/// Mean edge length over all triangles. kThickness times it is the distance that contacts keep.
double mean_edge(const Shape& shape);

/// Contact distance as a fraction of the mean edge length. Large compared with the rounding of positions, and small
/// enough that sliding layers still touch between two frames, on the linear path: these are the contacts of the
/// simulated scenes.
inline constexpr double kThickness = 0.01;

/// Rotation about the three axes, in turns.
struct Turn {
  double about_x = 0.0;
  double about_y = 0.0;
  double about_z = 0.0;
};
Turn random_turn(Random& random);

/// Scales the shape, then rotates it, then translates it.
Shape placed_shape(const Shape& shape, double scale, const Turn& turn, const Vec3& move);

/// Cuts the triangles of a shape into about this many patches: each triangle belongs to the nearest of `pieces`
/// random seed triangles. Returns the patch of each triangle. Cost: triangles times pieces.
std::vector<std::uint32_t> make_pieces(const Shape& shape, std::size_t pieces, Random& random);

}  // namespace graze::scenes
