// Every tree of volumes, and every overlap test of the scalar boxtree walk, must bring all pairs of triangles that
// meet: brute force over posed doubles on small soups, with everything a soup may have.
#include "rigid/volume_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <vector>

#include <graze/elementary.hpp>

#include "rigid/boxtree_walk_scalar.hpp"
#include "rigid/build_boxtree.hpp"

namespace graze::rigid {
namespace {

struct Soup {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
};

constexpr std::array kTrees = {RigidTree::Aabb, RigidTree::Obb, RigidTree::Dop18, RigidTree::Dop26,
                               RigidTree::Sphere};

double uniform(std::mt19937_64& random, double lo, double hi) {
  return lo + (hi - lo) * static_cast<double>(random() >> 11U) * 0x1p-53;
}

/// Triangles of all sizes; some are segments, points or repeated, some lie in one plane.
Soup random_soup(std::mt19937_64& random, std::size_t count, double scale) {
  Soup soup;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Vec3 middle{uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -1, 1)};
    const double size = uniform(random, 0.02, 1.0);
    for (int corner = 0; corner < 3; ++corner) {
      Vec3 x{middle.x + uniform(random, -size, size), middle.y + uniform(random, -size, size),
             middle.z + uniform(random, -size, size)};
      if (i % 7 == 3) x.z = 0.25;
      soup.positions.push_back({scale * x.x, scale * x.y, scale * x.z});
    }
    const std::uint32_t v = 3 * i;
    soup.triangles.push_back(i % 11 == 5   ? Triangle{v, v, v + 1}
                             : i % 13 == 6 ? Triangle{v, v, v}
                                           : Triangle{v, v + 1, v + 2});
    if (i % 17 == 8) soup.triangles.push_back(soup.triangles.back());
  }
  return soup;
}

Pose random_pose(std::mt19937_64& random, double distance, double off) {
  const std::array<double, 4> q{uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -1, 1),
                                uniform(random, -1, 1)};
  Pose pose = pose_from_quaternion(q, {uniform(random, -distance, distance), uniform(random, -distance, distance),
                                       uniform(random, -distance, distance)});
  for (Vec3& row : pose.rotation) {
    row.x += uniform(random, -off, off);
    row.y += uniform(random, -off, off);
    row.z += uniform(random, -off, off);
  }
  return pose;
}

double reach_of(const Soup& soup) {
  double reach = 0.0;
  for (const Vec3& x : soup.positions) reach = std::max({reach, std::abs(x.x), std::abs(x.y), std::abs(x.z)});
  return reach;
}

using Pairs = std::set<TrianglePair>;

Pairs brute_force(const Soup& a, const Pose& pose_a, const Soup& b, const Pose& pose_b) {
  Pairs pairs;
  for (std::uint32_t i = 0; i < a.triangles.size(); ++i) {
    for (std::uint32_t j = 0; j < b.triangles.size(); ++j) {
      std::array<Vec3, 6> points;
      for (std::size_t n = 0; n < 3; ++n) {
        points[n] = posed(pose_a, a.positions[a.triangles[i][n]]);
        points[3 + n] = posed(pose_b, b.positions[b.triangles[j][n]]);
      }
      if (intersect_triangle_triangle(points)) pairs.insert({i, j});
    }
  }
  return pairs;
}

bool collect(void* context, std::span<const TrianglePair> batch) {
  auto& pairs = *static_cast<Pairs*>(context);
  for (const TrianglePair& pair : batch) EXPECT_TRUE(pairs.insert(pair).second);
  return false;
}

struct Walked {
  Pairs pairs;
  std::uint64_t tests = 0;
};

Walked walk(const VolumeTree& a, const VolumeTree& b, const Placement& placement, FlopCounts* flops = nullptr,
            bool lift = true) {
  Walked result;
  LeafSink sink(&collect, &result.pairs, 4);
  result.tests = a.walk(b, placement, sink, flops, lift);
  return result;
}

Walked walk(const Boxtree& a, const Boxtree& b, const Placement& placement, BoxOverlap overlap, bool lift,
            FlopCounts* flops = nullptr) {
  Walked result;
  LeafSink sink(&collect, &result.pairs, 4);
  result.tests = walk_boxtrees_scalar(a, b, placement, {overlap, lift}, sink, flops);
  return result;
}

bool holds_all(const Pairs& pairs, const Pairs& wanted) {
  return std::includes(pairs.begin(), pairs.end(), wanted.begin(), wanted.end());
}

/// Both soups in all trees, placed.
struct Scene {
  Soup a;
  Soup b;
  Boxtree boxtree_a;
  Boxtree boxtree_b;
  std::vector<std::unique_ptr<VolumeTree>> trees_a;
  std::vector<std::unique_ptr<VolumeTree>> trees_b;

  Scene(Soup soup_a, Soup soup_b)
      : a(std::move(soup_a)),
        b(std::move(soup_b)),
        boxtree_a(build_boxtree(a.positions, a.triangles, BoxtreeSplit::Volume)),
        boxtree_b(build_boxtree(b.positions, b.triangles, BoxtreeSplit::Volume)) {
    for (const RigidTree kind : kTrees) {
      trees_a.push_back(build_volume_tree(a.positions, a.triangles, kind));
      trees_b.push_back(build_volume_tree(b.positions, b.triangles, kind));
    }
  }
  [[nodiscard]] Placement boxes(const Pose& pose_a, const Pose& pose_b) const {
    return place({boxtree_a.frame, pose_a, reach_of(a), boxtree_slack(boxtree_a), double(boxtree_a.depth)},
                 {boxtree_b.frame, pose_b, reach_of(b), boxtree_slack(boxtree_b), double(boxtree_b.depth)});
  }
  [[nodiscard]] Placement volumes(const Pose& pose_a, const Pose& pose_b) const {
    return place({trees_a[0]->frame(), pose_a, reach_of(a), 0.0, 0.0},
                 {trees_b[0]->frame(), pose_b, reach_of(b), 0.0, 0.0});
  }
  /// Returns how many pairs meet.
  [[nodiscard]] std::size_t check(const Pose& pose_a, const Pose& pose_b) const {
    const Pairs meet = brute_force(a, pose_a, b, pose_b);
    const Placement volume_placement = volumes(pose_a, pose_b);
    for (std::size_t t = 0; t < kTrees.size(); ++t)
      EXPECT_TRUE(holds_all(walk(*trees_a[t], *trees_b[t], volume_placement).pairs, meet)) << name_of(kTrees[t]);
    const Placement placement = boxes(pose_a, pose_b);
    for (const BoxOverlap overlap : all_box_overlaps())
      EXPECT_TRUE(holds_all(walk(boxtree_a, boxtree_b, placement, overlap, true).pairs, meet)) << name_of(overlap);
    return meet.size();
  }
};

TEST(VolumeTrees, HoldTheirTriangles) {
  std::mt19937_64 random(1);
  for (const std::size_t count : {0U, 1U, 2U, 3U, 50U, 300U}) {
    for (const double scale : {1.0, 1e-200, 1e200}) {
      const Soup soup = random_soup(random, count, scale);
      for (const RigidTree kind : kTrees) {
        const auto tree = build_volume_tree(soup.positions, soup.triangles, kind);
        EXPECT_EQ(tree->validate(soup.positions, soup.triangles), "") << name_of(kind) << ' ' << count;
        EXPECT_LE(tree->depth(), 60U);
        // Another soup of the same size is not in these volumes.
        Soup other = soup;
        for (Vec3& x : other.positions) x.x += 0.25 * scale;
        if (count > 3) {
          EXPECT_NE(tree->validate(other.positions, other.triangles), "") << name_of(kind);
        }
      }
    }
  }
}

TEST(VolumeTrees, TakeTheBytesOfTable1) {
  const Soup soup{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  const std::array<std::size_t, 5> bytes = {28, 64, 76, 108, 20};
  for (std::size_t t = 0; t < kTrees.size(); ++t)
    EXPECT_EQ(build_volume_tree(soup.positions, soup.triangles, kTrees[t])->bytes_per_node(), bytes[t]);
}

TEST(RigidWalks, BringEveryPairThatMeets) {
  std::mt19937_64 random(2);
  std::size_t met = 0;
  for (int round = 0; round < 24; ++round) {
    const double scale = round % 3 == 0 ? 1.0 : round % 3 == 1 ? 1e-30 : 1e100;
    const Scene scene(random_soup(random, 50, scale), random_soup(random, 40, scale));
    for (int n = 0; n < 4; ++n) {
      const double off = n % 2 == 0 ? 0.0 : 3e-7;
      met += scene.check(random_pose(random, scale * 0.7, off), random_pose(random, scale * 0.7, off));
    }
  }
  EXPECT_GT(met, 500U);
}

TEST(RigidWalks, BringPairsOfObjectsOfVeryDifferentSize) {
  std::mt19937_64 random(3);
  std::size_t met = 0;
  for (const double small : {1e-3, 1e-9, 1e-20, 1e-250}) {
    for (const bool a_is_small : {false, true}) {
      // The small one sits at a corner of a triangle of the large one.
      const Soup large = random_soup(random, 20, 1.0);
      const Soup tiny = random_soup(random, 20, small);
      const Scene scene(a_is_small ? tiny : large, a_is_small ? large : tiny);
      const Pose there{{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}, large.positions[4]};
      const Pose here = random_pose(random, 0.0, 0.0);
      met += scene.check(a_is_small ? there : Pose{}, a_is_small ? Pose{} : there);
      met += scene.check(a_is_small ? here : Pose{}, a_is_small ? Pose{} : here);
    }
  }
  EXPECT_GT(met, 0U);
}

TEST(RigidWalks, BringFacesThatTouch) {
  // Two grids in one plane, and two that share an edge: nothing but touching.
  Soup grid;
  for (std::uint32_t y = 0; y < 5; ++y) {
    for (std::uint32_t x = 0; x < 5; ++x) {
      grid.positions.push_back({x * 0.25, y * 0.25, 0.0});
      if (x == 0 || y == 0) continue;
      const std::uint32_t v = 5 * y + x;
      grid.triangles.push_back({v - 6, v - 5, v});
      grid.triangles.push_back({v - 6, v, v - 1});
    }
  }
  const Scene scene(grid, grid);
  EXPECT_GT(scene.check({}, {}), 100U);
  Pose beside;
  beside.translation = {1.0, 0.0, 0.0};
  EXPECT_GT(scene.check({}, beside), 10U);
  EXPECT_GT(scene.check(beside, pose_from_axis_angle({0, 1, 0}, std::acos(-1.0) / 2, {1.0, 0.0, 0.0})), 10U);
}

TEST(RigidWalks, TellApartWhatHasAGap) {
  // A plate over a plate, a ten-thousandth above it: only balls are too round to see it.
  Soup plate{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {{0, 1, 2}, {1, 2, 3}}};
  const Scene scene(plate, plate);
  Pose pose = pose_from_axis_angle({0, 0, 1}, 0.5, {0.0, 0.0, 1e-4});
  for (std::size_t t = 0; t < kTrees.size(); ++t)
    EXPECT_EQ(walk(*scene.trees_a[t], *scene.trees_b[t], scene.volumes({}, pose)).pairs.empty(),
              kTrees[t] != RigidTree::Sphere);
  for (const BoxOverlap overlap : all_box_overlaps())
    EXPECT_TRUE(walk(scene.boxtree_a, scene.boxtree_b, scene.boxes({}, pose), overlap, true).pairs.empty());
}

TEST(RigidWalks, LeaveObjectsThatAreFarApartAtOnce) {
  std::mt19937_64 random(4);
  for (const double scale : {1.0, 1e-60}) {
    const Scene scene(random_soup(random, 40, scale), random_soup(random, 40, 1.0));
    for (const double distance : {10.0, 1e9, 1e30}) {
      Pose away = random_pose(random, 0.0, 0.0);
      away.translation = {distance, -distance, distance};
      for (std::size_t t = 0; t < kTrees.size(); ++t) {
        EXPECT_EQ(walk(*scene.trees_a[t], *scene.trees_b[t], scene.volumes({}, away)).tests, 1U)
            << name_of(kTrees[t]) << ' ' << distance;
      }
      for (const BoxOverlap overlap : all_box_overlaps())
        EXPECT_EQ(walk(scene.boxtree_a, scene.boxtree_b, scene.boxes({}, away), overlap, true).tests, 1U);
    }
  }
}

TEST(RigidWalks, BringTheSamePairsWithAndWithoutLiftAndCounting) {
  std::mt19937_64 random(5);
  const Scene scene(random_soup(random, 60, 1.0), random_soup(random, 60, 1.0));
  for (int n = 0; n < 5; ++n) {
    const Pose pose = random_pose(random, 1.0, 0.0);
    const Placement placement = scene.boxes({}, pose);
    for (const BoxOverlap overlap : all_box_overlaps()) {
      const Walked lifted = walk(scene.boxtree_a, scene.boxtree_b, placement, overlap, true);
      FlopCounts flops;
      const Walked plain = walk(scene.boxtree_a, scene.boxtree_b, placement, overlap, false, &flops);
      EXPECT_EQ(lifted.pairs, plain.pairs);
      EXPECT_EQ(lifted.tests, plain.tests);
      EXPECT_EQ(flops.tests, plain.tests);
    }
    // More directions tell more apart, and tables less.
    const Pairs axis = walk(scene.boxtree_a, scene.boxtree_b, placement, BoxOverlap::Axis, true).pairs;
    EXPECT_TRUE(holds_all(axis, walk(scene.boxtree_a, scene.boxtree_b, placement, BoxOverlap::Sat, true).pairs));
    EXPECT_TRUE(
        holds_all(axis, walk(scene.boxtree_a, scene.boxtree_b, placement, BoxOverlap::SatLite, true).pairs));
    EXPECT_TRUE(holds_all(walk(scene.boxtree_a, scene.boxtree_b, placement, BoxOverlap::Lookup, true).pairs, axis));
    for (std::size_t t = 0; t < kTrees.size(); ++t) {
      FlopCounts flops;
      const Placement volumes = scene.volumes({}, pose);
      const Walked lifted = walk(*scene.trees_a[t], *scene.trees_b[t], volumes);
      const Walked plain = walk(*scene.trees_a[t], *scene.trees_b[t], volumes, &flops, false);
      EXPECT_EQ(lifted.pairs, plain.pairs);
      EXPECT_EQ(flops.tests, plain.tests);
    }
  }
}

/// Operations of the dearest test, without lift and with it.
TEST(RigidWalks, CountTheOperationsOfTable1) {
  std::mt19937_64 random(6);
  const Scene scene(random_soup(random, 300, 1.0), random_soup(random, 300, 1.0));
  struct Row {
    std::uint64_t plain;
    std::uint64_t lifted;
  };
  const auto count = [&](const auto& run) {
    Row row{};
    for (int n = 0; n < 4; ++n) {
      const Pose pose = random_pose(random, 0.5, 0.0);
      FlopCounts plain;
      FlopCounts lifted;
      run(pose, false, plain);
      run(pose, true, lifted);
      EXPECT_LT(lifted.total(), plain.total());
      row.plain = std::max(row.plain, plain.worst);
      row.lifted = std::max(row.lifted, lifted.worst);
    }
    return row;
  };
  const auto boxes = [&](BoxOverlap overlap) {
    return count([&](const Pose& pose, bool lift, FlopCounts& flops) {
      walk(scene.boxtree_a, scene.boxtree_b, scene.boxes({}, pose), overlap, lift, &flops);
    });
  };
  const auto volumes = [&](std::size_t t) {
    return count([&](const Pose& pose, bool lift, FlopCounts& flops) {
      walk(*scene.trees_a[t], *scene.trees_b[t], scene.volumes({}, pose), &flops, lift);
    });
  };
  const Row axis = boxes(BoxOverlap::Axis);  // the paper: 12, and 8.5 with lift
  EXPECT_EQ(axis.plain, 11U);
  EXPECT_EQ(axis.lifted, 9U);
  const Row lite = boxes(BoxOverlap::SatLite);  // 24
  EXPECT_EQ(lite.plain, 22U);
  EXPECT_EQ(lite.lifted, 15U);
  const Row sat = boxes(BoxOverlap::Sat);  // 82
  EXPECT_EQ(sat.plain, 58U);
  EXPECT_EQ(sat.lifted, 39U);
  const Row lookup = boxes(BoxOverlap::Lookup);
  EXPECT_EQ(lookup.plain, 9U);
  EXPECT_EQ(lookup.lifted, 7U);
  EXPECT_EQ(volumes(0).plain, 90U);   // AABB tree: 90
  EXPECT_EQ(volumes(1).plain, 300U);  // OBB tree: 243, of turned boxes
  EXPECT_EQ(volumes(2).plain, 126U);  // 14 a direction, as 168 are for a 24-DOP
  EXPECT_EQ(volumes(3).plain, 182U);
  EXPECT_EQ(volumes(4).plain, 31U);  // sphere tree: 29, without growth and margin
}

}  // namespace
}  // namespace graze::rigid
