// Capture reader and writer (.graze); the format is described in the header. A capture that was read is checked by
// the functions that check the input of a Detector, so it can always be run.
#include "io/capture.hpp"

#include <graze/error.hpp>
#include <graze/research.hpp>

#include "api/option_checks.hpp"
#include "core/hash.hpp"
#include "io/bytes.hpp"
#include "io/capture_scene.hpp"
#include "io/input.hpp"
#include "io/output.hpp"
#include "mesh/topology.hpp"
#include "scene/input_checks.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

namespace graze {

using namespace io;
using namespace scene;
using namespace rigid;
using namespace core;
namespace io {
namespace {

constexpr std::string_view kMagic = "GRAZECAP";
constexpr std::size_t kHeaderSize = 88;
constexpr std::size_t kPositionSize = 24;
constexpr std::size_t kChecksumSize = 8;

/// Reads the counts and checks them against the file size. The limits on the counts keep the sum within 64 bits.
CaptureCounts read_counts(std::string_view data, std::uint32_t version, const std::string& name) {
  Cursor cursor(data, kMagic.size() + 4);
  CaptureCounts counts;
  counts.bodies = cursor.next<std::uint32_t>();
  counts.vertices = cursor.next<std::uint64_t>();
  counts.triangles = cursor.next<std::uint64_t>();
  counts.ignored = cursor.next<std::uint64_t>();
  if (counts.vertices > kMaxVertices) fail_byte(name, 16, fmt::format("{} vertices are too many", counts.vertices));
  if (counts.triangles > kMaxTriangles) {
    fail_byte(name, 24, fmt::format("{} triangles are too many", counts.triangles));
  }
  if (counts.ignored > data.size())
    fail_byte(name, 32, fmt::format("{} ignored pairs are too many", counts.ignored));
  const std::uint64_t expected =
      kHeaderSize + scene_bytes(counts, version) + 2 * kPositionSize * counts.vertices + kChecksumSize;
  if (data.size() != expected) {
    fail(name,
         fmt::format("{} bodies, {} vertices, {} triangles and {} ignored pairs make {} bytes, but the file has "
                     "{}",
                     counts.bodies, counts.vertices, counts.triangles, counts.ignored, expected, data.size()));
  }
  return counts;
}

std::vector<Vec3> read_positions(Cursor& cursor, std::uint64_t count) {
  std::vector<Vec3> positions(count);
  for (Vec3& p : positions) {
    p.x = cursor.next<double>();
    p.y = cursor.next<double>();
    p.z = cursor.next<double>();
  }
  return positions;
}

void validate(const Capture& capture) {
  api::validate_options({.thickness = capture.thickness, .tolerance = capture.tolerance});
  validate_step(capture.scene, capture.x_t0, capture.x_t1);
}

void append_positions(std::string& bytes, std::span<const Vec3> positions) {
  for (const Vec3& p : positions) {
    for (const double value : {p.x, p.y, p.z}) append(bytes, value, std::endian::little);
  }
}

}  // namespace

std::uint64_t capture_checksum(std::string_view bytes) {
  Hash64 hash;
  while (bytes.size() >= 8) {
    hash.add(load<std::uint64_t>(bytes.data(), std::endian::little));
    bytes.remove_prefix(8);
  }
  if (!bytes.empty()) {
    std::string last(bytes);
    last.resize(8, '\0');
    hash.add(load<std::uint64_t>(last.data(), std::endian::little));
  }
  return hash.value();
}

Capture parse_capture(std::string_view data, const std::string& name) {
  if (data.substr(0, kMagic.size()) != kMagic) fail_byte(name, 0, "not a capture: no 'GRAZECAP' at its start");
  if (data.size() < kHeaderSize + kChecksumSize) fail_byte(name, data.size(), "the file ends in its header");
  const auto version = load<std::uint32_t>(data.data() + kMagic.size(), std::endian::little);
  if (version != kPlainVersion && version != kEditedVersion) {
    fail_byte(name, kMagic.size(),
              fmt::format("version {} of the format; this program reads {} and {}", version, kPlainVersion,
                          kEditedVersion));
  }
  const CaptureCounts counts = read_counts(data, version, name);
  const std::size_t end = data.size() - kChecksumSize;
  if (capture_checksum(data.substr(0, end)) != load<std::uint64_t>(data.data() + end, std::endian::little)) {
    fail_byte(name, end, "the checksum does not match: the file is damaged");
  }

  Capture capture;
  Cursor cursor(data, 40);
  capture.thickness = cursor.next<double>();
  capture.tolerance = cursor.next<double>();
  capture.vf_count = cursor.next<std::uint64_t>();
  capture.ee_count = cursor.next<std::uint64_t>();
  capture.hash = cursor.next<std::uint64_t>();
  capture.toi_hash = cursor.next<std::uint64_t>();
  SceneRecord record(cursor, counts, version, name);
  capture.x_t0 = read_positions(cursor, counts.vertices);
  capture.x_t1 = read_positions(cursor, counts.vertices);
  try {
    capture.scene = record.make(capture.x_t0);
    validate(capture);
  } catch (const InputError& error) {
    const std::string_view what = error.what();
    if (what.starts_with(name + ": ")) throw;
    fail(name, error.what());
  }
  return capture;
}

std::string encode_capture(const Capture& capture, const std::string& name) {
  try {
    validate(capture);
  } catch (const InputError& error) {
    fail(name, fmt::format("cannot write the capture: {}", error.what()));
  }
  const Scene& scene = capture.scene;
  const std::uint32_t version = version_for(scene);
  const CaptureCounts counts{scene.body_count(), scene.vertex_count(), scene.triangle_count(),
                             scene.ignored_pairs().size()};
  std::string bytes(kMagic);
  bytes.reserve(kHeaderSize + scene_bytes(counts, version) + 2 * kPositionSize * counts.vertices + kChecksumSize);
  const auto put = [&](auto value) { append(bytes, value, std::endian::little); };
  put(version);
  put(static_cast<std::uint32_t>(counts.bodies));
  put(counts.vertices);
  put(counts.triangles);
  put(counts.ignored);
  put(capture.thickness);
  put(capture.tolerance);
  put(capture.vf_count);
  put(capture.ee_count);
  put(capture.hash);
  put(capture.toi_hash);
  append_scene(bytes, scene, version);
  append_positions(bytes, capture.x_t0);
  append_positions(bytes, capture.x_t1);
  return bytes;
}

}  // namespace io

Capture make_capture(const Scene& scene, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                     const DetectorOptions& options, const Impacts& impacts) {
  return {.scene = scene,
          .x_t0 = {x_t0.begin(), x_t0.end()},
          .x_t1 = {x_t1.begin(), x_t1.end()},
          .thickness = options.thickness,
          .tolerance = options.tolerance,
          .vf_count = impacts.vf_count(),
          .ee_count = impacts.ee_count(),
          .hash = impacts.hash(),
          .toi_hash = impacts.toi_hash()};
}

Capture read_capture(const std::filesystem::path& file) {
  const io::FileBytes bytes(file);
  return io::parse_capture(bytes.view(), file.string());
}

void write_capture(const std::filesystem::path& file, const Capture& capture) {
  std::string bytes = io::encode_capture(capture, file.string());
  io::append(bytes, io::capture_checksum(bytes), std::endian::little);
  io::OutputFile out(file);
  out.write(bytes);
  out.finish();
}

}  // namespace graze
