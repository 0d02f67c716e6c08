// The letters A to Z as solids: extruded strokes of constant width with rounded edges, one closed manifold surface
// each. Cost: as make_skin (scenes/shapes/field.hpp).
#pragma once

#include <cstddef>

#include "scenes/shapes.hpp"

namespace graze::scenes {

/// A capital letter, 'A' to 'Z', in the xy plane, about 2 tall (y), 1 to 2 wide (x) and 0.36 thick (z), centred at
/// the origin, facing +z, with even triangles. From about 700 triangles on it has all of its holes.
Shape make_letter(char letter, std::size_t triangles = 900);

}  // namespace graze::scenes
