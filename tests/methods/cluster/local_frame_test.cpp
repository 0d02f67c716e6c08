// Local frames of clusters: an own frame resolves a cluster of any size anywhere, a change of frame keeps the error
// bound, and scenes of many scales have the contacts of the brute-force method.
#include "methods/cluster/local_frame.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include <graze/detector.hpp>
#include <graze/scene.hpp>

#include "methods/cluster/cluster_table.hpp"
#include "methods/cluster/one_cluster.hpp"
#include "oracle/random.hpp"
#include "oracle/scene_generator.hpp"

namespace graze {

using namespace methods;
namespace {

using namespace cluster_samples;
using oracle::Random;

/// Eight triangles of a given size around a point that moves; coordinates are multiples of a 2^-20th of the size.
oracle::SceneStep patch(Random& random, const Vec3& at, const Vec3& motion, double size) {
  oracle::SceneStep step;
  const auto near = [&](const Vec3& p) {
    const auto off = [&] { return size * 0x1p-20 * random.between(-(1 << 19), 1 << 19); };
    return Vec3{p.x + off(), p.y + off(), p.z + off()};
  };
  for (int v = 0; v < 10; ++v) {
    step.x_t0.push_back(near(at));
    step.x_t1.push_back(near({at.x + motion.x, at.y + motion.y, at.z + motion.z}));
  }
  for (VertexId v = 0; v < 8; ++v) step.triangles.push_back({v, v + 1, v + 2});
  return step;
}

/// The coordinates of a vertex in the frame of its cluster at one end of the step, in extended precision.
std::array<long double, 3> relative(const ClusterLocalFrame& frame, const Vec3& p, std::size_t end) {
  const Vec3& origin = end == 0 ? frame.origin_t0 : frame.origin_t1;
  const auto scale = static_cast<long double>(frame.scale);
  return {(static_cast<long double>(p.x) - static_cast<long double>(origin.x)) * scale,
          (static_cast<long double>(p.y) - static_cast<long double>(origin.y)) * scale,
          (static_cast<long double>(p.z) - static_cast<long double>(origin.z)) * scale};
}

/// Expects that every coordinate is wrong by at most a quarter of the error, and within the box.
void expect_bounded(const Cluster& cluster, const oracle::SceneStep& step) {
  for (std::size_t i = 0; i < cluster.vertex_count; ++i) {
    for (std::size_t end = 0; end < 2; ++end) {
      const auto truth = relative(cluster.frame, (end == 0 ? step.x_t0 : step.x_t1)[cluster.ids[i]], end);
      for (std::size_t k = 0; k < 3; ++k) {
        ASSERT_LE(std::abs(static_cast<long double>(cluster.x[3 * end + k][i]) - truth[k]),
                  0.25L * static_cast<long double>(cluster.error));
        ASSERT_LE(static_cast<long double>(cluster.box.lo[3 * end + k]), truth[k]);
        ASSERT_GE(static_cast<long double>(cluster.box.hi[3 * end + k]), truth[k]);
      }
    }
  }
}

TEST(LocalFrame, OwnFrameResolvesAClusterOfAnySizeAnywhere) {
  std::size_t own = 0;
  for (std::uint64_t index = 0; index < 2000; ++index) {
    Random random(1, index);
    const double size = std::ldexp(1.0, random.between(-900, 900));
    const double away = size * std::ldexp(1.0, random.between(0, 30));
    const auto anywhere = [&] { return Vec3{away * random.symmetric(), away * random.symmetric(), 0.0}; };
    const Vec3 at = anywhere();
    const oracle::SceneStep step = patch(random, at, random.coin() ? Vec3{} : anywhere(), size);
    Cluster cluster = one_cluster(step.triangles).value();
    fill_table({}, step.x_t0, step.x_t1, cluster);
    ASSERT_TRUE(resolves(cluster.size(), cluster.error)) << index;
    expect_bounded(cluster, step);
    own += cluster.frame == ClusterLocalFrame() ? 0U : 1U;
  }
  EXPECT_GT(own, 1500U);
}

TEST(LocalFrame, ClustersOfOnePointHaveAFrame) {
  for (const double at : {0.0, 1e-300, 1.0, 1e12, 1e300}) {
    oracle::SceneStep step;
    step.x_t0.assign(3, {at, -at, 0.5 * at});
    step.x_t1 = step.x_t0;
    step.triangles = {{0, 1, 2}};
    Cluster cluster = one_cluster(step.triangles).value();
    fill_table({}, step.x_t0, step.x_t1, cluster);
    expect_bounded(cluster, step);
  }
}

TEST(LocalFrame, ChangingItKeepsTheErrorBound) {
  std::size_t resolved = 0;
  for (std::uint64_t index = 0; index < 4000; ++index) {
    Random random(2, index);
    const double small = std::ldexp(1.0, random.between(-40, 40));
    const double large = small * std::ldexp(1.0, random.between(0, random.coin() ? 8 : 140));
    const double away = large * std::ldexp(1.0, random.between(-4, 20));
    const Vec3 at{away * random.symmetric(), away * random.symmetric(), away * random.symmetric()};
    const Vec3 beside{at.x + large * random.symmetric(), at.y + large * random.symmetric(), at.z};
    const Vec3 motion{away * random.symmetric(), 0.0, large * random.symmetric()};
    const oracle::SceneStep first = patch(random, at, motion, large);
    const oracle::SceneStep second = patch(random, beside, motion, small);
    Cluster a = one_cluster(first.triangles).value();
    Cluster b = one_cluster(second.triangles).value();
    fill_table({}, first.x_t0, first.x_t1, a);
    fill_table({}, second.x_t0, second.x_t1, b);
    Cluster changed;
    const auto [p, q] = in_one_frame(a, b, changed);
    ASSERT_EQ(p.frame, q.frame);
    ASSERT_EQ(p.frame.scale, std::min(a.frame.scale, b.frame.scale));
    expect_bounded(p, first);
    expect_bounded(q, second);
    resolved += resolves(q.size(), q.error) ? 1U : 0U;
  }
  EXPECT_GT(resolved, 1000U);
}

/// Triangles of sizes 2^-30 to 2^30, each near a vertex of another one, that move together by large amounts and
/// against each other by about their sizes.
oracle::SceneStep nested_soup(std::uint64_t index) {
  Random random(3, index);
  oracle::SceneStep step;
  const double common = std::ldexp(random.symmetric(), random.between(-10, 40));
  const int spread = random.between(0, 30);
  for (VertexId t = 0; t < 40; ++t) {
    const double size = std::ldexp(1.0, random.between(-spread, spread));
    const bool first = t == 0 || random.below(12) == 0;
    const std::size_t other = first ? 0 : random.below(3 * t);
    const double away = first ? std::ldexp(1.0, 40) : size;
    const Vec3 at = t == 0 ? Vec3{} : step.x_t0[other];
    const Vec3 moved = t == 0 ? Vec3{common, 0.0, -common} : step.x_t1[other];
    const auto near = [&](const Vec3& p, double by) {
      return Vec3{p.x + by * random.symmetric(), p.y + by * random.symmetric(), p.z + by * random.symmetric()};
    };
    const Vec3 middle = near(at, away);
    for (int k = 0; k < 3; ++k) {
      step.x_t0.push_back(near(middle, size));
      const Vec3& p = step.x_t0.back();
      step.x_t1.push_back(near({p.x + moved.x - at.x, p.y + moved.y - at.y, p.z + moved.z - at.z}, size));
    }
    step.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  return step;
}

std::vector<FeaturePair> pairs_of(const Proximities& found) {
  std::vector<FeaturePair> pairs;
  for (const Proximity& proximity : found.proximities) pairs.push_back(proximity.pair);
  return pairs;
}

TEST(LocalFrame, ScenesOfManyScalesHaveTheContactsOfBruteForce) {
  std::size_t contacts = 0;
  for (std::uint64_t index = 0; index < 64; ++index) {
    const oracle::SceneStep step = nested_soup(index);
    Scene scene;
    scene.add_body({.positions = step.x_t0, .triangles = step.triangles});
    for (const double thickness : {0.0, 0x1p-12}) {
      if (thickness > 0.0 && index % 16 != 0) continue;  // a thickness far below the size takes long to decide
      Detector fast(scene, {.method = Method::Auto, .thickness = thickness, .threads = 1});
      Detector brute(scene, {.method = Method::Brute, .thickness = thickness, .threads = 1});
      const Impacts expected = brute.impacts(step.x_t0, step.x_t1);
      ASSERT_EQ(fast.impacts(step.x_t0, step.x_t1).toi_hash(), expected.toi_hash()) << index;
      contacts += expected.impacts.size();
      ASSERT_EQ(fast.first_impact(step.x_t0, step.x_t1).toi, brute.first_impact(step.x_t0, step.x_t1).toi) << index;
      ASSERT_EQ(fast.intersections(step.x_t1).edge_face, brute.intersections(step.x_t1).edge_face) << index;
      ASSERT_EQ(pairs_of(fast.proximities(step.x_t1, 0x1p-6)), pairs_of(brute.proximities(step.x_t1, 0x1p-6)))
          << index;
    }
  }
  EXPECT_GT(contacts, 2000U);
}

}  // namespace
}  // namespace graze
