// Where the frames of a scene go: PLY files, one a frame, or a PC2 point cache beside one mesh. With the state of
// the last whole frame, so that a run that was stopped goes on from there and ends with the same files.
//
// A frame counts as written once the state after it is; each file is replaced only when whole, so a stop at any
// moment loses one frame at most.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "output/output.hpp"
#include "scenes/catalogue.hpp"

namespace graze::app {

enum class SceneFormat { Ply, Pc2 };

class SceneWriter {
 public:
  /// Takes up the folder, made if it is not there. InputError if it holds frames of another scene.
  SceneWriter(std::filesystem::path folder, SceneFormat format, const Json& identity);

  /// Goes on from the saved state, if there is one that fits: the stream then is at the last frame written.
  /// False if there is none, and everything is to be made.
  bool resume(scenes::SceneStream& stream, std::size_t frames);
  /// Writes the frame the stream is at, then its state.
  void write(const scenes::SceneStream& stream, std::size_t frames);
  /// Notes that triangles changed in the step to the next frame.
  void add_change(const scenes::TopologyChange& change, std::size_t vertex_count_before);
  /// All frames are there.
  void finish();
  [[nodiscard]] std::size_t change_count() const { return changes_.size(); }

 private:
  [[nodiscard]] std::filesystem::path frame_file(std::size_t frame) const;
  [[nodiscard]] std::filesystem::path state_file() const { return folder_ / "state.bin"; }
  [[nodiscard]] std::filesystem::path cache_file() const { return folder_ / "cache.pc2"; }
  [[nodiscard]] std::filesystem::path partial_cache_file() const { return folder_ / "cache.pc2.partial"; }
  void write_changes() const;
  void append_to_cache(const scenes::SceneStream& stream, std::size_t frames) const;

  std::filesystem::path folder_;
  SceneFormat format_;
  Json changes_ = Json::array();
};

}  // namespace graze::app
