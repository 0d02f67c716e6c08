// Failed allocations in the middle of a query: the query fails, the detector stays valid, and the next query has
// every answer. In the middle of an edit: the edit is made completely or not at all. A separate program, because it
// replaces operator new.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <new>
#include <random>
#include <string>
#include <vector>

#include <graze/graze.hpp>
#include <graze/research.hpp>

#include "methods/failing_allocator.hpp"

namespace graze {
namespace {

using testing::until_failure;

constexpr std::size_t kPieces = 60;

/// Moves pieces of two triangles each to random positions.
std::vector<Vec3> scattered(const std::vector<Vec3>& x, std::mt19937& random) {
  const auto number = [&] { return static_cast<double>(random() % 100'000) * 1e-5; };
  std::vector<Vec3> moved = x;
  for (std::size_t i = 0; i < kPieces; ++i) {
    const Vec3 by{number(), number(), number()};
    for (std::size_t k = 4 * i; k < 4 * i + 4; ++k) moved[k] = {x[k].x + by.x, x[k].y + by.y, x[k].z + by.z};
  }
  return moved;
}

/// One body of kPieces pieces.
Scene pieces(std::mt19937& random) {
  const auto number = [&] { return static_cast<double>(random() % 100'000) * 1e-5; };
  std::vector<Vec3> x;
  std::vector<Triangle> triangles;
  for (VertexId i = 0; i < 4 * kPieces; i += 4) {
    for (int k = 0; k < 4; ++k) x.push_back({0.2 * number(), 0.2 * number(), 0.2 * number()});
    triangles.push_back({i, i + 1, i + 2});
    triangles.push_back({i, i + 2, i + 3});
  }
  Scene scene;
  scene.add_body({.positions = x, .triangles = triangles});
  return scene;
}

TEST(FailedAllocation, LosesNothingOfTheNextQuery) {
  std::mt19937 random(1);
  const Scene scene = pieces(random);
  const std::vector<Vec3> x(scene.positions().begin(), scene.positions().end());

  std::size_t failures = 0;
  std::size_t impact_count = 0;
  for (const Method method : {Method::RTri, Method::Iccd}) {
    for (const research::TreeBuilder builder : {research::TreeBuilder::Sah, research::TreeBuilder::Connected}) {
      const DetectorOptions options{
          .method = method, .research = research::Options{.hierarchy = {.builder = builder}}, .threads = 1};
      Detector detector(scene, options);
      for (long allowed = 0; allowed < 160; ++allowed) {
        const std::vector<Vec3> before = scattered(x, random);
        until_failure = allowed;
        try {
          (void)detector.impacts(before, before);
        } catch (const std::bad_alloc&) {
          ++failures;
        }
        until_failure = -1;
        const std::vector<Vec3> x_t0 = scattered(x, random);
        const std::vector<Vec3> x_t1 = scattered(x, random);
        const Impacts actual = detector.impacts(x_t0, x_t1);
        const Impacts expected = Detector(scene, options).impacts(x_t0, x_t1);
        ASSERT_EQ(actual.toi_hash(), expected.toi_hash())
            << name_of(method) << ", " << name_of(builder) << ", after " << allowed << " allocations";
        impact_count += expected.impacts.size();
      }
    }
  }
  EXPECT_GT(failures, 100U);
  EXPECT_GT(impact_count, 10'000U);
}

/// Operations that make every table of an edit grow.
void break_up(SceneEdit& edit) {
  edit.split_body(0);
  edit.tear_edge(8, 10);
  edit.remove_vertex(5);
  const std::vector<Vec3> points(40);
  const std::vector<Triangle> triangles(40, Triangle{0, 1, 2});
  edit.add_body({.positions = points, .triangles = triangles});
}

std::vector<BodyId> bodies_by_vertex(const Scene& scene) {
  std::vector<BodyId> bodies;
  for (VertexId v = 0; v < scene.vertex_count(); ++v) bodies.push_back(scene.body_of(v));
  return bodies;
}

std::vector<Triangle> triangles_of(const Scene& scene) {
  return {scene.triangles().begin(), scene.triangles().end()};
}

TEST(FailedAllocation, LeavesASceneAsItWasWhereAnEditFails) {
  constexpr VertexId kVertices = 4 * 12;
  const std::vector<Vec3> x(kVertices);
  std::vector<Triangle> triangles;
  for (VertexId i = 0; i < kVertices; i += 4) {
    triangles.push_back({i, i + 1, i + 2});
    triangles.push_back({i, i + 2, i + 3});
  }
  Scene scene;
  scene.add_body({.positions = x, .triangles = triangles});
  scene.ignore_pair(0, 0);
  Scene expected = scene;
  SceneEdit good = expected.begin_edit();
  break_up(good);
  expected.apply(good);
  SceneEdit removal = expected.begin_edit();
  removal.remove_body(3);
  expected.apply(removal);

  std::size_t in_operations = 0;
  std::size_t in_apply = 0;
  bool all_done = false;
  for (long allowed = 0; !all_done; ++allowed) {
    SCOPED_TRACE(allowed);
    Scene broken = scene;
    SceneEdit edit = broken.begin_edit();
    bool collected = false;
    until_failure = allowed;
    try {
      break_up(edit);
      collected = true;
      broken.apply(edit);
      all_done = until_failure >= 0;
    } catch (const std::bad_alloc&) {
      ++(collected ? in_apply : in_operations);
    }
    until_failure = -1;
    if (all_done) break;
    ASSERT_EQ(broken.revision(), scene.revision());
    ASSERT_EQ(broken.body_count(), scene.body_count());
    ASSERT_EQ(triangles_of(broken), triangles_of(scene));
    ASSERT_EQ(bodies_by_vertex(broken), bodies_by_vertex(scene));
    SceneEdit again = broken.begin_edit();
    break_up(again);
    broken.apply(again);
    SceneEdit last = broken.begin_edit();  // uses lists that went through the failure
    last.remove_body(3);
    broken.apply(last);
    ASSERT_EQ(triangles_of(broken), triangles_of(expected));
    ASSERT_EQ(bodies_by_vertex(broken), bodies_by_vertex(expected));
    ASSERT_EQ(broken.ignored_pairs().size(), expected.ignored_pairs().size());
  }
  EXPECT_GT(in_operations, 100U);
  EXPECT_GT(in_apply, 5U);
}

/// One edit that tears, removes and adds triangles and adds and removes bodies; `turn` counts the edits.
void break_some(SceneEdit& edit, VertexId turn, std::span<const BodyId> bodies) {
  constexpr auto kVertices = static_cast<VertexId>(4 * kPieces);
  const VertexId piece = 4 * turn % kVertices;
  if (turn < kPieces) edit.tear_edge(piece, piece + 2);
  edit.add_triangle({(piece + 8) % kVertices, (piece + 13) % kVertices, (piece + 22) % kVertices});
  if (turn >= 8) edit.remove_triangle(static_cast<TriangleId>(2 * kPieces + std::size_t{3} * (turn - 8)));
  const std::vector<Vec3> points = {{0.1, 0.1, 0.1}, {0.9, 0.2, 0.3}, {0.2, 0.9, 0.4}, {0.5, 0.5, 1.0}};
  const std::vector<Triangle> triangles = {{0, 1, 2}, {2, 1, 3}};
  edit.add_body(
      {.positions = points, .triangles = triangles, .motion = turn % 2 == 0 ? Motion::Static : Motion::Deforming});
  if (bodies.size() > 6) edit.remove_body(bodies[1 + turn % 5]);
}

/// Positions for all vertices of an edited scene: pieces at random positions, static bodies unchanged.
std::vector<Vec3> scattered(const Scene& scene, std::mt19937& random) {
  const auto number = [&] { return static_cast<double>(random() % 100'000) * 1e-5; };
  std::vector<Vec3> moved(scene.positions().begin(), scene.positions().end());
  Vec3 by{};
  for (VertexId v = 0; v < moved.size(); ++v) {
    if (v % 4 == 0) by = {number(), number(), number()};
    if (scene.has_vertex(v) && scene.motion(scene.body_of(v)) == Motion::Static) continue;
    moved[v] = {moved[v].x + by.x, moved[v].y + by.y, moved[v].z + by.z};
  }
  return moved;
}

TEST(FailedAllocation, LeavesADetectorRightWhereAnEditOfItOrTheNextQueryFails) {
  std::mt19937 random(2);
  const Scene scene = pieces(random);

  std::size_t undone = 0;
  std::size_t in_query = 0;
  std::size_t none = 0;
  std::size_t impact_count = 0;
  for (const Method method : {Method::RTri, Method::Iccd, Method::Hash}) {
    for (const research::TreeBuilder builder : {research::TreeBuilder::Sah, research::TreeBuilder::Connected}) {
      const DetectorOptions options{
          .method = method, .research = research::Options{.hierarchy = {.builder = builder}}, .threads = 1};
      Detector detector(scene, options);
      const std::vector<Vec3> start = scattered(scene, random);
      (void)detector.impacts(start, start);
      VertexId turn = 0;
      for (long allowed = 0; allowed < 1500; allowed += 1 + allowed / 16) {
        SCOPED_TRACE(std::string(name_of(method)) + ", " + std::string(name_of(builder)) + ", after " +
                     std::to_string(allowed) + " allocations");
        std::vector<BodyId> bodies;
        for (BodyId body = 0; body < detector.scene().body_count(); ++body) {
          if (detector.scene().has_body(body)) bodies.push_back(body);
        }
        SceneEdit edit = detector.begin_edit();
        break_some(edit, turn, bodies);
        const std::uint64_t revision = detector.scene().revision();
        const std::size_t vertices = detector.scene().vertex_count();
        until_failure = allowed;
        bool applied = false;
        try {
          detector.apply(edit);
          applied = true;
        } catch (const std::bad_alloc&) {
        }
        const long left = until_failure;
        until_failure = -1;
        // The edit is applied completely or not at all, and after a failure it can be applied again.
        ASSERT_EQ(detector.scene().revision(), applied ? revision + 1 : revision);
        if (!applied) {
          ++undone;
          ASSERT_EQ(detector.scene().vertex_count(), vertices);
          ASSERT_EQ(detector.validate(), "");
          if (allowed % 2 == 0) {
            const std::vector<Vec3> between = scattered(detector.scene(), random);
            ASSERT_EQ(detector.impacts(between, between).hash(),
                      Detector(detector.scene(), options).impacts(between, between).hash());
          }
          detector.apply(edit);
        }
        ++turn;
        const std::vector<Vec3> x_t0 = scattered(detector.scene(), random);
        std::vector<Vec3> x_t1 = scattered(detector.scene(), random);
        for (std::size_t v = 0; v < x_t1.size(); ++v) {  // short displacements: few contacts suffice
          const Vec3& from = x_t0[v];
          Vec3& to = x_t1[v];
          to = {from.x + 0.05 * (to.x - from.x), from.y + 0.05 * (to.y - from.y), from.z + 0.05 * (to.z - from.z)};
        }
        if (applied) {
          until_failure = left;
          try {
            (void)detector.impacts(x_t1, x_t1);
            ++none;
          } catch (const std::bad_alloc&) {
            ++in_query;
          }
          until_failure = -1;
        }
        const Impacts actual = detector.impacts(x_t0, x_t1);
        ASSERT_EQ(actual.toi_hash(), Detector(detector.scene(), options).impacts(x_t0, x_t1).toi_hash());
        ASSERT_EQ(detector.validate(), "");
        impact_count += actual.impacts.size();
      }
    }
  }
  EXPECT_GT(undone, 20U);
  EXPECT_GT(in_query, 100U);
  EXPECT_GT(none, 10U);
  EXPECT_GT(impact_count, 10'000U);
}

/// Two triangles, one of which passes through the other; then an edit adds the first static bodies.
TEST(FailedAllocation, OfTheFirstQueryAfterAnEditLeavesTheNextOneRight) {
  const std::array<Vec3, 3> corner = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
  const std::array<Triangle, 1> one = {{{0, 1, 2}}};
  const auto at = [&](double x, double z) {
    std::vector<Vec3> moved(corner.begin(), corner.end());
    for (Vec3& p : moved) p = {p.x + x, p.y + 0.5 * x, p.z + z + x * p.x};
    return moved;
  };
  const auto lifted = [](std::vector<Vec3> x, double z) {
    for (std::size_t v = 0; v < 3; ++v) x[v].z += z;
    return x;
  };
  std::size_t impact_count = 0;
  for (const bool skip : {true, false}) {
    bool is_over = false;
    for (int failure = 0; !is_over; ++failure) {
      SCOPED_TRACE((skip ? "failure " : "without sessions, failure ") + std::to_string(failure));
      Scene scene;
      scene.add_body({at(0.0, 0.0), one});
      scene.add_body({at(0.1, 0.4), one});
      Detector detector(scene, {.method = Method::Adaptive,
                                .research = research::Options{.adaptive = {.skip = skip, .frames = 4}},
                                .threads = 1});
      std::vector<Vec3> x = at(0.0, 0.0);
      for (const Vec3& p : at(0.1, 0.4)) x.push_back(p);
      (void)detector.impacts(x, lifted(x, 0.1));
      (void)detector.impacts(lifted(x, 0.1), lifted(x, 0.2));
      SceneEdit edit = detector.begin_edit();
      edit.add_body({at(0.2, 0.3), one, Motion::Static});
      edit.add_body({at(-0.2, 0.5), one, Motion::Static});
      x = edit.carry(x);
      detector.apply(edit);
      until_failure = failure;
      try {
        (void)detector.impacts(lifted(x, 0.2), lifted(x, 0.3));
      } catch (const std::bad_alloc&) {
      }
      is_over = until_failure >= 0;
      until_failure = -1;
      Detector reference(detector.scene(), {.method = Method::RTri, .threads = 1});
      for (int k = 3; k < 6; ++k) {
        const std::vector<Vec3> x_t0 = lifted(x, 0.1 * k);
        const std::vector<Vec3> x_t1 = lifted(x, 0.1 * (k + 1));
        const Impacts expected = reference.impacts(x_t0, x_t1);
        ASSERT_EQ(detector.impacts(x_t0, x_t1).toi_hash(), expected.toi_hash());
        impact_count += expected.impacts.size();
      }
    }
  }
  EXPECT_GT(impact_count, 0U);
}

TEST(FailedAllocation, LosesNothingOfASession) {
  std::mt19937 random(3);
  const Scene scene = pieces(random);
  const auto number = [&](double scale) { return scale * (static_cast<double>(random() % 200'000) * 1e-5 - 1.0); };
  std::size_t failures = 0;
  std::size_t in_sessions = 0;
  std::size_t impact_count = 0;
  for (const bool skip : {true, false}) {
    const DetectorOptions options{.method = Method::Adaptive,
                                  .research = research::Options{.adaptive = {.skip = skip, .frames = 12}},
                                  .threads = 1};
    Detector detector(scene, options);
    Detector reference(scene, {.method = Method::RTri, .threads = 1});
    std::vector<Vec3> x = scattered(scene, random);
    std::size_t session_step = 0;
    VertexId turn = 0;
    for (int step = 0; step < 500; ++step) {
      SCOPED_TRACE((skip ? "step " : "without sessions, step ") + std::to_string(step));
      if (step % 40 == 39) {
        SceneEdit edit = detector.begin_edit();
        break_some(edit, turn++, {});
        x = edit.carry(x);
        reference.apply(edit);
        until_failure = step % 80 == 39 ? step / 2 : -1;
        try {
          detector.apply(edit);
        } catch (const std::bad_alloc&) {
          until_failure = -1;
          detector.apply(edit);
        }
        until_failure = -1;
      }
      const std::vector<Vec3> x_t0 = x;
      // Calm motion; some vertices leave their displacement bounds, and now and then all vertices jump.
      for (std::size_t v = 0; v < x.size(); ++v) {
        if (detector.scene().has_vertex(static_cast<VertexId>(v)) &&
            detector.scene().motion(detector.scene().body_of(static_cast<VertexId>(v))) == Motion::Static) {
          continue;
        }
        const double size = step % 50 == 49 || (v + static_cast<std::size_t>(step)) % 61 == 0 ? 0.2 : 0.001;
        x[v] = {x[v].x + number(size), x[v].y + number(size), x[v].z + number(size)};
      }
      bool failed = false;
      until_failure = step % 3 == 0 ? -1 : step % 41;
      try {
        session_step = detector.impacts(x_t0, x).stats.coherence.session_step;
      } catch (const std::bad_alloc&) {
        failed = true;
        ++failures;
        in_sessions += session_step > 1 ? 1U : 0U;
      }
      until_failure = -1;
      if (failed && step % 2 == 0) continue;  // skips the failed step; the next must be right
      const Impacts actual = detector.impacts(x_t0, x);
      ASSERT_EQ(actual.toi_hash(), reference.impacts(x_t0, x).toi_hash());
      impact_count += actual.impacts.size();
    }
  }
  EXPECT_GT(failures, 100U);
  EXPECT_GT(in_sessions, 20U);
  EXPECT_GT(impact_count, 10'000U);
}

TEST(FailedAllocation, MakesAnEditThatItCutShortUseless) {
  Scene scene;
  const std::vector<Vec3> points(40);
  const std::vector<Triangle> triangles(40, Triangle{0, 1, 2});
  scene.add_body({.positions = points, .triangles = triangles});
  std::size_t useless = 0;
  for (long allowed = 0; allowed < 40; ++allowed) {
    SceneEdit edit = scene.begin_edit();
    until_failure = allowed;
    try {
      edit.remove_body(0);
    } catch (const std::bad_alloc&) {
    }
    until_failure = -1;
    Scene target = scene;
    try {
      target.apply(edit);
      ASSERT_EQ(target.has_triangle(39), edit.empty()) << allowed;  // applied completely or not at all
      ASSERT_EQ(target.has_vertex(39), edit.empty()) << allowed;
      ASSERT_EQ(target.has_body(0), edit.empty()) << allowed;
    } catch (const InputError&) {
      ++useless;
      EXPECT_THROW(edit.remove_triangle(0), InputError);
      ASSERT_TRUE(target.has_body(0));
    }
  }
  EXPECT_GT(useless, 5U);
}

}  // namespace
}  // namespace graze
