// Adjacent triangles in method hash: the certified test loses nothing, and the paper's surface-normal test loses
// what the paper says it may lose (HASH, section 4.3, figure 3), no more than that and in no other query.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <graze/graze.hpp>
#include <graze/research.hpp>

#include "support/adaptive_check.hpp"
#include "support/gallery_mesh.hpp"
#include "support/hash_check.hpp"

namespace graze::testing {

namespace {

DetectorOptions with(research::NeighbourTest neighbours, double threshold = -0.9) {
  DetectorOptions options = DetectorOptions{.method = Method::Hash};
  options.research->hash.neighbours = neighbours;
  options.research->hash.normal_threshold = threshold;
  return options;
}

/// Figure 3: two triangles of a strip with a very thin one between them, 0-1-2, 0-2-3 (thin) and 0-3-4, with the
/// same winding. During the step vertex 3 passes through the first triangle; no triangle turns over.
///
///          4
///         /
///        /   ,2
///       0--3'  |     3 lies just below the edge 0-2, over the first triangle
///        `.    |
///          `---1
oracle::SceneStep thin_triangle_between_neighbours() {
  oracle::SceneStep step;
  step.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}};
  step.x_t0 = {{0, 0, 0}, {2, -1, 0}, {2, 1, 0}, {1, 0.45, 0.1}, {-0.2, 1, 0.25}};
  step.x_t1 = step.x_t0;
  step.x_t1[3].z = -0.1;
  return step;
}

TEST(HashNeighbours, LossyNormalsLoseThePapersThinTriangleAndTheOthersDoNot) {
  const oracle::SceneStep step = thin_triangle_between_neighbours();
  const Scene scene = scene_of(step);
  const std::vector<oracle::Contact> truth = oracle::contacts(step);
  const FeaturePair through = {FeatureKind::VertexFace, {3, 0, 1, 2}};
  const auto has_it = [&](const Impacts& impacts) {
    return std::any_of(impacts.impacts.begin(), impacts.impacts.end(),
                       [&](const Impact& impact) { return impact.pair == through; });
  };
  for (const research::NeighbourTest exact : {research::NeighbourTest::None, research::NeighbourTest::Certified}) {
    for (const bool representatives : {true, false}) {
      DetectorOptions options = with(exact);
      options.research->hash.representatives = representatives;
      Detector detector(scene, options);
      const Impacts impacts = detector.impacts(step.x_t0, step.x_t1);
      EXPECT_EQ(oracle::compare_contacts(truth, impacts.impacts, 1e-6, step), "") << name_of(exact);
      EXPECT_TRUE(has_it(impacts)) << name_of(exact);
      EXPECT_TRUE(detector.first_impact(step.x_t0, step.x_t1).impact.has_value()) << name_of(exact);
    }
  }
  for (const bool representatives : {true, false}) {
    DetectorOptions options = with(research::NeighbourTest::LossyNormals);
    options.research->hash.representatives = representatives;
    const Impacts lossy = Detector(scene, options).impacts(step.x_t0, step.x_t1);
    EXPECT_FALSE(has_it(lossy));
    EXPECT_LT(lossy.impacts.size(), truth.size());
    Detector detector(scene, options);
    EXPECT_EQ(streamed(detector, step.x_t0, step.x_t1).impacts.size(), lossy.impacts.size());
  }
}

/// With a threshold of 1 the normals cull nothing; with a thickness and in other queries nothing is lost.
TEST(HashNeighbours, LossyNormalsLoseNothingInOtherQueriesAndAtAThresholdOfOne) {
  const oracle::SceneStep step = thin_triangle_between_neighbours();
  const Scene scene = scene_of(step);
  Detector exact(scene, {.method = Method::Brute});
  EXPECT_EQ(
      difference(Detector(scene, with(research::NeighbourTest::LossyNormals, 1.0)).impacts(step.x_t0, step.x_t1),
                 exact.impacts(step.x_t0, step.x_t1)),
      "");
  Detector lossy(scene, with(research::NeighbourTest::LossyNormals));
  for (const std::vector<Vec3>& x : {step.x_t0, step.x_t1}) {
    EXPECT_EQ(lossy.intersections(x).edge_face, exact.intersections(x).edge_face);
    EXPECT_EQ(lossy.intersections(x).triangle_pairs, exact.intersections(x).triangle_pairs);
    EXPECT_EQ(lossy.proximities(x, 0.2).proximities.size(), exact.proximities(x, 0.2).proximities.size());
    EXPECT_FALSE(exact.proximities(x, 0.2).proximities.empty());
  }
  DetectorOptions thick = with(research::NeighbourTest::LossyNormals);
  thick.thickness = 0.01;
  EXPECT_EQ(difference(Detector(scene, thick).impacts(step.x_t0, step.x_t1),
                       Detector(scene, {.method = Method::Brute, .thickness = 0.01}).impacts(step.x_t0, step.x_t1)),
            "");
}

/// A fold: neighbours across an edge close like a book and their normals become opposed. Beyond the threshold they
/// are tested, so that the normal test also finds contacts from closing.
TEST(HashNeighbours, LossyNormalsFindWhatFoldsFlat) {
  oracle::SceneStep step;
  step.triangles = {{0, 1, 2}, {1, 0, 3}};
  step.x_t0 = {{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0.5, 0.4}};
  step.x_t1 = step.x_t0;
  step.x_t1[3] = {0, 0.5, -0.01};  // through the other triangle
  const Scene scene = scene_of(step);
  const Impacts exact = Detector(scene, {.method = Method::Brute}).impacts(step.x_t0, step.x_t1);
  ASSERT_FALSE(exact.impacts.empty());
  EXPECT_EQ(
      difference(Detector(scene, with(research::NeighbourTest::LossyNormals)).impacts(step.x_t0, step.x_t1), exact),
      "");
  // The winding of single triangles does not matter, because they share an edge.
  step.triangles[1] = {0, 1, 3};
  EXPECT_EQ(difference(
                Detector(scene_of(step), with(research::NeighbourTest::LossyNormals)).impacts(step.x_t0, step.x_t1),
                Detector(scene_of(step), {.method = Method::Brute}).impacts(step.x_t0, step.x_t1)),
            "");
}

/// Two waving sheets that pass through each other: hundreds of contacts, none of them between neighbours.
oracle::SceneStep passing_sheets(int side) {
  oracle::SceneStep both;
  for (int layer = 0; layer < 2; ++layer) {
    const double z = layer == 0 ? 0.5 : -0.4;
    const auto shape = [&](double height) {
      return [=](int i, int j) {
        return Vec3{i + 0.3 * layer, j + 0.2 * layer, height + 0.1 * std::sin(0.7 * i + 0.4 * j + layer)};
      };
    };
    const GalleryMesh one = grid(side, side, shape(z), shape(-z));
    const auto offset = static_cast<VertexId>(both.x_t0.size());
    for (const Triangle& t : one.step.triangles) {
      both.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
    }
    both.x_t0.insert(both.x_t0.end(), one.step.x_t0.begin(), one.step.x_t0.end());
    both.x_t1.insert(both.x_t1.end(), one.step.x_t1.begin(), one.step.x_t1.end());
  }
  return both;
}

TEST(HashNeighbours, WithoutContactsOfNeighboursAllTestsHaveTheSameImpacts) {
  const oracle::SceneStep step = passing_sheets(10);
  const Scene scene = scene_of(step);
  const Impacts exact = Detector(scene, {.method = Method::RTri}).impacts(step.x_t0, step.x_t1);
  ASSERT_GT(exact.impacts.size(), 200U);
  for (const research::NeighbourTest test :
       {research::NeighbourTest::None, research::NeighbourTest::Certified, research::NeighbourTest::LossyNormals}) {
    for (const unsigned threads : {1U, 7U}) {
      DetectorOptions options = with(test);
      options.threads = threads;
      EXPECT_EQ(difference(Detector(scene, options).impacts(step.x_t0, step.x_t1), exact), "") << name_of(test);
    }
  }
}

TEST(HashNeighbours, AreRuledOutByBothTestsInASmoothSheet) {
  const oracle::SceneStep step = passing_sheets(10);
  const Scene scene = scene_of(step);
  std::array<HashCounts, 3> counts;
  for (const research::NeighbourTest test :
       {research::NeighbourTest::None, research::NeighbourTest::Certified, research::NeighbourTest::LossyNormals}) {
    counts[static_cast<std::size_t>(test)] = Detector(scene, with(test)).impacts(step.x_t0, step.x_t1).stats.hash;
  }
  EXPECT_EQ(counts[0].neighbours, 0U);
  EXPECT_EQ(counts[0].neighbours_out, 0U);
  EXPECT_GT(counts[1].neighbours, 1000U);
  EXPECT_GT(counts[1].neighbours_out, counts[1].neighbours / 2);
  EXPECT_EQ(counts[2].neighbours_out, counts[2].neighbours);
  EXPECT_GE(counts[2].neighbours, counts[1].neighbours);
}

/// Random triangles around common vertices, most of them intersecting: the certified test gives the answers of no
/// test.
TEST(HashNeighbours, CertifiedIsNoneOnTanglesOfNeighbours) {
#if defined(GRAZE_ASSERTS)
  constexpr std::uint64_t kTangles = 40;
#else
  constexpr std::uint64_t kTangles = 400;
#endif
  const std::uint64_t first = from_environment("GRAZE_HASH_SEED", 1);
  const std::uint64_t count = kTangles * from_environment("GRAZE_HASH_ROUNDS", 1);
  std::size_t contacts = 0;
  std::uint64_t out = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    oracle::Random random(seed, 51);
    oracle::SceneStep step;
    const std::uint32_t vertices = 5 + random.below(6);
    const double motion = std::array{0.0, 0.01, 0.1, 1.0}[random.below(4)];
    const double scale = std::array{1.0, 1.0, 1.0, 1e-300, 1e-40, 1e30, 1e300}[random.below(7)];
    const bool on_lattice = random.below(4) == 0;
    const double far = random.below(4) == 0 ? 1e6 : 0.0;
    const auto number = [&](double size) {
      return on_lattice ? static_cast<double>(random.between(-2, 2)) : size * random.symmetric();
    };
    for (std::uint32_t v = 0; v < vertices; ++v) {
      const Vec3 p = {number(1.0) + far, number(1.0), number(1.0) - far};
      const Vec3 m = motion == 0.0 ? Vec3{} : Vec3{number(motion), number(motion), number(motion)};
      step.x_t0.push_back({scale * p.x, scale * p.y, scale * p.z});
      step.x_t1.push_back({scale * (p.x + m.x), scale * (p.y + m.y), scale * (p.z + m.z)});
    }
    for (std::uint32_t t = 0; t < 6; ++t) {
      step.triangles.push_back({random.below(2), 1 + random.below(vertices - 1), random.below(vertices)});
    }
    const Scene scene = scene_of(step);
    const Impacts expected = Detector(scene, {.method = Method::Brute, .threads = 1}).impacts(step.x_t0, step.x_t1);
    DetectorOptions options = random_hash_choice(random);
    options.research->hash.neighbours = research::NeighbourTest::Certified;
    options.threads = 1;
    const Impacts actual = Detector(scene, options).impacts(step.x_t0, step.x_t1);
    ASSERT_EQ(difference(actual, expected), "") << "seed " << seed << ", " << described(options) << "\n"
                                                << oracle::to_source(step);
    contacts += expected.impacts.size();
    out += actual.stats.hash.neighbours_out;
  }
  EXPECT_GT(contacts, count / 4);
  EXPECT_GT(out, 0U);
}

}  // namespace
}  // namespace graze::testing
