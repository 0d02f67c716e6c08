// Failed allocations in method hash: in any query, with static bodies about to be hashed again, in the table alone,
// and in the stateless call. The next answer is right.
#include <gtest/gtest.h>

#include <algorithm>
#include <new>
#include <random>
#include <string>
#include <vector>

#include <graze/graze.hpp>
#include <graze/research.hpp>

#include "hash/voxel_pairs.hpp"
#include "methods/failing_allocator.hpp"
#include "support/sample_scenes.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace hash;
namespace {

/// A moving soup above a static one.
Step soup_over_static(unsigned seed) {
  const Step moving = random_soup(seed, 40, 0.3);
  const Step fixed = random_soup(seed + 1, 20, 0.4);
  Step all;
  all.scene.add_body({.positions = fixed.x_t0, .triangles = fixed.scene.triangles(), .motion = Motion::Static});
  all.scene.add_body({.positions = moving.x_t0, .triangles = moving.scene.triangles()});
  all.x_t0 = fixed.x_t0;
  all.x_t1 = fixed.x_t0;
  all.x_t0.insert(all.x_t0.end(), moving.x_t0.begin(), moving.x_t0.end());
  all.x_t1.insert(all.x_t1.end(), moving.x_t1.begin(), moving.x_t1.end());
  return all;
}

void shift_static(Step& step, double by) {
  for (VertexId v = 0; v < step.scene.vertices(0).last; ++v) {
    step.x_t0[v].y += by;
    step.x_t1[v].y += by;
  }
}

std::vector<DetectorOptions> choices() {
  DetectorOptions plain = DetectorOptions{.method = Method::Hash};
  plain.threads = 1;
  std::vector<DetectorOptions> all(5, plain);
  all[1].research->hash.representatives = false;
  all[2].research->hash.cells = research::CellRule::Largest;
  all[2].research->hash.neighbours = research::NeighbourTest::Certified;
  all[2].research->hierarchy.edge_bounds = research::EdgeBounds::None;
  all[3].research->hierarchy.volume = research::BoundingVolume::Aabb;
  all[3].research->hierarchy.edge_bounds = research::EdgeBounds::Computed;
  all[4].thickness = 0.01;
  all[4].research->hash.voxels = 0.01;
  return all;
}

void query(Detector& detector, const Step& step, long which) {
  switch (which % 5) {
    case 0:
      (void)detector.impacts(step.x_t0, step.x_t1);
      break;
    case 1:
      (void)detector.impacts(step.x_t0, step.x_t1, [](std::span<const Impact>) { return true; });
      break;
    case 2:
      (void)detector.first_impact(step.x_t0, step.x_t1);
      break;
    case 3:
      (void)detector.intersections(step.x_t0);
      break;
    default:
      (void)detector.proximities(step.x_t0, 0.02);
  }
}

TEST(HashFailedAllocation, InAnyQueryLosesNothingOfTheNextOne) {
  std::size_t failures = 0;
  std::size_t impact_count = 0;
  for (const DetectorOptions& options : choices()) {
    Step step = soup_over_static(71);
    Detector detector(step.scene, options);
    Detector reference(step.scene, {.method = Method::RTri, .thickness = options.thickness, .threads = 1});
    for (long allowed = 0; allowed < 400; allowed += 1 + allowed / 12) {
      for (long which = 0; which < 5; ++which) {
        // The static body is elsewhere in the query that fails; it then stays there or moves on.
        shift_static(step, which % 2 == 0 ? 0.04 : -0.05);
        until_failure = allowed;
        try {
          query(detector, step, which);
        } catch (const std::bad_alloc&) {
          ++failures;
        }
        until_failure = -1;
        if (allowed % 3 == 1) shift_static(step, 0.01);
        const Impacts expected = reference.impacts(step.x_t0, step.x_t1);
        ASSERT_EQ(detector.impacts(step.x_t0, step.x_t1).toi_hash(), expected.toi_hash())
            << "query " << which << ", after " << allowed << " allocations";
        if (which == 4) {
          ASSERT_EQ(detector.proximities(step.x_t0, 0.02).proximities.size(),
                    reference.proximities(step.x_t0, 0.02).proximities.size());
          ASSERT_EQ(detector.intersections(step.x_t0).edge_face, reference.intersections(step.x_t0).edge_face);
        }
        std::swap(step.x_t0, step.x_t1);
        impact_count += expected.impacts.size();
      }
    }
    EXPECT_EQ(detector.validate(), "");
  }
  EXPECT_GT(failures, 300U);
  EXPECT_GT(impact_count, 10'000U);
}

/// With one cell size, growing triangles move static bodies to larger cells; bounds of static bodies are not
/// computed again.
TEST(HashFailedAllocation, WhereCellsGrowLosesNothingOfTheNextQuery) {
  std::mt19937 random(74);
  const auto number = [&] { return static_cast<double>(random() % 100'000) * 1e-5; };
  std::vector<Vec3> points;
  std::vector<Triangle> triangles;
  for (VertexId t = 0; t < 60; ++t) {
    const Vec3 at = {number(), number(), number()};
    for (int k = 0; k < 3; ++k) {
      points.push_back({at.x + 0.05 * number(), at.y + 0.05 * number(), at.z + 0.05 * number()});
    }
    triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  Scene scene;
  scene.add_body({.positions = points, .triangles = triangles, .motion = Motion::Static});
  scene.add_body({.positions = points, .triangles = triangles});
  const auto placed = [&](double growth, double aside) {
    std::vector<Vec3> x = points;
    for (std::size_t v = 0; v < points.size(); ++v) {
      const Vec3& hub = points[v / 3 * 3];
      const Vec3& p = points[v];
      x.push_back({hub.x + growth * (p.x - hub.x) + aside, hub.y + growth * (p.y - hub.y) - aside,
                   hub.z + growth * (p.z - hub.z) + 2.0 * aside});
    }
    return x;
  };
  DetectorOptions options = DetectorOptions{.method = Method::Hash};
  options.threads = 1;
  options.research->hash.cells = research::CellRule::Largest;
  const std::vector<Vec3> small = placed(1.0, 0.01);
  const std::vector<Vec3> x_t0 = placed(7.0, 0.01);
  const std::vector<Vec3> x_t1 = placed(7.0, 0.03);
  const std::uint64_t expected = Detector(scene, {.method = Method::RTri}).impacts(x_t0, x_t1).toi_hash();
  ASSERT_NE(expected, Impacts{}.toi_hash());
  std::size_t failures = 0;
  for (bool is_over = false; !is_over; ++failures) {
    Detector detector(scene, options);
    (void)detector.impacts(small, small);
    until_failure = static_cast<long>(failures);
    try {
      (void)detector.impacts(x_t0, x_t1);
    } catch (const std::bad_alloc&) {
    }
    is_over = until_failure >= 0;
    until_failure = -1;
    ASSERT_EQ(detector.impacts(x_t0, x_t1).toi_hash(), expected) << "after " << failures << " allocations";
  }
  EXPECT_GT(failures, 10U);
}

TEST(HashFailedAllocation, OfACallThatKeepsNothingIsThrownOn) {
  const Step step = random_soup(72, 60, 0.3);
  for (const DetectorOptions& options : choices()) {
    const std::uint64_t expected = find_impacts(step.scene.triangles(), step.x_t0, step.x_t1, options).toi_hash();
    std::size_t failures = 0;
    for (long allowed = 0;; allowed += 1 + allowed / 8) {
      until_failure = allowed;
      bool done = false;
      try {
        done = find_impacts(step.scene.triangles(), step.x_t0, step.x_t1, options).toi_hash() == expected;
        ASSERT_TRUE(done) << allowed;
      } catch (const std::bad_alloc&) {
        ++failures;
      }
      const bool is_over = until_failure >= 0;
      until_failure = -1;
      if (is_over) break;
    }
    EXPECT_GT(failures, 10U);
  }
}

TEST(HashFailedAllocation, OfATableIsMendedByTheNextUpdate) {
  std::mt19937 random(73);
  const auto number = [&] { return static_cast<float>(random() % 10'000) * 1e-4F; };
  std::vector<PackedBox> boxes(2000);
  std::vector<std::uint32_t> numbers;
  for (PackedBox& box : boxes) {
    const std::array<float, 3> lo = {number(), number(), number()};
    const float size = 0.1F * number() * number();
    box.set(Aabb{lo, {lo[0] + size, lo[1] + size, lo[2] + size}});
    numbers.push_back(static_cast<std::uint32_t>(numbers.size()));
  }
  const auto pairs_of = [](const VoxelTable& table) {
    std::vector<LeafPair> all;
    const VoxelPairs pairs(table);
    for (std::size_t g = 0; g < pairs.group_count(); ++g) {
      pairs.run_group(g, [&](std::span<const LeafPair> some) { all.insert(all.end(), some.begin(), some.end()); });
    }
    std::sort(all.begin(), all.end());
    return all;
  };
  VoxelTable fresh;
  fresh.update(BoxRow(boxes), numbers, {});
  const std::vector<LeafPair> expected = pairs_of(fresh);
  ASSERT_FALSE(expected.empty());
  std::size_t failures = 0;
  for (const std::size_t before : {0U, 50U, 2000U}) {
    bool is_over = false;
    for (long allowed = 0; !is_over; ++allowed) {
      VoxelTable table;
      table.update(BoxRow(boxes), std::span(numbers).first(before), {.voxels = 10.0});
      until_failure = allowed;
      try {
        table.update(BoxRow(boxes), numbers, {});
      } catch (const std::bad_alloc&) {
        ++failures;
      }
      is_over = until_failure >= 0;
      until_failure = -1;
      table.update(BoxRow(boxes), numbers, {});
      ASSERT_EQ(pairs_of(table), expected);
    }
  }
  EXPECT_GT(failures, 3U);
}

}  // namespace
}  // namespace graze::testing
