// The binary part of a report: arrays of little-endian numbers as base64 text.
//
// Positions are for display only: fractions of the run's bounding box, in 16 bits if that is small against the
// short edges of the mesh, else in floats. The data of a contact (ids, interval, weights, normal) is not rounded
// this way. Cost: linear in what is written.
#pragma once

#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <graze/results.hpp>
#include <graze/scene.hpp>
#include <graze/types.hpp>

namespace graze::app {

/// Little-endian bytes of numbers, appended one after the other.
class ByteArray {
 public:
  void add(std::uint8_t value) { bytes_.push_back(static_cast<char>(value)); }
  void add(std::uint16_t value);
  void add(std::uint32_t value);
  void add(float value);
  void add(double value);
  void reserve(std::size_t bytes) { bytes_.reserve(bytes); }
  [[nodiscard]] std::string_view bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

void write_base64(std::ostream& stream, std::string_view bytes);

/// The bounds of all positions shown.
struct DisplayBox {
  Vec3 min;
  Vec3 max;
  bool empty = true;
  void include(std::span<const Vec3> positions);
};

/// True if 1/65535 of the box is at most 2% of the mesh's short edges (10th percentile).
bool sixteen_bits_suffice(const DisplayBox& box, std::span<const Vec3> positions,
                          std::span<const Triangle> triangles);

ByteArray position_bytes(const DisplayBox& box, std::span<const Vec3> positions, bool sixteen_bits);
/// 16-bit ids if all fit, else 32-bit.
ByteArray triangle_bytes(std::span<const Triangle> triangles, std::size_t vertex_count);
/// Arrays over the impacts, one after the other: toi_lo, toi_hi (f64 each), ids (4 u32), weights (4 f32), normal
/// (3 f32), kind (u8, 1 for edge-edge), side (u8, plus 1).
ByteArray impact_bytes(std::span<const Impact> impacts);

/// Moves removed vertices, whose positions are arbitrary, to the position of another vertex.
void place_removed(const Scene& scene, std::span<Vec3> positions);

/// Parts that the page colours: the bodies of the scene, or the connected components of a single body.
struct Parts {
  std::size_t count = 1;
  bool bodies = false;
  std::vector<std::uint16_t> of_vertex;  ///< modulo 2^16
};
Parts find_parts(const Scene& scene);

}  // namespace graze::app
