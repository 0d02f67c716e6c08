// The catalogue: every scene by name, with what it shows and its usual size. What the program, the benchmarks and
// the tests choose from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "scenes/animation.hpp"
#include "scenes/stream.hpp"

namespace graze::scenes {

/// What is asked of a scene; 0 stands for the scene's own default.
struct SceneRequest {
  std::size_t size = 0;    ///< about how many triangles
  std::size_t frames = 0;  ///< at least 2
  std::uint64_t seed = 1;
  unsigned threads = 0;  ///< 0: all cores. The scene does not depend on it
};

struct SceneEntry {
  std::string_view name;
  std::string_view summary;      ///< one line
  std::size_t default_size = 0;  ///< triangles, about
  std::size_t default_frames = 0;
  // Both numbers given, frames >= 2; one of the two is there.
  Animation (*make)(const SceneRequest& request) = nullptr;  ///< a motion that is written down
  /// Simulated (scenes/sim): frames depend on those before, not on how many are asked for; none has an
  /// intersection.
  std::unique_ptr<SceneStream> (*simulate)(const SceneRequest& request) = nullptr;
  bool breaks = false;  ///< triangles may change between steps
};

/// Every scene, in the order in which they are listed.
std::span<const SceneEntry> catalogue();

/// A scene by name, with its defaults filled into the request. InputError as make_animation.
const SceneEntry& find_scene(std::string_view name, SceneRequest& request);
/// Opens a scene by name, defaults filled into the request, to be made frame by frame.
std::unique_ptr<SceneStream> open_scene(std::string_view name, SceneRequest& request);

/// Makes a whole scene by name, in memory, defaults filled in. InputError for an unknown name, naming those there
/// are, and for a single frame.
Animation make_animation(std::string_view name, const SceneRequest& request = {});

}  // namespace graze::scenes
