// The header of a PLY file: its format, its elements and their properties, and where the data starts.
//
// Lines end with LF or CRLF; comments and obj_info are skipped. Cost: O(n) in the bytes of the header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/namespaces.hpp"

namespace graze::io {

enum class PlyFormat : std::uint8_t { Ascii, LittleEndian, BigEndian };
enum class PlyScalar : std::uint8_t { Int8, Uint8, Int16, Uint16, Int32, Uint32, Float32, Float64 };

/// Bytes of a scalar in a binary file.
std::size_t ply_size(PlyScalar type);
inline bool ply_is_integer(PlyScalar type) {
  return type < PlyScalar::Float32;
}

struct PlyProperty {
  std::string_view name;
  PlyScalar type = PlyScalar::Int8;  ///< of the value, or of each item of a list
  bool is_list = false;
  PlyScalar count_type = PlyScalar::Int8;  ///< of a list's length
};

struct PlyElement {
  std::string_view name;
  std::uint64_t count = 0;
  std::vector<PlyProperty> properties;
  std::size_t line = 0;  ///< where the header declares it
};

struct PlyHeader {
  PlyFormat format = PlyFormat::Ascii;
  std::vector<PlyElement> elements;
  std::size_t data_start = 0;  ///< byte after end_header's line
  std::size_t line_count = 0;
};

/// Names are views of `data`.
PlyHeader parse_ply_header(std::string_view data, const std::string& name);

}  // namespace graze::io
