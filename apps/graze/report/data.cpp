// Turns numbers into bytes, and bytes into text (data.hpp).
#include "report/data.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>

#include "research/mesh_counts.hpp"

namespace graze::app {
namespace {

template <typename Unsigned>
void append(std::string& bytes, Unsigned value) {
  for (std::size_t i = 0; i < sizeof(Unsigned); ++i) {
    bytes.push_back(static_cast<char>(static_cast<unsigned char>((std::uint64_t{value} >> (8 * i)) & 0xFFU)));
  }
}

// The position of p in [lo, hi] as a fraction; halves avoid overflow over the whole range of doubles.
double share(double p, double lo, double hi) {
  const double half = 0.5 * hi - 0.5 * lo;
  if (!(half > 0.0)) return 0.0;
  return std::clamp((0.5 * p - 0.5 * lo) / half, 0.0, 1.0);
}

std::array<double, 3> shares(const DisplayBox& box, const Vec3& p) {
  return {share(p.x, box.min.x, box.max.x), share(p.y, box.min.y, box.max.y), share(p.z, box.min.z, box.max.z)};
}

}  // namespace

void ByteArray::add(std::uint16_t value) {
  append(bytes_, value);
}
void ByteArray::add(std::uint32_t value) {
  append(bytes_, value);
}
void ByteArray::add(float value) {
  append(bytes_, std::bit_cast<std::uint32_t>(value));
}
void ByteArray::add(double value) {
  append(bytes_, std::bit_cast<std::uint64_t>(value));
}

void write_base64(std::ostream& stream, std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr std::size_t kChunk = std::size_t{3} << 14U;
  std::string text;
  text.reserve(kChunk / 3 * 4);
  for (std::size_t begin = 0; begin < bytes.size(); begin += kChunk) {
    const std::string_view chunk = bytes.substr(begin, kChunk);
    text.clear();
    for (std::size_t i = 0; i < chunk.size(); i += 3) {
      const auto byte = [&](std::size_t k) -> std::uint32_t {
        return i + k < chunk.size() ? static_cast<unsigned char>(chunk[i + k]) : 0U;
      };
      const std::uint32_t three = byte(0) << 16U | byte(1) << 8U | byte(2);
      text.push_back(kDigits[three >> 18U]);
      text.push_back(kDigits[three >> 12U & 63U]);
      text.push_back(i + 1 < chunk.size() ? kDigits[three >> 6U & 63U] : '=');
      text.push_back(i + 2 < chunk.size() ? kDigits[three & 63U] : '=');
    }
    stream << text;
  }
}

void DisplayBox::include(std::span<const Vec3> positions) {
  if (empty && !positions.empty()) {
    min = max = positions.front();
    empty = false;
  }
  for (const Vec3& p : positions) {
    min = {std::min(min.x, p.x), std::min(min.y, p.y), std::min(min.z, p.z)};
    max = {std::max(max.x, p.x), std::max(max.y, p.y), std::max(max.z, p.z)};
  }
}

bool sixteen_bits_suffice(const DisplayBox& box, std::span<const Vec3> positions,
                          std::span<const Triangle> triangles) {
  constexpr std::size_t kSample = 20000;
  constexpr double kSteps = 65535.0;
  const double extent = std::max(
      {0.5 * box.max.x - 0.5 * box.min.x, 0.5 * box.max.y - 0.5 * box.min.y, 0.5 * box.max.z - 0.5 * box.min.z});
  if (triangles.empty() || !(extent > 0.0)) return true;
  std::vector<double> lengths;
  const std::size_t stride = triangles.size() / kSample + 1;
  for (std::size_t i = 0; i < triangles.size(); i += stride) {
    if (triangles[i][0] == kNoVertex) continue;
    const Vec3& p = positions[triangles[i][0]];
    const Vec3& q = positions[triangles[i][1]];
    const double length = std::hypot((0.5 * p.x - 0.5 * q.x) / extent, (0.5 * p.y - 0.5 * q.y) / extent,
                                     (0.5 * p.z - 0.5 * q.z) / extent);
    if (length > 0.0) lengths.push_back(length);
  }
  if (lengths.empty()) return true;
  const auto tenth = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 10);
  std::nth_element(lengths.begin(), tenth, lengths.end());
  return 1.0 / kSteps <= 0.02 * *tenth;
}

ByteArray position_bytes(const DisplayBox& box, std::span<const Vec3> positions, bool sixteen_bits) {
  ByteArray bytes;
  bytes.reserve(positions.size() * (sixteen_bits ? 6 : 12));
  for (const Vec3& p : positions) {
    for (const double s : shares(box, p)) {
      if (sixteen_bits) {
        bytes.add(static_cast<std::uint16_t>(std::lround(s * 65535.0)));
      } else {
        bytes.add(static_cast<float>(s));
      }
    }
  }
  return bytes;
}

ByteArray triangle_bytes(std::span<const Triangle> triangles, std::size_t vertex_count) {
  const bool small = vertex_count <= 65536;
  ByteArray bytes;
  bytes.reserve(triangles.size() * (small ? 6 : 12));
  for (const Triangle& triangle : triangles) {
    for (const VertexId id : triangle) {
      const VertexId shown = id == kNoVertex ? 0 : id;  // a removed triangle keeps its place, without area
      if (small) {
        bytes.add(static_cast<std::uint16_t>(shown));
      } else {
        bytes.add(shown);
      }
    }
  }
  return bytes;
}

ByteArray impact_bytes(std::span<const Impact> impacts) {
  ByteArray bytes;
  bytes.reserve(impacts.size() * 62);
  for (const Impact& i : impacts) bytes.add(i.toi_lo);
  for (const Impact& i : impacts) bytes.add(i.toi_hi);
  for (const Impact& i : impacts) {
    for (const VertexId id : i.pair.vertices) bytes.add(id);
  }
  for (const Impact& i : impacts) {
    for (const double weight : i.weights) bytes.add(static_cast<float>(weight));
  }
  for (const Impact& i : impacts) {
    for (const double c : {i.normal.x, i.normal.y, i.normal.z}) bytes.add(static_cast<float>(c));
  }
  for (const Impact& i : impacts) {
    bytes.add(static_cast<std::uint8_t>(i.pair.kind == FeatureKind::EdgeEdge ? 1 : 0));
  }
  for (const Impact& i : impacts) bytes.add(static_cast<std::uint8_t>(i.side + 1));
  return bytes;
}

void place_removed(const Scene& scene, std::span<Vec3> positions) {
  const auto is_there = [&](std::size_t v) { return scene.has_vertex(static_cast<VertexId>(v)); };
  std::size_t first = 0;
  while (first < positions.size() && !is_there(first)) ++first;
  const Vec3 place = first < positions.size() ? positions[first] : Vec3{};
  for (std::size_t v = 0; v < positions.size(); ++v) {
    if (!is_there(v)) positions[v] = place;
  }
}

Parts find_parts(const Scene& scene) {
  Parts parts;
  parts.of_vertex.assign(scene.vertex_count(), 0);
  parts.bodies = scene.body_count() > 1;
  if (parts.bodies) {
    parts.count = scene.body_count();
    for (std::size_t v = 0; v < scene.vertex_count(); ++v) {
      const BodyId body = scene.body_of(static_cast<VertexId>(v));
      if (body != kNoBody) parts.of_vertex[v] = static_cast<std::uint16_t>(body);
    }
    return parts;
  }
  const papers::Components components = papers::connected_components(scene.triangles(), scene.vertex_count());
  parts.count = components.count;
  for (std::size_t i = 0; i < scene.triangle_count(); ++i) {
    if (components.of_triangle[i] == papers::kNoComponent) continue;
    for (const VertexId id : scene.triangles()[i]) {
      parts.of_vertex[id] = static_cast<std::uint16_t>(components.of_triangle[i]);
    }
  }
  return parts;
}

}  // namespace graze::app
