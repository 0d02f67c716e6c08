// A scene to measure on: a name of the catalogue, or frames of the user's, all in memory so that no reading is
// timed. Triangles may change on the way: what each step begins with is then made by an edit of the scene.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <graze/scene.hpp>
#include <graze/types.hpp>

#include "frames/frame_walk.hpp"

namespace graze::app {

/// What a step of changed triangles begins with. Ids are those of the scene, which has all that ever was.
struct BenchChange {
  std::size_t step = 0;
  SceneDifference edit;
  std::vector<Vec3> x_t0;           ///< with the vertices that come, without meaning for those that are gone
  std::vector<VertexId> frame_ids;  ///< by scene id, those of the frame; empty: the same
  Scene alone;                      ///< what a scene made anew for the step is, in the ids of the frame

  /// Positions by scene id to those by the ids of the frame.
  [[nodiscard]] std::vector<Vec3> in_frame_ids(std::span<const Vec3> x) const;
};

struct BenchSceneOptions {
  std::size_t size = 0;    ///< triangles of a catalogue scene, about; 0: its own default
  std::size_t frames = 0;  ///< of a catalogue scene, or the first so many of a sequence; 0: its default, or all
  std::uint64_t seed = 1;  ///< of a catalogue scene
  std::string mesh = {};   ///< the triangles of point caches
};

struct BenchScene {
  std::string name;                       ///< as it was asked for
  std::string title;                      ///< shorter: the last part of a path
  BenchSceneOptions options;              ///< as it was asked for
  Scene scene;                            ///< of the first step
  Scene last_scene;                       ///< of the last step, on its own: the same where triangles stay
  std::vector<std::vector<Vec3>> frames;  ///< two at least; each has the vertices of the step that ends with it
  std::vector<BenchChange> changes;       ///< by ascending step, from 1 on

  [[nodiscard]] std::size_t step_count() const { return frames.size() - 1; }
  /// The change that a step begins with, or null.
  [[nodiscard]] const BenchChange* change_at(std::size_t step) const;
  [[nodiscard]] std::span<const Vec3> x_t0(std::size_t step) const;
  [[nodiscard]] std::span<const Vec3> x_t1(std::size_t step) const { return frames[step + 1]; }
  /// Steps that have the triangles of the first.
  [[nodiscard]] std::size_t steps_before_change() const {
    return changes.empty() ? step_count() : changes.front().step;
  }
};

bool is_catalogue_scene(const std::string& name);

/// `argument`: a name of the catalogue, a folder or glob of meshes, or a point cache. Throws InputError.
BenchScene load_bench_scene(const std::string& argument, const BenchSceneOptions& options);

}  // namespace graze::app
