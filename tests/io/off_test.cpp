// The OFF reader: its variants, comments, and every kind of broken file.
#include "io/readers.hpp"

#include "io/io_test.hpp"

#include <gtest/gtest.h>

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

const std::string kSmall = "OFF\n3 1 3\n0 0 0\n1 0 0\n0 1 0.1\n3 0 1 2\n";
const std::vector<Vec3> kSmallPositions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0.1}};

TEST(OffReader, ReadsEveryKindWhoseFirstThreeNumbersAreAPoint) {
  const std::vector<std::string> texts = {
      kSmall,
      "OFF 3 1 3\n0 0 0\n1 0 0\n0 1 0.1\n3 0 1 2\n",
      "OFF\n3 1\n0 0 0\n1 0 0\n0 1 0.1\n3 0 1 2",
      "# a comment\r\nOFF # another\r\n\r\n3 1 0\r\n0 0 0 # here\r\n\r\n1 0 0\r\n0 1 0.1\r\n# faces\r\n3 0 1 2\r\n",
      "COFF\n3 1 0\n0 0 0 255 0 0 255\n1 0 0 0.1 0.2 0.3 1\n0 1 0.1 0 0 0 0\n3 0 1 2 255 0 0\n",
      "NOFF\n3 1 0\n0 0 0 0 0 1\n1 0 0 0 0 1\n0 1 0.1 nan nan nan\n3 0 1 2\n",
      "STCNOFF\n3 1 0\n0 0 0 9\n1 0 0 9\n0 1 0.1 9\n3 0 1 2\n",
  };
  for (const std::string& text : texts) {
    const Mesh mesh = read_off(text, "m");
    EXPECT_EQ(mesh.positions, kSmallPositions) << text;
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}})) << text;
  }
}

TEST(OffReader, CutsPolygonsIntoFansAndSkipsTheirColours) {
  const std::string text = "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 3 2 1 0 0.5 0.5 0.5\n3 0 0 0 7\n";
  EXPECT_EQ(read_off(text, "m").triangles, (std::vector<Triangle>{{3, 2, 1}, {3, 1, 0}, {0, 0, 0}}));
}

TEST(OffReader, ReadsAnEmptyMesh) {
  const Mesh mesh = read_off("OFF\n0 0 0\n", "m");
  EXPECT_TRUE(mesh.positions.empty() && mesh.triangles.empty());
}

TEST(OffReader, RefusesBrokenFilesAndSaysWhere) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = kSmall;
    return text.replace(text.find(from), from.size(), to);
  };
  const std::vector<BrokenInput> inputs = {
      {"nothing", "", "m: not an OFF file: it has no header"},
      {"comments only", "# a\n# b\n", "m: not an OFF file: it has no header"},
      {"another kind of file", "ply\n", "m: line 1: not an OFF file: it starts with 'ply'"},
      {"no keyword", "3 1 3\n0 0 0\n", "m: line 1: not an OFF file: it starts with '3'"},
      {"four dimensions", with("OFF", "4OFF"), "m: line 1: this kind of OFF is not read: '4OFF'"},
      {"n dimensions", with("OFF", "nOFF"), "m: line 1: this kind of OFF is not read: 'nOFF'"},
      {"binary", "OFF BINARY\n", "m: line 1: binary OFF is not read"},
      {"no counts", "OFF\n", "m: line 1: the file ends before the counts"},
      {"one count", "OFF\n3\n", "m: line 2: the number of faces is missing"},
      {"a word as count", with("3 1 3", "3 one 3"), "m: line 2: the number of faces is not a count: 'one'"},
      {"a negative count", with("3 1 3", "-3 1 3"), "m: line 2: the number of vertices is not a count: '-3'"},
      {"four counts", with("3 1 3", "3 1 3 9"), "m: line 2: '9' after the counts"},
      {"too many vertices for ids", with("3 1 3", "4294967296 1 3"), "m: line 2: 4294967296 vertices are too many"},
      {"too many vertices for the file", with("3 1 3", "4000000000 1 3"),
       "m: line 2: 4000000000 vertices and 1 faces do not fit the 28 bytes that follow"},
      {"too many faces for the file", with("3 1 3", "3 18446744073709551615 3"),
       "m: line 2: 3 vertices and 18446744073709551615 faces do not fit"},
      {"a missing coordinate", with("1 0 0", "1 0"), "m: line 4: z is missing"},
      {"a word as coordinate", with("1 0 0", "1 0 o"), "m: line 4: z is not a number: 'o'"},
      {"NaN", with("0.1", "nan"), "m: line 5: z is not finite: 'nan'"},
      {"infinity", with("0.1", "1e400"), "m: line 5: z is not finite: '1e400'"},
      {"a missing face", with("3 0 1 2\n", "#       "), "m: line 6: the file ends at face 0 of 1"},
      {"a missing index", with("3 0 1 2", "4 0 1 2"), "m: line 6: a vertex index is missing"},
      {"an index out of range", with("3 0 1 2", "3 0 1 3"),
       "m: line 6: vertex index '3' is out of range: there are 3"},
      {"a negative index", with("3 0 1 2", "3 0 1 -2"), "m: line 6: vertex index '-2' is out of range"},
      {"a face of two", with("3 0 1 2", "2 0 1  "), "m: line 6: face 0 has 2 vertices, fewer than 3"},
      {"text left over", kSmall + "3 0 1 2\n", "m: line 7: '3' after the last face"},
  };
  for (const BrokenInput& input : inputs) {
    const std::string message = error_of([&] { read_off(input.bytes, "m"); });
    EXPECT_TRUE(contains(message, input.message)) << input.what << ": " << message;
  }
}

TEST(OffReader, SurvivesDamageAnywhere) {
  testing::damage_everywhere(read_off, kSmall);
  testing::damage_everywhere(read_off, "COFF 3 1 # c\n0 0 0 1\n1 0 0 1\n0 1 0.1 1\n\n3 0 1 2 0.5\n");
}

}  // namespace
}  // namespace graze::io
