// The public frame pairs with exact ground truth: every method returns exactly the colliding pairs, at any number
// of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <graze/graze.hpp>
#include <graze/io.hpp>
#include <graze/research.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "mesh/features.hpp"
#include "public_data.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
namespace {

struct Frames {
  std::string folder;
  std::string start;
  std::string end;
  std::string truth;  // prefix of the two ground-truth files
  std::size_t vf = 0;
  std::size_t ee = 0;
};

// Reads the rows whose last column is 1, in canonical order.
void read_truth(const std::filesystem::path& file, FeatureKind kind, std::vector<FeaturePair>& pairs) {
  std::ifstream stream(file);
  ASSERT_TRUE(stream) << file;
  std::string line;
  std::getline(stream, line);
  while (std::getline(stream, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream words(line);
    std::array<VertexId, 4> v{};
    int collides = 0;
    ASSERT_TRUE(words >> v[0] >> v[1] >> v[2] >> v[3] >> collides) << file << ": " << line;
    if (collides == 0) continue;
    pairs.push_back(kind == FeatureKind::VertexFace
                        ? vertex_face_pair(v[0], face_of({v[1], v[2], v[3]}))
                        : edge_edge_pair(Edge{std::min(v[0], v[1]), std::max(v[0], v[1])},
                                         Edge{std::min(v[2], v[3]), std::max(v[2], v[3])}));
  }
}

void expect_truth(const Frames& frames, std::initializer_list<Method> methods,
                  std::initializer_list<unsigned> threads) {
  const auto folder = testing::public_data() / "frames" / frames.folder;
  const Mesh start = read_mesh(folder / frames.start);
  const Mesh end = read_mesh(folder / frames.end);
  std::vector<FeaturePair> expected;
  read_truth(folder / "truth" / (frames.truth + "vf.csv"), FeatureKind::VertexFace, expected);
  ASSERT_EQ(expected.size(), frames.vf);
  read_truth(folder / "truth" / (frames.truth + "ee.csv"), FeatureKind::EdgeEdge, expected);
  ASSERT_EQ(expected.size(), frames.vf + frames.ee);
  std::sort(expected.begin(), expected.end());

  Scene scene;
  scene.add_body({.positions = start.positions, .triangles = start.triangles});
  std::uint64_t toi_hash = 0;
  for (const Method method : methods) {
    for (const unsigned count : threads) {
      Detector detector(scene, {.method = method, .threads = count});
      const Impacts impacts = detector.impacts(start.positions, end.positions);
      std::vector<FeaturePair> actual;
      for (const Impact& impact : impacts.impacts) actual.push_back(impact.pair);
      ASSERT_TRUE(actual == expected) << name_of(method) << " on " << count << " threads: " << impacts.vf_count()
                                      << " vertex-face and " << impacts.ee_count() << " edge-edge impacts";
      if (toi_hash == 0) toi_hash = impacts.toi_hash();
      EXPECT_EQ(impacts.toi_hash(), toi_hash) << name_of(method) << " on " << count << " threads";
    }
  }
}

TEST(PublicFrames, ClothFunnelIsTheTruthByEveryMethod) {
  GRAZE_SKIP_WITHOUT_DATA();
  const Frames frames{"cloth-funnel", "227.ply", "228.ply", "227", 27, 107};
  expect_truth(
      frames,
      {Method::Auto, research::kBasic, research::kNoDupl, research::kAdj, Method::RTri, Method::Iccd, Method::Hash},
      {1, 2, 7});
#if !defined(GRAZE_ASSERTS)
  expect_truth(frames, {Method::Brute}, {2});
#endif
}

#if !defined(GRAZE_ASSERTS)  // takes minutes in the builds that check contracts
TEST(PublicFrames, ClothBallIsTheTruth) {
  GRAZE_SKIP_WITHOUT_DATA();
  const Frames frames{"cloth-ball", "cloth_ball92.ply", "cloth_ball93.ply", "92", 19032, 94822};
  expect_truth(frames, {Method::Auto, Method::RTri, Method::Iccd, research::kNoDupl, Method::Hash}, {1, 2, 7});
  expect_truth(frames, {research::kBasic, research::kAdj}, {2});
}

TEST(PublicFrames, NBodySimulationIsTheTruth) {
  GRAZE_SKIP_WITHOUT_DATA();
  const Frames frames{"n-body-simulation", "balls16_18.ply", "balls16_19.ply", "18", 9459, 41031};
  expect_truth(frames, {Method::RTri, Method::Iccd, Method::Hash}, {1, 2, 7});
  expect_truth(frames, {research::kNoDupl}, {2});
}
#endif

}  // namespace
}  // namespace graze
