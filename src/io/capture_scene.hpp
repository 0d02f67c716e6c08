// The scene of a capture in both versions of the format (io/capture.hpp): bodies, ignored pairs, triangles, and the
// body of each vertex. Everything is checked before a scene is made. Cost: O(n) in the bytes.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <graze/scene.hpp>

#include "io/bytes.hpp"

namespace graze::io {

/// Reads numbers one after the other from bytes that are known to be long enough.
class Cursor {
 public:
  Cursor(std::string_view data, std::size_t at) : data_(data), at_(at) {}
  template <class T>
  T next() {
    const T value = load<T>(data_.data() + at_, std::endian::little);
    at_ += sizeof(T);
    return value;
  }

 private:
  std::string_view data_;
  std::size_t at_;
};

/// Versions of the format: plain scenes (the vertices of bodies are contiguous) and edited scenes.
inline constexpr std::uint32_t kPlainVersion = 1;
inline constexpr std::uint32_t kEditedVersion = 2;

struct CaptureCounts {
  std::uint64_t bodies = 0;
  std::uint64_t vertices = 0;
  std::uint64_t triangles = 0;
  std::uint64_t ignored = 0;  ///< pairs of bodies
};

/// Size in bytes from the first body to the last triangle or, in the edited version, to the body of the last
/// vertex. Precondition: each count is less than 2^32.
std::uint64_t scene_bytes(const CaptureCounts& counts, std::uint32_t version);

/// The version that can store a scene: the plain one, if add_body and ignore_pair alone can build the scene.
std::uint32_t version_for(const Scene& scene);

void append_scene(std::string& bytes, const Scene& scene, std::uint32_t version);

/// The scene data of a capture without positions, as parsed from a cursor.
class SceneRecord {
 public:
  SceneRecord(Cursor& cursor, const CaptureCounts& counts, std::uint32_t version, const std::string& name);
  /// Makes the scene. Throws InputError with one line that begins with the name or is about a body.
  [[nodiscard]] Scene make(std::span<const Vec3> positions);

 private:
  struct BodyRecord {
    std::uint32_t first = 0;   ///< plain: number of vertices; edited: first vertex that it was added with
    std::uint32_t second = 0;  ///< plain: number of triangles; edited: end of those vertices
    Motion motion = Motion::Deforming;
    std::uint32_t groups = 0;
    std::uint32_t meets = 0;
    bool removed = false;
  };
  [[nodiscard]] Scene make_plain(std::span<const Vec3> positions) const;
  [[nodiscard]] Scene make_edited(std::span<const Vec3> positions);
  void check_plain_counts(const CaptureCounts& counts) const;
  void check_edited() const;

  std::string name_;
  std::uint32_t version_;
  std::vector<BodyRecord> bodies_;
  std::vector<std::array<BodyId, 2>> ignored_;
  std::vector<Triangle> triangles_;
  std::vector<BodyId> vertex_body_;  ///< edited version only
};

}  // namespace graze::io
