// The catalogue: every scene by name, with a summary and a default size. The program, the benchmarks and the tests
// choose scenes from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "scenes/animation.hpp"
#include "scenes/stream.hpp"

namespace graze::scenes {

/// Requested parameters of a scene; 0 stands for the scene's own default.
struct SceneRequest {
  std::size_t size = 0;    ///< approximate number of triangles
  std::size_t frames = 0;  ///< at least 2
  std::uint64_t seed = 1;
  unsigned threads = 0;  ///< 0: all cores; the result does not depend on it
};

struct SceneEntry {
  std::string_view name;
  std::string_view summary;      ///< one line
  std::size_t default_size = 0;  ///< approximate number of triangles
  std::size_t default_frames = 0;
  // Exactly one of make and simulate is set. Both expect size and frames filled in, frames >= 2.
  Animation (*make)(const SceneRequest& request) = nullptr;  ///< analytic motion
  /// Simulated motion (scenes/sim): frames depend on earlier frames, not on the requested number; none has an
  /// intersection.
  std::unique_ptr<SceneStream> (*simulate)(const SceneRequest& request) = nullptr;
  bool breaks = false;  ///< triangles may change between steps
};

/// Every scene, in the order of listing.
std::span<const SceneEntry> catalogue();

/// Finds a scene by name and fills its defaults into the request. Throws InputError as make_animation does.
const SceneEntry& find_scene(std::string_view name, SceneRequest& request);
/// Opens a scene by name, to be generated frame by frame; fills its defaults into the request.
std::unique_ptr<SceneStream> open_scene(std::string_view name, SceneRequest& request);

/// Generates a whole scene by name in memory, with defaults filled in. Throws InputError for an unknown name,
/// listing the known ones, and for a single frame.
Animation make_animation(std::string_view name, const SceneRequest& request = {});

}  // namespace graze::scenes
