// The bounds that distance queries rest on: of boxes against all pairs of triangles below them, of triangles in
// lanes against rational arithmetic; equal on every instruction set.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <graze/rigid_distance.hpp>

#include "core/simd/targets.hpp"
#include "geometry/vec.hpp"
#include "rigid/distance/box_bounds.hpp"
#include "rigid/distance/triangle_bounds.hpp"
#include "rigid/distance/triangle_distance.hpp"
#include "rigid/distance_oracle.hpp"
#include "rigid/rigid_oracle.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;
namespace {

using rigid::kWide;
using rigid::ProximityTree;

/// Triangles below each slot, by slot.
std::vector<std::vector<TriangleId>> triangles_below(const ProximityTree& tree) {
  std::vector<std::vector<TriangleId>> below(tree.nodes.size() * kWide);
  // Nodes have larger indices than their parents.
  for (std::size_t node = tree.nodes.size(); node-- > 0;) {
    for (std::uint32_t lane = 0; lane < tree.nodes[node].count; ++lane) {
      const auto slot = static_cast<ProximityTree::Slot>(node * kWide + lane);
      if (tree.is_group(slot)) {
        const rigid::LeafGroup& group = tree.groups[tree.group(slot)];
        below[slot].assign(group.triangles.begin(), group.triangles.begin() + group.count);
        continue;
      }
      for (std::uint32_t child = 0; child < tree.nodes[tree.child(slot)].count; ++child) {
        const auto& more = below[tree.child(slot) * kWide + child];
        below[slot].insert(below[slot].end(), more.begin(), more.end());
      }
    }
  }
  return below;
}

/// Checks the bounds of every box of either side against every node of the other. Returns the number of positive
/// ones.
std::size_t check_boxes(const Soup& a, const Soup& b, const PosePair& poses, Random& random) {
  const std::array<const Soup*, 2> soups{&a, &b};
  const std::array<Pose, 2> pose{poses.a, poses.b};
  std::array<ProximityTree, 2> trees;
  std::array<std::vector<std::vector<TriangleId>>, 2> below;
  std::array<rigid::BoxFrames::Side, 2> sides;
  for (std::size_t i = 0; i < 2; ++i) {
    trees[i] = rigid::build_proximity_tree(soups[i]->positions, soups[i]->triangles);
    if (trees[i].nodes.empty()) return 0;
    below[i] = triangles_below(trees[i]);
    sides[i] = {&trees[i], pose[i], rigid::max_coordinate_of(soups[i]->positions, soups[i]->triangles)};
  }
  rigid::BoxFrames frames(sides[0], sides[1]);
  std::vector<double> distances;
  double least = std::numeric_limits<double>::infinity();
  Vec3 direction = random_vec(random);
  for (TriangleId i = 0; i < a.triangles.size(); ++i) {
    for (TriangleId j = 0; j < b.triangles.size(); ++j) {
      bool exact = false;
      const auto t = posed_triangle(a, poses.a, i);
      const auto s = posed_triangle(b, poses.b, j);
      distances.push_back(rigid::triangle_distance(t, s, exact).hi);
      if (!(distances.back() < least) || distances.back() == 0.0) continue;
      least = distances.back();
      direction = rigid::closest_points(t, s, false).normal;
    }
  }
  std::size_t positive = 0;
  for (const bool directed : {false, true}) {
    if (directed && std::abs(length(direction) - 1.0) < 1e-12) frames.set_direction(direction);
    for (unsigned fixed = 0; fixed < 2; ++fixed) {
      for (ProximityTree::Slot slot = 0; slot < below[fixed].size(); ++slot) {
        if (slot % kWide >= trees[fixed].nodes[slot / kWide].count) continue;
        for (std::size_t node = 0; node < trees[1 - fixed].nodes.size(); ++node) {
          std::array<double, kWide> bounds{};
          rigid::box_bounds(frames.fix(fixed, slot), trees[1 - fixed].nodes[node], bounds.data());
          for (std::uint32_t lane = 0; lane < trees[1 - fixed].nodes[node].count; ++lane) {
            double nearest = std::numeric_limits<double>::infinity();
            for (const TriangleId t : below[fixed][slot]) {
              for (const TriangleId s : below[1 - fixed][node * kWide + lane]) {
                nearest =
                    std::min(nearest, distances[(fixed == 0 ? t : s) * b.triangles.size() + (fixed == 0 ? s : t)]);
              }
            }
            EXPECT_FALSE(std::isnan(bounds[lane]));
            // The measured distance is at most 2^-49 above the exact one.
            EXPECT_LE(std::ldexp(bounds[lane], frames.exponent()), nearest) << a.name << " " << b.name;
            positive += bounds[lane] > 0.0 ? 1U : 0U;
          }
        }
      }
    }
  }
  return positive;
}

TEST(RigidDistanceBounds, BoxesNeverExceedTheDistanceOfTheirTriangles) {
  Random random = seeded(1241);
  std::size_t positive = 0;
  for (int round = 0; round < (kIsSlow ? 1 : 3); ++round) {
    for (const Soup& soup : soup_gallery(random, 24)) {
      const Soup other = random_soup(random, 20, 0.2);
      positive += check_boxes(soup, other, near_poses(soup, other, 0.9, {}, random), random);
      PosePair skewed = near_poses(soup, other, 1.5, {}, random);
      skewed.a = distorted(skewed.a, 9e-7, random);
      skewed.b = distorted(skewed.b, 9e-7, random);
      positive += check_boxes(soup, other, skewed, random);
      positive += check_boxes(other, soup, near_poses(other, soup, 0.5, {1e9, -1e9, 3e8}, random), random);
    }
    for (const int exponent : {-900, -40, 40, 900}) {
      const Soup one = scaled(random_soup(random, 20, 0.3), exponent);
      const Soup two = scaled(random_soup(random, 20, 0.3), exponent - round);
      positive += check_boxes(one, two, near_poses(one, two, 1.2, {}, random), random);
    }
  }
  EXPECT_GT(positive, 1000U);
}

/// Bounds of one pair in every lane position.
rigid::TriangleBounds bounds_of(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b, double scale) {
  rigid::PosedGroup group_a{};
  rigid::PosedGroup group_b{};
  group_a.count = group_b.count = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t lane = 0; lane < kWide; ++lane) {
      group_a.at[i][0][lane] = a[i].x;
      group_a.at[i][1][lane] = a[i].y;
      group_a.at[i][2][lane] = a[i].z;
      group_b.at[i][0][lane] = b[i].x;
      group_b.at[i][1][lane] = b[i].y;
      group_b.at[i][2][lane] = b[i].z;
    }
  }
  const std::array<rigid::LanePair, kWide> pairs{};
  rigid::TriangleBounds bounds;
  rigid::triangle_bounds(group_a, group_b, pairs, scale, bounds);
  return bounds;
}

/// A pair of triangles of one of several kinds, of about unit size.
std::array<std::array<Vec3, 3>, 2> triangle_pair(int kind, Random& random) {
  std::array<std::array<Vec3, 3>, 2> pair;
  for (auto& t : pair) {
    for (Vec3& p : t) p = random_vec(random);
  }
  auto& [a, b] = pair;
  const double gap = std::ldexp(1.0, -random.between(0, 50));
  switch (kind) {
    case 1:  // parallel faces, close
      for (Vec3& p : a) p.z = 0.0;
      for (Vec3& p : b) p.z = gap;
      break;
    case 2:  // a common corner
      b[0] = a[1];
      break;
    case 3:  // a common edge
      b[0] = a[1];
      b[1] = a[2];
      break;
    case 4:  // slivers
      a[2] = a[0] + 0.3 * (a[1] - a[0]) + gap * random_vec(random);
      b[2] = b[0] + 0.7 * (b[1] - b[0]) + gap * random_vec(random);
      break;
    case 5:  // without area or length
      a[2] = a[0];
      b[1] = b[0];
      if (random.coin()) b[2] = b[0];
      break;
    case 6:  // a corner close to the face
      b[0] = 0.3 * a[0] + 0.3 * a[1] + 0.4 * a[2] + gap * random_vec(random);
      break;
    case 7:  // parallel edges
      b[1] = b[0] + (a[1] - a[0]);
      break;
    default:
      break;
  }
  return pair;
}

TEST(RigidDistanceBounds, TrianglesInLanesContainTheExactDistance) {
  Random random = seeded(1242);
  std::size_t close = 0;
  std::size_t useful = 0;
  for (int round = 0; round < (kIsSlow ? 40 : 400); ++round) {
    for (int kind = 0; kind < 8; ++kind) {
      auto [a, b] = triangle_pair(kind, random);
      const int exponent = round % 4 == 0 ? random.between(-900, 900) : 0;
      for (auto* t : {&a, &b}) {
        for (Vec3& p : *t) p = {std::ldexp(p.x, exponent), std::ldexp(p.y, exponent), std::ldexp(p.z, exponent)};
      }
      const rigid::TriangleBounds bounds = bounds_of(a, b, std::ldexp(1.0, -exponent));
      const oracle::Fraction exact = triangle_distance2(a, b);
      const double least = std::ldexp(oracle::sqrt_down(exact), -exponent);
      const double most = std::ldexp(oracle::sqrt_up(exact), -exponent);
      for (std::size_t lane = 0; lane < kWide; ++lane) {
        ASSERT_LE(bounds.lower[lane], most) << kind;
        ASSERT_GE(bounds.upper[lane], least) << kind;
        ASSERT_EQ(bounds.lower[lane], bounds.lower[0]);
        ASSERT_EQ(bounds.upper[lane], bounds.upper[0]);
      }
      if (least < 1e-9) continue;
      ++close;
      useful += bounds.upper[0] - bounds.lower[0] <= 1e-6 * most ? 1U : 0U;
    }
  }
  EXPECT_GT(useful, close * 95 / 100);
}

TEST(RigidDistanceBounds, ExtremeCoordinatesSayThatNothingIsKnown) {
  const std::array<Vec3, 3> a{Vec3{1e308, 1e308, 0}, {-1e308, 0, 0}, {0, 1e308, 0}};
  const std::array<Vec3, 3> b{Vec3{-1e308, -1e308, -1e308}, {-1e308, 0, -1e308}, {0, -1e308, -1e308}};
  for (const double scale : {0.0, 1.0}) {
    const rigid::TriangleBounds bounds = bounds_of(a, b, scale);
    EXPECT_EQ(bounds.lower[0], 0.0);
    EXPECT_EQ(bounds.upper[0], std::numeric_limits<double>::infinity());
  }
}

TEST(RigidDistanceBounds, EveryInstructionSetGivesTheSameBits) {
  Random random = seeded(1243);
  const Soup a = solids(300)[2];
  const Soup b = random_soup(random, 100, 0.2);
  const RigidObject object_a(a.positions, a.triangles, {.threads = 1});
  const RigidObject object_b(b.positions, b.triangles, {.threads = 1});
  std::vector<PosePair> poses;
  for (int i = 0; i < 20; ++i) poses.push_back(near_poses(a, b, 0.5 + random.unit(), {}, random));
  std::vector<RigidDistance> first;
  for (const std::string& target : simd_targets()) {
    use_simd_target(target);
    const std::vector<RigidDistance> found = distances(object_a, object_b, poses, {.threads = 1});
    if (first.empty()) first = found;
    for (std::size_t i = 0; i < poses.size(); ++i) {
      EXPECT_EQ(found[i].lo, first[i].lo) << target;
      EXPECT_EQ(found[i].hi, first[i].hi) << target;
      EXPECT_EQ(found[i].pair, first[i].pair) << target;
      EXPECT_EQ(found[i].stats.node_tests, first[i].stats.node_tests) << target;
      EXPECT_EQ(found[i].stats.triangle_tests, first[i].stats.triangle_tests) << target;
    }
  }
  use_simd_target("");
}

}  // namespace
}  // namespace graze::testing
