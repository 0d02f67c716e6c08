// Point caches on bytes: the headers of PC2 and MDD, and the positions of one frame.
//
//   PC2, little endian: "POINTCACHE2\0", version 1, vertices, first frame (float), rate (float), frames; 32 bytes.
//   MDD, big endian: frames, vertices, a time (float) a frame.
// Both go on with three floats a vertex, frame after frame, to the end of the file. Cost: O(vertices) a frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::io {

struct PointCacheHeader {
  std::size_t frame_count = 0;
  std::size_t vertex_count = 0;
  std::size_t data_offset = 0;
  bool big_endian = false;

  [[nodiscard]] std::size_t frame_size() const { return vertex_count * 12; }
};

/// No header that is checked against the file's size needs more bytes than this from the file's start.
inline constexpr std::size_t kPointCacheHeadSize = 32;

/// `head` is the file's first bytes, kPointCacheHeadSize if there are as many. InputError if what they say does not
/// make exactly file_size bytes, or if there is no frame or no vertex.
PointCacheHeader parse_pc2_header(std::string_view head, std::uint64_t file_size, const std::string& name);
PointCacheHeader parse_mdd_header(std::string_view head, std::uint64_t file_size, const std::string& name);

/// The positions of a frame from its frame_size() bytes, which stand at `offset` in the file.
std::vector<Vec3> decode_frame(const PointCacheHeader& header, std::string_view bytes, std::size_t offset,
                               const std::string& name);

}  // namespace graze::io
