// Queries of method auto at one instant: contacts of vertices that did not move since the last query are kept, and
// every answer is that of a new detector and of brute, to the last bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include <graze/graze.hpp>

namespace graze::testing {

namespace {

bool operator==(const Proximity& a, const Proximity& b) {
  return a.pair == b.pair && a.distance == b.distance && a.weights == b.weights && a.normal == b.normal;
}

/// Three crumpled sheets that pass through each other; the first and the second are one body, the third another.
struct Sheets {
  static constexpr std::uint32_t kSide = 12;
  static constexpr std::size_t kPerSheet = std::size_t{kSide + 1} * (kSide + 1);

  Scene scene;
  std::vector<Vec3> x;

  Sheets() {
    std::mt19937 random(4);
    std::uniform_real_distribution<double> some(-0.3, 0.3);
    std::vector<Triangle> triangles;
    for (std::uint32_t sheet = 0; sheet < 3; ++sheet) {
      const auto first = static_cast<VertexId>(x.size());
      for (std::uint32_t i = 0; i <= kSide; ++i) {
        for (std::uint32_t j = 0; j <= kSide; ++j) {
          x.push_back({i + some(random), j + some(random), 0.2 * sheet + some(random)});
        }
      }
      for (std::uint32_t i = 0; i < kSide; ++i) {
        for (std::uint32_t j = 0; j < kSide; ++j) {
          const VertexId v = first + i * (kSide + 1) + j;
          triangles.push_back({v, v + 1, v + kSide + 1});
          triangles.push_back({v + 1, v + kSide + 2, v + kSide + 1});
        }
      }
    }
    const auto two = static_cast<std::ptrdiff_t>(2 * kPerSheet);
    std::vector<Triangle> last(triangles.begin() + static_cast<std::ptrdiff_t>(triangles.size() / 3 * 2),
                               triangles.end());
    triangles.resize(triangles.size() / 3 * 2);
    for (Triangle& t : last) {
      for (VertexId& v : t) v -= static_cast<VertexId>(two);
    }
    scene.add_body({.positions = std::span(x).first(2 * kPerSheet), .triangles = triangles});
    scene.add_body({.positions = std::span(x).subspan(2 * kPerSheet), .triangles = last});
  }

  /// Moves a range of vertices along z.
  void move(std::size_t first, std::size_t count, double by) {
    for (std::size_t v = first; v < first + count; ++v) x[v].z += by;
  }
};

/// Asks a detector for both queries, compares with new detectors, and returns the contacts that were kept.
struct Kept {
  std::uint64_t intersections = 0;
  std::uint64_t proximities = 0;
};
Kept expect_right(Detector& detector, const Scene& scene, std::span<const Vec3> x, double d) {
  Detector fresh(scene);
  Detector brute(scene, {.method = Method::Brute});
  const Intersections found = detector.intersections(x, {.adjacent = true});
  const Intersections known = brute.intersections(x, {.adjacent = true});
  EXPECT_EQ(found.edge_face, known.edge_face);
  EXPECT_EQ(found.triangle_pairs, known.triangle_pairs);
  EXPECT_EQ(fresh.intersections(x).edge_face, known.edge_face);
  const Proximities near = detector.proximities(x, d);
  const auto same = [](const std::vector<Proximity>& a, const std::vector<Proximity>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Proximity& p, const Proximity& q) { return p == q; });
  };
  const Proximities expected = brute.proximities(x, d);
  EXPECT_TRUE(same(near.proximities, expected.proximities));
  EXPECT_TRUE(same(fresh.proximities(x, d).proximities, expected.proximities));
  EXPECT_GT(known.edge_face.size(), 100U);
  EXPECT_GT(expected.proximities.size(), 100U);
  return {found.stats.cluster.kept_contacts, near.stats.cluster.kept_contacts};
}

TEST(AutoInstant, KeepsTheContactsOfWhatDidNotMove) {
  Sheets sheets;
  Detector detector(sheets.scene);
  for (int query = 0; query < 2; ++query) {  // the second finds that nothing has moved
    const Kept none = expect_right(detector, sheets.scene, sheets.x, 0.1);
    EXPECT_EQ(none.intersections + none.proximities, 0U);
  }
  const std::size_t all = detector.intersections(sheets.x).edge_face.size();
  const Kept again = expect_right(detector, sheets.scene, sheets.x, 0.1);
  EXPECT_EQ(again.intersections, all);
  sheets.move(2 * Sheets::kPerSheet, Sheets::kPerSheet, 0.05);  // the third sheet
  const Kept some = expect_right(detector, sheets.scene, sheets.x, 0.1);
  EXPECT_GT(some.intersections, 0U);
  EXPECT_LT(some.intersections, all);
  EXPECT_GT(some.proximities, 0U);
  for (Vec3& p : sheets.x) p.x += 0.125;
  const Kept none = expect_right(detector, sheets.scene, sheets.x, 0.1);
  EXPECT_EQ(none.intersections + none.proximities, 0U);
}

TEST(AutoInstant, ForgetsContactsOfAnotherDistanceAndAfterAnEdit) {
  Sheets sheets;
  Detector detector(sheets.scene);
  expect_right(detector, sheets.scene, sheets.x, 0.1);
  expect_right(detector, sheets.scene, sheets.x, 0.1);
  EXPECT_GT(expect_right(detector, sheets.scene, sheets.x, 0.1).proximities, 0U);
  EXPECT_EQ(expect_right(detector, sheets.scene, sheets.x, 0.05).proximities, 0U);
  EXPECT_GT(expect_right(detector, sheets.scene, sheets.x, 0.05).proximities, 0U);
  SceneEdit edit = detector.begin_edit();
  edit.remove_triangle(5);
  detector.apply(edit);
  const Kept kept = expect_right(detector, detector.scene(), sheets.x, 0.05);
  EXPECT_EQ(kept.intersections + kept.proximities, 0U);
}

TEST(AutoInstant, DoesNotDisturbTheStepsInBetween) {
  Sheets sheets;
  Detector detector(sheets.scene);
  Detector steps_alone(sheets.scene);
  std::uint64_t kept = 0;
  for (int step = 0; step < 8; ++step) {
    const std::vector<Vec3> x_t0 = sheets.x;
    if (step % 2 == 1) sheets.move(2 * Sheets::kPerSheet, Sheets::kPerSheet, step % 4 == 1 ? 0.25 : -0.2);
    const Impacts found = detector.impacts(x_t0, sheets.x);
    const Impacts known = steps_alone.impacts(x_t0, sheets.x);
    EXPECT_EQ(found.toi_hash(), known.toi_hash());
    EXPECT_EQ(found.stats.cluster.kept, known.stats.cluster.kept);
    kept += found.stats.cluster.kept;
    expect_right(detector, sheets.scene, step % 3 == 0 ? x_t0 : sheets.x, 0.1);
    EXPECT_EQ(detector.first_impact(x_t0, sheets.x).toi, steps_alone.first_impact(x_t0, sheets.x).toi);
  }
  EXPECT_GT(kept, 20U);
}

TEST(AutoInstant, KeepsContactsOnlyWhereTheMemoryCapLeavesRoom) {
  Sheets sheets;
  const Proximities known = Detector(sheets.scene).proximities(sheets.x, 0.1);
  const auto kept_with = [&](std::uint64_t cap) {
    Detector capped(sheets.scene, {.memory_cap = cap});
    std::uint64_t kept = 0;
    for (int query = 0; query < 4; ++query) {
      const Proximities found = capped.proximities(sheets.x, 0.1);
      EXPECT_EQ(found.proximities.size(), known.proximities.size());
      kept = found.stats.cluster.kept_contacts;
    }
    return kept;
  };
  std::uint64_t fails = 0;
  std::uint64_t fits = std::uint64_t{1} << 30U;
  while (fits - fails > 1) {  // the smallest cap with which four queries in a row succeed
    const std::uint64_t middle = fails + (fits - fails) / 2;
    try {
      kept_with(middle);
      fits = middle;
    } catch (const ResourceError&) {
      fails = middle;
    }
  }
  EXPECT_EQ(kept_with(fits), 0U);
  EXPECT_EQ(kept_with(4 * fits), known.proximities.size());
  // Where kept contacts cost a later query its memory, they are given up, and the query succeeds when it is
  // repeated.
  Detector tight(sheets.scene, {.memory_cap = fits - 1});
  bool failed = false;
  for (int query = 0; query < 8; ++query) {
    try {
      EXPECT_EQ(tight.proximities(sheets.x, 0.1).proximities.size(), known.proximities.size());
      failed = false;
    } catch (const ResourceError&) {
      EXPECT_FALSE(failed) << "failed twice in a row";
      failed = true;
    }
  }
}

TEST(AutoInstant, StreamsTheSameProximitiesOnAnyNumberOfThreads) {
  Sheets sheets;
  for (const Method method : {Method::Auto, Method::RTri, Method::Hash, Method::Adaptive, Method::Brute}) {
    const Proximities all = Detector(sheets.scene, {.method = method}).proximities(sheets.x, 0.1);
    std::vector<Proximity> first;
    for (const unsigned threads : {1U, 2U, 7U}) {
      Detector detector(sheets.scene, {.method = method, .threads = threads});
      std::vector<Proximity> streamed;
      for (int query = 0; query < 3; ++query) {  // auto takes the third from what it kept
        streamed.clear();
        std::size_t batches = 0;
        static_cast<void>(detector.proximities(sheets.x, 0.1, [&](std::span<const Proximity> some) {
          ++batches;
          streamed.insert(streamed.end(), some.begin(), some.end());
          return true;
        }));
        if (query == 0) {
          EXPECT_GT(batches, 1U) << name_of(method);
          if (threads == 1) first = streamed;
          EXPECT_TRUE(std::equal(streamed.begin(), streamed.end(), first.begin(), first.end(),
                                 [](const Proximity& a, const Proximity& b) { return a == b; }));
        }
        std::sort(streamed.begin(), streamed.end(),
                  [](const Proximity& a, const Proximity& b) { return a.pair < b.pair; });
        EXPECT_TRUE(std::equal(streamed.begin(), streamed.end(), all.proximities.begin(), all.proximities.end(),
                               [](const Proximity& a, const Proximity& b) { return a == b; }))
            << name_of(method);
      }
      EXPECT_THROW((void)detector.proximities(sheets.x, 0.1, [](std::span<const Proximity>) { return false; }),
                   Interrupted);
      EXPECT_EQ(detector.proximities(sheets.x, 0.1).proximities.size(), all.proximities.size());
    }
  }
}

}  // namespace
}  // namespace graze::testing
