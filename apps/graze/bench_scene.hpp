// A scene to measure on: a name of the catalogue, or frames of the user's, all in memory so that no reading is
// timed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <graze/scene.hpp>
#include <graze/types.hpp>

namespace graze::app {

struct BenchScene {
  std::string name;   ///< as it was asked for
  std::string title;  ///< shorter: the last part of a path
  Scene scene;
  std::vector<std::vector<Vec3>> frames;  ///< two at least

  [[nodiscard]] std::size_t step_count() const { return frames.size() - 1; }
};

struct BenchSceneOptions {
  std::size_t size = 0;    ///< triangles of a catalogue scene, about; 0: its own default
  std::size_t frames = 0;  ///< of a catalogue scene, or the first so many of a sequence; 0: its default, or all
  std::uint64_t seed = 1;  ///< of a catalogue scene
  std::string mesh;        ///< the triangles of point caches
};

bool is_catalogue_scene(const std::string& name);

/// `argument`: a name of the catalogue, a folder or glob of meshes, or a point cache. Throws InputError.
BenchScene load_bench_scene(const std::string& argument, const BenchSceneOptions& options);

}  // namespace graze::app
