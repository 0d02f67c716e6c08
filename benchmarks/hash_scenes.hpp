// Steps for the benchmark of method hash, of any size: even scenes of constant density with about the same number
// of contacts per triangle, and uneven ones, each of which violates one assumption of a grid. Cost: linear in the
// triangles.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <graze/types.hpp>

#include "scenes/animation.hpp"

namespace graze::benchmarks {

/// The names, the even ones first: pieces, sheets; then giant-triangle, needle-field, one-cell, mixed, far-patch.
const std::vector<std::string>& hash_scenes();

/// Two frames of a scene of about `triangles` triangles. Throws std::runtime_error for an unknown name.
///   pieces     small closed surfaces close together, each on its own path, some into their neighbours
///   sheets     layers of waving cloth that pass through the next here and there
///   mixed      pieces of sizes 1 : 10 : 100 : 1000, as many of each, the small ones among the large
///   far-patch  half of the triangles are pieces, half are others of a hundredth of their size, far away
///   the others are scenes of the catalogue
scenes::Animation make_hash_scene(std::string_view name, std::size_t triangles);

}  // namespace graze::benchmarks
