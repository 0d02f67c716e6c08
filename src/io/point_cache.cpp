// PC2 and MDD point caches. See the header. Frames are read on demand, so a long sequence need not fit in memory.
#include "io/point_cache.hpp"

#include <graze/io.hpp>

#include "io/bytes.hpp"
#include "io/extension.hpp"
#include "io/input.hpp"
#include "io/output.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace graze {

using namespace io;
using namespace scene;
using namespace rigid;
using namespace core;

namespace io {

namespace {

constexpr std::string_view kPc2Magic("POINTCACHE2\0", 12);
constexpr std::size_t kPc2HeaderSize = 32;
constexpr std::size_t kMddHeaderSize = 8;

/// Checks the counts against the file size. Both counts have 31 bits and `before` (the bytes before the frames) at
/// most 34, so nothing here overflows.
PointCacheHeader check_size(std::int32_t frame_count, std::int32_t vertex_count, std::uint64_t before,
                            std::uint64_t file_size, const std::string& name) {
  const std::uint64_t per_frame = static_cast<std::uint64_t>(vertex_count) * 12;
  // Divide, because the product can exceed 64 bits.
  if (file_size < before || (file_size - before) % per_frame != 0 ||
      (file_size - before) / per_frame != static_cast<std::uint64_t>(frame_count)) {
    fail_byte(name, 0,
              fmt::format("{} frames of {} vertices do not make the file's {} bytes", frame_count, vertex_count,
                          file_size));
  }
  PointCacheHeader header;
  header.frame_count = static_cast<std::size_t>(frame_count);
  header.vertex_count = static_cast<std::size_t>(vertex_count);
  header.data_offset = static_cast<std::size_t>(before);
  return header;
}

void check_counts(std::int32_t frame_count, std::int32_t vertex_count, const std::string& name) {
  if (frame_count < 1) fail_byte(name, 0, fmt::format("the header has {} frames, fewer than 1", frame_count));
  if (vertex_count < 1) fail_byte(name, 0, fmt::format("the header has {} vertices, fewer than 1", vertex_count));
}

std::int32_t checked_count(std::size_t count, const std::string& name, const char* what) {
  if (count < 1 || count > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    fail(name, fmt::format("cannot write {} {}: the number must be in [1, 2^31 - 1]", count, what));
  }
  return static_cast<std::int32_t>(count);
}

/// Checks that all frames have the same number of vertices and that every position is a finite float. Returns the
/// number of vertices.
std::size_t check_frames(std::span<const std::vector<Vec3>> frames, const std::string& name) {
  const std::size_t vertex_count = frames.empty() ? 0 : frames[0].size();
  for (std::size_t k = 0; k < frames.size(); ++k) {
    if (frames[k].size() != vertex_count) {
      fail(name,
           fmt::format("frame {} to write has {} vertices, frame 0 has {}", k, frames[k].size(), vertex_count));
    }
    for (std::size_t i = 0; i < vertex_count; ++i) {
      const Vec3& p = frames[k][i];
      for (const double value : {p.x, p.y, p.z}) {
        // The comparison is also false for NaN. Larger doubles would round to infinity or not be representable.
        if (std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max())) continue;
        fail(name, fmt::format("vertex {} of frame {} to write is not a finite float: {}", i, k, value));
      }
    }
  }
  return vertex_count;
}

void write_frames(OutputFile& out, std::span<const std::vector<Vec3>> frames, std::endian order) {
  for (const std::vector<Vec3>& frame : frames) {
    for (const Vec3& p : frame) {
      for (const double value : {p.x, p.y, p.z}) append(out.buffer(), static_cast<float>(value), order);
      out.flush_if_large();
    }
  }
}

}  // namespace

PointCacheHeader parse_pc2_header(std::string_view head, std::uint64_t file_size, const std::string& name) {
  if (head.substr(0, kPc2Magic.size()) != kPc2Magic)
    fail_byte(name, 0, "not a PC2 file: no 'POINTCACHE2' at its start");
  if (head.size() < kPc2HeaderSize) fail_byte(name, head.size(), "the file ends in its header");
  const auto version = load<std::int32_t>(head.data() + 12, std::endian::little);
  if (version != 1) fail_byte(name, 12, fmt::format("PC2 version {} is not 1", version));
  const auto vertex_count = load<std::int32_t>(head.data() + 16, std::endian::little);
  const auto frame_count = load<std::int32_t>(head.data() + 28, std::endian::little);
  check_counts(frame_count, vertex_count, name);
  return check_size(frame_count, vertex_count, kPc2HeaderSize, file_size, name);
}

PointCacheHeader parse_mdd_header(std::string_view head, std::uint64_t file_size, const std::string& name) {
  if (head.size() < kMddHeaderSize) fail_byte(name, head.size(), "the file ends in its header");
  const auto frame_count = load<std::int32_t>(head.data(), std::endian::big);
  const auto vertex_count = load<std::int32_t>(head.data() + 4, std::endian::big);
  check_counts(frame_count, vertex_count, name);
  const std::uint64_t before = kMddHeaderSize + 4 * static_cast<std::uint64_t>(frame_count);
  PointCacheHeader header = check_size(frame_count, vertex_count, before, file_size, name);
  header.big_endian = true;
  return header;
}

std::vector<Vec3> decode_frame(const PointCacheHeader& header, std::string_view bytes, std::size_t offset,
                               const std::string& name) {
  const std::endian order = header.big_endian ? std::endian::big : std::endian::little;
  std::vector<Vec3> positions(header.vertex_count);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const char* at = bytes.data() + i * 12;
    Vec3& p = positions[i];
    p = {load<float>(at, order), load<float>(at + 4, order), load<float>(at + 8, order)};
    if (std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z)) continue;
    fail_byte(name, offset + i * 12, fmt::format("vertex {} is not finite: {}, {}, {}", i, p.x, p.y, p.z));
  }
  return positions;
}

}  // namespace io

PointCache::PointCache(const std::filesystem::path& file) : file_(file) {
  const std::string name = file.string();
  const std::string extension = io::lower_extension(file);
  const std::size_t file_size = io::checked_file_size(file);
  if (extension != ".pc2" && extension != ".mdd") {
    io::fail(name, "unknown kind of point cache: the extensions are .pc2 and .mdd");
  }
  std::ifstream stream(file, std::ios::binary);
  std::array<char, io::kPointCacheHeadSize> head{};
  stream.read(head.data(), head.size());
  const std::string_view read(head.data(), static_cast<std::size_t>(stream.gcount()));
  const io::PointCacheHeader header = extension == ".pc2" ? io::parse_pc2_header(read, file_size, name)
                                                          : io::parse_mdd_header(read, file_size, name);
  frame_count_ = header.frame_count;
  vertex_count_ = header.vertex_count;
  data_offset_ = header.data_offset;
  big_endian_ = header.big_endian;
}

std::vector<Vec3> PointCache::read_frame(std::size_t frame) const {
  const std::string name = file_.string();
  if (frame >= frame_count_)
    io::fail(name, fmt::format("frame {} is out of range: there are {} frames", frame, frame_count_));
  const io::PointCacheHeader header{frame_count_, vertex_count_, data_offset_, big_endian_};
  const std::size_t offset = data_offset_ + frame * header.frame_size();
  // The file may have changed since the header was checked: check its size before allocating a frame.
  if (io::checked_file_size(file_) < offset + header.frame_size()) io::fail(name, "has become shorter");
  std::vector<char> bytes(header.frame_size());
  std::ifstream stream(file_, std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(offset));
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (static_cast<std::size_t>(stream.gcount()) != bytes.size()) io::fail_byte(name, offset, "cannot be read");
  return io::decode_frame(header, {bytes.data(), bytes.size()}, offset, name);
}

void write_pc2(const std::filesystem::path& file, std::span<const std::vector<Vec3>> frames) {
  const std::string name = file.string();
  const std::int32_t vertex_count = io::checked_count(io::check_frames(frames, name), name, "vertices");
  const std::int32_t frame_count = io::checked_count(frames.size(), name, "frames");
  io::OutputFile out(file);
  out.write(io::kPc2Magic);
  io::append(out.buffer(), std::int32_t{1}, std::endian::little);
  io::append(out.buffer(), vertex_count, std::endian::little);
  io::append(out.buffer(), 0.0F, std::endian::little);
  io::append(out.buffer(), 1.0F, std::endian::little);
  io::append(out.buffer(), frame_count, std::endian::little);
  io::write_frames(out, frames, std::endian::little);
  out.finish();
}

void write_mdd(const std::filesystem::path& file, std::span<const std::vector<Vec3>> frames,
               double frames_per_second) {
  const std::string name = file.string();
  if (!(frames_per_second > 0.0) || !std::isfinite(frames_per_second)) {
    io::fail(name, fmt::format("cannot write {} frames per second: the rate must be finite and positive",
                               frames_per_second));
  }
  const std::int32_t vertex_count = io::checked_count(io::check_frames(frames, name), name, "vertices");
  const std::int32_t frame_count = io::checked_count(frames.size(), name, "frames");
  io::OutputFile out(file);
  io::append(out.buffer(), frame_count, std::endian::big);
  io::append(out.buffer(), vertex_count, std::endian::big);
  for (std::int32_t k = 0; k < frame_count; ++k) {
    io::append(out.buffer(), static_cast<float>(k / frames_per_second), std::endian::big);
    out.flush_if_large();
  }
  io::write_frames(out, frames, std::endian::big);
  out.finish();
}

}  // namespace graze
