// The PLY reader: every supported format and type, and every kind of broken file.
#include "io/readers.hpp"

#include "io/io_test.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace graze::io {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
namespace {

using testing::BrokenInput;
using testing::contains;
using testing::error_of;
using testing::raw;

const std::string kVertexHeader = "element vertex 3\nproperty double x\nproperty double y\nproperty double z\n";
const std::string kFaceHeader = "element face 1\nproperty list uchar int vertex_indices\n";

std::string header(const std::string& format, const std::string& elements) {
  return "ply\nformat " + format + " 1.0\n" + elements + "end_header\n";
}

std::string small_text() {
  return header("ascii", kVertexHeader + kFaceHeader) + "0 0 0\n1 0 0\n0 1 0.1\n3 0 1 2\n";
}

const std::vector<Vec3> kSmallPositions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0.1}};

std::string small_binary(bool big_endian) {
  std::string bytes =
      header(big_endian ? "binary_big_endian" : "binary_little_endian", kVertexHeader + kFaceHeader);
  for (const Vec3& p : kSmallPositions) {
    for (const double value : {p.x, p.y, p.z}) bytes += raw(value, big_endian);
  }
  bytes += raw(std::uint8_t{3});
  for (const std::int32_t id : {0, 1, 2}) bytes += raw(id, big_endian);
  return bytes;
}

TEST(PlyReader, ReadsText) {
  const Mesh mesh = read_ply(small_text(), "m");
  EXPECT_EQ(mesh.positions, kSmallPositions);
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}}));
}

TEST(PlyReader, ReadsBinaryOfBothByteOrders) {
  for (const bool big_endian : {false, true}) {
    const Mesh mesh = read_ply(small_binary(big_endian), "m");
    EXPECT_EQ(mesh.positions, kSmallPositions) << big_endian;
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}})) << big_endian;
  }
}

TEST(PlyReader, ReadsHeadersWithCrlfCommentsAndObjInfo) {
  std::string text = "ply\r\ncomment element vertex 9\r\nformat ascii 1.0\r\nobj_info property float x\r\n";
  text += "element vertex 1\r\nproperty float x\r\nproperty float y\r\nproperty float z\r\nend_header\r\n1 2 3\r\n";
  EXPECT_EQ(read_ply(text, "m").positions, (std::vector<Vec3>{{1, 2, 3}}));

  const std::string head =
      "ply\r\nformat binary_little_endian 1.0\r\nelement vertex 1\r\nproperty float x\r\n"
      "property float y\r\nproperty float z\r\nend_header\r\n";
  // The first byte of the data is an LF, which must not be taken for a part of the header's line end.
  const float x = std::bit_cast<float>(0x3F80'000AU);
  EXPECT_EQ(read_ply(head + raw(x) + raw(2.0F) + raw(3.0F), "m").positions,
            (std::vector<Vec3>{{static_cast<double>(x), 2, 3}}));
}

TEST(PlyReader, RoundsTextFloatsToFloatAsTheBinaryFormWould) {
  const std::string elements = "element vertex 1\nproperty float x\nproperty double y\nproperty float32 z\n";
  const Mesh mesh = read_ply(header("ascii", elements) + "0.1 0.1 1e-60\n", "m");
  EXPECT_EQ(mesh.positions, (std::vector<Vec3>{{static_cast<double>(0.1F), 0.1, 0.0}}));
}

template <class T>
void expect_coordinates_of_type(const std::string& type, T x, T y, T z) {
  for (const bool big_endian : {false, true}) {
    const std::string elements =
        fmt::format("element vertex 1\nproperty {0} z\nproperty uchar red\nproperty {0} x\nproperty {0} y\n", type);
    const std::string bytes = header(big_endian ? "binary_big_endian" : "binary_little_endian", elements) +
                              raw(z, big_endian) + raw(std::uint8_t{200}) + raw(x, big_endian) + raw(y, big_endian);
    const Vec3 expected{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
    EXPECT_EQ(read_ply(bytes, "m").positions, std::vector<Vec3>{expected}) << type << " " << big_endian;
  }
}

TEST(PlyReader, ReadsCoordinatesOfEveryTypeInAnyOrder) {
  for (const char* name : {"char", "int8"}) expect_coordinates_of_type<std::int8_t>(name, -128, 127, 3);
  for (const char* name : {"uchar", "uint8"}) expect_coordinates_of_type<std::uint8_t>(name, 255, 0, 3);
  for (const char* name : {"short", "int16"}) expect_coordinates_of_type<std::int16_t>(name, -32768, 258, 3);
  for (const char* name : {"ushort", "uint16"}) expect_coordinates_of_type<std::uint16_t>(name, 65535, 258, 3);
  for (const char* name : {"int", "int32"}) expect_coordinates_of_type<std::int32_t>(name, -2147483647, 66051, 3);
  for (const char* name : {"uint", "uint32"})
    expect_coordinates_of_type<std::uint32_t>(name, 4294967295U, 66051, 3);
  for (const char* name : {"float", "float32"}) expect_coordinates_of_type<float>(name, -1.5e-42F, 3.4e38F, 0.1F);
  for (const char* name : {"double", "float64"}) expect_coordinates_of_type<double>(name, -5e-324, 1e308, 0.1);
}

template <class Count, class Index>
void expect_faces_of_types(const std::string& count, const std::string& index, const std::string& property) {
  for (const bool big_endian : {false, true}) {
    std::string elements = "element vertex 5\nproperty uchar x\nproperty uchar y\nproperty uchar z\n";
    elements += fmt::format("element face 2\nproperty list {} {} {}\n", count, index, property);
    std::string bytes = header(big_endian ? "binary_big_endian" : "binary_little_endian", elements);
    bytes += std::string(15, '\1');
    for (const std::vector<int>& face : {std::vector<int>{4, 3, 2, 1, 0}, std::vector<int>{0, 0, 4}}) {
      bytes += raw(static_cast<Count>(face.size()), big_endian);
      for (const int id : face) bytes += raw(static_cast<Index>(id), big_endian);
    }
    const std::vector<Triangle> expected = {{4, 3, 2}, {4, 2, 1}, {4, 1, 0}, {0, 0, 4}};
    EXPECT_EQ(read_ply(bytes, "m").triangles, expected) << count << " " << index << " " << big_endian;
  }
}

TEST(PlyReader, CutsPolygonsOfEveryIntegerTypeIntoFans) {
  expect_faces_of_types<std::uint8_t, std::int32_t>("uchar", "int", "vertex_indices");
  expect_faces_of_types<std::int8_t, std::uint32_t>("char", "uint", "vertex_index");
  expect_faces_of_types<std::uint16_t, std::int16_t>("ushort", "short", "vertex_indices");
  expect_faces_of_types<std::int16_t, std::uint16_t>("int16", "uint16", "vertex_index");
  expect_faces_of_types<std::uint32_t, std::uint8_t>("uint32", "uint8", "vertex_indices");
  expect_faces_of_types<std::int32_t, std::int8_t>("int", "int8", "vertex_index");
}

TEST(PlyReader, SkipsElementsAndPropertiesThatAreNotTheMeshs) {
  const std::string elements =
      "element nothing 1000000000\n"
      "element material 2\nproperty float shine\nproperty list uchar double levels\nproperty short id\n"
      "element vertex 2\nproperty list ushort uchar near\nproperty double x\nproperty int flag\nproperty double y\n"
      "property double z\nproperty list char float tail\n"
      "element face 1\nproperty uchar red\nproperty list uchar float texcoord\nproperty list uchar int "
      "vertex_index\n"
      "property list int short more\n"
      "element edge 2\nproperty int a\nproperty int b\n";
  const std::string text =
      header("ascii", elements) +
      "0.5 2 1 2 7\n0.5 0 8\n3 9 9 9 1 -1 2 3 0\n0 4 -1 5 6 1 nan\n255 2 0.5 0.5 3 0 1 1 0\n1 2\n3 4\n";
  std::string binary = header("binary_big_endian", elements);
  const auto add = [&binary](auto... values) { ((binary += raw(values, true)), ...); };
  using U8 = std::uint8_t;
  using I16 = std::int16_t;
  add(0.5F, U8{2}, 1.0, 2.0, I16{7}, 0.5F, U8{0}, I16{8});
  add(I16{3}, U8{9}, U8{9}, U8{9}, 1.0, -1, 2.0, 3.0, U8{0});
  add(I16{0}, 4.0, -1, 5.0, 6.0, U8{1}, std::numeric_limits<float>::quiet_NaN());
  add(U8{255}, U8{2}, 0.5F, 0.5F, U8{3}, 0, 1, 1, 0);
  add(1, 2, 3, 4);
  for (const std::string& bytes : {text, binary}) {
    const Mesh mesh = read_ply(bytes, "m");
    EXPECT_EQ(mesh.positions, (std::vector<Vec3>{{1, 2, 3}, {4, 5, 6}}));
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 1}}));
  }
}

TEST(PlyReader, AcceptsAMeshWithoutFacesAndFacesBeforeVertices) {
  EXPECT_EQ(read_ply(header("ascii", kVertexHeader) + "0 0 0\n1 0 0\n0 1 0.1", "m").positions, kSmallPositions);
  const Mesh mesh = read_ply(header("ascii", kFaceHeader + kVertexHeader) + "3 2 1 0\n0 0 0\n1 0 0\n0 1 0.1", "m");
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{2, 1, 0}}));
}

TEST(PlyReader, RefusesBrokenFilesAndSaysWhere) {
  const auto with = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  };
  const std::string text = small_text();
  const std::string binary = small_binary(false);
  const std::string binary_head = header("binary_little_endian", kVertexHeader + kFaceHeader);
  const std::size_t data = binary_head.size();
  const std::string nan = raw(std::numeric_limits<double>::quiet_NaN());
  const std::string infinity = raw(-std::numeric_limits<double>::infinity());
  std::string nan_binary = binary;
  nan_binary.replace(data + 32, 8, nan);
  std::string infinite_binary = binary;
  infinite_binary.replace(data, 8, infinity);
  std::string negative_index = binary;
  negative_index.replace(data + 73, 4, raw(std::int32_t{-1}));
  std::string large_index = binary;
  large_index.replace(data + 81, 4, raw(std::int32_t{3}));
  std::string short_face = binary;
  short_face[data + 72] = 2;
  std::string long_face = binary;
  long_face[data + 72] = 4;

  const std::vector<BrokenInput> inputs = {
      {"nothing", "", "m: line 1: not a PLY file"},
      {"another kind of file", "solid x\n", "m: line 1: not a PLY file"},
      {"only the first word", "ply", "m: line 1: the file ends in its header"},
      {"half a header", text.substr(0, 40), "the file ends in its header"},
      {"no format", "ply\nelement vertex 0\nend_header\n", "m: line 3: the header has no format"},
      {"two formats", with(text, "element v", "format ascii 1.0\nelement v"), "m: line 3: format is given twice"},
      {"another version", with(text, "1.0", "2.0"), "m: line 2: PLY version '2.0' is not 1.0"},
      {"another format", with(text, "ascii", "ebcdic"), "m: line 2: unknown PLY format 'ebcdic'"},
      {"another type", with(text, "double z", "quad z"), "m: line 6: unknown type 'quad'"},
      {"another keyword", with(text, "element face", "elephant face"),
       "m: line 7: unknown header keyword 'elephant'"},
      {"a property of nothing", "ply\nformat ascii 1.0\nproperty int x\n",
       "m: line 3: property precedes the first element"},
      {"a property without name", with(text, "double x", "double"), "m: line 4: a property has no name"},
      {"a word too many", with(text, "double x", "double x y"), "m: line 4: 'y' at the end of the line"},
      {"a count that is no number", with(text, "vertex 3", "vertex three"),
       "m: line 3: the element's count is not"},
      {"a negative count", with(text, "vertex 3", "vertex -3"), "m: line 3: the element's count is not"},
      {"a count beyond 64 bits", with(text, "vertex 3", "vertex 99999999999999999999"), "m: line 3: the element's"},
      {"a count beyond ids", with(text, "vertex 3", "vertex 4294967296"),
       "m: line 3: 4294967296 vertices are too many"},
      {"a float list length", with(text, "list uchar", "list float"), "m: line 8: the length of a list must have"},
      {"float indices", with(text, "uchar int", "uchar float"),
       "m: line 7: vertex_indices must have an integer type"},
      {"no vertices declared", header("ascii", kFaceHeader) + "3 0 0 0\n", "the header has no element vertex"},
      {"no z", with(text, "double z", "double w"), "m: line 3: element vertex has no scalar property z"},
      {"a list as x", with(text, "property double x", "property list int int x"),
       "element vertex has no scalar property x"},
      {"x twice", with(text, "double y", "double x"), "m: line 3: element vertex has two properties x"},
      {"vertices twice", header("ascii", kVertexHeader + kVertexHeader), "a second element vertex"},
      {"faces twice", header("ascii", kVertexHeader + kFaceHeader + kFaceHeader), "a second element face"},
      {"faces without corners", with(text, "vertex_indices", "colours"), "m: line 7: element face has no list"},
      {"strips", header("ascii", kVertexHeader + "element tristrips 1\nproperty list int int vertex_indices\n"),
       "m: line 7: triangle strips are not read"},
      {"a text count too large for the file", with(text, "vertex 3", "vertex 4000000000"),
       "4000000000 rows of element 'vertex' do not fit the 28 bytes that follow"},
      {"a text face count too large", with(text, "face 1", "face 1000000000"),
       "1000000000 rows of element 'face' do"},
      {"a missing row", with(text, "3 0 1 2\n", "       "), "m: line 13: the file ends at face 0 of 1"},
      {"a missing value", with(text, "1 0 0", "1 0"), "m: line 11: z is missing"},
      {"a value too many", with(text, "1 0 0", "1 0 0 0"), "m: line 11: '0' at the end of the row"},
      {"a word as coordinate", with(text, "1 0 0", "1 zero 0"), "m: line 11: y is not a number: 'zero'"},
      {"half a number", with(text, "0.1", "0.1.2"), "m: line 12: z is not a number: '0.1.2'"},
      {"a text NaN", with(text, "0.1", "nan"), "m: line 12: z is not finite: 'nan'"},
      {"a text infinity", with(text, "0.1", "-inf"), "m: line 12: z is not finite: '-inf'"},
      {"a number beyond double", with(text, "0.1", "1e309"), "m: line 12: z is not finite: '1e309'"},
      {"a text index out of range", with(text, "3 0 1 2", "3 0 1 3"),
       "m: line 13: vertex index '3' is out of range"},
      {"a negative text index", with(text, "3 0 1 2", "3 0 -1 2"), "m: line 13: vertex index '-1' is out of range"},
      {"a missing index", with(text, "3 0 1 2", "4 0 1 2"), "m: line 13: a vertex index is missing"},
      {"a text face of two", with(text, "3 0 1 2", "2 0 1  "), "m: line 13: face 0 has 2 vertices, fewer than 3"},
      {"text left over", text + "1 2 3\n", "m: line 14: '1' after the last element"},
      {"a binary count too large", with(binary, "vertex 3", "vertex 4000000000"),
       "4000000000 rows of element 'vertex' need at least 24 bytes each, but only 85 bytes follow"},
      {"a binary face count too large", with(binary, "face 1", "face 2"),
       "2 rows of element 'face' need at least 13"},
      {"binary data cut", binary.substr(0, binary.size() - 1),
       "1 rows of element 'face' need at least 13 bytes each"},
      {"binary data left over", binary + "x", "1 bytes after the last element"},
      {"a binary NaN", nan_binary, "vertex 1 is not finite: 1, nan, 0"},
      {"a binary infinity", infinite_binary, "vertex 0 is not finite: -inf, 0, 0"},
      {"a negative binary index", negative_index, "vertex index -1 is out of range: there are 3 vertices"},
      {"a binary index out of range", large_index, "vertex index 3 is out of range: there are 3 vertices"},
      {"a binary face of two", short_face, "face 0 has 2 vertices, fewer than 3"},
      {"a binary face beyond the end", long_face, "the data ends 4 bytes early"},
  };
  for (const BrokenInput& input : inputs) {
    const std::string message = error_of([&] { read_ply(input.bytes, "m"); });
    EXPECT_TRUE(contains(message, input.message)) << input.what << ": " << message;
  }
  // The message gives the position in bytes.
  EXPECT_TRUE(
      contains(error_of([&] { read_ply(nan_binary, "m"); }), "m: byte " + std::to_string(data + 24) + ": "));
  EXPECT_TRUE(
      contains(error_of([&] { read_ply(large_index, "m"); }), "m: byte " + std::to_string(data + 81) + ": "));
}

TEST(PlyReader, RefusesListsThatRunBeyondTheEnd) {
  const std::string elements = "element other 1\nproperty list int double junk\n" + kVertexHeader;
  const std::string bytes =
      header("binary_little_endian", elements) + raw(std::int32_t{0x7FFFFFFF}) + std::string(72, 0);
  EXPECT_TRUE(contains(error_of([&] { read_ply(bytes, "m"); }), "the data ends "));
  const std::string negative =
      header("binary_little_endian", elements) + raw(std::int32_t{-1}) + std::string(72, 0);
  EXPECT_TRUE(contains(error_of([&] { read_ply(negative, "m"); }), "a list has the negative length -1"));
}

TEST(PlyReader, SurvivesDamageAnywhere) {
  testing::damage_everywhere(read_ply, small_text());
  testing::damage_everywhere(read_ply, small_binary(false));
  testing::damage_everywhere(read_ply, small_binary(true));
}

}  // namespace
}  // namespace graze::io
