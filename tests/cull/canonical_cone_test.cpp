// The canonical cone contains every required normal and is never narrower than the cone of control normals.
#include "cull/canonical_cone.hpp"

#include "cull/cone_twin.hpp"
#include "cull/moving_triangles.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
using namespace bvh;
using namespace cull;
namespace {

using oracle::Random;
using test::Direction;
using test::LinearTriangle;
using test::Rational;

TEST(CanonicalCone, HoldsTheNormalOfAnyMotionAtAllTimes) {
  Random random(1);
  int known = 0;
  for (int i = 0; i < 3000; ++i) {
    const LinearTriangle t =
        i % 2 == 0 ? test::smooth_triangle(random, random.unit()) : test::troubled_triangle(random, i / 2 % 10);
    const NormalCone cone = canonical_cone(t[0], t[1], t[2]);
    if (!cone.known()) continue;
    ++known;
    ASSERT_LT(double{cone.angle}, std::numbers::pi / 2 + 1e-6);
    const auto triangle = test::exact(t[0], t[1], t[2]);
    const test::Judge judge(cone);
    for (const Direction& n : test::control_normals_twin(triangle)) ASSERT_TRUE(judge.holds(n)) << i;
    for (int k = 0; k < 2; ++k) {
      ASSERT_TRUE(judge.holds(test::normal_at(triangle, Rational(random.between(0, 97)) / 97))) << i;
    }
  }
  EXPECT_GT(known, 800);
}

TEST(CanonicalCone, IsNeverNarrowerThanTheConeOfControlNormals) {
  Random random(2);
  int known = 0;
  double wider = 0.0;
  for (int i = 0; i < 20'000; ++i) {
    const LinearTriangle t = test::smooth_triangle(random, std::ldexp(1.0, -random.between(0, 20)));
    const NormalCone canonical = canonical_cone(t[0], t[1], t[2]);
    if (!canonical.known()) continue;
    const NormalCone cone = triangle_cone(t[0], t[1], t[2]);
    ASSERT_TRUE(cone.known());
    ASSERT_LE(double{cone.angle}, double{canonical.angle} + 3e-7) << i;
    if (double{canonical.angle} < 1e-3) continue;
    ++known;
    wider += double{canonical.angle} / double{cone.angle};
  }
  EXPECT_GT(known, 5000);
  EXPECT_GT(wider / known, 1.1);  // the reason to prefer the control normals
}

TEST(CanonicalCone, OfAMotionAtRestIsNarrow) {
  const NormalCone cone = canonical_cone({{0, 0, 0}, {5, 6, 7}}, {{1, 0, 0}, {6, 6, 7}}, {{0, 1, 0}, {5, 7, 7}});
  EXPECT_EQ(cone.axis, (std::array<float, 3>{0, 0, 1}));
  EXPECT_LT(double{cone.angle}, 1e-6);
}

TEST(CanonicalCone, IsUnknownWhereTheBallHoldsZero) {
  const VertexPath a{{0, 0, 0}, {0, 0, 0}};
  const VertexPath b{{1, 0, 0}, {1, 0, 0}};
  EXPECT_FALSE(canonical_cone(a, b, {{0, 1, 0}, {0, -1, 0}}).known());
  EXPECT_FALSE(canonical_cone(a, b, {{0, 1, 0}, {0.5, 0, 0}}).known());
  EXPECT_FALSE(canonical_cone(a, a, b).known());
  for (const double s : {1e-200, 1e200}) {
    EXPECT_FALSE(canonical_cone(a, {{s, 0, 0}, {s, 0, 0}}, {{0, s, 0}, {0, s, 0}}).known()) << s;
  }
}

}  // namespace
}  // namespace graze
