// Where the positions of a run come from: mesh files, a point cache, a capture, or an animation made in memory.
//
// All give the same thing: triangles that stay and positions by frame. Frames are read when asked for, so a
// long sequence never has more than two of them in memory.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <graze/scene.hpp>
#include <graze/types.hpp>

#include "output.hpp"

namespace graze {
struct Capture;
}
namespace graze::scenes {
struct Animation;
}

namespace graze::app {

class Frames {
 public:
  Frames() = default;
  virtual ~Frames() = default;
  Frames(const Frames&) = delete;
  Frames& operator=(const Frames&) = delete;

  [[nodiscard]] virtual std::size_t count() const = 0;
  [[nodiscard]] virtual const Scene& scene() const = 0;
  /// The positions of a frame. Throws InputError where the file is broken or its triangles are others.
  [[nodiscard]] virtual std::vector<Vec3> read(std::size_t frame) = 0;
  /// What the frames were read from, with sizes and times of change: a resumed run must find the same.
  [[nodiscard]] virtual Json identity() const = 0;
  [[nodiscard]] std::size_t step_count() const { return count() - 1; }
};

/// Meshes, one a frame, all with the triangles of the first. Throws InputError for fewer than two.
std::unique_ptr<Frames> frames_of_meshes(std::vector<std::filesystem::path> files);

/// A point cache, and the mesh file that has its triangles.
std::unique_ptr<Frames> frames_of_cache(const std::filesystem::path& cache, const std::filesystem::path& mesh);

/// What --frames says: a point cache by its extension (needs mesh), else a folder or a glob of meshes.
std::unique_ptr<Frames> frames_of_argument(const std::string& argument, const std::string& mesh);

/// The two ends of a capture's step; the capture must outlive the frames.
std::unique_ptr<Frames> frames_of_capture(const Capture& capture, const std::filesystem::path& file);

/// An animation in memory, which must outlive the frames.
std::unique_ptr<Frames> frames_of_animation(const scenes::Animation& animation);

}  // namespace graze::app
