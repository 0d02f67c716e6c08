// Rigid polygon soups, CAD-like, of any number of triangles: the kind of model that BOXTREE (Zachmann) is timed on.
// Patches are meshed separately, so that their borders do not match; parts intersect, shells are open, edges have
// many triangles, some triangles are duplicated, orientations are mixed. About 2 to 4 units large, centred at the
// origin. Cost: linear in the generated triangles.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scenes/shapes.hpp"

namespace graze::scenes {

/// Curved open panels with wheel arches and windows, inner shells, wheels, seats. At least about 500 triangles.
Shape make_car_body(std::size_t triangles, std::uint64_t seed = 1);

/// Nested shells of revolution: housing with ribs, reflector, lens, bulb and its filament. At least about 800
/// triangles.
Shape make_headlight(std::size_t triangles, std::uint64_t seed = 1);

/// A padlock with its key: case, shackle, plug, keyway, pins and springs. At least about 1,000 triangles.
Shape make_lock(std::size_t triangles, std::uint64_t seed = 1);

/// Torus and sphere, cut into separate patches of triangles along random seams given by the seed.
Shape make_torus_soup(std::size_t triangles, std::uint64_t seed = 1);
Shape make_sphere_soup(std::size_t triangles, std::uint64_t seed = 1);

}  // namespace graze::scenes
