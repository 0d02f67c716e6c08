// PLY header parser. See ply_header.hpp.
#include "io/ply_header.hpp"

#include "io/input.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace graze::io {

namespace {

constexpr std::array<std::pair<std::string_view, PlyScalar>, 16> kScalarNames = {{
    {"char", PlyScalar::Int8},
    {"uchar", PlyScalar::Uint8},
    {"short", PlyScalar::Int16},
    {"ushort", PlyScalar::Uint16},
    {"int", PlyScalar::Int32},
    {"uint", PlyScalar::Uint32},
    {"float", PlyScalar::Float32},
    {"double", PlyScalar::Float64},
    {"int8", PlyScalar::Int8},
    {"uint8", PlyScalar::Uint8},
    {"int16", PlyScalar::Int16},
    {"uint16", PlyScalar::Uint16},
    {"int32", PlyScalar::Int32},
    {"uint32", PlyScalar::Uint32},
    {"float32", PlyScalar::Float32},
    {"float64", PlyScalar::Float64},
}};

PlyScalar read_type(TextReader& line) {
  const std::string_view token = line.token();
  for (const auto& [name, type] : kScalarNames) {
    if (token == name) return type;
  }
  line.fail(fmt::format("unknown type {}", in_quotes(token)));
}

PlyFormat read_format(TextReader& line) {
  const std::string_view format = line.token();
  const std::string_view version = line.token();
  if (version != "1.0") line.fail(fmt::format("PLY version {} is not 1.0", in_quotes(version)));
  if (format == "ascii") return PlyFormat::Ascii;
  if (format == "binary_little_endian") return PlyFormat::LittleEndian;
  if (format == "binary_big_endian") return PlyFormat::BigEndian;
  line.fail(fmt::format("unknown PLY format {}", in_quotes(format)));
}

PlyProperty read_property(TextReader& line) {
  PlyProperty property;
  property.is_list = line.peek() == "list";
  if (property.is_list) {
    line.token();
    property.count_type = read_type(line);
    if (!ply_is_integer(property.count_type)) line.fail("the length of a list must have an integer type");
  }
  property.type = read_type(line);
  property.name = line.token();
  if (property.name.empty()) line.fail("a property has no name");
  return property;
}

}  // namespace

std::size_t ply_size(PlyScalar type) {
  static constexpr std::array<std::size_t, 8> kSizes = {1, 1, 2, 2, 4, 4, 4, 8};
  return kSizes[static_cast<std::size_t>(type)];
}

PlyHeader parse_ply_header(std::string_view data, const std::string& name) {
  PlyHeader header;
  bool has_format = false;
  for (;;) {
    // Do not use TextReader's lines: after a bare CR, the first byte of binary data could pass for the LF of a
    // CRLF.
    const std::size_t end = data.find('\n', header.data_start);
    const std::size_t number = header.line_count + 1;
    // A first line without end may be a large file of another kind: check only its start.
    const std::string_view text = data.substr(header.data_start, end - header.data_start);
    TextReader line(text.substr(0, text.find('\r')), name, header.line_count);
    line.next_line();
    if (number == 1 && line.token() != "ply") fail_line(name, 1, "not a PLY file: it does not start with 'ply'");
    if (end == std::string_view::npos) fail_line(name, number, "the file ends in its header");
    header.data_start = end + 1;
    header.line_count = number;
    const std::string_view keyword = line.token();
    if (keyword.empty() || keyword == "comment" || keyword == "obj_info") continue;
    if (keyword == "end_header") break;
    if (keyword == "format") {
      if (has_format) line.fail("format is given twice");
      header.format = read_format(line);
      has_format = true;
    } else if (keyword == "element") {
      PlyElement element;
      element.name = line.token();
      element.count = line.unsigned_integer("the element's count");
      element.line = number;
      header.elements.push_back(std::move(element));
    } else if (keyword == "property") {
      if (header.elements.empty()) line.fail("property precedes the first element");
      header.elements.back().properties.push_back(read_property(line));
    } else {
      line.fail(fmt::format("unknown header keyword {}", in_quotes(keyword)));
    }
    if (!line.at_line_end()) line.fail(fmt::format("{} at the end of the line", in_quotes(line.token())));
  }
  if (!has_format) fail_line(name, header.line_count, "the header has no format");
  return header;
}

}  // namespace graze::io
