// Where the positions of a run come from: mesh files, a point cache, a capture, or an animation made in memory.
//
// All give the same thing: positions and triangles by frame. Frames are read when asked for, so a long sequence
// never has more than two of them in memory. Mesh files and animations may change their triangles on the way:
// frame_walk.hpp makes edits of that.
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

/// The triangles of a frame, by the frame's own vertex ids. Frames in a row with the same triangles share one.
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
  /// Throws InputError where the file is broken or its triangles may not change and did.
  [[nodiscard]] virtual Frame read(std::size_t frame) = 0;
  /// The scene of a frame's triangles, alone. What the first frame has not is of its last body.
  [[nodiscard]] virtual Scene scene_of(std::span<const Vec3> positions, const FrameTopology& topology) const;
  /// Where the vertices that the next frame adds to this one start: on these. Empty: nothing is said about them.
  [[nodiscard]] virtual std::span<const VertexId> parents(std::size_t /*frame*/) const { return {}; }
  /// Throws InputError if what was said of the step from this frame to the next is not so.
  virtual void require_fits(std::size_t /*frame*/, std::size_t /*vertices*/, std::size_t /*next*/) const {}
  /// What the frames were read from, with sizes and times of change: a resumed run must find the same.
  [[nodiscard]] virtual Json identity() const = 0;
  [[nodiscard]] std::size_t step_count() const { return count() - 1; }
};

/// Two meshes with the same triangles.
std::unique_ptr<Frames> frames_of_step(const std::filesystem::path& start, const std::filesystem::path& end);

/// Meshes, one a frame, whose triangles may change. Throws InputError for fewer than two. `edits` says where new
/// vertices start (frame_edits.hpp); empty: the topology.json beside them, if there is one.
std::unique_ptr<Frames> frames_of_meshes(std::vector<std::filesystem::path> files,
                                         const std::filesystem::path& edits = {});

/// A point cache, and the mesh file that has its triangles.
std::unique_ptr<Frames> frames_of_cache(const std::filesystem::path& cache, const std::filesystem::path& mesh);

/// What --frames says: a point cache by its extension (needs mesh), else a folder or a glob of meshes.
std::unique_ptr<Frames> frames_of_argument(const std::string& argument, const std::string& mesh,
                                           const std::string& edits = {});

/// The two ends of a capture's step; the capture must outlive the frames.
std::unique_ptr<Frames> frames_of_capture(const Capture& capture, const std::filesystem::path& file);

/// An animation in memory, which must outlive the frames.
std::unique_ptr<Frames> frames_of_animation(const scenes::Animation& animation);

}  // namespace graze::app
