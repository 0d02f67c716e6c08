// Sources of frames: mesh files, a point cache, a capture, or an animation in memory.
//
// Each source gives positions and triangles by frame. Frames are read on demand, so that a long sequence has at
// most two of them in memory. Triangles of mesh files and animations may change between frames; step_cursor.hpp
// turns such changes into edits.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <graze/scene.hpp>
#include <graze/types.hpp>

#include "output/output.hpp"

namespace graze {
struct Capture;
}
namespace graze::scenes {
struct Animation;
}

namespace graze::app {

/// The triangles of a frame, in vertex ids of the frame. Consecutive frames with the same triangles share one
/// object.
struct FrameTopology {
  std::size_t vertex_count = 0;
  std::vector<Triangle> triangles;
  friend bool operator==(const FrameTopology&, const FrameTopology&) = default;
};

struct Frame {
  std::vector<Vec3> positions;
  std::shared_ptr<const FrameTopology> topology;  ///< never null
};

class Frames {
 public:
  Frames() = default;
  virtual ~Frames() = default;
  Frames(const Frames&) = delete;
  Frames& operator=(const Frames&) = delete;

  [[nodiscard]] virtual std::size_t count() const = 0;
  /// The scene of the first frame.
  [[nodiscard]] virtual const Scene& scene() const = 0;
  /// Throws InputError for a broken file, and for changed triangles where they must not change.
  [[nodiscard]] virtual Frame read(std::size_t frame) = 0;
  /// A scene of a frame's triangles. Vertices and triangles that the first frame lacks belong to its last body.
  [[nodiscard]] virtual Scene scene_of(std::span<const Vec3> positions, const FrameTopology& topology) const;
  /// Parents of the vertices that the next frame adds: each starts at the position of its parent. Empty if unknown.
  [[nodiscard]] virtual std::span<const VertexId> parents(std::size_t /*frame*/) const { return {}; }
  /// Throws InputError if the given edits do not fit the vertex counts of this frame and the next.
  virtual void require_fits(std::size_t /*frame*/, std::size_t /*vertices*/, std::size_t /*next*/) const {}
  /// Files of the frames with sizes and modification times: a resumed run must find the same.
  [[nodiscard]] virtual Json identity() const = 0;
  [[nodiscard]] std::size_t step_count() const { return count() - 1; }
};

/// Two meshes with the same triangles.
std::unique_ptr<Frames> frames_of_step(const std::filesystem::path& start, const std::filesystem::path& end);

/// Mesh files, one per frame, whose triangles may change. Throws InputError for fewer than two. `edits` has the
/// parents of new vertices (edits.hpp); empty: topology.json beside the frames, if there is one.
std::unique_ptr<Frames> frames_of_meshes(std::vector<std::filesystem::path> files,
                                         const std::filesystem::path& edits = {});

/// A point cache, and the mesh file with its triangles.
std::unique_ptr<Frames> frames_of_cache(const std::filesystem::path& cache, const std::filesystem::path& mesh);

/// The argument of --frames: a point cache by its extension (needs `mesh`), else a folder or a glob of meshes.
std::unique_ptr<Frames> frames_of_argument(const std::string& argument, const std::string& mesh,
                                           const std::string& edits = {});

/// The two ends of a capture's step; the capture must outlive the frames.
std::unique_ptr<Frames> frames_of_capture(const Capture& capture, const std::filesystem::path& file);

/// An animation in memory, which must outlive the frames.
std::unique_ptr<Frames> frames_of_animation(const scenes::Animation& animation);

}  // namespace graze::app
