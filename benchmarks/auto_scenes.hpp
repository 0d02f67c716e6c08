// Large scenes with few contacts for the benchmark of method auto, of any size and with any number of frames: the
// positions of a frame depend on its index alone, so that ten million triangles need no stored sequence. Each scene
// has about the same number of contacts per triangle at every size. Cost: linear in the triangles.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <graze/scene.hpp>
#include <graze/types.hpp>

namespace graze::benchmarks {

struct AutoScene {
  Scene scene;
  /// Sets all positions of a frame; frames start at 0.
  std::function<void(std::size_t frame, std::vector<Vec3>& x)> positions;
};

/// The names of the scenes.
///   sheets       five layers of waving cloth that drift and touch here and there; every vertex moves
///   pieces       small closed surfaces, each on its own path, with few contacts
///   obstacles    a tenth of the triangles are pieces that move over the rest, which is a static ground
///   moving-10, moving-1, moving-0.1   sheets of which about 10, 1 or 0.1 % of the vertices move, patch by patch
const std::vector<std::string>& auto_scenes();

/// A scene of about `triangles` triangles. Throws std::runtime_error for an unknown name.
AutoScene make_auto_scene(std::string_view name, std::size_t triangles);

}  // namespace graze::benchmarks
