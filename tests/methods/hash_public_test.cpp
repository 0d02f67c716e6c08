// Method hash with the paper's options and with others, on the public frames: the impacts equal those of r-tri,
// which equal the ground truth.
#include <gtest/gtest.h>

#include <vector>

#include <graze/graze.hpp>
#include <graze/io.hpp>
#include <graze/research.hpp>

#include "public_data.hpp"
#include "support/adaptive_check.hpp"
#include "support/hash_check.hpp"

namespace graze::testing {

namespace {

DetectorOptions as_the_paper() {
  DetectorOptions options = DetectorOptions{.method = Method::Hash};
  options.research->hash.cells = research::CellRule::Largest;
  options.research->hash.representatives = false;
  return options;
}

TEST(HashOnPublicFrames, HasTheTruthOfClothFunnelWithAnyChoice) {
  GRAZE_SKIP_WITHOUT_DATA();
  const auto folder = public_data() / "frames" / "cloth-funnel";
  const Mesh start = read_mesh(folder / "227.ply");
  const Mesh end = read_mesh(folder / "228.ply");
  Scene scene;
  scene.add_body({.positions = start.positions, .triangles = start.triangles});
  const Impacts expected = Detector(scene, {.method = Method::RTri}).impacts(start.positions, end.positions);
  ASSERT_EQ(expected.impacts.size(), 134U);
  oracle::Random random(81);
#if defined(GRAZE_ASSERTS)
  constexpr int kChoices = 1;
#else
  constexpr int kChoices = 5;
#endif
  std::vector<DetectorOptions> choices = {as_the_paper()};
  for (int i = 0; i < kChoices; ++i) choices.push_back(random_hash_choice(random));
  for (const DetectorOptions& options : choices) {
    EXPECT_EQ(difference(Detector(scene, options).impacts(start.positions, end.positions), expected), "")
        << described(options);
  }
  EXPECT_EQ(difference(find_impacts(start.triangles, start.positions, end.positions), expected), "");
}

}  // namespace
}  // namespace graze::testing
