// Where the vertices that a sequence gains on the way come from: topology.json as 'graze scene' writes it, or the
// file of --edits, which has the same form.
//
//   {"changes": [{"frame": k, "first_new_vertex": n, "parents": [p, ...]}, ...]}
//
// Vertex n + i of frame k + 1 starts the step from frame k where vertex p[i] is; n is the number of vertices of
// frame k. What the triangles become is not said: the frames have them. Linear in the file.
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
  /// Reads a file. Throws InputError, one line, for anything that is not of this form: a frame that comes twice, a
  /// parent that is not there yet.
  explicit FrameEdits(const std::filesystem::path& file);

  /// Throws InputError if a change is of a frame that has no next one.
  void require_within(std::size_t frame_count) const;
  /// Keeps the changes of frames [first, first + count), numbered from 0: of a part of a sequence.
  void shift(std::size_t first, std::size_t count);

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  [[nodiscard]] std::span<const VertexId> parents(std::size_t frame) const;
  /// Throws InputError unless what is said of a frame, if anything, fits the vertices that it and the next have.
  void require_fits(std::size_t frame, std::size_t vertices, std::size_t next_vertices) const;

 private:
  struct Change {
    std::size_t first_new_vertex = 0;
    std::vector<VertexId> parents;
  };
  std::filesystem::path file_;
  std::size_t offset_ = 0;  ///< of frame numbers, for messages
  std::map<std::size_t, Change> changes_;
};

}  // namespace graze::app
