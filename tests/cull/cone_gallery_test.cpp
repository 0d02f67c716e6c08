// The gallery of scenes where a careless normal-cone test loses contacts: each scene proves its careless variants
// wrong, and every method agrees with the oracle on the scene and on its transformations. Then random moving
// sheets.
#include "support/cone_gallery.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <graze/graze.hpp>
#include <graze/research.hpp>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "oracle/brute_scene.hpp"
#include "oracle/random.hpp"
#include "support/gallery_mesh.hpp"

namespace graze::testing {

namespace {

using oracle::SceneStep;

// Number of sheets; smaller in the slow builds that check contracts.
#if defined(GRAZE_ASSERTS)
constexpr std::uint64_t kSmallSheets = 10;
constexpr std::uint64_t kLargeSheets = 2;
constexpr bool kSlowBuild = true;
#else
constexpr std::uint64_t kSmallSheets = 40;  // of each size
constexpr std::uint64_t kLargeSheets = 6;
constexpr bool kSlowBuild = false;
#endif
constexpr std::uint64_t kSeed = 5;

Scene scene_of(const SceneStep& step) {
  Scene scene;
  scene.add_body({.positions = step.x_t0, .triangles = step.triangles});
  return scene;
}

bool earlier(const Impact& a, const Impact& b) {
  return std::pair(a.toi_lo, a.pair) < std::pair(b.toi_lo, b.pair);
}

/// Full: every method at 1, 2 and 7 threads. Quick: 2 threads, without `basic`, which tests each pair many times.
enum class Effort : std::uint8_t { Full, Quick };

// Checks that the impacts are the oracle's and that the first impact is the earliest of them.
void expect_oracle_answers(const SceneStep& step, std::span<const oracle::Contact> expected, Effort effort) {
  const Scene scene = scene_of(step);
  const std::vector<unsigned> threads = effort == Effort::Full ? std::vector{1U, 2U, 7U} : std::vector{2U};
  std::optional<std::uint64_t> known;  // the hash of a verified answer
  for (const Method method : research::all_methods()) {
    if (method == research::kBasic && effort == Effort::Quick) continue;
    for (const unsigned count : threads) {
      SCOPED_TRACE(std::string(name_of(method)) + ", threads: " + std::to_string(count));
      Detector detector(scene, {.method = method, .threads = count});
      const Impacts actual = detector.impacts(step.x_t0, step.x_t1);
      // An answer equal to a verified one does not need the oracle's exact numbers again.
      if (!known || actual.toi_hash() != *known) {
        ASSERT_EQ(oracle::compare_contacts(expected, actual.impacts, 1e-6, step), "");
        ASSERT_FALSE(known.has_value())
            << "right, but not the same intervals as " << name_of(research::all_methods().front());
      }
      known = actual.toi_hash();

      const FirstImpact first = detector.first_impact(step.x_t0, step.x_t1);
      ASSERT_EQ(first.impact.has_value(), !expected.empty());
      if (expected.empty()) continue;
      const auto least = std::min_element(actual.impacts.begin(), actual.impacts.end(), earlier);
      ASSERT_EQ(first.toi, least->toi_lo);
      ASSERT_EQ(first.impact->pair, least->pair);
    }
  }
}

void expect_oracle_answers(const SceneStep& step, Effort effort = Effort::Quick) {
  expect_oracle_answers(step, oracle::contacts(step), effort);
}

template <typename T>
std::vector<T> shuffled(std::vector<T> items, oracle::Random& random) {
  for (std::size_t i = items.size(); i > 1; --i) {
    std::swap(items[i - 1], items[random.below(static_cast<std::uint32_t>(i))]);
  }
  return items;
}

SceneStep with_vertices_permuted(const SceneStep& step, oracle::Random& random) {
  std::vector<VertexId> place(step.x_t0.size());
  std::iota(place.begin(), place.end(), VertexId{0});
  place = shuffled(std::move(place), random);
  SceneStep result = step;
  for (std::size_t v = 0; v < place.size(); ++v) {
    result.x_t0[place[v]] = step.x_t0[v];
    result.x_t1[place[v]] = step.x_t1[v];
  }
  for (Triangle& t : result.triangles) t = {place[t[0]], place[t[1]], place[t[2]]};
  return result;
}

// Permutes the triangles and rotates the vertices of each.
SceneStep with_triangles_permuted(const SceneStep& step, oracle::Random& random) {
  SceneStep result{shuffled(step.triangles, random), step.x_t0, step.x_t1};
  for (Triangle& t : result.triangles) std::rotate(t.begin(), t.begin() + random.below(3), t.end());
  return result;
}

SceneStep time_reversed(const SceneStep& step) {
  return {step.triangles, step.x_t1, step.x_t0};
}

SceneStep scaled(SceneStep step, int exponent) {
  for (std::vector<Vec3>* x : {&step.x_t0, &step.x_t1}) {
    for (Vec3& p : *x) p = {std::ldexp(p.x, exponent), std::ldexp(p.y, exponent), std::ldexp(p.z, exponent)};
  }
  return step;
}

// Makes the slopes steeper: the cones become wide or too wide.
SceneStep steeper(SceneStep step) {
  for (std::vector<Vec3>* x : {&step.x_t0, &step.x_t1}) {
    for (Vec3& p : *x) p.z = std::ldexp(p.z, 5);
  }
  return step;
}

// Permutes the axes: a cone about z becomes one about x. The permutation is a rotation and keeps the winding.
SceneStep with_axes_turned(SceneStep step) {
  for (std::vector<Vec3>* x : {&step.x_t0, &step.x_t1}) {
    for (Vec3& p : *x) p = {p.z, p.x, p.y};
  }
  return step;
}

// Adds a copy of the mesh to the same body with a small offset, so that the copies also touch each other.
SceneStep twice(SceneStep step) {
  const auto count = static_cast<VertexId>(step.x_t0.size());
  for (std::vector<Vec3>* x : {&step.x_t0, &step.x_t1}) {
    for (VertexId v = 0; v < count; ++v) x->push_back({(*x)[v].x + 0.375, (*x)[v].y + 0.25, (*x)[v].z + 0.125});
  }
  const std::size_t triangles = step.triangles.size();
  for (std::size_t t = 0; t < triangles; ++t) {
    const auto [a, b, c] = step.triangles[t];
    step.triangles.push_back({a + count, b + count, c + count});
  }
  return step;
}

class ConeGallery : public ::testing::TestWithParam<GalleryCase> {
 protected:
  static const SceneStep& step() { return GetParam().step; }
  static bool is_fine() { return step().triangles.size() > 100; }
};

TEST_P(ConeGallery, HasContactsThatTheCarelessVariantsItNamesMiss) {
  ASSERT_FALSE(oracle::contacts(step()).empty());
  EXPECT_FALSE(careless_says_free(step(), Omission::None));
  ASSERT_FALSE(GetParam().fools.empty());
  for (const Omission left_out : GetParam().fools) {
    EXPECT_TRUE(careless_says_free(step(), left_out)) << to_string(left_out);
  }
}

TEST_P(ConeGallery, EveryMethodAndThreadCountFindsWhatTheOracleFinds) {
  expect_oracle_answers(step(), Effort::Full);
}

TEST_P(ConeGallery, AnswersHoldRenumberedBackwardsScaledSteeperTurnedAndTwice) {
  if (is_fine() || kSlowBuild) GTEST_SKIP() << "the coarse mesh is turned about, in quick builds";
  oracle::Random random(kSeed);
  const std::array<std::pair<const char*, SceneStep>, 8> changed = {
      {{"vertices permuted", with_vertices_permuted(step(), random)},
       {"triangles permuted", with_triangles_permuted(step(), random)},
       {"reversed", time_reversed(step())},
       {"times 2^40", scaled(step(), 40)},
       {"times 2^-40", scaled(step(), -40)},
       {"steeper", steeper(step())},
       {"axes turned", with_axes_turned(step())},
       {"twice", twice(step())}}};
  for (const auto& [name, variant] : changed) {
    SCOPED_TRACE(name);
    expect_oracle_answers(variant);
  }
}

TEST_P(ConeGallery, AnswersHoldOnAFinerMesh) {
  if (is_fine() || kSlowBuild) GTEST_SKIP() << "is fine already, or the build is slow";
  expect_oracle_answers(refined(step()));
}

TEST_P(ConeGallery, OneDetectorAnswersStepAfterStep) {
  const Scene scene = scene_of(step());
  const std::array<std::pair<std::span<const Vec3>, std::span<const Vec3>>, 4> steps = {
      {{step().x_t0, step().x_t0},
       {step().x_t0, step().x_t1},
       {step().x_t1, step().x_t0},
       {step().x_t0, step().x_t1}}};
  // Expected answers come from a detector that has seen no other step; a test above checks that they are right.
  std::array<std::uint64_t, 4> expected{};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    expected[i] = Detector(scene, {.method = Method::Brute}).impacts(steps[i].first, steps[i].second).toi_hash();
  }
  for (const Method method : research::all_methods()) {
    Detector detector(scene, {.method = method, .threads = 2});
    for (std::size_t i = 0; i < steps.size(); ++i) {
      ASSERT_EQ(detector.impacts(steps[i].first, steps[i].second).toi_hash(), expected[i])
          << name_of(method) << ", step " << i;
    }
  }
}

// The cone argument does not cover features that are close without touching.
TEST_P(ConeGallery, EveryMethodFindsTheSameWithThicknessAndAtOneInstant) {
  const Scene scene = scene_of(step());
  const auto by = [&](Method method, double thickness) {
    return Detector(scene, {.method = method, .thickness = thickness, .threads = 2});
  };
  const Impacts thick = by(Method::Brute, 0.125).impacts(step().x_t0, step().x_t1);
  const auto edge_face = oracle::edge_face_intersections(step().triangles, step().x_t1);
  const auto pair_of = [](const Proximities& all) {
    std::vector<FeaturePair> pairs;
    for (const Proximity& p : all.proximities) pairs.push_back(p.pair);
    return pairs;
  };
  const std::vector<FeaturePair> near = pair_of(by(Method::Brute, 0.0).proximities(step().x_t1, 0.125));
  for (const Method method : research::all_methods()) {
    SCOPED_TRACE(name_of(method));
    ASSERT_EQ(by(method, 0.125).impacts(step().x_t0, step().x_t1).toi_hash(), thick.toi_hash());
    Detector detector = by(method, 0.0);
    ASSERT_EQ(oracle::compare_intersections(edge_face, detector.intersections(step().x_t1).edge_face, step().x_t1),
              "");
    ASSERT_EQ(oracle::compare_pairs(near, pair_of(detector.proximities(step().x_t1, 0.125)), step()), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, ConeGallery, ::testing::ValuesIn(cone_gallery()),
                         [](const auto& test) { return test.param.name; });

TEST(CarelessCone, EveryOmissionByItselfIsProvedWrongInTheGallery) {
  const std::vector<GalleryCase> gallery = cone_gallery();
  for (std::uint32_t i = 0; i < kOmissions; ++i) {
    const auto left_out = static_cast<Omission>(1U << i);
    EXPECT_TRUE(std::any_of(gallery.begin(), gallery.end(), [&](const GalleryCase& item) {
      return std::find(item.fools.begin(), item.fools.end(), left_out) != item.fools.end();
    })) << to_string(left_out);
  }
}

TEST(CarelessCone, AFlatSheetAtRestIsFreeWithNothingLeftOut) {
  EXPECT_TRUE(careless_says_free(grid(3, 3, flat, flat).step, Omission::None));
}

TEST(RandomSheets, EveryMethodFindsWhatTheOracleFindsAndTheFullArgumentIsRight) {
  std::uint64_t with_contacts = 0;
  std::uint64_t proved_free = 0;
  for (int n = 3; n <= 7; ++n) {
    for (std::uint64_t index = 0; index < kSmallSheets; ++index) {
      SCOPED_TRACE("n: " + std::to_string(n) + ", index: " + std::to_string(index));
      const SceneStep step = random_sheet(kSeed + static_cast<std::uint64_t>(n), index, n);
      const std::vector<oracle::Contact> expected = oracle::contacts(step);
      expect_oracle_answers(step, expected, Effort::Quick);
      if (HasFatalFailure()) return;
      const bool is_free = careless_says_free(step, Omission::None);
      ASSERT_FALSE(is_free && !expected.empty()) << oracle::to_source(step);
      if (!expected.empty()) ++with_contacts;
      if (is_free) ++proved_free;
    }
  }
  // Neither side of the comparison is empty.
  EXPECT_GT(with_contacts, kSmallSheets);
  EXPECT_GT(proved_free, kSmallSheets / 2);
}

TEST(RandomSheets, EveryMethodFindsTheSameWithThickness) {
  std::uint64_t with_contacts = 0;
  for (std::uint64_t index = 0; index < kSmallSheets; ++index) {
    const SceneStep step = random_sheet(kSeed, index, 5);
    const Scene scene = scene_of(step);
    const auto by = [&](Method method) {
      return Detector(scene, {.method = method, .thickness = 0.25, .threads = 2}).impacts(step.x_t0, step.x_t1);
    };
    const Impacts expected = by(Method::Brute);
    if (!expected.impacts.empty()) ++with_contacts;
    for (const Method method : research::all_methods()) {
      ASSERT_EQ(by(method).toi_hash(), expected.toi_hash()) << name_of(method) << ", index " << index;
    }
  }
  EXPECT_GT(with_contacts, kSmallSheets / 2);
}

TEST(RandomSheets, EveryMethodFindsTheSameInLargerOnes) {
  std::uint64_t with_contacts = 0;
  for (std::uint64_t index = 0; index < kLargeSheets; ++index) {
    const SceneStep step = random_sheet(kSeed, index, 12 + static_cast<int>(index % 5));
    const Scene scene = scene_of(step);
    const auto by = [&](Method method, unsigned threads) {
      return Detector(scene, {.method = method, .threads = threads});
    };
    const Impacts expected = by(Method::RTri, 2).impacts(step.x_t0, step.x_t1);
    const auto least = std::min_element(expected.impacts.begin(), expected.impacts.end(), earlier);
    if (!expected.impacts.empty()) ++with_contacts;
    for (const Method method : research::all_methods()) {
      if (method == Method::Brute) continue;  // too slow here
      for (const unsigned threads : {2U, 7U}) {
        SCOPED_TRACE(std::string(name_of(method)) + ", threads: " + std::to_string(threads) +
                     ", index: " + std::to_string(index));
        Detector detector = by(method, threads);
        ASSERT_EQ(detector.impacts(step.x_t0, step.x_t1).toi_hash(), expected.toi_hash());
        const FirstImpact first = detector.first_impact(step.x_t0, step.x_t1);
        ASSERT_EQ(first.impact.has_value(), !expected.impacts.empty());
        if (first.impact) {
          ASSERT_EQ(first.toi, least->toi_lo);
          ASSERT_EQ(first.impact->pair, least->pair);
        }
      }
    }
  }
  EXPECT_GT(with_contacts, kLargeSheets / 4);
}

}  // namespace
}  // namespace graze::testing
