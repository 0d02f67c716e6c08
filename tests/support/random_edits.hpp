// Starting scenes and random edit scripts for them: all operations of SceneEdit, alone and in difficult
// combinations. Tears that cut a body in two, bridges, several triangles at one edge, hubs, duplicates, repeated
// ids, reversed triangles, welded vertices, a third of the mesh at once, a complete removal and a new start.
//
// Equal starts and seeds give equal scripts on every machine. Cost: O(scene) per operation, for scenes of some
// hundred triangles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <graze/scene.hpp>

#include "oracle/random.hpp"
#include "support/edit_script.hpp"

namespace graze::testing {

struct EditStart {
  std::string_view name;
  Scene (*make)(oracle::Random& random);
  std::size_t most_triangles;  ///< approximate upper limit that scripts keep
};

std::span<const EditStart> edit_starts();
Scene make_start(const EditStart& start, std::uint64_t seed);

/// A flat grid of 2 * side * side triangles, with cells 0.25 wide, at a given height.
struct Patch {
  std::vector<Vec3> points;
  std::vector<Triangle> triangles;
};
Patch grid_patch(std::uint32_t side, double height);

EditScript random_script(const Scene& start, std::uint64_t seed, std::size_t edits, std::size_t most_triangles);

}  // namespace graze::testing
