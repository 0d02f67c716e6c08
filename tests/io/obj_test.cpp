// The OBJ reader: exact coordinates, every form of face, and every kind of broken file.
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

const std::string kVertices = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";

TEST(ObjReader, ReadsCoordinatesWithCorrectRounding) {
  // Summing digits in doubles gets each of these numbers wrong by an ulp or more.
  const Mesh mesh =
      read_obj("v 0.1 8.41e21 9007199254740993\nv 2.2250738585072011e-308 5e-324 +1.7976931348623157e308", "m");
  EXPECT_EQ(testing::bits_of(mesh.positions),
            testing::bits_of(
                {{0.1, 8.41e21, 9007199254740992.0}, {2.2250738585072011e-308, 5e-324, 1.7976931348623157e308}}));
}

TEST(ObjReader, ReadsEveryFormOfFace) {
  const std::string faces =
      "vt 0 0\nvn 0 0 1\n"
      "f 1 2 3\nf 1/1 2/1 3/1\nf 1//1 2//1 3//1\nf 1/1/1 2/1/1 3/1/1\nf -4 -3 -2\nf -4/-1/-1 -3/-1/-1 -2//-1\n"
      "f +1 02 3\nf 1/ 2/1/ 3\n";
  const std::vector<Triangle> triangles = read_obj(kVertices + faces, "m").triangles;
  EXPECT_EQ(triangles, std::vector<Triangle>(8, Triangle{0, 1, 2}));
}

TEST(ObjReader, CutsPolygonsIntoFans) {
  EXPECT_EQ(read_obj(kVertices + "f 4 3 2 1\nf 1 1 2 2\n", "m").triangles,
            (std::vector<Triangle>{{3, 2, 1}, {3, 1, 0}, {0, 0, 1}, {0, 1, 1}}));
}

TEST(ObjReader, CountsNegativeReferencesBackFromTheFace) {
  const Mesh mesh =
      read_obj("v 0 0 0\nv 1 0 0\nv 2 0 0\nf -1 -2 -3\nv 3 0 0\nf -1 -2 -3\nf 5 4 -1\nv 4 0 0\n", "m");
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{2, 1, 0}, {3, 2, 1}, {4, 3, 3}}));
}

TEST(ObjReader, SkipsWhatIsNotTheMesh) {
  const std::string text =
      "6540\r\n# v 9 9 9\r\nmtllib none.mtl\r\no thing\r\ng a b\r\ns off\r\n\tv\t1 2 3 0.5 0.5 0.5 # red\r\n"
      "v 4 5 6 1\r\nl 1 2\r\np 1\r\nusemtl m\r\nvp 1\r\nf 1 2 1 # done\r\n\r\n";
  const Mesh mesh = read_obj(text, "m");
  EXPECT_EQ(mesh.positions, (std::vector<Vec3>{{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 0}}));
}

TEST(ObjReader, JoinsLinesAtABackslash) {
  const Mesh mesh =
      read_obj("v 1 \\\n2 3\ncurv 0 \\\n v 9 9 9\nv 4 5\\\r\n 6\nf 1 2 \\\n1\n# end \\\nf 1 1 2\n", "m");
  EXPECT_EQ(mesh.positions, (std::vector<Vec3>{{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 0}, {0, 0, 1}}));
}

TEST(ObjReader, ReadsAllLineEnds) {
  for (const char* end : {"\n", "\r\n", "\r"}) {
    const std::string text = std::string("# c") + end + "v 1 2 3" + end + "f 1 1 1" + end;
    EXPECT_EQ(read_obj(text, "m").triangles.size(), 1U);
  }
}

TEST(ObjReader, GivesAnEmptyMeshForCommentsOnly) {
  const Mesh mesh = read_obj("# 0 vertices\n", "m");
  EXPECT_TRUE(mesh.positions.empty() && mesh.triangles.empty());
}

TEST(ObjReader, RefusesBrokenFilesAndSaysWhere) {
  const std::vector<BrokenInput> inputs = {
      {"another kind of file", "ply\nformat ascii 1.0\n", "m: not an OBJ file: no vertex, no face"},
      {"two coordinates", "v 1 2\n", "m: line 1: z is missing"},
      {"no coordinates", "# c\nv\n", "m: line 2: x is missing"},
      {"a word as coordinate", "v 1 b 3\n", "m: line 1: y is not a number: 'b'"},
      {"half a number", "v 1 2 3..4\n", "m: line 1: z is not a number: '3..4'"},
      {"a hex number", "v 0x10 2 3\n", "m: line 1: x is not a number: '0x10'"},
      {"NaN", "v nan 2 3\n", "m: line 1: x is not finite: 'nan'"},
      {"infinity", "v 1 2 -Infinity\n", "m: line 1: z is not finite: '-Infinity'"},
      {"a number beyond double", "v 1 2e999999999999999999999 3\n", "m: line 1: y is not finite"},
      {"an index out of range", kVertices + "f 1 2 5\n", "m: line 5: vertex index 5 is out of range: there are 4"},
      {"index zero", kVertices + "f 1 2 0\n", "m: line 5: vertex index 0 is out of range"},
      {"a negative index out of range", "v 0 0 0\nf -1 -2 -1\nv 0 0 0",
       "m: line 2: vertex index -2 is out of range: there are 1"},
      {"a huge index", kVertices + "f 1 2 99999999999999999999\n",
       "m: line 5: '99999999999999999999' is not a face corner"},
      {"an index of 2^32 + 1", kVertices + "f 1 2 4294967297\n", "m: line 5: '4294967297' is not a face corner"},
      {"a huge texture index", kVertices + "f 1/4294967297 2 3\n", "is not a face corner"},
      {"a word as index", kVertices + "f 1 2 three\n", "m: line 5: 'three' is not a face corner"},
      {"a fraction as index", kVertices + "f 1 2 3.5\n", "m: line 5: '3.5' is not a face corner"},
      {"four fields", kVertices + "f 1/1/1/1 2 3\n", "m: line 5: '1/1/1/1' is not a face corner"},
      {"no vertex field", kVertices + "f /1 2 3\n", "m: line 5: '/1' is not a face corner"},
      {"a byte zero", kVertices + std::string("f 1 2 3\0 1", 10), "is not a face corner"},
      {"a face of two", kVertices + "f 1 2\n", "m: line 5: a face has 2 vertices, fewer than 3"},
      {"an empty face", kVertices + "f\n", "m: line 5: a face has 0 vertices, fewer than 3"},
  };
  for (const BrokenInput& input : inputs) {
    const std::string message = error_of([&] { read_obj(input.bytes, "m"); });
    EXPECT_TRUE(contains(message, input.message)) << input.what << ": " << message;
  }
}

TEST(ObjReader, SurvivesDamageAnywhere) {
  testing::damage_everywhere(read_obj,
                             "# c\n" + kVertices + "vt 0 0\nvn 0 0 1\nf 1/1 2/1 3/1\nf -1//1 \\\n-2//1 1//1 2\n");
}

}  // namespace
}  // namespace graze::io
