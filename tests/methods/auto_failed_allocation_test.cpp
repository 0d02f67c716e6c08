// Failed allocations in method auto: in any continuous query, after edits, with part of the scene static in this
// step. The next answer is right.
#include <gtest/gtest.h>

#include <algorithm>
#include <new>
#include <random>
#include <string>
#include <vector>

#include <graze/graze.hpp>

#include "methods/failing_allocator.hpp"
#include "support/sample_scenes.hpp"

namespace graze::testing {

namespace {

void query(Detector& detector, const std::vector<Vec3>& x_t0, const std::vector<Vec3>& x_t1, long which) {
  switch (which % 3) {
    case 0:
      (void)detector.impacts(x_t0, x_t1);
      break;
    case 1:
      (void)detector.first_impact(x_t0, x_t1);
      break;
    default:
      (void)detector.impacts(x_t0, x_t1, [](std::span<const Impact>) { return true; });
  }
}

/// A soup of many clusters; every fourth vertex is static.
Step soup(unsigned seed) {
  Step step = random_soup(seed, 320, 0.1);
  for (std::size_t v = 0; v < step.x_t0.size(); ++v) {
    const Vec3& p = step.x_t0[v];
    Vec3& q = step.x_t1[v];
    q = v % 4 == 0 ? p : Vec3{p.x + 0.1 * (q.x - p.x), p.y + 0.1 * (q.y - p.y), p.z + 0.1 * (q.z - p.z)};
  }
  return step;
}

/// Groups of triangles exchange positions, which makes the order of the tree over them useless.
Step shuffled(const Step& step, std::mt19937& random) {
  constexpr std::size_t kGroup = 24;
  std::vector<std::size_t> order(step.x_t0.size() / kGroup);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), random);
  Step moved = step;
  for (std::size_t v = 0; v < kGroup * order.size(); ++v) {
    const std::size_t from = kGroup * order[v / kGroup] + v % kGroup;
    moved.x_t0[v] = step.x_t0[from];
    moved.x_t1[v] = step.x_t1[from];
  }
  return moved;
}

TEST(AutoFailedAllocation, InAnyQueryLosesNothingOfTheNextOne) {
  std::mt19937 random(81);
  const Step step = soup(81);
  Detector reference(step.scene, {.method = Method::RTri, .threads = 1});
  std::size_t failures = 0;
  std::size_t impact_count = 0;
  for (long which = 0; which < 3; ++which) {
    Detector detector(step.scene, {.threads = 1});
    for (long allowed = 0; allowed < 100; allowed += 1 + allowed / 16) {
      Step now = allowed % 2 == 0 ? shuffled(step, random) : step;
      if (allowed % 3 == 0) now.x_t1 = now.x_t0;
      until_failure = allowed;
      try {
        query(detector, now.x_t0, now.x_t1, which);
      } catch (const std::bad_alloc&) {
        ++failures;
      }
      until_failure = -1;
      const Impacts expected = reference.impacts(now.x_t0, now.x_t1);
      ASSERT_EQ(detector.impacts(now.x_t0, now.x_t1).toi_hash(), expected.toi_hash())
          << "query " << which << ", after " << allowed << " allocations";
      impact_count += expected.impacts.size();
    }
  }
  EXPECT_GT(failures, 30U);
  EXPECT_GT(impact_count, 1'000U);
}

TEST(AutoFailedAllocation, WhereTheTreeIsPutInOrderAnewLosesNothing) {
  // Whole clusters exchange positions; the query that would restructure the tree fails at each allocation in turn.
  std::mt19937 random(82);
  Scene scene;
  std::vector<Vec3> points;
  std::vector<Triangle> triangles;
  constexpr std::uint32_t kPieces = 64;
  for (std::uint32_t piece = 0; piece < kPieces; ++piece) {  // fans of 16 triangles, one cluster each
    const auto hub = static_cast<VertexId>(points.size());
    for (int k = 0; k < 18; ++k) points.push_back({0.01 * (k * 7 % 18), 0.01 * (k * 5 % 18), 0.01 * (k * 11 % 18)});
    for (VertexId k = 1; k < 17; ++k) triangles.push_back({hub, hub + k, hub + k + 1});
  }
  scene.add_body({.positions = points, .triangles = triangles});
  const auto put = [&](const std::vector<std::uint32_t>& places, double aside) {
    std::vector<Vec3> x = points;
    for (std::size_t v = 0; v < x.size(); ++v) {
      const std::uint32_t place = places[v / 18];
      const std::uint32_t row = place / 4 % 4;
      const std::uint32_t layer = place / 16;
      x[v] = {x[v].x + 0.15 * (place % 4) + aside * (place % 3), x[v].y + 0.15 * row, x[v].z + 0.15 * layer};
    }
    return x;
  };
  std::vector<std::uint32_t> places(kPieces);
  for (std::uint32_t i = 0; i < kPieces; ++i) places[i] = i;
  const std::vector<Vec3> before = put(places, 0.0);
  std::shuffle(places.begin(), places.end(), random);
  const std::vector<Vec3> x_t0 = put(places, 0.0);
  const std::vector<Vec3> x_t1 = put(places, 0.01);
  const Impacts expected = Detector(scene, {.method = Method::RTri, .threads = 1}).impacts(x_t0, x_t1);
  ASSERT_GT(expected.impacts.size(), 300U);
  std::size_t failures = 0;
  for (bool is_over = false; !is_over && failures < 40; ++failures) {
    Detector detector(scene, {.threads = 1});
    (void)detector.impacts(before, before);
    until_failure = static_cast<long>(failures);
    try {
      (void)detector.impacts(x_t0, x_t1);
    } catch (const std::bad_alloc&) {
    }
    is_over = until_failure >= 0;
    until_failure = -1;
    ASSERT_EQ(detector.impacts(x_t0, x_t1).toi_hash(), expected.toi_hash())
        << "after " << failures << " allocations";
  }
  EXPECT_GT(failures, 10U);
}

TEST(AutoFailedAllocation, AfterAnEditLosesNothingOfTheNextQuery) {
  const Step step = soup(83);
  std::size_t failures = 0;
  std::size_t impact_count = 0;
  for (const bool again : {true, false}) {  // repeats the same step, or continues with the next
    for (long allowed = 0; allowed < 40; ++allowed) {
      Detector detector(step.scene, {.threads = 1});
      Detector reference(step.scene, {.method = Method::RTri, .threads = 1});
      (void)detector.impacts(step.x_t0, step.x_t0);
      SceneEdit edit = detector.begin_edit();
      edit.remove_triangle(7);
      edit.add_triangle({0, 12, 200});
      reference.apply(edit);
      detector.apply(edit);
      until_failure = allowed;
      try {
        (void)detector.impacts(step.x_t0, step.x_t1);
      } catch (const std::bad_alloc&) {
        ++failures;
      }
      until_failure = -1;
      const std::vector<Vec3>& to = again ? step.x_t1 : step.x_t0;
      const Impacts expected = reference.impacts(step.x_t0, to);
      ASSERT_EQ(detector.impacts(step.x_t0, to).toi_hash(), expected.toi_hash())
          << "after " << allowed << " allocations";
      impact_count += expected.impacts.size();
    }
  }
  EXPECT_GT(failures, 20U);
  EXPECT_GT(impact_count, 100U);
}

TEST(AutoFailedAllocation, InTheQueryBeforeAnEditLosesNothing) {
  const Step step = soup(84);
  std::size_t failures = 0;
  for (const bool grown : {false, true}) {  // the first query fails, or the first with new vertices
    for (long allowed = 0; allowed < 60; ++allowed) {
      Detector detector(step.scene, {.threads = 1});
      Detector reference(step.scene, {.method = Method::RTri, .threads = 1});
      std::vector<Vec3> x_t0 = step.x_t0;
      std::vector<Vec3> x_t1 = step.x_t1;
      const auto change = [&](VertexId gone) {
        SceneEdit edit = detector.begin_edit();
        edit.remove_triangle(gone);
        const VertexId v = edit.add_vertex(0, {0.5, 0.5, 0.5});
        edit.add_triangle({v, edit.add_vertex(0, {0.6, 0.5, 0.5}), edit.add_vertex(0, {0.5, 0.6, 0.5})});
        x_t0 = edit.carry(x_t0);
        x_t1 = edit.carry(x_t1);
        reference.apply(edit);
        detector.apply(edit);
      };
      if (grown) {
        (void)detector.impacts(x_t0, x_t1);
        change(3);
      }
      until_failure = allowed;
      try {
        query(detector, x_t0, x_t1, allowed);
      } catch (const std::bad_alloc&) {
        ++failures;
      }
      until_failure = -1;
      change(5);
      ASSERT_EQ(detector.impacts(x_t0, x_t1).toi_hash(), reference.impacts(x_t0, x_t1).toi_hash())
          << "after " << allowed << " allocations";
      ASSERT_EQ(detector.validate(), "");
    }
  }
  EXPECT_GT(failures, 40U);
}

}  // namespace
}  // namespace graze::testing
