// PLY header parser: the format, the elements with their properties, and the start of the data.
//
// Lines end with LF or CRLF. Comments and obj_info are skipped. Cost: O(n) in the bytes of the header.
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

/// Size in bytes of a scalar in a binary file.
std::size_t ply_size(PlyScalar type);
inline bool ply_is_integer(PlyScalar type) {
  return type < PlyScalar::Float32;
}

struct PlyProperty {
  std::string_view name;
  PlyScalar type = PlyScalar::Int8;  ///< type of the value, or of each item of a list
  bool is_list = false;
  PlyScalar count_type = PlyScalar::Int8;  ///< type of the length of a list
};

struct PlyElement {
  std::string_view name;
  std::uint64_t count = 0;
  std::vector<PlyProperty> properties;
  std::size_t line = 0;  ///< line of the header that declares the element
};

struct PlyHeader {
  PlyFormat format = PlyFormat::Ascii;
  std::vector<PlyElement> elements;
  std::size_t data_start = 0;  ///< the byte after the line of end_header
  std::size_t line_count = 0;
};

/// Names in the result are views of `data`.
PlyHeader parse_ply_header(std::string_view data, const std::string& name);

}  // namespace graze::io
