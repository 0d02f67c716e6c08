// The dynamic tree of a world: links, boxes and answers after random edits, heights, and boxes of posed objects.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "geometry/vec.hpp"
#include "rigid/oracle_objects.hpp"
#include "rigid/rigid_oracle.hpp"
#include "rigid/world/dynamic_tree.hpp"
#include "rigid/world/world_box.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;
using namespace rigid;

namespace {

WorldBox random_box(Random& random, double size) {
  WorldBox box;
  for (std::size_t k = 0; k < 3; ++k) {
    const double at = 10.0 * random.symmetric();
    box.lo[k] = size * at;
    box.hi[k] = size * (at + random.unit() * random.unit());
  }
  return box;
}

std::vector<std::uint32_t> overlaps(const DynamicTree& tree, const WorldBox& box) {
  std::vector<std::uint32_t> items;
  tree.for_overlaps(box, [&](std::uint32_t item) { items.push_back(item); });
  std::sort(items.begin(), items.end());
  return items;
}

/// Leaves by item.
using Leaves = std::map<std::uint32_t, DynamicTree::Index>;

void expect_all_found(const DynamicTree& tree, const Leaves& leaves, const WorldBox& box) {
  std::vector<std::uint32_t> expected;
  for (const auto& [item, leaf] : leaves) {
    if (tree.box(leaf).overlaps(box)) expected.push_back(item);
  }
  ASSERT_EQ(overlaps(tree, box), expected);
}

TEST(RigidWorldTree, KeepsItsInvariantsThroughRandomEdits) {
  for (const double size : {1.0, 1e-160, 1e160, 1e300}) {
    Random random = seeded(5200);
    DynamicTree tree;
    Leaves leaves;
    std::uint32_t next = 0;
    EXPECT_EQ(overlaps(tree, random_box(random, size)).size(), 0U);
    for (int i = 0; i < (kIsSlow ? 400 : 3000); ++i) {
      const auto any = [&] {
        return std::next(leaves.begin(), random.below(static_cast<std::uint32_t>(leaves.size())));
      };
      const std::uint32_t action = random.below(10);
      if (leaves.size() < 2 || action < 4) {
        const WorldBox box = random_box(random, size);
        leaves[next] = tree.insert(box, next);
        ++next;
      } else if (action < 6) {
        const auto leaf = any();
        tree.remove(leaf->second);
        leaves.erase(leaf);
      } else if (action < 9 || i % 20 != 0) {
        tree.replace(any()->second, random_box(random, size));
      } else {
        DynamicTree::Rebuild work(tree);
        for (const auto& [item, leaf] : leaves) tree.set_box(leaf, random_box(random, size));
        tree.rebuild(work);
      }
      ASSERT_EQ(tree.leaves(), leaves.size());
      if (i % 7 != 0) continue;
      ASSERT_EQ(tree.validate(), "") << i;
      expect_all_found(tree, leaves, random_box(random, 3.0 * size));
    }
    while (!leaves.empty()) {
      tree.remove(leaves.begin()->second);
      leaves.erase(leaves.begin());
      ASSERT_EQ(tree.validate(), "");
    }
  }
}

TEST(RigidWorldTree, EqualBoxesDoNotMakeAList) {
  DynamicTree tree;
  for (std::uint32_t i = 0; i < 1024; ++i) tree.insert({{0, 0, 0}, {1, 1, 1}}, i);
  EXPECT_EQ(tree.validate(), "");
  EXPECT_LE(tree.height(), 16);
  DynamicTree::Rebuild work(tree);
  tree.rebuild(work);
  EXPECT_EQ(tree.validate(), "");
  EXPECT_LE(tree.height(), 10);
  EXPECT_EQ(overlaps(tree, {{1, 1, 1}, {2, 2, 2}}).size(), 1024U);
}

TEST(RigidWorldTree, NestedBoxesDeeperThanTheStackAreFound) {
  DynamicTree tree;
  Leaves leaves;
  for (std::uint32_t i = 0; i < 600; ++i) {
    const double size = std::ldexp(1.0, static_cast<int>(i) - 300);
    leaves[i] = tree.insert({{0, 0, 0}, {size, size, size}}, i);
  }
  EXPECT_EQ(tree.validate(), "");
  expect_all_found(tree, leaves, {{0, 0, 0}, {1, 1, 1}});
  expect_all_found(tree, leaves, {{0.5, 0.5, 0.5}, {1, 1, 1}});
}

TEST(RigidWorldTree, AGridTakesFewTests) {
  // A claim about work, not time: 22^3 boxes, a query that overlaps at most eight of them.
  Random random = seeded(5210);
  std::vector<WorldBox> boxes;
  for (int x = 0; x < 22; ++x) {
    for (int y = 0; y < 22; ++y) {
      for (int z = 0; z < 22; ++z) {
        const std::array<double, 3> at{3.0 * x, 3.0 * y, 3.0 * z};
        boxes.push_back({at, {at[0] + 1, at[1] + 1, at[2] + 1}});
      }
    }
  }
  for (std::size_t i = boxes.size(); i > 1; --i)
    std::swap(boxes[i - 1], boxes[random.below(static_cast<std::uint32_t>(i))]);
  DynamicTree tree;
  for (std::uint32_t i = 0; i < boxes.size(); ++i) tree.insert(boxes[i], i);
  ASSERT_EQ(tree.validate(), "");
  const auto mean_tests = [&] {
    std::uint64_t tests = 0;
    for (int i = 0; i < 100; ++i) {
      WorldBox box;
      for (std::size_t k = 0; k < 3; ++k) {
        box.lo[k] = 60.0 * random.unit();
        box.hi[k] = box.lo[k] + 3.0;
      }
      tests += tree.for_overlaps(box, [](std::uint32_t) {});
    }
    return static_cast<double>(tests) / 100.0;
  };
  EXPECT_LT(mean_tests(), 200.0);
  DynamicTree::Rebuild work(tree);
  tree.rebuild(work);
  ASSERT_EQ(tree.validate(), "");
  EXPECT_LT(mean_tests(), 200.0);
}

TEST(RigidWorldBox, HoldsThePosedDoublesAndIsTight) {
  Random random = seeded(5220);
  for (const Soup& soup : soup_gallery(random, 12)) {
    const LocalBounds bounds = local_bounds(soup.positions, soup.triangles);
    ASSERT_EQ(bounds.empty, soup.triangles.empty());
    if (bounds.empty) continue;
    for (const double far : {0.0, 1.0, 1e6, 1e150, 1e300}) {
      for (int i = 0; i < 20; ++i) {
        Pose pose = i == 0 ? Pose{} : random_rotation(random);
        if (i % 3 == 2) pose = distorted(pose, 9e-7, random);
        pose.translation = far * random_vec(random);
        const WorldBox box = posed_box(bounds, pose);
        WorldBox exact{{1e308, 1e308, 1e308}, {-1e308, -1e308, -1e308}};
        for (const Triangle& triangle : soup.triangles) {
          for (const VertexId v : triangle) {
            const Vec3 x = posed_twin(pose, soup.positions[v]);
            ASSERT_TRUE(box.contains({{x.x, x.y, x.z}, {x.x, x.y, x.z}})) << soup.name;
            exact = exact.united({{x.x, x.y, x.z}, {x.x, x.y, x.z}});
          }
        }
        // Never wider than the ball around the box, and without a rotation the smallest box but for rounding.
        const double slack = 1e-14 * (far + 4.0);
        for (std::size_t k = 0; k < 3; ++k) {
          EXPECT_LE(box.hi[k] - box.lo[k], 2.0001 * bounds.radius + slack) << soup.name;
          if (i == 0) {
            EXPECT_NEAR(box.lo[k], exact.lo[k], slack) << soup.name;
            EXPECT_NEAR(box.hi[k], exact.hi[k], slack) << soup.name;
          }
        }
      }
    }
  }
}

TEST(RigidWorldBox, HoldsHugeAndTinyObjects) {
  Random random = seeded(5230);
  for (const int exponent : {-1070, -1000, -500, 500, 1000, 1021}) {
    const Soup soup = scaled(random_soup(random, 10, 0.4), exponent);
    const LocalBounds bounds = local_bounds(soup.positions, soup.triangles);
    for (int i = 0; i < 20; ++i) {
      const Pose pose = random_rotation(random);
      const WorldBox box = posed_box(bounds, pose);
      for (const Triangle& triangle : soup.triangles) {
        for (const VertexId v : triangle) {
          const Vec3 x = posed_twin(pose, soup.positions[v]);
          ASSERT_TRUE(box.contains({{x.x, x.y, x.z}, {x.x, x.y, x.z}})) << exponent;
        }
      }
    }
  }
}

TEST(RigidWorldBox, EnlargedBoxesHoldTheirBox) {
  Random random = seeded(5240);
  for (const double size : {1e-300, 1.0, 1e307}) {
    for (int i = 0; i < 50; ++i) {
      const WorldBox box = random_box(random, size);
      const WorldBox larger = enlarged(box, 0.0625, {size * random.symmetric(), 0.0, -size});
      EXPECT_TRUE(larger.contains(box));
      for (std::size_t k = 0; k < 3; ++k) EXPECT_TRUE(std::isfinite(larger.lo[k]) && std::isfinite(larger.hi[k]));
    }
  }
}

}  // namespace
}  // namespace graze::testing
