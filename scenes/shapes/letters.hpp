// The letters A to Z as solids: strokes of even width, extruded, edges rounded, one closed manifold surface each.
#pragma once

#include <cstddef>

#include "scenes/shapes.hpp"

namespace graze::scenes {

/// A capital letter, 'A' to 'Z', in the xy plane, about 2 tall (y), 1 to 2 wide (x) and 0.36 thick (z), about the
/// origin, facing +z. Triangles are even. From about 700 triangles on it has the holes it should have.
Shape make_letter(char letter, std::size_t triangles = 900);

}  // namespace graze::scenes
