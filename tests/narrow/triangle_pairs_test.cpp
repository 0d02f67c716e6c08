// The verdicts of the triangle kernel against exact tests, in rational arithmetic and in the library, with every
// instruction set that this machine supports: on random triangles, on touching, degenerate and overflowing ones,
// and in batches.
#include "narrow/kernels/triangle_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/simd/targets.hpp"
#include "narrow/edge_face.hpp"
#include "oracle/discrete.hpp"
#include "oracle/random.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
namespace {

using Corners = std::array<Vec3, 3>;
using oracle::Random;

/// Pairs of triangles that share no vertices, in two poses.
struct Soup {
  std::vector<Vec3> positions_a;
  std::vector<Vec3> positions_b;
  std::vector<Triangle> triangles;
  std::vector<TrianglePair> pairs;
  Pose pose_a;
  Pose pose_b;

  void add(const Corners& a, const Corners& b) {
    const auto first = static_cast<std::uint32_t>(positions_a.size());
    pairs.push_back({first / 3, first / 3});
    triangles.push_back({first, first + 1, first + 2});
    positions_a.insert(positions_a.end(), a.begin(), a.end());
    positions_b.insert(positions_b.end(), b.begin(), b.end());
  }
  PosedTriangles a() const { return {positions_a, triangles, pose_a}; }
  PosedTriangles b() const { return {positions_b, triangles, pose_b}; }
};

Corners corners(const PosedTriangles& t, TriangleId id) {
  const auto& [i, j, k] = t.triangles[id];
  return {posed(t.pose, t.positions[i]), posed(t.pose, t.positions[j]), posed(t.pose, t.positions[k])};
}

std::vector<PairVerdict> judge(const Soup& soup) {
  std::vector<PairVerdict> verdicts(soup.pairs.size());
  EXPECT_EQ(test_triangle_pairs(soup.a(), soup.b(), soup.pairs, verdicts, false), soup.pairs.size());
  return verdicts;
}

struct Count {
  std::size_t apart = 0;
  std::size_t intersecting = 0;
  std::size_t unknown = 0;
};

/// Checks every verdict with every target; each `stride`-th against rational arithmetic as well.
Count check(const Soup& soup, std::size_t stride) {
  std::vector<bool> intersects(soup.pairs.size());
  for (std::size_t i = 0; i < soup.pairs.size(); ++i) {
    const Corners a = corners(soup.a(), soup.pairs[i].a);
    const Corners b = corners(soup.b(), soup.pairs[i].b);
    bool exact = false;
    intersects[i] = narrow::triangles_intersect(a, b, exact);
    if (i % stride == 0) {
      EXPECT_EQ(intersects[i], oracle::intersect_triangle_triangle({a[0], a[1], a[2], b[0], b[1], b[2]})) << i;
    }
  }
  const std::vector<PairVerdict> best = judge(soup);
  Count count;
  for (std::size_t i = 0; i < soup.pairs.size(); ++i) {
    if (best[i] == PairVerdict::Unknown) {
      ++count.unknown;
      continue;
    }
    EXPECT_EQ(best[i] == PairVerdict::Intersect, intersects[i]) << "pair " << i;
    ++(intersects[i] ? count.intersecting : count.apart);
  }
  for (const std::string& target : simd_targets()) {
    use_simd_target(target);
    EXPECT_EQ(judge(soup), best) << target;
  }
  use_simd_target("");
  return count;
}

Pose random_pose(Random& random, double reach) {
  const auto r = [&] { return random.symmetric(); };
  return pose_from_quaternion({r(), r(), r(), r() + 1e-3}, {reach * r(), reach * r(), reach * r()});
}

Corners random_triangle(Random& random) {
  Corners t;
  for (Vec3& p : t) p = {random.symmetric(), random.symmetric(), random.symmetric()};
  return t;
}

TEST(TrianglePairs, OfGeneralPositionAreDecidedAndRight) {
  Random random(1);
  for (const double offset : {0.0, 1.0, 1e6}) {
    for (int pose = 0; pose < 4; ++pose) {
      Soup soup;
      soup.pose_a = random_pose(random, 0.5);
      soup.pose_b = random_pose(random, 0.5);
      for (Pose* p : {&soup.pose_a, &soup.pose_b}) p->translation.x += offset;
      for (int i = 0; i < 2500; ++i) soup.add(random_triangle(random), random_triangle(random));
      const Count count = check(soup, 50);
      EXPECT_LE(count.unknown, 2U) << offset;
      EXPECT_GT(count.intersecting, 100U);
      EXPECT_GT(count.apart, 500U);
    }
  }
}

TEST(TrianglePairs, OfOtherSizesAreDecidedAsWell) {
  Random random(2);
  for (const double scale : {1e-90, 1e-30, 1e-3, 1e30, 1e90}) {
    Soup soup;
    soup.pose_a = random_pose(random, 0.1 * scale);
    soup.pose_b = random_pose(random, 0.1 * scale);
    for (int i = 0; i < 1000; ++i) {
      Corners a = random_triangle(random);
      Corners b = random_triangle(random);
      for (std::size_t k = 0; k < 3; ++k) {
        a[k] = {scale * a[k].x, scale * a[k].y, scale * a[k].z};
        b[k] = {scale * b[k].x, scale * b[k].y, scale * b[k].z};
      }
      soup.add(a, b);
    }
    const Count count = check(soup, 100);
    EXPECT_LE(count.unknown, 2U) << scale;
    EXPECT_GT(count.intersecting, 100U) << scale;
  }
}

/// Large triangles against nearby tiny ones, as of a body on the ground.
TEST(TrianglePairs, OfVeryDifferentSizesAreDecided) {
  Random random(3);
  Soup soup;
  soup.pose_a = random_pose(random, 1.0);
  soup.pose_b = soup.pose_a;
  for (int i = 0; i < 3000; ++i) {
    const double at = random.symmetric();
    Corners small = random_triangle(random);
    for (Vec3& p : small) p = {at + 1e-3 * p.x, 1e-3 * p.y, 1e-3 * p.z};
    soup.add({Vec3{-100, -100, 0}, Vec3{100, -100, 1e-4 * random.symmetric()}, Vec3{0, 200, 0}}, small);
  }
  const Count count = check(soup, 100);
  EXPECT_LE(count.unknown, 3U);
  EXPECT_GT(count.intersecting, 1000U);
  EXPECT_GT(count.apart, 300U);
}

/// Small integers in poses that keep them: coplanar, touching, with common corners, without area, equal.
TEST(TrianglePairs, ThatTouchOrDegenerateAreNeverJudgedWrongly) {
  Random random(4);
  Soup soup;
  soup.pose_a = {.rotation = {Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{1, 0, 0}}, .translation = {1, 0, 0}};
  soup.pose_b = {.rotation = {Vec3{0, -1, 0}, Vec3{1, 0, 0}, Vec3{0, 0, 1}}, .translation = {0, 0, 0.5}};
  const auto grid = [&](double step, double noise) {
    Corners t;
    for (Vec3& p : t) {
      p = {step * random.between(-2, 2) + noise * random.between(-2, 2),
           step * random.between(-2, 2) + noise * random.between(-2, 2),
           step * random.between(-2, 2) + noise * random.between(-2, 2)};
    }
    return t;
  };
  for (int i = 0; i < 3000; ++i) soup.add(grid(0.5, 0.0), grid(0.5, 0.0));
  for (int i = 0; i < 3000; ++i) soup.add(grid(0.5, 0x1p-52), grid(0.5, 0x1p-52));
  const Count count = check(soup, 20);
  EXPECT_GT(count.intersecting, 200U);
  EXPECT_GT(count.apart, 1000U);
  EXPECT_GT(count.unknown, 200U);

  Soup neighbours;
  neighbours.pose_a = random_pose(random, 3.0);
  neighbours.pose_b = neighbours.pose_a;
  for (int i = 0; i < 1500; ++i) {
    const Corners a = random_triangle(random);
    Corners b = random_triangle(random);
    for (int k = 0; k < i % 4; ++k) b[static_cast<std::size_t>(k)] = a[static_cast<std::size_t>(k)];
    neighbours.add(a, b);
  }
  const std::vector<PairVerdict> verdicts = judge(neighbours);
  check(neighbours, 50);
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    if (i % 4 != 0) {
      EXPECT_EQ(verdicts[i], PairVerdict::Intersect) << i;
    }
  }
}

/// Exchanges the axes cyclically.
Corners turned(const Corners& t, int axis) {
  Corners result = t;
  for (Vec3& p : result) p = axis == 0 ? p : axis == 1 ? Vec3{p.z, p.x, p.y} : Vec3{p.y, p.z, p.x};
  return result;
}

/// All corners in one plane z = 0.3 of coordinates that are not round; then nothing rounds.
TEST(TrianglePairs, InOnePlaneUprightOnAnAxisAreDecided) {
  Random random(11);
  for (int axis = 0; axis < 3; ++axis) {
    Soup soup;
    for (int i = 0; i < 2000; ++i) {
      Corners a;
      Corners b;
      for (Corners* t : {&a, &b}) {
        for (Vec3& p : *t) p = {random.symmetric(), random.symmetric(), 0.3};
      }
      // A common side, partly, and corners on a side parallel to an axis.
      if (i % 3 == 1) a[0].x = a[1].x = b[0].x = b[1].x = 0.1;
      if (i % 3 == 2) a[0].y = a[1].y = b[0].y = 0.7;
      soup.add(turned(a, axis), turned(b, axis));
    }
    const Count count = check(soup, 10);
    EXPECT_LE(count.unknown, 2U) << axis;
    EXPECT_GT(count.intersecting, 300U) << axis;
    EXPECT_GT(count.apart, 300U) << axis;
  }
}

TEST(TrianglePairs, WithCornersInAPlaneUprightOnAnAxisAreDecided) {
  Random random(12);
  for (int axis = 0; axis < 3; ++axis) {
    Soup soup;
    for (int i = 0; i < 3000; ++i) {
      Corners a;
      for (Vec3& p : a) p = {random.symmetric(), random.symmetric(), 0.3};
      Corners b = random_triangle(random);
      for (int k = 0; k < 1 + i % 2; ++k) b[random.below(3)].z = 0.3;
      if (i % 5 == 0) {  // corners on an edge of a that is parallel to an axis
        a[0].y = a[1].y = 0.1;
        b[0].y = 0.1;
        b[0].z = 0.3;
      }
      if (i % 5 == 1) {  // an edge of b that touches an edge of a
        a[1].x = a[2].x = -0.3;
        b[1] = {-0.3, 0.5 * random.symmetric(), -0.4};
        b[2] = {-0.3, b[1].y, 0.9};
      }
      const bool swap = random.coin();
      soup.add(turned(swap ? b : a, axis), turned(swap ? a : b, axis));
    }
    const Count count = check(soup, 10);
    EXPECT_LE(count.unknown, 5U) << axis;
    EXPECT_GT(count.intersecting, 300U) << axis;
    EXPECT_GT(count.apart, 300U) << axis;
  }
}

/// Corners on four lines parallel to an axis: planes along the axis that are upright on no axis.
TEST(TrianglePairs, OfPrismsThatAreShiftedAlongAnAxisAreDecided) {
  Random random(13);
  for (int axis = 0; axis < 3; ++axis) {
    const std::array<Vec3, 4> lines{Vec3{0, 0.1, 0.7}, Vec3{0, -0.3, 0.2}, Vec3{0, 0.6, -0.4}, Vec3{0, 0.35, 0.9}};
    Soup soup;
    std::size_t on_two_lines = 0;
    for (int i = 0; i < 3000; ++i) {
      Corners a;
      Corners b;
      for (Corners* t : {&a, &b}) {
        for (Vec3& p : *t) {
          p = lines[random.below(i % 2 == 0 ? 2 : 4)];
          p.x = random.symmetric();
        }
      }
      on_two_lines += i % 2 == 0 ? 1U : 0U;
      soup.add(turned(a, axis), turned(b, axis));
    }
    const Count count = check(soup, 10);
    // Without area: all corners on one line, a quarter of those on two, in either triangle.
    EXPECT_LT(count.unknown, on_two_lines) << axis;
    EXPECT_GT(count.intersecting, 300U) << axis;
    EXPECT_GT(count.apart, 300U) << axis;
  }
}

/// In a plane upright on an axis, one corner of b is within rounding of a slanted side of a, the others are beyond
/// it.
TEST(TrianglePairs, ThatTouchWithinRoundingInOnePlaneAreNeverJudgedWrongly) {
  Random random(17);
  for (int axis = 0; axis < 3; ++axis) {
    Soup soup;
    for (int i = 0; i < 2000; ++i) {
      Corners a;
      for (Vec3& p : a) p = {random.symmetric(), random.symmetric(), 0.3};
      const double s = random.unit();
      Vec3 on{a[0].x + s * (a[1].x - a[0].x), a[0].y + s * (a[1].y - a[0].y), 0.3};
      if (random.coin()) on.x = std::nextafter(on.x, random.coin() ? 9.0 : -9.0);
      const auto beyond = [&] {
        const double far = 0.5 + random.unit();
        return Vec3{on.x + far * (on.x - a[2].x) + 0.1 * random.unit(),
                    on.y + far * (on.y - a[2].y) + 0.1 * random.unit(), 0.3};
      };
      Corners b{on, beyond(), beyond()};
      std::swap(b[0], b[random.below(3)]);
      const bool swap = random.coin();
      soup.add(turned(swap ? b : a, axis), turned(swap ? a : b, axis));
    }
    EXPECT_GT(check(soup, 10).unknown, 500U) << axis;
  }
}

/// Segments and points in one plane: parallel, crossing, touching, apart with overlapping boxes.
TEST(TrianglePairs, WithoutAreaInOnePlaneAreNeverJudgedWrongly) {
  Random random(15);
  for (int axis = 0; axis < 3; ++axis) {
    Soup soup;
    for (int i = 0; i < 3000; ++i) {
      const auto segment = [&] {
        const double u = 0.25 * random.between(-4, 4);
        const double v = 0.25 * random.between(-4, 4);
        const double du = 0.25 * random.between(-1, 1);
        const double dv = 0.25 * random.between(-1, 1);
        Corners t;
        for (Vec3& p : t) {
          const int k = random.between(-4, 4);
          p = {u + k * du, v + k * dv, 0.3};
        }
        return t;
      };
      Corners a = segment();
      Corners b = segment();
      if (i % 4 == 0) a[0] = {0.25 * random.between(-4, 4), 0.25 * random.between(-4, 4), 0.3};
      soup.add(turned(a, axis), turned(b, axis));
    }
    const Count count = check(soup, 10);
    EXPECT_GT(count.intersecting, 100U) << axis;
    EXPECT_GT(count.apart, 300U) << axis;
  }
}

/// A first hit that the second stage finds ends the search as well.
TEST(TrianglePairs, ForTheFirstHitStopAfterOneThatTouches) {
  Random random(16);
  Soup soup;
  for (int i = 0; i < 200; ++i) {
    const double s = 0.1 * random.unit();
    soup.add({Vec3{0, 0, 0.3}, Vec3{1, 0, 0.3}, Vec3{0, 1, 0.3}},
             {Vec3{0.1 + s, 0.2, 0.3}, Vec3{2, 0.3 + s, 0.3}, Vec3{s, 2, 0.3}});
  }
  for (const std::string& target : simd_targets()) {
    SCOPED_TRACE(target);
    use_simd_target(target);
    std::vector<PairVerdict> verdicts(soup.pairs.size());
    const std::size_t judged = test_triangle_pairs(soup.a(), soup.b(), soup.pairs, verdicts, true);
    EXPECT_LT(judged, 20U);
    for (std::size_t i = 0; i < verdicts.size(); ++i)
      EXPECT_EQ(verdicts[i], i < judged ? PairVerdict::Intersect : PairVerdict::Unknown) << i;
  }
  use_simd_target("");
}

/// Pairs that the second stage decides, among others: it tests them in other groups than the first.
TEST(TrianglePairs, ThatTouchAreJudgedAloneAsInBatchesOfAnySize) {
  Random random(14);
  Soup soup;
  for (int i = 0; i < 150; ++i) {
    Corners a = random_triangle(random);
    Corners b = random_triangle(random);
    if (random.below(3) == 0) {
      for (Vec3& p : a) p.z = 0.3;
      for (std::size_t k = 0; k < 1 + random.below(3); ++k) b[k].z = 0.3;
    }
    if (random.below(8) == 0) b[1] = a[2];
    if (random.below(8) == 0) b = {b[0], b[0], b[0]};
    soup.add(a, b);
  }
  for (const std::string& target : simd_targets()) {
    SCOPED_TRACE(target);
    use_simd_target(target);
    std::vector<PairVerdict> alone(soup.pairs.size());
    for (std::size_t i = 0; i < alone.size(); ++i)
      test_triangle_pairs(soup.a(), soup.b(), std::span(&soup.pairs[i], 1), std::span(&alone[i], 1), false);
    for (std::size_t size = 0; size <= alone.size(); size += size < 40 ? 1 : 37) {
      const auto some = std::span(soup.pairs).first(size);
      std::vector<PairVerdict> verdicts(size);
      EXPECT_EQ(test_triangle_pairs(soup.a(), soup.b(), some, verdicts, false), size);
      EXPECT_TRUE(std::equal(verdicts.begin(), verdicts.end(), alone.begin())) << size;
      const std::size_t judged = test_triangle_pairs(soup.a(), soup.b(), some, verdicts, true);
      for (std::size_t i = 0; i < size; ++i)
        EXPECT_EQ(verdicts[i], i < judged ? alone[i] : PairVerdict::Unknown) << size << ' ' << i;
      const auto hit =
          std::find(alone.begin(), alone.begin() + static_cast<std::ptrdiff_t>(size), PairVerdict::Intersect);
      EXPECT_TRUE(judged == size || hit - alone.begin() < static_cast<std::ptrdiff_t>(judged)) << size;
    }
  }
  use_simd_target("");
}

/// Thin triangles and points of very different sizes, whose determinants are lost to rounding or underflow.
TEST(TrianglePairs, ThatAreSliversOrOfWildSizesAreNeverJudgedWrongly) {
  Random random(5);
  Soup soup;
  for (int i = 0; i < 2000; ++i) {
    Corners a = random_triangle(random);
    Corners b = random_triangle(random);
    const double thin = std::ldexp(1.0, -random.between(20, 60));
    for (Corners* t : {&a, &b}) {
      const double s = random.unit();
      auto& [p, q, r] = *t;
      r = {p.x + s * (q.x - p.x) + thin * random.symmetric(), p.y + s * (q.y - p.y) + thin * random.symmetric(),
           p.z + s * (q.z - p.z) + thin * random.symmetric()};
    }
    if (i % 2 == 0) b[0] = {0.5 * (a[0].x + a[1].x), 0.5 * (a[0].y + a[1].y), 0.5 * (a[0].z + a[1].z)};
    soup.add(a, b);
  }
  constexpr std::array kScales{0.0, 1e-320, 1e-300, 1e-160, 1e-100, 1e-8, 1.0, 1e8, 1e100, 1e160, 1e300};
  const auto wild = [&] {
    return kScales[random.below(static_cast<std::uint32_t>(kScales.size()))] * random.between(-3, 3);
  };
  for (int i = 0; i < 2000; ++i) {
    Corners a;
    Corners b;
    for (Vec3& p : a) p = {wild(), wild(), wild()};
    for (Vec3& p : b) p = {wild(), wild(), wild()};
    soup.add(a, b);
  }
  const Count count = check(soup, 20);
  EXPECT_GT(count.apart, 500U);
  EXPECT_GT(count.unknown, 100U);
}

/// A wall at x = w touches a triangle whose smallest x in its pose, computed by posed(), is w. With the wall moved
/// by one unit in the last place they are separated. Only the exact bits of posed() decide.
TEST(TrianglePairs, AreJudgedForTheVeryBitsOfThePosedPoints) {
  Random random(6);
  std::size_t tried = 0;
  for (int i = 0; i < 300; ++i) {
    Soup soup;
    soup.pose_b = random_pose(random, 2.0);
    const Corners b = random_triangle(random);
    double least = std::numeric_limits<double>::infinity();
    for (const Vec3& p : b) least = std::min(least, posed(soup.pose_b, p).x);
    for (const double w : {least, std::nextafter(least, -10.0)})
      soup.add({Vec3{w, -50, -50}, Vec3{w, 50, -50}, Vec3{w, 0, 90}}, b);
    for (const std::string& target : simd_targets()) {
      use_simd_target(target);
      const std::vector<PairVerdict> verdicts = judge(soup);
      EXPECT_NE(verdicts[0], PairVerdict::Separated) << target;
      EXPECT_EQ(verdicts[1], PairVerdict::Separated) << target;
      ++tried;
    }
    use_simd_target("");
  }
  EXPECT_GE(tried, 300U);
}

TEST(TrianglePairs, ThatOverflowAreLeftOpen) {
  constexpr double kHuge = std::numeric_limits<double>::max();
  const Corners far_off{Vec3{10, 10, 10}, Vec3{11, 10, 10}, Vec3{10, 11, 11}};
  Random random(7);
  Soup soup;
  soup.pose_a = random_pose(random, 1.0);
  for (std::size_t corner = 0; corner < 3; ++corner) {
    for (int sign = 0; sign < 8; ++sign) {
      Corners a = random_triangle(random);
      a[corner] = {sign % 2 == 0 ? kHuge : -kHuge, sign / 2 % 2 == 0 ? kHuge : -kHuge,
                   sign / 4 == 0 ? kHuge : -kHuge};
      soup.add(a, far_off);
      soup.add(far_off, a);
    }
  }
  for (const std::string& target : simd_targets()) {
    use_simd_target(target);
    for (const PairVerdict verdict : judge(soup)) EXPECT_EQ(verdict, PairVerdict::Unknown) << target;
  }
  use_simd_target("");
}

/// Two meshes with shared vertices and pairs in any order.
struct Meshes {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
  std::vector<TrianglePair> pairs;
};
Meshes random_meshes(std::size_t pair_count) {
  Random random(8);
  Meshes m;
  for (int i = 0; i < 40; ++i) m.positions.push_back({random.symmetric(), random.symmetric(), random.symmetric()});
  for (int i = 0; i < 60; ++i) m.triangles.push_back({random.below(40), random.below(40), random.below(40)});
  m.triangles.push_back({39, 39, 39});
  for (std::size_t i = 0; i < pair_count; ++i) m.pairs.push_back({random.below(61), random.below(61)});
  return m;
}

TEST(TrianglePairs, AreJudgedAloneAsInBatchesOfAnySize) {
  const Meshes m = random_meshes(100);
  const PosedTriangles a{m.positions, m.triangles, pose_from_axis_angle({1, 2, 3}, 0.5, {0.1, 0.0, 0.2})};
  const PosedTriangles b{m.positions, m.triangles, pose_from_axis_angle({3, 1, 2}, 2.5)};
  for (const std::string& target : simd_targets()) {
    SCOPED_TRACE(target);
    use_simd_target(target);
    std::vector<PairVerdict> alone(m.pairs.size());
    for (std::size_t i = 0; i < m.pairs.size(); ++i)
      test_triangle_pairs(a, b, std::span(&m.pairs[i], 1), std::span(&alone[i], 1), false);
    EXPECT_GT(std::count(alone.begin(), alone.end(), PairVerdict::Intersect), 5);
    EXPECT_GT(std::count(alone.begin(), alone.end(), PairVerdict::Separated), 5);
    for (std::size_t size = 0; size <= m.pairs.size(); size += size < 20 ? 1 : 40) {
      std::vector<PairVerdict> verdicts(size);
      EXPECT_EQ(test_triangle_pairs(a, b, std::span(m.pairs).first(size), verdicts, false), size);
      EXPECT_TRUE(std::equal(verdicts.begin(), verdicts.end(), alone.begin())) << size;
    }
  }
  use_simd_target("");
}

TEST(TrianglePairs, ForTheFirstHitStopAfterOneThatIntersects) {
  const Meshes m = random_meshes(200);
  const PosedTriangles a{m.positions, m.triangles, pose_from_axis_angle({1, 2, 3}, 0.5, {0.9, 0.0, 0.2})};
  const PosedTriangles b{m.positions, m.triangles, {}};
  std::vector<PairVerdict> all(m.pairs.size());
  test_triangle_pairs(a, b, m.pairs, all, false);
  for (const std::string& target : simd_targets()) {
    SCOPED_TRACE(target);
    use_simd_target(target);
    std::size_t stopped = 0;
    for (std::size_t from = 0; from < m.pairs.size(); from += 7) {
      const auto some = std::span(m.pairs).subspan(from);
      std::vector<PairVerdict> verdicts(some.size());
      const std::size_t judged = test_triangle_pairs(a, b, some, verdicts, true);
      ASSERT_LE(judged, some.size());
      const auto first_intersecting =
          std::find(all.begin() + static_cast<std::ptrdiff_t>(from), all.end(), PairVerdict::Intersect);
      const auto needed = static_cast<std::size_t>(first_intersecting - all.begin()) - from;
      EXPECT_GE(judged, std::min(some.size(), needed + 1));
      for (std::size_t i = 0; i < some.size(); ++i)
        EXPECT_EQ(verdicts[i], i < judged ? all[from + i] : PairVerdict::Unknown) << from << ' ' << i;
      stopped += static_cast<std::size_t>(judged < some.size());
    }
    EXPECT_GT(stopped, 5U);
  }
  use_simd_target("");
}

}  // namespace
}  // namespace graze
