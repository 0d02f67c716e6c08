// Fuzzes the point cache readers, PC2 and MDD: any bytes give frames of finite positions or a clean error.
#include "readers/check_reader.hpp"

#include "io/point_cache.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

using graze::Vec3;
using graze::io::PointCacheHeader;

std::vector<Vec3> read_all(const PointCacheHeader& header, std::string_view data, const std::string& name) {
  std::vector<Vec3> positions;
  for (std::size_t frame = 0; frame < header.frame_count; ++frame) {
    const std::size_t offset = header.data_offset + frame * header.frame_size();
    graze::fuzz::require(offset + header.frame_size() <= data.size());
    const std::vector<Vec3> decoded =
        graze::io::decode_frame(header, data.substr(offset, header.frame_size()), offset, name);
    graze::fuzz::require(decoded.size() == header.vertex_count);
    positions.insert(positions.end(), decoded.begin(), decoded.end());
  }
  return positions;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(*-naming)
  const auto head = [](std::string_view bytes) { return bytes.substr(0, graze::io::kPointCacheHeadSize); };
  const auto read_pc2 = [&](std::string_view bytes, const std::string& name) {
    return read_all(graze::io::parse_pc2_header(head(bytes), bytes.size(), name), bytes, name);
  };
  const auto read_mdd = [&](std::string_view bytes, const std::string& name) {
    return read_all(graze::io::parse_mdd_header(head(bytes), bytes.size(), name), bytes, name);
  };
  graze::fuzz::check_reader(data, size, read_pc2, graze::fuzz::check_positions);
  graze::fuzz::check_reader(data, size, read_mdd, graze::fuzz::check_positions);
  return 0;
}
