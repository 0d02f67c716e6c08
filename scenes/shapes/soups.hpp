// Rigid polygon soups, CAD-like, of any number of triangles: what BOXTREE (Zachmann) is timed on. Patches meshed
// each for itself, so that their borders do not match; parts that pass through each other, open shells, edges in
// many triangles, some triangles twice, orientations mixed. About 2 to 4 units large, about the origin.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scenes/shapes.hpp"

namespace graze::scenes {

/// Curved open panels with wheel arches and windows, inner shells, wheels, seats. At least about 500 triangles.
Shape make_car_body(std::size_t triangles, std::uint64_t seed = 1);

/// Nested shells of revolution: housing with ribs, reflector, lens, bulb and its filament. At least about 800.
Shape make_headlight(std::size_t triangles, std::uint64_t seed = 1);

/// A padlock with its key: case, shackle, plug, keyway, pins and springs. At least about 1,000.
Shape make_lock(std::size_t triangles, std::uint64_t seed = 1);

/// Torus and sphere, cut into separate patches of triangles along seams that the seed chooses.
Shape make_torus_soup(std::size_t triangles, std::uint64_t seed = 1);
Shape make_sphere_soup(std::size_t triangles, std::uint64_t seed = 1);

}  // namespace graze::scenes
