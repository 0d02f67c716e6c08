// Method hash with several bodies: static bodies that stay, are placed elsewhere, are alone, or touch each other;
// excluded pairs; edits between steps. Also the stateless call, with another soup each time.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <graze/graze.hpp>
#include <graze/research.hpp>

#include "oracle/scene_generator.hpp"
#include "support/adaptive_check.hpp"
#include "support/edit_positions.hpp"
#include "support/edit_replay.hpp"
#include "support/hash_check.hpp"
#include "support/random_edits.hpp"
#include "support/sample_scenes.hpp"

namespace graze::testing {

namespace {

using oracle::Random;

constexpr Motion kMoves = Motion::Deforming;
constexpr Motion kStays = Motion::Static;

/// Soups that lie in and around each other; static ones have larger triangles, so that levels differ.
Step bodies_step(unsigned seed, const std::vector<Motion>& motions, std::size_t triangles = 30) {
  Step all;
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const bool is_static = motions[i] == kStays;
    const Step one = random_soup(seed + static_cast<unsigned>(i), triangles, is_static ? 1.1 : 0.3);
    all.scene.add_body({.positions = one.x_t0, .triangles = one.scene.triangles(), .motion = motions[i]});
    all.x_t0.insert(all.x_t0.end(), one.x_t0.begin(), one.x_t0.end());
    const std::vector<Vec3>& end = is_static ? one.x_t0 : one.x_t1;
    all.x_t1.insert(all.x_t1.end(), end.begin(), end.end());
  }
  return all;
}

void shift(const Scene& scene, BodyId body, const Vec3& by, std::vector<Vec3>& x) {
  for (VertexId v = scene.vertices(body).first; v < scene.vertices(body).last; ++v) {
    x[v] = {x[v].x + by.x, x[v].y + by.y, x[v].z + by.z};
  }
}

/// A sequence in which static bodies stay for a while and are then placed elsewhere, one at a time or all;
/// sometimes the moving bodies are static as well. The distance of proximity queries in between varies too.
TEST(HashBodies, StaticOnesAreFoundWhereTheyAre) {
  const std::vector<std::vector<Motion>> mixes = {
      {kStays, kMoves}, {kMoves, kStays, kMoves}, {kStays, kStays, kMoves, kStays}, {kStays, kStays}, {kStays}};
  Random random(31);
  std::size_t contacts = 0;
  for (std::size_t m = 0; m < mixes.size(); ++m) {
    const Step start = bodies_step(static_cast<unsigned>(50 * m), mixes[m], kIsSlow ? 10 : 16);
    for (int turn = 0; turn < (kIsSlow ? 1 : 3); ++turn) {
      DetectorOptions options = random_hash_choice(random);
      options.thickness = turn == 2 ? 0.01 : 0.0;
      SCOPED_TRACE("mix " + std::to_string(m) + ": " + described(options));
      Detector detector(start.scene, options);
      Detector reference(start.scene, {.method = Method::Brute, .thickness = options.thickness, .threads = 1});
      std::vector<Vec3> x_t0 = start.x_t0;
      std::vector<Vec3> x_t1 = start.x_t1;
      for (int step = 0; step < 8; ++step) {
        if (step % 3 == 2) {  // one body or all: far, a little, or only -0 to 0
          const double by = std::array{0.25, 0x1p-30, 3.0, 0.0}[random.below(4)];
          const auto one = static_cast<BodyId>(random.below(static_cast<std::uint32_t>(mixes[m].size())));
          for (BodyId body = 0; body < mixes[m].size(); ++body) {
            if (step == 5 && body != one) continue;
            shift(start.scene, body, {by, -by, 0.5 * by}, x_t0);
            shift(start.scene, body, {by, -by, 0.5 * by}, x_t1);
          }
        }
        const double distance = std::array{0.0, 0.02, 0.1, 0.001}[random.below(4)];
        if (random.coin()) {
          ASSERT_EQ(detector.proximities(x_t0, distance).proximities.size(),
                    reference.proximities(x_t0, distance).proximities.size())
              << "step " << step;
        }
        const Answers expected = ask(reference, x_t0, x_t1, distance);
        ASSERT_EQ(difference(ask(detector, x_t0, x_t1, distance), expected), "") << "step " << step;
        contacts += expected.impacts.impacts.size();
        if (step % 4 == 3) std::swap(x_t0, x_t1);
      }
    }
  }
  EXPECT_GT(contacts, kIsSlow ? 200U : 1000U);
}

/// Bounds of static bodies have a margin beyond the distance they were built for and are not rebuilt within it:
/// diagonal slabs need the margin too. Points above plates with normals in all directions of a 26-DOP.
TEST(HashBodies, StaticOnesAreFoundAtDistancesThatGrowALittle) {
  Step step;
  std::size_t directions = 0;
  constexpr double kGap = 0.0119;  // between the points and the plates
  for (int x = -1; x <= 1; ++x) {
    for (int y = -1; y <= 1; ++y) {
      for (int z = -1; z <= 1; ++z) {
        const double length = std::sqrt(static_cast<double>(x * x + y * y + z * z));
        if (length == 0.0) continue;
        const Vec3 n = {x / length, y / length, z / length};
        const Vec3 side = x == 0 ? Vec3{1, 0, 0} : Vec3{-n.y, n.x, 0};
        const double width = std::sqrt(side.x * side.x + side.y * side.y);
        const Vec3 u = width > 0.0 ? Vec3{side.x / width, side.y / width, 0} : Vec3{0, 0, 1};
        const Vec3 v = {n.y * u.z - n.z * u.y, n.z * u.x - n.x * u.z, n.x * u.y - n.y * u.x};
        const Vec3 centre = {10.0 * static_cast<double>(directions++), 0, 0};
        const auto at = [&](double along_u, double along_v, double along_n) {
          return Vec3{centre.x + along_u * u.x + along_v * v.x + along_n * n.x,
                      centre.y + along_u * u.y + along_v * v.y + along_n * n.y,
                      centre.z + along_u * u.z + along_v * v.z + along_n * n.z};
        };
        step.add({at(-1, -1, 0), at(1, -1, 0), at(0, 1.5, 0)}, {0, 0, 0}, {{0, 1, 2}}, kStays);
        step.add({at(0, 0, kGap), at(0.02, 0, 0.3), at(0, 0.02, 0.3)}, {0, 0, 0}, {{0, 1, 2}});
      }
    }
  }
  Random random(39);
  for (int i = 0; i < 12; ++i) {
    const DetectorOptions options = random_hash_choice(random);
    SCOPED_TRACE(described(options));
    Detector detector(step.scene, options);
    EXPECT_EQ(detector.proximities(step.x_t0, 0.01).proximities.size(), 0U);
    EXPECT_EQ(detector.proximities(step.x_t0, 0.012).proximities.size(), directions);
    EXPECT_EQ(detector.proximities(step.x_t0, 0.0).proximities.size(), 0U);
    EXPECT_EQ(detector.proximities(step.x_t0, 0.012).proximities.size(), directions);
  }
}

/// The kept data of static bodies may grow or shrink after an edit of other bodies, and the static bodies may be
/// placed elsewhere in between: data of earlier positions must not reappear. About as many vertices as triangles,
/// then more, then fewer.
TEST(HashBodies, StaticOnesAreFoundWhereTheyAreWhenOthersAreEdited) {
  Random random(42);
  std::size_t contacts = 0;
  for (int i = 0; i < 12; ++i) {
    const Patch patch = grid_patch(4, 0.0);  // 25 vertices, 32 triangles
    Scene scene;
    scene.add_body({.positions = patch.points, .triangles = patch.triangles, .motion = kStays});
    scene.add_body({.positions = patch.points, .triangles = patch.triangles});
    const DetectorOptions options = random_hash_choice(random);
    SCOPED_TRACE(described(options));
    Detector detector(scene, options);
    const auto check = [&](double aside) {
      std::vector<Vec3> x_t0;
      std::vector<Vec3> x_t1;
      const Scene& now = detector.scene();
      for (VertexId v = 0; v < now.vertex_count(); ++v) {
        const Vec3& p = v < 50 ? patch.points[v % 25] : patch.points[v % 7];
        const bool stays = now.body_of(v) == 0;
        // The moving sheet crosses the static one from above.
        const double lift = stays ? 0.1 * p.x : 0.05 + 0.03 * p.y + 0.01 * static_cast<double>(v % 3);
        x_t0.push_back({p.x + aside + (stays ? 0.0 : 0.03), p.y - aside, p.z + aside + lift});
        x_t1.push_back(x_t0.back());
        if (!stays) x_t1.back().z -= 0.2;
      }
      const Impacts expected = Detector(now, {.method = Method::RTri, .threads = 1}).impacts(x_t0, x_t1);
      EXPECT_EQ(difference(detector.impacts(x_t0, x_t1), expected), "") << "aside " << aside;
      contacts += expected.impacts.size();
    };
    const auto add_vertices = [&](int count) {
      SceneEdit edit = detector.begin_edit();
      for (int k = 0; k < count; ++k) edit.add_vertex(1, {0, 0, 0});
      detector.apply(edit);
    };
    const auto add_triangle = [&](const Triangle& triangle) {
      SceneEdit edit = detector.begin_edit();
      edit.add_triangle(triangle);
      detector.apply(edit);
    };
    check(0.0);
    add_vertices(15);  // 65 vertices, 64 triangles
    check(0.0);
    check(3.0);
    add_triangle({25, 31, 37});
    add_triangle({26, 32, 38});
    check(3.0);
    add_vertices(3);
    check(3.0);
    check(-2.0);
    check(3.0);
  }
  EXPECT_GT(contacts, 1000U);
}

/// With one cell size, growing moving triangles need larger cells, also for the voxels of static bodies.
TEST(HashBodies, StaticOnesAreFoundByTrianglesThatGrow) {
  Random random(40);
  std::size_t contacts = 0;
  for (int i = 0; i < (kIsSlow ? 6 : 24); ++i) {
    const Step fixed = random_soup(90, 200, 0.04);
    const Step moving = random_soup(91, 100, 0.04);
    const auto apart = [](std::size_t count) {  // only the separate triangles of the soup
      std::vector<Triangle> triangles;
      for (VertexId t = 0; t < count; ++t) triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
      return triangles;
    };
    Step step;
    step.scene.add_body({.positions = fixed.x_t0, .triangles = apart(200), .motion = kStays});
    step.scene.add_body({.positions = moving.x_t0, .triangles = apart(100)});
    DetectorOptions options = random_hash_choice(random);
    if (i % 3 != 0) options.research->hash.cells = research::CellRule::Largest;
    SCOPED_TRACE(described(options));
    Detector detector(step.scene, options);
    Detector reference(step.scene, {.method = Method::RTri, .threads = 1});
    for (const double growth : {1.0, 3.0, 1.0, 8.0, 0.1}) {
      step.x_t0 = fixed.x_t0;
      step.x_t1 = fixed.x_t0;
      // Each triangle grows about its first vertex.
      for (std::size_t v = 0; v < moving.x_t0.size(); ++v) {
        const Vec3& hub = moving.x_t0[v / 3 * 3];
        const auto grown = [&](const Vec3& p) {
          return Vec3{hub.x + growth * (p.x - hub.x), hub.y + growth * (p.y - hub.y),
                      hub.z + growth * (p.z - hub.z)};
        };
        step.x_t0.push_back(grown(moving.x_t0[v]));
        step.x_t1.push_back(grown(moving.x_t1[v]));
      }
      const Impacts expected = reference.impacts(step.x_t0, step.x_t1);
      ASSERT_EQ(difference(detector.impacts(step.x_t0, step.x_t1), expected), "") << "growth " << growth;
      contacts += expected.impacts.size();
    }
  }
  EXPECT_GT(contacts, kIsSlow ? 200U : 1000U);
}

/// Static bodies that are already hashed cause no more voxel work.
TEST(HashBodies, StaticOnesAreHashedOnce) {
  const Step step = bodies_step(60, {kStays, kMoves}, 100);
  DetectorOptions options = DetectorOptions{.method = Method::Hash};
  Detector detector(step.scene, options);
  const Stats first = detector.impacts(step.x_t0, step.x_t1).stats;
  const Stats second = detector.impacts(step.x_t0, step.x_t1).stats;
  EXPECT_LT(second.hash.box_pairs, first.hash.box_pairs);  // pairs of static triangles are not generated again
  EXPECT_EQ(detector.impacts(step.x_t0, step.x_t1).stats.hash.box_pairs, second.hash.box_pairs);
}

TEST(HashBodies, StaticOnesInContactAreReportedInEveryStep) {
  // Two static triangles with edges that cross exactly, and a third triangle that falls on them.
  Step step;
  step.add({{-1, 0, 0}, {1, 0, 0}, {0, 2, 0}}, {0, 0, 0}, {{0, 1, 2}}, kStays);
  step.add({{0, -1, 0}, {0, 1, 0}, {0, 0, -2}}, {0, 0, 0}, {{0, 1, 2}}, kStays);
  step.add({{0.25, 0.5, 1}, {0.3, 0.5, 2}, {0.2, 0.6, 2}}, {0, 0, -1.5}, {{0, 1, 2}});
  const Impacts expected = Detector(step.scene, {.method = Method::Brute}).impacts(step.x_t0, step.x_t1);
  ASSERT_GE(expected.impacts.size(), 2U);
  Random random(32);
  for (int i = 0; i < 24; ++i) {
    const DetectorOptions options = random_hash_choice(random);
    Detector detector(step.scene, options);
    for (int time = 0; time < 3; ++time) {
      ASSERT_EQ(difference(detector.impacts(step.x_t0, step.x_t1), expected), "") << described(options);
      ASSERT_EQ(difference(streamed(detector, step.x_t0, step.x_t1), expected), "") << described(options);
    }
  }
}

TEST(HashBodies, ThatIgnoreEachOtherAreLeftOut) {
  Random random(33);
  for (unsigned seed = 0; seed < (kIsSlow ? 2U : 6U); ++seed) {
    Step step = bodies_step(70 + seed, {kMoves, kStays, kMoves, kStays}, 25);
    if (seed % 2 == 0) step.scene.ignore_pair(0, 2);
    if (seed % 3 == 0) step.scene.ignore_pair(0, 0);
    if (seed % 3 == 1) step.scene.ignore_pair(1, 3);
    if (seed % 4 == 2) step.scene.ignore_pair(2, 1);
    step.scene.ignore_pair(3, 3);
    const Answers expected = ask(Detector(step.scene, {.method = Method::Brute}), step.x_t0, step.x_t1, 0.01);
    ASSERT_FALSE(expected.impacts.impacts.empty());
    for (int i = 0; i < 4; ++i) {
      const DetectorOptions options = random_hash_choice(random);
      Detector detector(step.scene, options);
      ASSERT_EQ(difference(ask(detector, step.x_t0, step.x_t1, 0.01), expected), "") << described(options);
      ASSERT_EQ(difference(ask(detector, step.x_t0, step.x_t1, 0.01), expected), "") << described(options);
    }
  }
}

TEST(HashBodies, WithoutTrianglesHaveNoContacts) {
  Random random(34);
  Scene nothing;
  Scene points;
  const std::vector<Vec3> x = {{0, 0, 0}, {0, 0, 0}, {1, 1, 1}};
  points.add_body({.positions = x, .triangles = {}, .motion = kStays});
  points.add_body({.positions = x, .triangles = {}});
  std::vector<Vec3> both = x;
  both.insert(both.end(), x.begin(), x.end());
  for (int i = 0; i < 12; ++i) {
    const DetectorOptions options = random_hash_choice(random);
    EXPECT_EQ(difference(ask(Detector(nothing, options), {}, {}, 1.0), Answers{}), "") << described(options);
    EXPECT_EQ(difference(ask(Detector(points, options), both, both, 1.0), Answers{}), "") << described(options);
  }
}

class HashThroughEdits : public ::testing::TestWithParam<const EditStart*> {};

TEST_P(HashThroughEdits, IsWhatANewOneIs) {
  const EditStart& start = *GetParam();
  constexpr std::uint64_t kScripts = kIsSlow ? 1 : 3;
  constexpr std::size_t kEdits = kIsSlow ? 8 : 16;
  const std::uint64_t first = from_environment("GRAZE_HASH_SEED", 1);
  const std::uint64_t scripts = kScripts * from_environment("GRAZE_HASH_ROUNDS", 1);
  ReplayCounts counts;
  for (std::uint64_t seed = first; seed < first + scripts; ++seed) {
    const Scene scene = make_start(start, seed);
    const EditScript script = random_script(scene, seed, kEdits, start.most_triangles);
    Random random(seed, 35);
    const double thickness = seed % 3 == 0 ? 0.005 : 0.0;
    std::vector<DetectorOptions> detectors;
    for (int i = 0; i < 3; ++i) {
      detectors.push_back(random_hash_choice(random));
      detectors.back().thickness = thickness;
    }
    ASSERT_EQ(report(scene, script, detectors, seed, counts), "") << described(detectors[0]) << "\n"
                                                                  << described(detectors[1]) << "\n"
                                                                  << described(detectors[2]);
  }
  EXPECT_GT(counts.queries, counts.edits / 2);
  EXPECT_GT(counts.contacts, 0U);
}

std::vector<const EditStart*> starts() {
  std::vector<const EditStart*> all;
  for (const EditStart& start : edit_starts()) all.push_back(&start);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Starts, HashThroughEdits, ::testing::ValuesIn(starts()),
                         [](const auto& test) { return std::string(test.param->name); });

TEST(FindImpacts, KeepsNothingBetweenSoups) {
  Random random(36);
  std::size_t contacts = 0;
  for (const oracle::SceneFamily& family : oracle::scene_families()) {
    for (std::uint64_t index = 0; index < (kIsSlow ? 1 : 4); ++index) {
      const oracle::SceneStep step = oracle::make_scene(family, 5, index);
      const Impacts expected = Detector(scene_of(step), {.method = Method::Brute}).impacts(step.x_t0, step.x_t1);
      ASSERT_EQ(difference(find_impacts(step.triangles, step.x_t0, step.x_t1), expected), "") << family.name;
      const DetectorOptions options = random_hash_choice(random);
      ASSERT_EQ(difference(find_impacts(step.triangles, step.x_t0, step.x_t1, options), expected), "")
          << family.name << ", " << described(options);
      contacts += expected.impacts.size();
    }
  }
  EXPECT_GT(contacts, 100U);
}

TEST(FindImpacts, TakesAnyMethodAndThickness) {
  const Step step = random_soup(37, 60, 0.4);
  for (const Method method : research::all_methods()) {
    for (const double thickness : {0.0, 0.02}) {
      const DetectorOptions options = {.method = method, .thickness = thickness};
      const Impacts expected =
          Detector(step.scene, {.method = Method::Brute, .thickness = thickness}).impacts(step.x_t0, step.x_t1);
      EXPECT_EQ(difference(find_impacts(step.scene.triangles(), step.x_t0, step.x_t1, options), expected), "")
          << name_of(method) << ", " << thickness;
    }
  }
  EXPECT_TRUE(find_impacts({}, {}, {}).impacts.empty());
}

TEST(FindImpacts, RefusesBadInputAndNamesIt) {
  const std::vector<Triangle> triangles = {{0, 1, 2}, {3, 4, 5}};
  const std::vector<Vec3> x(6);
  const auto message = [&](const std::vector<Triangle>& t, const std::vector<Vec3>& x_t0,
                           const std::vector<Vec3>& x_t1,
                           const DetectorOptions& options = DetectorOptions{.method = Method::Hash}) {
    try {
      (void)find_impacts(t, x_t0, x_t1, options);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto has = [](const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos && text.find('\n') == std::string::npos;
  };
  EXPECT_EQ(message(triangles, x, x), "");
  EXPECT_TRUE(has(message({{0, 1, 2}, {3, 4, 6}}, x, x), "triangle 1"));
  EXPECT_TRUE(has(message(triangles, x, std::vector<Vec3>(5)), "5"));
  EXPECT_TRUE(has(message(triangles, x, std::vector<Vec3>(7)), "7"));
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    std::vector<Vec3> wrong = x;
    wrong[4].y = bad;
    EXPECT_TRUE(has(message(triangles, wrong, x), "vertex 4"));
    EXPECT_TRUE(has(message(triangles, x, wrong), "vertex 4"));
  }
  DetectorOptions options = DetectorOptions{.method = Method::Hash};
  options.research->hash.voxels = -1.0;
  EXPECT_TRUE(has(message(triangles, x, x, options), "voxels"));
  options.research->hash.voxels = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(has(message(triangles, x, x, options), "voxels"));
  options = DetectorOptions{.method = Method::Hash};
  options.research->hash.normal_threshold = 1.5;
  EXPECT_TRUE(has(message(triangles, x, x, options), "normal_threshold"));
  options = DetectorOptions{.method = Method::Hash};
  options.thickness = -1.0;
  EXPECT_TRUE(has(message(triangles, x, x, options), "thickness"));
}

TEST(FindImpacts, StopsWhenAskedToAndKeepsToItsCap) {
  const Step step = random_soup(38, 800, 0.3);
  DetectorOptions options = DetectorOptions{.method = Method::Hash};
  options.progress = [](double) { return false; };
  EXPECT_THROW((void)find_impacts(step.scene.triangles(), step.x_t0, step.x_t1, options), Interrupted);
  options.progress = {};
  options.memory_cap = 1000;
  EXPECT_THROW((void)find_impacts(step.scene.triangles(), step.x_t0, step.x_t1, options), ResourceError);
}

}  // namespace
}  // namespace graze::testing
