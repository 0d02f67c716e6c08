// The STL reader: distinguishing text from binary, welding, and every kind of broken file.
#include "io/readers.hpp"

#include "io/io_test.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

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

using Corners = std::vector<Vec3>;  // three per triangle

std::string text_stl(const Corners& corners) {
  std::string text = "solid a name\n";
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (i % 3 == 0) text += " facet normal nan 0 1\n  outer loop\n";
    const Vec3& p = corners[i];
    text += "   vertex " + std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + "\n";
    if (i % 3 == 2) text += "  endloop\n endfacet\n";
  }
  return text + "endsolid a name\n";
}

std::string binary_stl(const Corners& corners, const std::string& head = "solid, but binary") {
  std::string bytes = head;
  bytes.resize(80);
  bytes += raw(static_cast<std::uint32_t>(corners.size() / 3));
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (i % 3 == 0) bytes += raw(0.0F) + raw(0.0F) + raw(1.0F);
    const Vec3& p = corners[i];
    for (const double value : {p.x, p.y, p.z}) bytes += raw(static_cast<float>(value));
    if (i % 3 == 2) bytes += raw(std::uint16_t{0xABCD});
  }
  return bytes;
}

// Two triangles of a square; the second has the shared corners with zeros of the other sign.
const Corners kSquare = {{1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {0, 1, -0.0}, {1, -0.0, 0}, {1, 1, 0}};

TEST(StlReader, WeldsEqualVerticesInOrderOfFirstAppearance) {
  for (const std::string& bytes : {text_stl(kSquare), binary_stl(kSquare), binary_stl(kSquare, "no such word")}) {
    const Mesh mesh = read_stl(bytes, "m");
    EXPECT_EQ(mesh.positions, (std::vector<Vec3>{{1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {1, 1, 0}}));
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {1, 0, 3}}));
  }
}

TEST(StlReader, KeepsVerticesApartThatDifferInOneBit) {
  const double next = std::nextafter(1.0F, 2.0F);
  const Mesh mesh = read_stl(binary_stl({{1, 0, 0}, {next, 0, 0}, {1, 0, static_cast<double>(1e-45F)}}), "m");
  EXPECT_EQ(mesh.positions.size(), 3U);
  EXPECT_EQ(mesh.positions[1].x, next);
}

TEST(StlReader, KeepsTheBitsOfTheFirstAppearance) {
  const Mesh mesh = read_stl(binary_stl({{-0.0, 0, 0}, {0, 0, 0}, {1, 1, 1}}), "m");
  ASSERT_EQ(mesh.positions.size(), 2U);
  EXPECT_TRUE(std::signbit(mesh.positions[0].x));
  EXPECT_EQ(mesh.triangles[0], (Triangle{0, 0, 1}));
}

TEST(StlReader, WeldsALargeGridCompletely) {
  static constexpr int kSide = 120;
  Corners corners;
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide; ++j) {
      const auto at = [&](int di, int dj) { return Vec3{0.25 * (i + di), 0.25 * (j + dj), 0}; };
      for (const Vec3& p : {at(0, 0), at(1, 0), at(1, 1), at(0, 0), at(1, 1), at(0, 1)}) corners.push_back(p);
    }
  }
  const Mesh mesh = read_stl(binary_stl(corners), "m");
  EXPECT_EQ(mesh.positions.size(), static_cast<std::size_t>((kSide + 1) * (kSide + 1)));
  ASSERT_EQ(mesh.triangles.size() * 3, corners.size());
  for (std::size_t i = 0; i < corners.size(); ++i) {
    ASSERT_EQ(mesh.positions[mesh.triangles[i / 3][i % 3]], corners[i]);
  }
}

TEST(StlReader, ReadsTextWithOddCaseBlanksAndSeveralSolids) {
  const std::string text =
      "\n  SOLID endsolid facet\r\nFacet Normal 0 0 1 Outer Loop Vertex 0 0 1e0 vertex 1.0E+000 0 "
      "0\r\nvertex\n0\n1\n0 "
      "endloop endfacet endsolid\nsolid\nendsolid\n";
  const Mesh mesh = read_stl(text, "m");
  EXPECT_EQ(mesh.positions, (std::vector<Vec3>{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}));
  EXPECT_EQ(mesh.triangles.size(), 1U);
}

TEST(StlReader, ReadsTextDoublesWithoutRoundingThemToFloat) {
  std::string text = text_stl(kSquare);
  text.replace(text.find("1.000000"), 8, "0.1");
  EXPECT_EQ(read_stl(text, "m").positions[0].x, 0.1);
}

TEST(StlReader, RefusesBrokenFilesAndSaysWhere) {
  const auto with = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  };
  const std::string text = text_stl({{1, 0, 0}, {0, 1, 0}, {0, 0, 2}});
  const std::string binary = binary_stl(kSquare);
  std::string many = binary;
  many.replace(80, 4, raw(std::uint32_t{0xFFFFFFFF}));
  std::string nan = binary;
  nan.replace(84 + 50 + 12, 4, raw(std::numeric_limits<float>::quiet_NaN()));
  const std::vector<BrokenInput> inputs = {
      {"nothing", "", "m: byte 0: not an STL file"},
      {"a short file", "hello", "m: byte 0: not an STL file"},
      {"another kind of file", std::string(100, 'x'), "m: byte 80: 2021161080 triangles make"},
      {"binary data cut", binary.substr(0, binary.size() - 1),
       "m: byte 80: 2 triangles make 184 bytes, but the file has 183"},
      {"binary data left over", binary + "x", "m: byte 80: 2 triangles make 184 bytes, but the file has 185"},
      {"a huge count", many, "m: byte 80: 4294967295 triangles make 214748364834 bytes, but the file has 184"},
      {"a binary NaN", nan, "m: byte 146: a coordinate of triangle 1 is not finite"},
      {"only a name", "solid x", "m: line 1: the file ends before 'endsolid'"},
      {"no end", text.substr(0, text.find("endsolid")), "the file ends before 'endsolid'"},
      {"cut in a normal", "solid\nfacet normal 0 0", "m: line 2: the file ends in a normal"},
      {"cut in a vertex", text.substr(0, text.find("2.000000")), "m: line 6: z is missing"},
      {"no loop", with(text, "outer", "inner"), "m: line 3: 'inner' where 'outer' should be"},
      {"four corners", with(text, "endloop", "vertex 0 0 0\nendloop"),
       "m: line 7: 'vertex' where 'endloop' should be"},
      {"two corners", with(text, "   vertex 0.000000 0.000000 2.000000\n", ""),
       "m: line 6: 'endloop' where 'vertex'"},
      {"a word as coordinate", with(text, "2.000000", "two"), "m: line 6: z is not a number: 'two'"},
      {"infinity", with(text, "2.000000", "inf"), "m: line 6: z is not finite: 'inf'"},
      {"text left over", text + "more\n", "m: line 10: 'more' where 'solid' should be"},
      {"another word", with(text, "facet", "faucet"), "m: line 2: 'faucet' where 'facet' should be"},
  };
  for (const BrokenInput& input : inputs) {
    const std::string message = error_of([&] { read_stl(input.bytes, "m"); });
    EXPECT_TRUE(contains(message, input.message)) << input.what << ": " << message;
  }
}

TEST(StlReader, SurvivesDamageAnywhere) {
  testing::damage_everywhere(read_stl, text_stl({{1, 0, 0}, {0, 1, 0}, {0, 0, 2}}));
  testing::damage_everywhere(read_stl, binary_stl(kSquare));
}

}  // namespace
}  // namespace graze::io
