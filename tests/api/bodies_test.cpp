// Several bodies: static bodies, excluded body pairs, every option of every method, and streaming. Every method is
// compared with `brute`, and `brute` with its own full answer filtered by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <graze/graze.hpp>
#include <graze/research.hpp>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "oracle/scene_generator.hpp"
#include "support/sample_scenes.hpp"

namespace graze {

namespace {

using testing::random_soup;
using testing::Step;

/// Random soups that lie in and around each other, one per entry of `motions`.
Step bodies_step(unsigned seed, const std::vector<Motion>& motions) {
  Step all;
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const Step one = random_soup(seed + static_cast<unsigned>(i), 40, 0.4);
    const bool is_static = motions[i] == Motion::Static;
    all.scene.add_body({.positions = one.x_t0, .triangles = one.scene.triangles(), .motion = motions[i]});
    all.x_t0.insert(all.x_t0.end(), one.x_t0.begin(), one.x_t0.end());
    const std::vector<Vec3>& end = is_static ? one.x_t0 : one.x_t1;
    all.x_t1.insert(all.x_t1.end(), end.begin(), end.end());
  }
  return all;
}

/// Answers of every query to one step, in a form that can be compared.
struct Answers {
  std::vector<FeaturePair> impacts;
  std::uint64_t toi_hash = 0;
  std::optional<FeaturePair> first;
  double toi = 0.0;
  std::vector<Intersection> edge_face;
  std::vector<TrianglePair> triangle_pairs;
  std::vector<FeaturePair> proximities;

  friend bool operator==(const Answers&, const Answers&) = default;
};

Answers answers(Detector& detector, const std::vector<Vec3>& x_t0, const std::vector<Vec3>& x_t1) {
  Answers all;
  const Impacts impacts = detector.impacts(x_t0, x_t1);
  for (const Impact& impact : impacts.impacts) all.impacts.push_back(impact.pair);
  all.toi_hash = impacts.toi_hash();
  const FirstImpact first = detector.first_impact(x_t0, x_t1);
  if (first.impact) all.first = first.impact->pair;
  all.toi = first.toi;
  Intersections intersections = detector.intersections(x_t0);
  all.edge_face = std::move(intersections.edge_face);
  all.triangle_pairs = std::move(intersections.triangle_pairs);
  for (const Proximity& p : detector.proximities(x_t0, 0.05).proximities) all.proximities.push_back(p.pair);
  return all;
}
Answers answers(Detector&& detector, const std::vector<Vec3>& x_t0, const std::vector<Vec3>& x_t1) {
  return answers(detector, x_t0, x_t1);
}

TEST(Bodies, StaticOnesChangeNoAnswerOfAnyMethod) {
  constexpr Motion kMoves = Motion::Deforming;
  constexpr Motion kStays = Motion::Static;
  const std::vector<std::vector<Motion>> mixes = {{kStays, kMoves},
                                                  {kMoves, kStays, kMoves},
                                                  {kStays, kStays, kMoves, kStays},
                                                  {kStays, kStays},
                                                  {kMoves, kMoves}};
  for (std::size_t m = 0; m < mixes.size(); ++m) {
    const Step step = bodies_step(static_cast<unsigned>(100 * m), mixes[m]);
    for (const double thickness : {0.0, 0.02}) {
      const Answers expected =
          answers(Detector(step.scene, {.method = Method::Brute, .thickness = thickness}), step.x_t0, step.x_t1);
      // Static features in general position cross faces but touch none: impacts need motion or a thickness.
      const bool all_static = mixes[m] == std::vector{kStays, kStays};
      ASSERT_EQ(expected.impacts.empty(), all_static && thickness == 0.0);
      ASSERT_FALSE(expected.edge_face.empty());
      for (const Method method : research::all_methods()) {
        Detector detector(step.scene, {.method = method, .thickness = thickness});
        // The second query reuses the known result of pairs of static bodies.
        for (int time = 0; time < 2; ++time) {
          ASSERT_EQ(answers(detector, step.x_t0, step.x_t1), expected)
              << name_of(method) << ", mix " << m << ", thickness " << thickness << ", time " << time;
        }
      }
    }
  }
}

TEST(Bodies, AStaticBodyThatIsElsewhereInTheNextQueryIsFoundThere) {
  Step step = bodies_step(7, {Motion::Static, Motion::Deforming, Motion::Static});
  const std::size_t last = step.scene.vertices(0).last;
  for (const Method method : research::all_methods()) {
    Detector detector(step.scene, {.method = method});
    std::vector<Vec3> x_t0 = step.x_t0;
    std::vector<Vec3> x_t1 = step.x_t1;
    std::size_t different = 0;
    std::vector<FeaturePair> before;
    for (int time = 0; time < 4; ++time) {
      const Answers expected = answers(Detector(step.scene, {.method = Method::Brute}), x_t0, x_t1);
      ASSERT_EQ(answers(detector, x_t0, x_t1), expected) << name_of(method) << ", time " << time;
      different += expected.impacts != before ? 1U : 0U;
      before = expected.impacts;
      for (std::size_t v = 0; v < last; ++v) x_t1[v].z = x_t0[v].z += 0.125;
    }
    EXPECT_EQ(different, 4U);
  }
}

/// Whether the scene tests the two bodies that the vertices belong to.
bool kept(const Scene& scene, VertexId a, VertexId b) {
  return scene.tests_pair(scene.body_of(a), scene.body_of(b));
}

void expect_filtered(const Step& whole, const Scene& filtered) {
  const Answers all = answers(Detector(whole.scene, {.method = Method::Brute}), whole.x_t0, whole.x_t1);
  Answers expected = all;
  const auto other_pair = [&](const FeaturePair& pair) {
    return !kept(filtered, pair.vertices[0], pair.vertices[2]);
  };
  std::erase_if(expected.impacts, other_pair);
  std::erase_if(expected.proximities, other_pair);
  std::erase_if(expected.edge_face, [&](const Intersection& i) { return !kept(filtered, i.edge[0], i.face[0]); });
  const auto triangles = filtered.triangles();
  std::erase_if(expected.triangle_pairs, [&](const TrianglePair& pair) {
    return !kept(filtered, triangles[pair.a][0], triangles[pair.b][0]);
  });
  ASSERT_LT(expected.impacts.size(), all.impacts.size());
  ASSERT_FALSE(expected.impacts.empty());
  for (const Method method : research::all_methods()) {
    const Answers actual = answers(Detector(filtered, {.method = method}), whole.x_t0, whole.x_t1);
    EXPECT_EQ(actual.impacts, expected.impacts) << name_of(method);
    EXPECT_EQ(actual.edge_face, expected.edge_face) << name_of(method);
    EXPECT_EQ(actual.triangle_pairs, expected.triangle_pairs) << name_of(method);
    EXPECT_EQ(actual.proximities, expected.proximities) << name_of(method);
    EXPECT_TRUE(actual.first && !other_pair(*actual.first)) << name_of(method);
  }
}

TEST(Bodies, PairsThatAreIgnoredAreLeftOutByEveryMethod) {
  const Step step = bodies_step(31, {Motion::Deforming, Motion::Static, Motion::Deforming, Motion::Static});
  Scene filtered = step.scene;
  filtered.ignore_pair(2, 0);
  filtered.ignore_pair(1, 1);
  filtered.ignore_pair(1, 3);
  filtered.ignore_pair(3, 1);
  EXPECT_FALSE(filtered.tests_pair(0, 2));
  EXPECT_FALSE(filtered.tests_pair(3, 1));
  EXPECT_TRUE(filtered.tests_pair(0, 0));
  expect_filtered(step, filtered);
}

TEST(Bodies, OnlyBodiesWhoseGroupsAllowItAreTested) {
  const Step step = bodies_step(47, {Motion::Deforming, Motion::Deforming, Motion::Deforming});
  constexpr std::uint32_t kCloth = 1;
  constexpr std::uint32_t kBody = 2;
  Scene filtered;
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> groups = {
      {kCloth, kCloth | kBody}, {kBody, kCloth}, {kBody, kCloth}};
  for (BodyId body = 0; body < 3; ++body) {
    const auto [first, last] = step.scene.vertices(body);
    std::vector<Triangle> triangles;
    for (const Triangle& t : step.scene.triangles()) {
      if (t[0] >= first && t[0] < last) triangles.push_back({t[0] - first, t[1] - first, t[2] - first});
    }
    filtered.add_body({.positions = std::span(step.x_t0).subspan(first, last - first),
                       .triangles = triangles,
                       .groups = groups[body].first,
                       .meets = groups[body].second});
  }
  EXPECT_TRUE(filtered.tests_pair(0, 0));
  EXPECT_TRUE(filtered.tests_pair(2, 0));
  EXPECT_FALSE(filtered.tests_pair(1, 1));
  EXPECT_FALSE(filtered.tests_pair(1, 2));
  EXPECT_FALSE(filtered.tests_all_pairs());
  expect_filtered(step, filtered);
}

TEST(Bodies, AnIgnoredPairMustExist) {
  Scene scene;
  scene.add_body({});
  EXPECT_THROW(scene.ignore_pair(0, 1), InputError);
  EXPECT_TRUE(scene.tests_all_pairs());
  scene.ignore_pair(0, 0);
  EXPECT_FALSE(scene.tests_all_pairs());
}

// Number of scenes of each family; smaller in the slow builds that check contracts.
#if defined(GRAZE_ASSERTS)
constexpr std::uint64_t kChoiceScenes = 1;
#else
constexpr std::uint64_t kChoiceScenes = 3;
#endif

TEST(HierarchyChoices, ChangeNoAnswer) {
  for (const oracle::SceneFamily& family : oracle::scene_families()) {
    for (std::uint64_t index = 0; index < kChoiceScenes; ++index) {
      const oracle::SceneStep step = oracle::make_scene(family, 19, index);
      Scene scene;
      scene.add_body({.positions = step.x_t0, .triangles = step.triangles});
      for (const double thickness : {0.0, 0.1}) {
        const Answers expected =
            answers(Detector(scene, {.method = Method::Brute, .thickness = thickness}), step.x_t0, step.x_t1);
        for (const research::BoundingVolume volume :
             {research::BoundingVolume::Aabb, research::BoundingVolume::Kdop18, research::BoundingVolume::Kdop26}) {
          for (const research::TreeBuilder builder :
               {research::TreeBuilder::Sah, research::TreeBuilder::Midpoint, research::TreeBuilder::Lbvh}) {
            for (const research::EdgeBounds edges :
                 {research::EdgeBounds::Stored, research::EdgeBounds::Computed}) {
              for (const Method method : {research::kBasic, Method::RTri}) {
                Detector detector(scene, {.method = method,
                                          .research = research::Options{.hierarchy = {volume, builder, edges}},
                                          .thickness = thickness});
                ASSERT_EQ(answers(detector, step.x_t0, step.x_t1), expected)
                    << family.name << " " << index << ", " << name_of(method) << ", " << name_of(volume) << ", "
                    << name_of(builder) << ", " << name_of(edges);
              }
            }
          }
        }
      }
    }
  }
}

TEST(HierarchyChoices, OfPatchesAndConesChangeNoAnswerEither) {
  for (const oracle::SceneFamily& family : oracle::scene_families()) {
    for (std::uint64_t index = 0; index < kChoiceScenes; ++index) {
      const oracle::SceneStep step = oracle::make_scene(family, 23, index);
      Scene scene;
      scene.add_body({.positions = step.x_t0, .triangles = step.triangles});
      const Answers expected = answers(Detector(scene, {.method = Method::Brute}), step.x_t0, step.x_t1);
      for (const research::TreeBuilder builder : {research::TreeBuilder::Sah, research::TreeBuilder::Connected}) {
        for (const research::NormalCones cones :
             {research::NormalCones::None, research::NormalCones::Tight, research::NormalCones::Canonical}) {
          for (const research::EdgeBounds edges : {research::EdgeBounds::Stored, research::EdgeBounds::None}) {
            for (const Method method :
                 {research::kBasic, research::kNoDupl, research::kAdj, Method::RTri, Method::Iccd}) {
              Detector detector(scene,
                                {.method = method,
                                 .research = research::Options{
                                     .hierarchy = {.builder = builder, .edge_bounds = edges, .cones = cones}}});
              ASSERT_EQ(answers(detector, step.x_t0, step.x_t1), expected)
                  << family.name << " " << index << ", " << name_of(method) << ", " << name_of(builder) << ", "
                  << name_of(cones) << ", " << name_of(edges);
            }
          }
        }
      }
    }
  }
}

TEST(HierarchyChoices, HaveNamesThatComeBack) {
  EXPECT_EQ(from_name<research::NormalCones>("canonical"), research::NormalCones::Canonical);
  EXPECT_EQ(name_of(research::NormalCones::None), "none");
  EXPECT_EQ(from_name<research::EdgeBounds>("none"), research::EdgeBounds::None);
  EXPECT_EQ(from_name<research::TreeBuilder>("connected"), research::TreeBuilder::Connected);
  EXPECT_THROW(from_name<research::NormalCones>("wide"), InputError);
  EXPECT_THROW(
      Detector(Scene(),
               {.research = research::Options{.hierarchy = {.cones = static_cast<research::NormalCones>(9)}}}),
      InputError);
  EXPECT_EQ(from_name<research::BoundingVolume>("kdop18"), research::BoundingVolume::Kdop18);
  EXPECT_EQ(from_name<research::TreeBuilder>("lbvh"), research::TreeBuilder::Lbvh);
  EXPECT_EQ(from_name<research::EdgeBounds>("computed"), research::EdgeBounds::Computed);
  EXPECT_EQ(name_of(research::BoundingVolume::Aabb), "aabb");
  EXPECT_EQ(name_of(research::TreeBuilder::Midpoint), "midpoint");
  EXPECT_THROW(from_name<research::BoundingVolume>("sphere"), InputError);
  EXPECT_THROW(
      Detector(Scene(),
               {.research = research::Options{.hierarchy = {.builder = static_cast<research::TreeBuilder>(9)}}}),
      InputError);
}

TEST(Streaming, HandsOverEveryImpactOnceInAnOrderOfItsOwn) {
  const Step step = bodies_step(3, {Motion::Deforming, Motion::Static, Motion::Deforming, Motion::Static});
  for (const Method method : research::all_methods()) {
    std::vector<FeaturePair> order;
    for (const unsigned threads : {1U, 2U, 7U}) {
      Detector detector(step.scene, {.method = method, .threads = threads});
      Impacts streamed;
      const Stats stats = detector.impacts(step.x_t0, step.x_t1, [&](std::span<const Impact> some) {
        EXPECT_FALSE(some.empty());
        streamed.impacts.insert(streamed.impacts.end(), some.begin(), some.end());
        return true;
      });
      std::vector<FeaturePair> pairs;
      for (const Impact& impact : streamed.impacts) pairs.push_back(impact.pair);
      if (order.empty()) order = pairs;
      EXPECT_EQ(pairs, order) << name_of(method) << ", " << threads << " threads";
      std::sort(streamed.impacts.begin(), streamed.impacts.end(),
                [](const Impact& a, const Impact& b) { return a.pair < b.pair; });
      const Impacts whole = detector.impacts(step.x_t0, step.x_t1);
      ASSERT_FALSE(whole.impacts.empty());
      EXPECT_EQ(streamed.toi_hash(), whole.toi_hash()) << name_of(method);
      EXPECT_GT(stats.ee_tests, 0U);
    }
  }
}

TEST(Streaming, StopsWhenTheSinkSaysSo) {
  const Step step = random_soup(5, 200, 0.3);
  for (const Method method : research::all_methods()) {
    Detector detector(step.scene, {.method = method});
    int calls = 0;
    EXPECT_THROW(detector.impacts(step.x_t0, step.x_t1,
                                  [&](std::span<const Impact>) {
                                    ++calls;
                                    return false;
                                  }),
                 Interrupted);
    EXPECT_EQ(calls, 1) << name_of(method);
  }
}

TEST(Streaming, NeedsLessMemoryThanTheWhole) {
  const Step step = random_soup(6, 3000, 0.12);
  const std::uint64_t count = Detector(step.scene).impacts(step.x_t0, step.x_t1).impacts.size();
  const std::uint64_t work = Detector(step.scene).impacts(step.x_t0, step.x_t1).stats.memory_bytes;
  const std::uint64_t cap = work + count * sizeof(Impact);  // less than the whole result takes
  ASSERT_GT(count, 20'000U);
  Detector detector(step.scene, {.memory_cap = cap});
  EXPECT_THROW((void)detector.impacts(step.x_t0, step.x_t1), ResourceError);
  std::uint64_t streamed = 0;
  (void)detector.impacts(step.x_t0, step.x_t1, [&](std::span<const Impact> some) {
    streamed += some.size();
    return true;
  });
  EXPECT_EQ(streamed, count);
}

}  // namespace
}  // namespace graze
