// VTK files: every array reads back bit for bit, results without rows and meshes without triangles are valid, and
// what cannot be written is refused. tests/python/test_vtk.py reads such files with VTK itself.
#include <graze/vtk.hpp>

#include "io/io_test.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <regex>
#include <string>
#include <vector>

#include <graze/detector.hpp>

namespace graze::io {
namespace {

using testing::contains;
using testing::error_of;
using testing::get_file;
using testing::put_file;
using testing::TemporaryFolder;

/// A .vtp file, read by the rules of the format alone.
class Vtp {
 public:
  explicit Vtp(const std::filesystem::path& file) : text_(get_file(file)) {
    const std::size_t data = text_.find("<AppendedData encoding=\"raw\">");
    begin_ = text_.find('_', data) + 1;
    xml_ = text_.substr(0, data);
  }
  [[nodiscard]] const std::string& xml() const { return xml_; }

  /// The values of an array in a section, such as "PointData".
  template <class T>
  [[nodiscard]] std::vector<T> values(const std::string& section, const std::string& name) const {
    const std::size_t first = xml_.find("<" + section);
    const std::size_t last = xml_.find("</" + section + ">");
    if (first == std::string::npos || last == std::string::npos) throw std::runtime_error("no section " + section);
    const std::string part = xml_.substr(first, last - first);
    const std::regex pattern("<DataArray type=\"([A-Za-z]+)([0-9]+)\" Name=\"" + name +
                             "\" NumberOfComponents=\"[0-9]+\" format=\"appended\" offset=\"([0-9]+)\"/>");
    std::smatch found;
    if (!std::regex_search(part, found, pattern)) throw std::runtime_error("no array " + name);
    EXPECT_EQ(found[1] == "Float", std::is_floating_point_v<T>) << name;
    EXPECT_EQ(found[1] == "UInt", std::is_unsigned_v<T>) << name;
    EXPECT_EQ(std::stoul(found[2]), 8 * sizeof(T)) << name;
    return array<T>(begin_ + std::stoul(found[3]));
  }

 private:
  template <class T>
  [[nodiscard]] T number(std::size_t at) const {
    std::uint64_t bits = 0;
    for (std::size_t i = sizeof(T); i-- > 0;) bits = bits << 8U | static_cast<unsigned char>(text_.at(at + i));
    if constexpr (std::is_same_v<T, double>) {
      return std::bit_cast<double>(bits);
    } else {
      return static_cast<T>(bits);
    }
  }
  template <class T>
  [[nodiscard]] std::vector<T> array(std::size_t at) const {
    const auto bytes = number<std::uint64_t>(at);
    EXPECT_EQ(bytes % sizeof(T), 0U);
    std::vector<T> result;
    for (std::size_t i = 0; i < bytes; i += sizeof(T)) result.push_back(number<T>(at + 8 + i));
    return result;
  }

  std::string text_;
  std::string xml_;
  std::size_t begin_ = 0;
};

std::vector<std::uint64_t> bits(const std::vector<double>& values) {
  std::vector<std::uint64_t> result;
  result.reserve(values.size());
  for (const double value : values) result.push_back(std::bit_cast<std::uint64_t>(value));
  return result;
}

std::vector<std::uint64_t> bits(const std::vector<Vec3>& values) {
  std::vector<double> numbers;
  for (const Vec3& v : values) numbers.insert(numbers.end(), {v.x, v.y, v.z});
  return bits(numbers);
}

/// A large triangle and a small one, as two bodies, and the positions of the small one at a height.
struct TwoBodies {
  TwoBodies() {
    const std::vector<Triangle> one = {{0, 1, 2}};
    const auto x = at(1.0);
    scene.add_body({.positions = std::span(x).first(3), .triangles = one});
    scene.add_body({.positions = std::span(x).subspan(3), .triangles = one});
  }
  static std::vector<Vec3> at(double height) {
    return {{-10, -10, 0}, {10, -10, 0}, {0, 10, 0}, {-1, -1, height}, {1, -1, height}, {0.1, 1, height}};
  }
  Scene scene;
};

TEST(Vtk, ImpactsReadBackBitForBit) {
  const TemporaryFolder folder;
  const TwoBodies two;
  const auto x_t0 = TwoBodies::at(1.0 / 3.0);
  const auto x_t1 = TwoBodies::at(-0.7);
  const Impacts found = Detector(two.scene).impacts(x_t0, x_t1);
  ASSERT_EQ(found.impacts.size(), 3U);
  write_vtk(folder / "out.vtp", two.scene, x_t0, x_t1, found.impacts);

  const Vtp file(folder / "out.vtp");
  EXPECT_TRUE(
      contains(file.xml(), "type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\""));
  EXPECT_TRUE(contains(file.xml(), "NumberOfPoints=\"3\" NumberOfVerts=\"3\" NumberOfLines=\"0\""));
  std::vector<double> toi;
  std::vector<double> toi_hi;
  std::vector<double> weights;
  std::vector<std::int32_t> side;
  std::vector<std::uint32_t> vertices;
  std::vector<Vec3> points;
  std::vector<Vec3> normals;
  for (const Impact& impact : found.impacts) {
    toi.push_back(impact.toi_lo);
    toi_hi.push_back(impact.toi_hi);
    side.push_back(impact.side);
    weights.insert(weights.end(), impact.weights.begin(), impact.weights.end());
    vertices.insert(vertices.end(), impact.pair.vertices.begin(), impact.pair.vertices.end());
    points.push_back(contact_point(impact, x_t0, x_t1));
    normals.push_back(impact.normal);
  }
  EXPECT_EQ(bits(file.values<double>("Points", "Points")), bits(points));
  EXPECT_EQ(bits(file.values<double>("PointData", "toi")), bits(toi));
  EXPECT_EQ(bits(file.values<double>("PointData", "toi_hi")), bits(toi_hi));
  EXPECT_EQ(bits(file.values<double>("PointData", "weights")), bits(weights));
  EXPECT_EQ(bits(file.values<double>("PointData", "normal")), bits(normals));
  EXPECT_EQ(file.values<std::int32_t>("PointData", "side"), side);
  EXPECT_EQ(file.values<std::uint32_t>("PointData", "vertices"), vertices);
  EXPECT_EQ(file.values<std::uint8_t>("PointData", "kind"), (std::vector<std::uint8_t>{0, 0, 0}));
  EXPECT_EQ(file.values<std::uint32_t>("PointData", "body"), (std::vector<std::uint32_t>{1, 0, 1, 0, 1, 0}));
  EXPECT_EQ(file.values<std::uint32_t>("PointData", "triangle"), (std::vector<std::uint32_t>{1, 0, 1, 0, 1, 0}));
  EXPECT_EQ(file.values<std::int64_t>("Verts", "connectivity"), (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(file.values<std::int64_t>("Verts", "offsets"), (std::vector<std::int64_t>{1, 2, 3}));
}

TEST(Vtk, TheMeshHasDisplacementsBodiesAndContactsOfEachTriangle) {
  const TemporaryFolder folder;
  const TwoBodies two;
  const auto x_t0 = TwoBodies::at(1.0 / 3.0);
  const auto x_t1 = TwoBodies::at(-0.7);
  write_vtk(folder / "out.vtp", two.scene, x_t0, x_t1, Detector(two.scene).impacts(x_t0, x_t1).impacts);

  const Vtp mesh(folder / "out_mesh.vtp");
  std::vector<Vec3> displacements;
  for (std::size_t v = 0; v < 6; ++v) {
    displacements.push_back({x_t1[v].x - x_t0[v].x, x_t1[v].y - x_t0[v].y, x_t1[v].z - x_t0[v].z});
  }
  EXPECT_EQ(bits(mesh.values<double>("Points", "Points")), bits(x_t0));
  EXPECT_EQ(bits(mesh.values<double>("PointData", "displacement")), bits(displacements));
  EXPECT_TRUE(contains(mesh.xml(), "<PointData Vectors=\"displacement\">"));  // what Warp By Vector takes
  EXPECT_EQ(mesh.values<std::uint32_t>("PointData", "vertex"), (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(mesh.values<std::uint32_t>("PointData", "body"), (std::vector<std::uint32_t>{0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(mesh.values<std::uint32_t>("CellData", "body"), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(mesh.values<std::uint32_t>("CellData", "triangle"), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(mesh.values<std::uint32_t>("CellData", "contacts"), (std::vector<std::uint32_t>{3, 3}));
  EXPECT_EQ(mesh.values<std::int64_t>("Polys", "connectivity"), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(mesh.values<std::int64_t>("Polys", "offsets"), (std::vector<std::int64_t>{3, 6}));
}

TEST(Vtk, AContactCountsForEveryTriangleAroundItsFeatures) {
  const TemporaryFolder folder;
  // A strip of three triangles; vertex 2 is in all of them, the edge (1, 2) in the first two.
  const std::vector<Vec3> x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                               {0, 2, 0}, {5, 5, 5}, {6, 5, 5}, {5, 6, 5}};
  const std::vector<Triangle> triangles = {{0, 1, 2}, {2, 1, 3}, {2, 3, 4}, {5, 6, 7}};
  Scene scene;
  scene.add_body({.positions = x, .triangles = triangles});
  const std::vector<Proximity> rows = {{.pair = {FeatureKind::VertexFace, {2, 5, 6, 7}}},
                                       {.pair = {FeatureKind::EdgeEdge, {1, 2, 5, 6}}}};
  write_vtk(folder / "out.vtp", scene, x, rows);
  const Vtp mesh(folder / "out_mesh.vtp");
  EXPECT_EQ(mesh.values<std::uint32_t>("CellData", "contacts"), (std::vector<std::uint32_t>{2, 2, 1, 2}));
  const Vtp file(folder / "out.vtp");
  EXPECT_EQ(file.values<std::uint32_t>("PointData", "triangle"), (std::vector<std::uint32_t>{0, 3, 0, 3}));
}

TEST(Vtk, ProximitiesHaveBothClosestPoints) {
  const TemporaryFolder folder;
  const TwoBodies two;
  const auto x = TwoBodies::at(0.1);
  const Proximities found = Detector(two.scene).proximities(x, 0.2);
  ASSERT_EQ(found.proximities.size(), 3U);
  write_vtk(folder / "near.vtp", two.scene, x, found.proximities);
  const Vtp file(folder / "near.vtp");
  std::vector<Vec3> first;
  std::vector<Vec3> second;
  std::vector<double> distances;
  for (const Proximity& near : found.proximities) {
    const auto [p, q] = closest_points(near.pair, near.weights, x);
    first.push_back(p);
    second.push_back(q);
    distances.push_back(near.distance);
  }
  EXPECT_EQ(bits(file.values<double>("PointData", "point_0")), bits(first));
  EXPECT_EQ(bits(file.values<double>("PointData", "point_1")), bits(second));
  EXPECT_EQ(bits(file.values<double>("PointData", "distance")), bits(distances));
  const auto points = file.values<double>("Points", "Points");
  EXPECT_DOUBLE_EQ(points[2], 0.05);
  EXPECT_FALSE(contains(Vtp(folder / "near_mesh.vtp").xml(), "displacement"));
}

TEST(Vtk, IntersectionsAreLinesBetweenTheEndsOfWhatTrianglesShare) {
  const TemporaryFolder folder;
  const std::vector<Vec3> x = {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}, {1, 1, -1}, {1, 1, 1}, {-5, 0.5, 0}};
  const std::vector<Triangle> triangles = {{0, 1, 2}, {3, 4, 5}};
  Scene scene;
  scene.add_body({.positions = x, .triangles = triangles});
  const Intersections found = Detector(scene).intersections(x, {.overlaps = true});
  ASSERT_EQ(found.triangle_pairs.size(), 1U);
  write_vtk(folder / "out.vtp", scene, x, found);
  const Vtp file(folder / "out.vtp");
  EXPECT_EQ(bits(file.values<double>("Points", "Points")),
            bits(std::vector{found.overlaps[0].p, found.overlaps[0].q}));
  EXPECT_EQ(file.values<std::int64_t>("Lines", "connectivity"), (std::vector<std::int64_t>{0, 1}));
  EXPECT_EQ(file.values<std::int64_t>("Lines", "offsets"), (std::vector<std::int64_t>{2}));
  EXPECT_EQ(file.values<std::uint32_t>("CellData", "triangle"), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(file.values<std::uint8_t>("CellData", "shape"), (std::vector<std::uint8_t>{0}));
  const Intersections bare = Detector(scene).intersections(x);
  EXPECT_TRUE(contains(error_of([&] { write_vtk(folder / "bare.vtp", scene, x, bare); }), "overlaps"));
}

TEST(Vtk, RemovedVerticesAndTrianglesAreLeftOutAndIdsStay) {
  const TemporaryFolder folder;
  std::vector<Vec3> x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  const std::vector<Triangle> triangles = {{0, 1, 2}, {3, 4, 5}};
  Scene scene;
  scene.add_body({.positions = x, .triangles = triangles});
  SceneEdit edit = scene.begin_edit();
  edit.remove_triangle(0);
  edit.remove_vertex(1);
  scene.apply(edit);
  x[1].x = std::numeric_limits<double>::quiet_NaN();  // positions of removed vertices mean nothing
  write_vtk(folder / "out.vtp", scene, x, x, {});
  const Vtp mesh(folder / "out_mesh.vtp");
  EXPECT_EQ(mesh.values<std::uint32_t>("PointData", "vertex"), (std::vector<std::uint32_t>{0, 2, 3, 4, 5}));
  EXPECT_EQ(mesh.values<std::uint32_t>("CellData", "triangle"), (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(mesh.values<std::int64_t>("Polys", "connectivity"), (std::vector<std::int64_t>{2, 3, 4}));
  for (const double value : mesh.values<double>("Points", "Points")) EXPECT_TRUE(std::isfinite(value));
}

TEST(Vtk, NothingAtAllIsAFileToo) {
  const TemporaryFolder folder;
  const Scene nothing;
  write_vtk(folder / "a.vtp", nothing, {}, {}, {});
  write_vtk(folder / "b.vtp", nothing, {}, std::span<const Proximity>());
  write_vtk(folder / "c.vtp", nothing, {}, Intersections());
  for (const char* name : {"a.vtp", "a_mesh.vtp", "b.vtp", "b_mesh.vtp", "c.vtp", "c_mesh.vtp"}) {
    const Vtp file(folder / name);
    EXPECT_TRUE(contains(file.xml(), "NumberOfPoints=\"0\"")) << name;
    EXPECT_TRUE(file.values<double>("Points", "Points").empty()) << name;
  }
  EXPECT_TRUE(Vtp(folder / "a.vtp").values<double>("PointData", "toi").empty());
}

TEST(Vtk, HugeCoordinatesHaveFiniteDisplacements) {
  const TemporaryFolder folder;
  constexpr double kMost = std::numeric_limits<double>::max();
  const std::vector<Vec3> x_t0 = {{-kMost, 1e300, 5e-324}, {0, 0, 0}, {1, 0, 0}};
  const std::vector<Vec3> x_t1 = {{kMost, -1e300, -5e-324}, {0, 0, 0}, {1, 0, 0}};
  Scene scene;
  scene.add_body({.positions = x_t0});
  write_vtk(folder / "out.vtp", scene, x_t0, x_t1, {});
  const Vtp mesh(folder / "out_mesh.vtp");
  EXPECT_EQ(bits(mesh.values<double>("Points", "Points")), bits(x_t0));
  const auto displacement = mesh.values<double>("PointData", "displacement");
  EXPECT_EQ(displacement[0], kMost);
  EXPECT_EQ(displacement[1], -2e300);
  EXPECT_EQ(displacement[2], -1e-323);
}

TEST(Vtk, WhatCannotBeWrittenIsRefusedAndLeavesNoFile) {
  const TemporaryFolder folder;
  const TwoBodies two;
  auto x = TwoBodies::at(1.0);
  const std::vector<Impact> none;
  const auto refused = [&](const std::string& name, std::span<const Vec3> x_t0,
                           const std::vector<Impact>& impacts) {
    return error_of([&] { write_vtk(folder / name, two.scene, x_t0, x, impacts); });
  };
  EXPECT_TRUE(contains(refused("out.vtk", x, none), "out.vtk: ") && contains(refused("out.vtk", x, none), ".vtp"));
  EXPECT_TRUE(contains(refused("out", x, none), ".vtp"));
  EXPECT_TRUE(contains(refused("missing/out.vtp", x, none), "out_mesh.vtp"));
  EXPECT_TRUE(contains(refused("out.vtp", std::span(x).first(5), none), "x_t0"));
  EXPECT_TRUE(contains(refused("out.vtp", x, {{.pair = {FeatureKind::VertexFace, {3, 0, 1, 6}}}}), "vertex 6"));
  auto bad = x;
  bad[2].y = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(contains(refused("out.vtp", bad, none), "inf"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(VtkSequence, NamesTheFilesOfEachStepWithItsTime) {
  const TemporaryFolder folder;
  const TwoBodies two;
  VtkSequence sequence(folder / "a <run> & 1.pvd");
  for (const double time : {0.0, 0.1, 2.5}) {
    const auto x = TwoBodies::at(time);
    sequence.add(time, two.scene, std::span<const Vec3>(x), std::span<const Vec3>(x), std::span<const Impact>());
  }
  EXPECT_EQ(sequence.step_count(), 3U);
  EXPECT_FALSE(std::filesystem::exists(folder / "a <run> & 1.pvd"));
  sequence.write();
  const std::string contacts = get_file(folder / "a <run> & 1.pvd");
  const std::string meshes = get_file(folder / "a <run> & 1_mesh.pvd");
  EXPECT_TRUE(contains(contacts, "<VTKFile type=\"Collection\""));
  EXPECT_TRUE(contains(contacts,
                       "<DataSet timestep=\"0.1\" part=\"0\" "
                       "file=\"a &lt;run&gt; &amp; 1_vtk/step_00001.vtp\"/>"));
  EXPECT_TRUE(contains(meshes,
                       "<DataSet timestep=\"2.5\" part=\"0\" "
                       "file=\"a &lt;run&gt; &amp; 1_vtk/step_00002_mesh.vtp\"/>"));
  EXPECT_TRUE(std::filesystem::exists(sequence.folder() / "step_00002.vtp"));
  EXPECT_TRUE(std::filesystem::exists(sequence.folder() / "step_00002_mesh.vtp"));
}

TEST(VtkSequence, KeepsStepsWhoseFilesAreThere) {
  const TemporaryFolder folder;
  const Scene nothing;
  const auto add = [&](VtkSequence& sequence, double time) {
    sequence.add(time, nothing, std::span<const Vec3>(), std::span<const Proximity>());
  };
  VtkSequence first(folder / "run.pvd");
  for (const double time : {0.0, 1.0, 2.0}) add(first, time);
  first.write();
  const std::string whole = get_file(folder / "run.pvd");
  std::filesystem::remove(first.folder() / "step_00001_mesh.vtp");
  VtkSequence second(folder / "run.pvd");
  EXPECT_TRUE(second.keep(0.0));
  EXPECT_FALSE(second.keep(1.0));
  EXPECT_EQ(second.step_count(), 1U);
  add(second, 1.0);
  EXPECT_TRUE(second.keep(2.0));
  second.write();
  EXPECT_EQ(get_file(folder / "run.pvd"), whole);
}

TEST(VtkSequence, RefusesNamesTimesAndFolders) {
  const TemporaryFolder folder;
  EXPECT_TRUE(contains(error_of([&] { VtkSequence(folder / "run.vtp"); }), ".pvd"));
  const Scene nothing;
  VtkSequence sequence(folder / "run.pvd");
  const auto refused = [&](double time) {
    return error_of([&] { sequence.add(time, nothing, std::span<const Vec3>(), std::span<const Proximity>()); });
  };
  EXPECT_EQ(refused(1.0), "no error");
  EXPECT_TRUE(contains(refused(1.0), "not after"));
  EXPECT_TRUE(contains(refused(std::nan("")), "not finite"));
  EXPECT_EQ(sequence.step_count(), 1U);
  put_file(folder / "other_vtk", "a file");
  VtkSequence other(folder / "other.pvd");
  EXPECT_TRUE(contains(error_of([&] { (void)other.keep(0.0); }), "other_vtk"));
}

}  // namespace
}  // namespace graze::io
