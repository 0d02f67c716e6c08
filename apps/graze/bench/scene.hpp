// A scene to measure on: a catalogue scene or the user's frames, all in memory so that reading is not timed.
// Triangles may change between steps: a step then begins with an edit of the scene.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <graze/scene.hpp>
#include <graze/types.hpp>

#include "frames/step_cursor.hpp"

namespace graze::app {

/// The change of triangles that a step begins with, in scene ids; the scene keeps the ids of removed elements.
struct BenchChange {
  std::size_t step = 0;
  SceneDifference edit;
  std::vector<Vec3> x_t0;           ///< includes the new vertices; positions of removed vertices have no meaning
  std::vector<VertexId> frame_ids;  ///< frame id by scene id; empty if both ids are the same
  Scene alone;                      ///< the scene of this step built from scratch, in frame ids

  /// Reorders positions from scene ids to frame ids.
  [[nodiscard]] std::vector<Vec3> in_frame_ids(std::span<const Vec3> x) const;
};

struct BenchSceneOptions {
  std::size_t size = 0;    ///< approximate triangles of a catalogue scene; 0: its default
  std::size_t frames = 0;  ///< number of frames of a catalogue scene or sequence; 0: the default, or all
  std::uint64_t seed = 1;  ///< seed of a catalogue scene
  std::string mesh = {};   ///< mesh file with the triangles of point caches
};

struct BenchScene {
  std::string name;           ///< as the user named it
  std::string title;          ///< short name: the last part of a path
  BenchSceneOptions options;  ///< as the user gave them
  Scene scene;                ///< scene of the first step
  Scene last_scene;           ///< scene of the last step, built from scratch; `scene` if triangles do not change
  std::vector<std::vector<Vec3>> frames;  ///< at least two; each has the vertices of the step that ends with it
  std::vector<BenchChange> changes;       ///< by ascending step, from 1 on

  [[nodiscard]] std::size_t step_count() const { return frames.size() - 1; }
  /// The change that a step begins with, or null.
  [[nodiscard]] const BenchChange* change_at(std::size_t step) const;
  [[nodiscard]] std::span<const Vec3> x_t0(std::size_t step) const;
  [[nodiscard]] std::span<const Vec3> x_t1(std::size_t step) const { return frames[step + 1]; }
  /// The number of steps before triangles first change.
  [[nodiscard]] std::size_t steps_before_change() const {
    return changes.empty() ? step_count() : changes.front().step;
  }
};

bool is_catalogue_scene(const std::string& name);

/// `argument`: a name of the catalogue, a folder or glob of meshes, or a point cache. Throws InputError.
BenchScene load_bench_scene(const std::string& argument, const BenchSceneOptions& options);

}  // namespace graze::app
