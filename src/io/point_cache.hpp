// Point cache formats: parses the headers of PC2 and MDD files and the positions of one frame.
//
//   PC2, little endian: "POINTCACHE2\0", version 1, vertices, first frame (float), rate (float), frames; 32 bytes.
//   MDD, big endian: frames, vertices, then for each frame a time (float).
// Both continue with three floats for each vertex, frame after frame, to the end of the file. Cost: O(vertices) a
// frame.
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

/// Number of bytes from the start of a file that are enough to parse and check either header.
inline constexpr std::size_t kPointCacheHeadSize = 32;

/// `head` holds the first kPointCacheHeadSize bytes of the file, or fewer if the file is shorter. Throws InputError
/// if the counts do not match file_size exactly, or if there is no frame or no vertex.
PointCacheHeader parse_pc2_header(std::string_view head, std::uint64_t file_size, const std::string& name);
PointCacheHeader parse_mdd_header(std::string_view head, std::uint64_t file_size, const std::string& name);

/// The positions of a frame from its frame_size() bytes, which are at `offset` in the file.
std::vector<Vec3> decode_frame(const PointCacheHeader& header, std::string_view bytes, std::size_t offset,
                               const std::string& name);

}  // namespace graze::io
