// Method hash with any of its options against all pairs, r-tri and the exact oracle: soups, degenerate meshes, fans
// of neighbours, sizes from 1e-300 to 1e300 and mixed, sequences of steps. Every answer of every query, to the last
// bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <graze/graze.hpp>
#include <graze/research.hpp>

#include "oracle/scene_generator.hpp"
#include "support/adaptive_check.hpp"
#include "support/adaptive_sequences.hpp"
#include "support/cone_gallery.hpp"
#include "support/gallery_mesh.hpp"
#include "support/hash_check.hpp"
#include "support/sample_scenes.hpp"

namespace graze::testing {

namespace {

using oracle::Random;

/// Compares all answers of some random options with those of another method.
void expect_same(const Scene& scene, const std::vector<Vec3>& x_t0, const std::vector<Vec3>& x_t1, Method by,
                 double thickness, double distance, int choices, Random& random) {
  const Answers expected =
      ask(Detector(scene, {.method = by, .thickness = thickness, .threads = 1}), x_t0, x_t1, distance);
  for (int i = 0; i < choices; ++i) {
    DetectorOptions options = random_hash_choice(random);
    options.thickness = thickness;
    Detector detector(scene, options);
    ASSERT_EQ(difference(ask(detector, x_t0, x_t1, distance), expected), "") << described(options);
  }
}

class HashOnScenes : public ::testing::TestWithParam<const oracle::SceneFamily*> {};

TEST_P(HashOnScenes, FindsWhatTheOracleFinds) {
  constexpr std::uint64_t kScenes = kIsSlow ? 2 : 7;
  Random random(21);
  for (std::uint64_t index = 0; index < kScenes; ++index) {
    const oracle::SceneStep step = oracle::make_scene(*GetParam(), 77, index);
    const Scene scene = scene_of(step);
    const std::vector<oracle::Contact> contacts = oracle::contacts(step);
    const auto near = oracle::proximities(step.triangles, step.x_t1, 0.25);
    const auto edge_face = oracle::edge_face_intersections(step.triangles, step.x_t0);
    for (int i = 0; i < 3; ++i) {
      const DetectorOptions options = random_hash_choice(random);
      SCOPED_TRACE(std::to_string(index) + ": " + described(options));
      const Answers answers = ask(Detector(scene, options), step.x_t0, step.x_t1, 0.25);
      ASSERT_EQ(oracle::compare_contacts(contacts, answers.impacts.impacts, 1e-6, step), "")
          << oracle::to_source(step);
      ASSERT_EQ(oracle::compare_contacts(contacts, answers.streamed.impacts, 1e-6, step), "");
      ASSERT_EQ(oracle::compare_intersections(edge_face, answers.intersections.edge_face, step.x_t0), "");
      std::vector<FeaturePair> pairs;
      for (const Proximity& p : answers.proximities.proximities) pairs.push_back(p.pair);
      ASSERT_EQ(oracle::compare_pairs(near, pairs, step), "");
    }
    ASSERT_NO_FATAL_FAILURE(expect_same(scene, step.x_t0, step.x_t1, Method::Brute, 0.0, 0.25, 4, random));
    ASSERT_NO_FATAL_FAILURE(
        expect_same(scene, step.x_t0, step.x_t1, Method::Brute, index % 2 == 0 ? 0.01 : 0.5, 0.0, 4, random));
  }
}

std::vector<const oracle::SceneFamily*> families() {
  std::vector<const oracle::SceneFamily*> all;
  for (const oracle::SceneFamily& family : oracle::scene_families()) all.push_back(&family);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Families, HashOnScenes, ::testing::ValuesIn(families()), [](const auto& test) {
  std::string name(test.param->name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Hash, HasTheAnswersOfRTriOnTheGalleryOfFolds) {
  Random random(22);
  std::size_t index = 0;
  for (const GalleryCase& item : cone_gallery()) {
    if (kIsSlow && ++index % 4 != 0) continue;
    SCOPED_TRACE(item.name);
    ASSERT_NO_FATAL_FAILURE(
        expect_same(scene_of(item.step), item.step.x_t0, item.step.x_t1, Method::RTri, 0.0, 0.01, 4, random));
    ASSERT_NO_FATAL_FAILURE(
        expect_same(scene_of(item.step), item.step.x_t0, item.step.x_t1, Method::RTri, 0.02, 0.01, 2, random));
  }
}

TEST(Hash, HasTheAnswersOfRTriOnSheetsThatBendAndFold) {
  Random random(23);
  constexpr std::uint64_t kSheets = kIsSlow ? 4 : 24;
  std::size_t contacts = 0;
  for (std::uint64_t index = 0; index < kSheets; ++index) {
    const oracle::SceneStep step = random_sheet(5, index, 8);
    SCOPED_TRACE(index);
    const double thickness = index % 4 == 3 ? 0.02 : 0.0;
    ASSERT_NO_FATAL_FAILURE(
        expect_same(scene_of(step), step.x_t0, step.x_t1, Method::RTri, thickness, 0.02, 3, random));
    contacts += Detector(scene_of(step)).impacts(step.x_t0, step.x_t1).impacts.size();
  }
  EXPECT_GT(contacts, 10 * kSheets);
}

TEST(Hash, HasTheAnswersOfRTriAlongSequences) {
  Random random(24);
  std::size_t contacts = 0;
  for (const SequenceEntry& entry : adaptive_sequences()) {
    const Sequence& sequence = sequence_named(entry.name);
    DetectorOptions options = random_hash_choice(random);
    options.thickness = random.below(3) == 0 ? 0.02 * sequence.scale : 0.0;
    SCOPED_TRACE(std::string(entry.name) + ": " + described(options));
    Detector detector(sequence.scene, options);
    Detector reference(sequence.scene, {.method = Method::RTri, .thickness = options.thickness, .threads = 1});
    // The first steps and every fifth of the others.
    for (std::size_t s = 0; s < sequence.steps.size(); ++s) {
      if (s >= (kIsSlow ? 1U : 2U) && s % (kIsSlow ? 20U : 12U) != 0) continue;
      const auto& [x_t0, x_t1] = sequence.steps[s];
      const double d = 0.01 * sequence.scale;
      const Answers expected = ask(reference, x_t0, x_t1, d);
      ASSERT_EQ(difference(ask(detector, x_t0, x_t1, d), expected), "") << "step " << s;
      contacts += expected.impacts.impacts.size();
    }
  }
  EXPECT_GT(contacts, 1000U);
}

/// Triangles of sizes 2^-12 to 2^12, each near vertices of others, all multiplied by `scale`.
oracle::SceneStep sizes_within_sizes(std::uint64_t seed, std::size_t count, double scale) {
  Random random(seed);
  oracle::SceneStep step;
  const auto any = [&](double size) {
    const double x = random.symmetric();
    const double y = random.symmetric();
    return Vec3{size * x, size * y, size * random.symmetric()};
  };
  const auto sum = [](const Vec3& a, const Vec3& b) { return Vec3{a.x + b.x, a.y + b.y, a.z + b.z}; };
  for (std::size_t t = 0; t < count; ++t) {
    const double size = scale * std::ldexp(1.0, random.between(-12, 12));
    // Each triangle is near a vertex of an earlier one, so that different sizes overlap.
    const Vec3 beside = t == 0 ? Vec3{} : step.x_t0[random.below(static_cast<std::uint32_t>(step.x_t0.size()))];
    const Vec3 move = any(size);
    const auto first = static_cast<VertexId>(step.x_t0.size());
    for (int k = 0; k < 3; ++k) {
      step.x_t0.push_back(sum(beside, any(size)));
      step.x_t1.push_back(sum(sum(step.x_t0.back(), move), any(0.3 * size)));
    }
    step.triangles.push_back({first, first + 1, first + 2});
    if (t % 5 == 4) step.triangles.push_back({first, first + 1, first - 2});  // a neighbour of another size
  }
  return step;
}

TEST(Hash, HasTheAnswersOfAllPairsWhereSizesAreMixed) {
  Random random(25);
  std::size_t contacts = 0;
  for (const double scale : {1.0, 1e-300, 1e-42, 1e-38, 1e-20, 1e20, 1e35, 1e300}) {
    for (std::uint64_t seed = 0; seed < (kIsSlow ? 1 : 2); ++seed) {
      const oracle::SceneStep step = sizes_within_sizes(seed, kIsSlow ? 15 : 25, scale);
      const Scene scene = scene_of(step);
      SCOPED_TRACE(std::to_string(scale) + ", seed " + std::to_string(seed));
      ASSERT_NO_FATAL_FAILURE(
          expect_same(scene, step.x_t0, step.x_t1, Method::Brute, 0.0, 0.001 * scale, 4, random));
      ASSERT_NO_FATAL_FAILURE(
          expect_same(scene, step.x_t0, step.x_t1, Method::Brute, 0.001 * scale, 0.0, 1, random));
      contacts += Detector(scene).impacts(step.x_t0, step.x_t1).impacts.size();
    }
  }
  EXPECT_GT(contacts, 100U);
}

/// Fans: many triangles around a vertex that open, close and turn over; all pairs share a vertex.
oracle::SceneStep fan(std::uint64_t seed, std::uint32_t count) {
  Random random(seed);
  oracle::SceneStep step;
  const double turns = 1.0 + static_cast<double>(seed % 3);
  const auto rim = [&](double angle, double height) { return Vec3{std::cos(angle), std::sin(angle), height}; };
  step.x_t0.push_back({0, 0, 0});
  step.x_t1.push_back({0.1 * random.symmetric(), 0.1 * random.symmetric(), random.symmetric()});
  const double jitter = std::array{0.0, 0.02, 0.5}[seed % 3];
  const double lift = std::array{0.0, 0.3, 0.05, 1.0}[seed % 4];
  for (std::uint32_t i = 0; i <= count; ++i) {
    const double angle = turns * 6.283 * i / count;
    step.x_t0.push_back(rim(angle, lift * angle + jitter * random.symmetric()));
    step.x_t1.push_back(rim(angle + jitter * random.symmetric(), -lift * angle + jitter * random.symmetric()));
    if (i > 0) step.triangles.push_back({0, i, i + 1});
  }
  return step;
}

TEST(Hash, HasTheAnswersOfAllPairsOnFansOfNeighbours) {
  Random random(26);
  std::size_t contacts = 0;
  for (std::uint64_t seed = 0; seed < (kIsSlow ? 6 : 36); ++seed) {
    const oracle::SceneStep step = fan(seed, 6 + 3 * static_cast<std::uint32_t>(seed % 7));
    const Scene scene = scene_of(step);
    SCOPED_TRACE(seed);
    for (const double thickness : {0.0, 0.05}) {
      ASSERT_NO_FATAL_FAILURE(expect_same(scene, step.x_t0, step.x_t1, Method::Brute, thickness, 0.05, 3, random));
    }
    contacts += Detector(scene).impacts(step.x_t0, step.x_t1).impacts.size();
  }
  EXPECT_GT(contacts, 100U);
}

/// The certified test proves only that neighbours do not touch: with a thickness, pairs that stay separated count
/// too.
TEST(Hash, FindsNeighboursWithinTheThicknessThatNeverTouch) {
  // A static, nearly flat fan: no contact, but every rim vertex is close to the next-but-one faces.
  oracle::SceneStep step;
  step.x_t0.push_back({});
  constexpr VertexId kRim = 12;
  for (VertexId i = 0; i < kRim; ++i) {
    const double angle = 6.283185307179586 * i / kRim;
    step.x_t0.push_back({std::cos(angle), std::sin(angle), 0.01 * i});
    step.triangles.push_back({0, 1 + i, 1 + (i + 1) % kRim});
  }
  step.x_t1 = step.x_t0;
  const Scene scene = scene_of(step);
  const auto count = [&](research::NeighbourTest neighbours, double thickness) {
    DetectorOptions options = DetectorOptions{.method = Method::Hash};
    options.research->hash.neighbours = neighbours;
    options.thickness = thickness;
    Detector detector(scene, options);
    EXPECT_EQ(streamed(detector, step.x_t0, step.x_t1).impacts.size(),
              detector.impacts(step.x_t0, step.x_t1).impacts.size());
    EXPECT_EQ(detector.first_impact(step.x_t0, step.x_t1).impact.has_value(),
              !detector.impacts(step.x_t0, step.x_t1).impacts.empty());
    return detector.impacts(step.x_t0, step.x_t1).impacts.size();
  };
  const std::size_t near = count(research::NeighbourTest::None, 0.6);
  EXPECT_GE(near, 2 * kRim);
  EXPECT_EQ(count(research::NeighbourTest::Certified, 0.6), near);
  EXPECT_EQ(count(research::NeighbourTest::LossyNormals, 0.6), near);
  EXPECT_EQ(count(research::NeighbourTest::None, 0.0), 0U);
  EXPECT_EQ(count(research::NeighbourTest::Certified, 0.0), 0U);
}

/// A vertex that is in no triangle's bounds at either end of the step and passes through a triangle in between:
/// bounds of one end alone would miss it.
TEST(Hash, BoundsTheWholeWayOfVerticesAndEdges) {
  Random random(27);
  Step step;
  for (int i = 0; i < 20; ++i) {
    const double at = 10.0 * i;
    step.add({{at, 0, 0}, {at + 1, 0, 0}, {at, 1, 0}}, {0, 0, 0}, {{0, 1, 2}});
    step.add({{at + 0.2, 0.2, 3}, {at + 0.3, 0.2, 4}, {at + 0.2, 0.3, 4}}, {0, 0, -40}, {{0, 1, 2}});
    step.add({{at - 3, 0.3, -0.5}, {at - 3, 0.3, 0.5}, {at - 4, 0.4, 0.1}}, {50, 0.01, 0}, {{0, 1, 2}});
  }
  ASSERT_NO_FATAL_FAILURE(expect_same(step.scene, step.x_t0, step.x_t1, Method::Brute, 0.0, 0.1, 24, random));
  EXPECT_GT(Detector(step.scene).impacts(step.x_t0, step.x_t1).impacts.size(), 100U);
}

TEST(Hash, HasTheSameCountersInEveryRunAndOnAnyNumberOfThreads) {
  const Step step = random_soup(28, 250, 0.3);
  for (const bool representatives : {true, false}) {
    for (const research::CellRule rule : {research::CellRule::Levels, research::CellRule::Largest}) {
      std::vector<std::uint64_t> first;
      for (const unsigned threads : {1U, 2U, 7U, 1U}) {
        DetectorOptions options = DetectorOptions{.method = Method::Hash};
        options.research->hash.cells = rule;
        options.research->hash.representatives = representatives;
        options.research->hash.neighbours = research::NeighbourTest::Certified;
        options.threads = threads;
        Detector detector(step.scene, options);
        (void)detector.impacts(step.x_t1, step.x_t0);
        const Stats stats = detector.impacts(step.x_t0, step.x_t1).stats;
        const HashCounts& hash = stats.hash;
        const std::vector<std::uint64_t> all = {
            stats.bv_tests,     stats.triangle_pairs, stats.vf_tests, stats.ee_tests,   stats.tiers.filter,
            stats.tiers.exact,  hash.levels,          hash.voxels,    hash.used_voxels, hash.entries,
            hash.voxel_pairs,   hash.repeated,        hash.box_pairs, hash.neighbours,  hash.neighbours_out,
            hash.element_pairs, stats.memory_bytes};
        if (first.empty()) first = all;
        EXPECT_EQ(all, first) << threads << " threads";
      }
    }
  }
}

TEST(Hash, CountsWhatEachLevelOfCullingLeaves) {
  const Step step = random_soup(29, 500, 0.25);
  const std::size_t triangles = step.scene.triangle_count();
  for (const research::CellRule rule : {research::CellRule::Levels, research::CellRule::Largest}) {
    SCOPED_TRACE(name_of(rule));
    DetectorOptions options = DetectorOptions{.method = Method::Hash};
    options.research->hash.cells = rule;
    options.research->hash.representatives = false;
    options.research->hash.neighbours = research::NeighbourTest::Certified;
    const auto stats_of = [&] {
      Detector detector(step.scene, options);
      return detector.impacts(step.x_t0, step.x_t1).stats;
    };
    const Stats all = stats_of();
    const HashCounts& hash = all.hash;
    EXPECT_GE(hash.entries, triangles);
    EXPECT_GE(hash.levels, 1U);
    if (rule == research::CellRule::Largest) {
      EXPECT_EQ(hash.levels, 1U);
    }
    EXPECT_LE(hash.used_voxels, hash.voxels);
    EXPECT_LE(hash.used_voxels, hash.entries);
    EXPECT_GT(hash.box_pairs, 0U);
    EXPECT_LT(all.triangle_pairs, hash.box_pairs);  // 26-DOPs cull some
    EXPECT_GT(all.triangle_pairs, 0U);
    EXPECT_GT(hash.neighbours, 0U);
    EXPECT_LE(hash.neighbours_out, hash.neighbours);
    EXPECT_GT(hash.element_pairs, all.vf_tests + all.ee_tests);
    EXPECT_GT(all.vf_tests + all.ee_tests, 0U);

    options.research->hash.representatives = true;
    const Stats once = stats_of();
    EXPECT_EQ(once.hash.box_pairs, hash.box_pairs);  // boxes do not depend on features
    EXPECT_LT(once.hash.element_pairs, hash.element_pairs);
    EXPECT_GT(once.hash.element_pairs, once.vf_tests + once.ee_tests);

    options.research->hash.voxels = 10.0;
    const Stats more = stats_of();
    EXPECT_EQ(more.hash.box_pairs, hash.box_pairs);
    EXPECT_EQ(more.vf_tests, once.vf_tests);
    EXPECT_EQ(more.ee_tests, once.ee_tests);
    EXPECT_GT(more.hash.voxels, hash.voxels);

    options.research->hierarchy.edge_bounds = research::EdgeBounds::None;  // no feature culling
    const Stats unculled = stats_of();
    EXPECT_GT(unculled.vf_tests + unculled.ee_tests, more.vf_tests + more.ee_tests);
  }
}

}  // namespace
}  // namespace graze::testing
