// Captures: the format is in the header. What is read is checked by the very functions that a Detector checks its
// input with, so that a capture that reads is one that runs.
#include "io/capture.hpp"

#include <graze/error.hpp>

#include "core/hash.hpp"
#include "io/bytes.hpp"
#include "io/input.hpp"
#include "io/output.hpp"
#include "mesh/topology.hpp"
#include "pipeline/validate.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

namespace graze {
namespace io {
namespace {

constexpr std::string_view kMagic = "GRAZECAP";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHeaderSize = 88;
constexpr std::size_t kBodySize = 20;
constexpr std::size_t kIgnoredSize = 8;
constexpr std::size_t kTriangleSize = 12;
constexpr std::size_t kPositionSize = 24;
constexpr std::size_t kChecksumSize = 8;

/// Takes numbers off the front of bytes that are known to hold them.
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

struct Counts {
  std::uint64_t bodies = 0;
  std::uint64_t vertices = 0;
  std::uint64_t triangles = 0;
  std::uint64_t ignored = 0;  ///< pairs of bodies
};

/// Checked against the file's size; the bounds keep the sum within 64 bits.
Counts read_counts(std::string_view data, const std::string& name) {
  Cursor cursor(data, kMagic.size() + 4);
  Counts counts;
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
  const std::uint64_t expected = kHeaderSize + kBodySize * counts.bodies + kIgnoredSize * counts.ignored +
                                 kTriangleSize * counts.triangles + 2 * kPositionSize * counts.vertices +
                                 kChecksumSize;
  if (data.size() != expected) {
    fail(name,
         fmt::format("{} bodies, {} vertices, {} triangles and {} ignored pairs make {} bytes, but the file has "
                     "{}",
                     counts.bodies, counts.vertices, counts.triangles, counts.ignored, expected, data.size()));
  }
  return counts;
}

struct BodyRecord {
  std::uint32_t vertices = 0;
  std::uint32_t triangles = 0;
  Motion motion = Motion::Deforming;
  std::uint32_t groups = 0;
  std::uint32_t meets = 0;
};

std::vector<BodyRecord> read_bodies(Cursor& cursor, const Counts& counts, const std::string& name) {
  std::vector<BodyRecord> bodies;
  bodies.reserve(counts.bodies);
  std::uint64_t vertices = 0;
  std::uint64_t triangles = 0;
  for (std::uint64_t i = 0; i < counts.bodies; ++i) {
    BodyRecord body;
    body.vertices = cursor.next<std::uint32_t>();
    body.triangles = cursor.next<std::uint32_t>();
    const auto motion = cursor.next<std::uint32_t>();
    if (motion > static_cast<std::uint32_t>(Motion::Static)) {
      fail(name, fmt::format("body {} has motion {}, which is none of 0, 1 and 2", i, motion));
    }
    body.motion = static_cast<Motion>(motion);
    body.groups = cursor.next<std::uint32_t>();
    body.meets = cursor.next<std::uint32_t>();
    vertices += body.vertices;
    triangles += body.triangles;
    bodies.push_back(body);
  }
  if (vertices != counts.vertices || triangles != counts.triangles) {
    fail(name, fmt::format("its bodies have {} vertices and {} triangles, but it has {} and {}", vertices,
                           triangles, counts.vertices, counts.triangles));
  }
  return bodies;
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

/// Bodies one after the other; scene ids become their own.
Scene make_scene(std::span<const BodyRecord> bodies, std::span<const Triangle> triangles,
                 std::span<const Vec3> positions, const std::string& name) {
  Scene scene;
  std::size_t vertex = 0;
  std::size_t triangle = 0;
  std::vector<Triangle> own;
  for (const BodyRecord& body : bodies) {
    own.clear();
    for (const Triangle& t : triangles.subspan(triangle, body.triangles)) {
      for (const VertexId id : t) {
        if (id >= vertex && id - vertex < body.vertices) continue;
        fail(name, fmt::format("triangle {} of body {} has vertex {}, which is not one of the body's {} from {} on",
                               own.size(), scene.body_count(), id, body.vertices, vertex));
      }
      const auto first = static_cast<VertexId>(vertex);
      own.push_back({t[0] - first, t[1] - first, t[2] - first});
    }
    scene.add_body({.positions = positions.subspan(vertex, body.vertices),
                    .triangles = own,
                    .motion = body.motion,
                    .groups = body.groups,
                    .meets = body.meets});
    vertex += body.vertices;
    triangle += body.triangles;
  }
  return scene;
}

void validate(const Capture& capture) {
  validate_options({.thickness = capture.thickness, .tolerance = capture.tolerance});
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
  if (version != kVersion) {
    fail_byte(name, kMagic.size(),
              fmt::format("version {} of the format; this program reads {}", version, kVersion));
  }
  const Counts counts = read_counts(data, name);
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
  const std::vector<BodyRecord> bodies = read_bodies(cursor, counts, name);
  std::vector<std::array<BodyId, 2>> ignored(counts.ignored);
  for (std::array<BodyId, 2>& pair : ignored) {
    for (BodyId& body : pair) body = cursor.next<BodyId>();
  }
  std::vector<Triangle> triangles(counts.triangles);
  for (Triangle& triangle : triangles) {
    for (VertexId& id : triangle) id = cursor.next<VertexId>();
  }
  capture.x_t0 = read_positions(cursor, counts.vertices);
  capture.x_t1 = read_positions(cursor, counts.vertices);
  try {
    capture.scene = make_scene(bodies, triangles, capture.x_t0, name);
    for (const auto& [a, b] : ignored) capture.scene.ignore_pair(a, b);
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
    fail(name, fmt::format("a capture to write: {}", error.what()));
  }
  const Scene& scene = capture.scene;
  std::string bytes(kMagic);
  bytes.reserve(kHeaderSize + kBodySize * scene.body_count() + kIgnoredSize * scene.ignored_pairs().size() +
                kTriangleSize * scene.triangle_count() + 2 * kPositionSize * scene.vertex_count() + kChecksumSize);
  const auto put = [&](auto value) { append(bytes, value, std::endian::little); };
  put(kVersion);
  put(static_cast<std::uint32_t>(scene.body_count()));
  put(static_cast<std::uint64_t>(scene.vertex_count()));
  put(static_cast<std::uint64_t>(scene.triangle_count()));
  put(static_cast<std::uint64_t>(scene.ignored_pairs().size()));
  put(capture.thickness);
  put(capture.tolerance);
  put(capture.vf_count);
  put(capture.ee_count);
  put(capture.hash);
  put(capture.toi_hash);
  // The triangles of a body are those that follow, as long as their vertices are its own.
  std::size_t triangle = 0;
  for (BodyId body = 0; body < scene.body_count(); ++body) {
    const Scene::VertexRange range = scene.vertices(body);
    const std::size_t first = triangle;
    while (triangle < scene.triangle_count() && scene.triangles()[triangle][0] < range.last) ++triangle;
    put(static_cast<std::uint32_t>(range.last - range.first));
    put(static_cast<std::uint32_t>(triangle - first));
    put(static_cast<std::uint32_t>(scene.motion(body)));
    put(scene.groups(body));
    put(scene.meets(body));
  }
  for (const auto& [a, b] : scene.ignored_pairs()) {
    put(a);
    put(b);
  }
  for (const Triangle& t : scene.triangles()) {
    for (const VertexId id : t) put(id);
  }
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
