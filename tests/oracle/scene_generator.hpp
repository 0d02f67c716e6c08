// Seeded small scenes for set equality with the naive reference (oracle/brute_scene.hpp): soups, degenerate meshes,
// folded cloth, one-sided surfaces, empty scenes. Equal seeds and indices give equal scenes on every machine.
#pragma once

#include "oracle/brute_scene.hpp"
#include "oracle/random.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace graze::oracle {

struct SceneFamily {
  std::string_view name;
  std::string_view summary;
  SceneStep (*make)(Random& random);
};

/// All families, in a fixed order; scenes have at most about 30 triangles.
std::span<const SceneFamily> scene_families();
SceneStep make_scene(const SceneFamily& family, std::uint64_t seed, std::uint64_t index);

}  // namespace graze::oracle
