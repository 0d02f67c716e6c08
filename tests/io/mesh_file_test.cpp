// Mesh files: round trips bit for bit, complete files or none, and errors about the file itself.
#include <graze/io.hpp>

#include "io/io_test.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace graze {
namespace {

using testing::bits_of;
using testing::contains;
using testing::error_of;
using testing::get_file;
using testing::put_file;
using testing::TemporaryFolder;

struct NamedFormat {
  MeshFormat format;
  const char* file;
};
constexpr NamedFormat kFormats[] = {
    {MeshFormat::PlyBinary, "m.ply"}, {MeshFormat::PlyAscii, "text.PLY"}, {MeshFormat::Obj, "m.obj"}};

/// Extreme doubles, then random bit patterns.
Mesh nasty_mesh() {
  Mesh mesh;
  const double tiny = std::numeric_limits<double>::denorm_min();
  mesh.positions = {{0.0, -0.0, tiny},
                    {-tiny, 1e308, -1e308},
                    {0.1, 1.0 / 3.0, 2.2250738585072009e-308},
                    {std::numeric_limits<double>::max(), std::numeric_limits<double>::min(), 1e-300},
                    {9007199254740993.0, 8.41e21, 1e23},
                    {123456789.0, 5e-324, 1e22}};
  std::mt19937_64 random(7);
  const auto next = [&random] {
    for (;;) {
      const double value = std::bit_cast<double>(random());
      if (std::isfinite(value)) return value;
    }
  };
  while (mesh.positions.size() < 20000) {
    const double x = next();
    const double y = next();
    mesh.positions.push_back({x, y, next()});
  }
  std::uniform_int_distribution<VertexId> id(0, static_cast<VertexId>(mesh.positions.size() - 1));
  for (int i = 0; i < 5000; ++i) {
    const VertexId a = id(random);
    const VertexId b = id(random);
    mesh.triangles.push_back({a, b, id(random)});
  }
  mesh.triangles.push_back({0, 0, 0});
  return mesh;
}

TEST(MeshFile, RoundTripsAreBitForBit) {
  const TemporaryFolder folder;
  const Mesh mesh = nasty_mesh();
  for (const NamedFormat& format : kFormats) {
    write_mesh(folder / format.file, mesh, format.format);
    const Mesh back = read_mesh(folder / format.file);
    EXPECT_EQ(bits_of(back.positions), bits_of(mesh.positions)) << format.file;
    EXPECT_EQ(back.triangles, mesh.triangles) << format.file;
  }
}

TEST(MeshFile, RoundTripsMeshesWithoutTrianglesOrVertices) {
  const TemporaryFolder folder;
  for (const NamedFormat& format : kFormats) {
    write_mesh(folder / format.file, {}, format.format);
    EXPECT_TRUE(read_mesh(folder / format.file).positions.empty()) << format.file;
    write_mesh(folder / format.file, {.positions = {{1, 2, 3}}, .triangles = {}}, format.format);
    EXPECT_EQ(read_mesh(folder / format.file).positions, (std::vector<Vec3>{{1, 2, 3}})) << format.file;
    EXPECT_TRUE(read_mesh(folder / format.file).triangles.empty()) << format.file;
  }
}

TEST(MeshFile, ReadsEachExtensionInAnyCase) {
  const TemporaryFolder folder;
  const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  const std::string off = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
  const std::string stl =
      "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
      "0\nendloop\nendfacet\nendsolid\n";
  for (const auto& file :
       {put_file(folder / "a.obj", obj), put_file(folder / "a.OBJ", obj), put_file(folder / "a.off", off),
        put_file(folder / "a.Off", off), put_file(folder / "a.stl", stl), put_file(folder / "a.STL", stl)}) {
    const Mesh mesh = read_mesh(file);
    EXPECT_EQ(mesh.positions, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}})) << file;
    EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}})) << file;
  }
}

TEST(MeshFile, SaysWhatIsWrongWithTheFileItself) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "folder.ply");
  const auto message = [&](const std::string& name) { return error_of([&] { read_mesh(folder / name); }); };
  const std::string start = folder.path().string() + "/";
  EXPECT_EQ(message("missing.ply"), start + "missing.ply: no such file");
  EXPECT_EQ(message("folder.ply"), start + "folder.ply: is a folder, not a file");
  put_file(folder / "empty.obj", "");
  EXPECT_EQ(message("empty.obj"), start + "empty.obj: is empty");
  put_file(folder / "mesh.xyz", "1 2 3\n");
  EXPECT_EQ(message("mesh.xyz"),
            start + "mesh.xyz: unknown kind of mesh: the extensions are .ply, .obj, .stl and .off");
  put_file(folder / "bad.obj", "v 1 2 3\nv 1 2\n");
  EXPECT_EQ(message("bad.obj"), start + "bad.obj: line 2: z is missing");
}

TEST(MeshFile, KnowsTheFormatOfAnExtension) {
  EXPECT_EQ(mesh_format("a/b.ply"), MeshFormat::PlyBinary);
  EXPECT_EQ(mesh_format("a/b.OBJ"), MeshFormat::Obj);
  EXPECT_EQ(error_of([] { mesh_format("a/b.stl"); }), "a/b.stl: meshes are written as .ply or .obj");
  EXPECT_EQ(error_of([] { mesh_format("ply"); }), "ply: meshes are written as .ply or .obj");
}

TEST(MeshFile, WritesNothingForAMeshThatIsNotValid) {
  const TemporaryFolder folder;
  const std::filesystem::path file = put_file(folder / "kept.ply", "old");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Mesh not_finite{.positions = {{0, 0, 0}, {0, nan, 0}}, .triangles = {}};
  const Mesh out_of_range{.positions = {{0, 0, 0}}, .triangles = {{0, 0, 1}}};
  for (const NamedFormat& format : kFormats) {
    EXPECT_TRUE(contains(error_of([&] { write_mesh(file, not_finite, format.format); }),
                         "kept.ply: position 1 to write is not finite: 0, nan, 0"));
    EXPECT_TRUE(contains(error_of([&] { write_mesh(file, out_of_range, format.format); }),
                         "kept.ply: triangle 0 to write has vertex 1, but there are 1"));
  }
  EXPECT_EQ(get_file(file), "old");
}

TEST(MeshFile, ReplacesAFileAndLeavesNothingElseBehind) {
  const TemporaryFolder folder;
  put_file(folder / "m.ply", "old");
  write_mesh(folder / "m.ply", {.positions = {{1, 2, 3}}, .triangles = {}}, MeshFormat::PlyBinary);
  EXPECT_EQ(read_mesh(folder / "m.ply").positions.size(), 1U);
  std::filesystem::create_directory(folder / "folder.ply");
  EXPECT_TRUE(contains(error_of([&] { write_mesh(folder / "folder.ply", {}, MeshFormat::PlyBinary); }),
                       "folder.ply: cannot be written: it is a folder"));
  EXPECT_TRUE(contains(error_of([&] { write_mesh(folder / "none/m.ply", {}, MeshFormat::PlyBinary); }),
                       "m.ply: cannot be written: its folder is missing or read-only"));
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) count += entry.exists() ? 1U : 0U;
  EXPECT_EQ(count, 2U);
}

}  // namespace
}  // namespace graze
