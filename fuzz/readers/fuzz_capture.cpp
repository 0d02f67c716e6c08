// Fuzzes the reader of captures: any bytes give a capture that a Detector accepts, or a clean error. Nearly every
// change breaks the checksum, so that the same bytes are also read with a matching checksum.
#include "readers/check_reader.hpp"

#include "io/bytes.hpp"
#include "io/capture.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

void check_capture(const graze::Capture& capture) {
  using graze::fuzz::require;
  graze::fuzz::check_positions(capture.x_t0);
  graze::fuzz::check_positions(capture.x_t1);
  require(capture.x_t0.size() == capture.scene.vertex_count() && capture.x_t1.size() == capture.x_t0.size());
  for (const graze::Triangle& triangle : capture.scene.triangles()) {
    for (const graze::VertexId id : triangle) require(id < capture.scene.vertex_count());
  }
  // The capture can be written and read again.
  require(graze::io::parse_capture(
              [&] {
                std::string bytes = graze::io::encode_capture(capture, "again");
                graze::io::append(bytes, graze::io::capture_checksum(bytes), std::endian::little);
                return bytes;
              }(),
              "again")
              .x_t1.size() == capture.x_t1.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT(*-naming)
  graze::fuzz::check_reader(data, size, graze::io::parse_capture, check_capture);
  std::string sealed(reinterpret_cast<const char*>(data), size);
  graze::io::append(sealed, graze::io::capture_checksum(sealed), std::endian::little);
  graze::fuzz::check_reader(reinterpret_cast<const std::uint8_t*>(sealed.data()), sealed.size(),
                            graze::io::parse_capture, check_capture);
  return 0;
}
