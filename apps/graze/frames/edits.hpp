// Start positions of the vertices that a sequence gains: topology.json as 'graze scene' writes it, or the file of
// --edits, which has the same form.
//
//   {"changes": [{"frame": k, "first_new_vertex": n, "parents": [p, ...]}, ...]}
//
// Vertex n + i of frame k + 1 starts the step from frame k at the position of its parent, vertex p[i]; n is the
// number of vertices of frame k. The triangles are those of the frames. Cost: linear in the file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <vector>

#include <graze/types.hpp>

namespace graze::app {

class FrameEdits {
 public:
  FrameEdits() = default;
  /// Reads a file. Throws InputError for any other form, for a frame that appears twice, and for a parent that does
  /// not exist before its vertex.
  explicit FrameEdits(const std::filesystem::path& file);

  /// Throws InputError if a change is of the last frame or beyond.
  void require_within(std::size_t frame_count) const;
  /// Keeps the changes of frames [first, first + count), renumbered from 0, for a part of a sequence.
  void shift(std::size_t first, std::size_t count);

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  [[nodiscard]] std::span<const VertexId> parents(std::size_t frame) const;
  /// Throws InputError if the change of a frame does not fit the vertex counts of this frame and the next.
  void require_fits(std::size_t frame, std::size_t vertices, std::size_t next_vertices) const;

 private:
  struct Change {
    std::size_t first_new_vertex = 0;
    std::vector<VertexId> parents;
  };
  std::filesystem::path file_;
  std::size_t offset_ = 0;  ///< first frame of the part, for messages
  std::map<std::size_t, Change> changes_;
};

}  // namespace graze::app
