// Starting scenes and random scripts of edits for them: all operations of SceneEdit, alone and in the combinations
// that hurt. Tears that cut a body in two, bridges, several triangles on one edge, hubs, duplicates, repeated ids,
// turned triangles, vertices welded together, a third of the mesh at once, everything gone and a new start.
//
// Same start and seed, same script, on every machine. Cost: O(scene) an operation, for scenes of some hundred
// triangles.
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
  std::size_t most_triangles;  ///< scripts keep the scene at about no more than this
};

std::span<const EditStart> edit_starts();
Scene make_start(const EditStart& start, std::uint64_t seed);

/// A flat grid of 2 * side * side triangles, 0.25 wide each, at a height.
struct Patch {
  std::vector<Vec3> points;
  std::vector<Triangle> triangles;
};
Patch grid_patch(std::uint32_t side, double height);

EditScript random_script(const Scene& start, std::uint64_t seed, std::size_t edits, std::size_t most_triangles);

}  // namespace graze::testing
