// The public meshes, with the counts given in their README (cad and soup: counted from the files).
#include <graze/io.hpp>

#include "io/io_test.hpp"
#include "public_data.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace graze {
namespace {

using testing::public_data;

struct KnownMesh {
  const char* file;
  std::size_t vertex_count;
  std::size_t triangle_count;
};

TEST(PublicMeshes, HaveTheirKnownCounts) {
  GRAZE_SKIP_WITHOUT_DATA();
  const std::vector<KnownMesh> meshes = {
      {"frames/cloth-ball/cloth_ball92.ply", 46598, 92230},
      {"frames/cloth-ball/cloth_ball93.ply", 46598, 92230},
      {"frames/cloth-funnel/227.ply", 9450, 18484},
      {"frames/cloth-funnel/228.ply", 9450, 18484},
      {"frames/n-body-simulation/balls16_18.ply", 73960, 146480},
      {"frames/n-body-simulation/balls16_19.ply", 73960, 146480},
      {"meshes/bunny.ply", 2503, 5002},
      {"meshes/cad/1002_tray_bottom.STL", 2216, 4520},
      {"meshes/cad/chair_model.obj", 3186, 12756},
      {"meshes/cad/cycloidal.ply", 21384, 43368},
      {"meshes/soup/env.obj", 6540, 2180},
      {"meshes/soup/rob.obj", 648, 216},
  };
  for (const KnownMesh& known : meshes) {
    const Mesh mesh = read_mesh(public_data() / known.file);
    EXPECT_EQ(mesh.positions.size(), known.vertex_count) << known.file;
    EXPECT_EQ(mesh.triangles.size(), known.triangle_count) << known.file;
  }
}

TEST(PublicMeshes, HaveTheirKnownDuplicateVertices) {
  GRAZE_SKIP_WITHOUT_DATA();
  const Mesh mesh = read_mesh(public_data() / "frames/n-body-simulation/balls16_18.ply");
  std::set<std::vector<double>> distinct;
  for (const Vec3& p : mesh.positions) distinct.insert({p.x, p.y, p.z});
  EXPECT_EQ(mesh.positions.size() - distinct.size(), 75U);
}

TEST(PublicMeshes, FormSequencesInOrder) {
  GRAZE_SKIP_WITHOUT_DATA();
  const auto frames = list_frames((public_data() / "frames/cloth-ball").string());
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_EQ(frames[0].filename(), "cloth_ball92.ply");
  EXPECT_EQ(read_mesh(frames[0]).triangles, read_mesh(frames[1]).triangles);
}

}  // namespace
}  // namespace graze
