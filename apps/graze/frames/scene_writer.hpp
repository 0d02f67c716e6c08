// Writes the frames of a scene: PLY files, one per frame, or a PC2 point cache beside one mesh. The state of the
// simulation after the last complete frame is written too, so that a stopped run continues and ends with the same
// files.
//
// A frame counts as written once the state after it is written. Files are replaced only when complete, so a stop at
// any moment loses at most one frame.
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
  /// Opens the folder, or creates it. Throws InputError if it has frames of another scene.
  SceneWriter(std::filesystem::path folder, SceneFormat format, const Json& identity);

  /// Continues from the saved state: moves the stream to the last written frame. False if there is no state, and
  /// all frames are to be made.
  bool resume(scenes::SceneStream& stream, std::size_t frames);
  /// Writes the current frame of the stream, then its state.
  void write(const scenes::SceneStream& stream, std::size_t frames);
  /// Records that triangles change in the step to the next frame.
  void add_change(const scenes::TopologyChange& change, std::size_t vertex_count_before);
  /// Ends the run, once all frames are written.
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
