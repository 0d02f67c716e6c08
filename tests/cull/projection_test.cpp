// Projection axes checked by exact dot products: every normal of a patch keeps its sign along them.
#include "cull/projection.hpp"

#include "cull/cone_twin.hpp"
#include "cull/moving_triangles.hpp"

#include <gtest/gtest.h>

#include <array>
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

int sign(const Rational& value) {
  return value > 0 ? 1 : value < 0 ? -1 : 0;
}

/// A cone about a random axis, sometimes a coordinate axis or a diagonal.
NormalCone random_cone(Random& random, double angle) {
  Vec3 a = test::random_vector(random);
  if (random.below(4) == 0) {
    a = {double{1} * random.between(-1, 1), double{1} * random.between(-1, 1), double{1} * random.between(-1, 1)};
    if (a == Vec3{}) a = {0, 0, -1};
  }
  a = (1.0 / length(a)) * a;
  return {{static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)}, static_cast<float>(angle)};
}

/// Whether the angle between the axes plus the angle of the cone is less than pi/2, the claim to be proved, in 100
/// digits.
bool truly_positive(const NormalCone& cone, const ProjectionAxis& axis) {
  const test::Real half_pi = acos(test::Real(0));
  const test::Real c = abs(test::cosine(test::exact(cone.axis), test::exact(axis)));
  return test::Real(cone.angle) < half_pi && c > sin(test::Real(cone.angle));
}

TEST(Projection, AxisGivesEveryControlNormalThatSign) {
  Random random(1);
  int found = 0;
  int wide = 0;
  for (int i = 0; i < 3000; ++i) {
    const LinearTriangle t =
        i % 2 == 0 ? test::smooth_triangle(random, random.unit()) : test::troubled_triangle(random, i / 2 % 10);
    const NormalCone cone = triangle_cone(t[0], t[1], t[2]);
    const auto axis = projection_axis(cone);
    if (!axis) {
      wide += static_cast<int>(cone.known());
      ASSERT_TRUE(!cone.known() || double{cone.angle} > 1.57);
      continue;
    }
    ++found;
    const Direction d = test::exact(*axis);
    const auto triangle = test::exact(t[0], t[1], t[2]);
    const auto normals = test::control_normals_twin(triangle);
    const int first = sign(test::dot(normals[0], d));
    ASSERT_NE(first, 0);
    for (const Direction& n : normals) ASSERT_EQ(sign(test::dot(n, d)), first);
    ASSERT_EQ(sign(test::dot(test::normal_at(triangle, Rational(random.between(0, 31)) / 31), d)), first);
  }
  EXPECT_GT(found, 1500);
  EXPECT_GT(wide, 10);
}

TEST(Projection, AxisHasTheFormThatWasPromised) {
  Random random(2);
  std::array<int, 3> dominant{};
  for (int i = 0; i < 2000; ++i) {
    const NormalCone cone = random_cone(random, random.unit());
    const auto axis = projection_axis(cone);
    ASSERT_TRUE(axis.has_value());
    ++dominant[axis->dominant];
    for (const double q : {axis->q_u, axis->q_w}) {
      ASSERT_LE(std::abs(q), 1.0);
      ASSERT_EQ(std::ldexp(q, 20), std::round(std::ldexp(q, 20)));
    }
    // The axis is that of the cone up to rounding to multiples of 2^-20.
    const double off = test::angle_between(test::exact(*axis), test::exact(cone.axis));
    ASSERT_LT(std::min(off, std::numbers::pi - off), 0x1p-20);
  }
  for (const int count : dominant) EXPECT_GT(count, 300);
}

TEST(Projection, AxisExistsForConesUpToAHairBelowAHalfTurn) {
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    const double below = std::ldexp(1.0, -random.between(2, 30));
    const NormalCone cone = random_cone(random, std::numbers::pi / 2 - below);
    const auto axis = projection_axis(cone);
    if (axis) {
      ASSERT_TRUE(truly_positive(cone, *axis)) << i;
    }
    if (below > 4e-6) {
      ASSERT_TRUE(axis.has_value()) << below;
    }
  }
  for (const double angle : {1.5707963267948966, 1.58, 2.0, 3.0}) {
    EXPECT_FALSE(projection_axis(random_cone(random, angle)).has_value()) << angle;
  }
}

TEST(Projection, AxisOfAnUnknownConeIsNone) {
  EXPECT_FALSE(projection_axis(NormalCone{}).has_value());
  EXPECT_FALSE(projects_positively(NormalCone{}, {2, 0.0, 0.0}));
  EXPECT_FALSE(projection_axis({{0, 0, 0}, 0.5F}).has_value());
  EXPECT_FALSE(projection_axis({{0, 0, 1}, std::numeric_limits<float>::quiet_NaN()}).has_value());
}

TEST(Projection, OfAnotherAxisIsPositiveOnlyIfProved) {
  Random random(4);
  int positive = 0;
  int undecided = 0;
  for (int i = 0; i < 4000; ++i) {
    const NormalCone cone = random_cone(random, 1.57 * random.unit());
    const auto step = [&] { return std::ldexp(random.between(-(1 << 20), 1 << 20), -20); };
    const ProjectionAxis axis{static_cast<std::uint8_t>(random.below(3)), step(), step()};
    const bool answer = projects_positively(cone, axis);
    const bool truth = truly_positive(cone, axis);
    ASSERT_TRUE(truth || !answer);
    undecided += static_cast<int>(truth && !answer);
    positive += static_cast<int>(answer);
  }
  EXPECT_GT(positive, 500);
  EXPECT_LT(positive, 3500);
  EXPECT_EQ(undecided, 0);
}

TEST(Projection, OfAnAxisAtTheVeryLimitIsNotClaimed) {
  // The projection axis is z, and the cone's axis leans by almost exactly pi/2 minus the angle of the cone.
  Random random(5);
  int claimed = 0;
  for (int i = 0; i < 2000; ++i) {
    const double lean = 1.5 * random.unit();
    const double angle = std::numbers::pi / 2 - lean + std::ldexp(random.symmetric(), -random.between(15, 40));
    const NormalCone cone{{static_cast<float>(std::sin(lean)), 0.0F, static_cast<float>(std::cos(lean))},
                          static_cast<float>(angle)};
    const bool answer = projects_positively(cone, {2, 0.0, 0.0});
    ASSERT_TRUE(!answer || truly_positive(cone, {2, 0.0, 0.0})) << i;
    claimed += static_cast<int>(answer);
  }
  EXPECT_GT(claimed, 100);
}

TEST(Projection, ForgetsTheAxisAndNothingElse) {
  const ProjectionAxis axis{1, 0.5, -0.25};  // D = (-0.25, 1, 0.5) : y, then z and x
  const Vec2 zero = project(axis, {-0.25, 1.0, 0.5});
  EXPECT_EQ(zero.x, 0.0);
  EXPECT_EQ(zero.y, 0.0);
  const Vec2 p = project(axis, {3.0, 2.0, 5.0});
  EXPECT_EQ(p.x, 5.0 - 0.5 * 2.0);
  EXPECT_EQ(p.y, 3.0 + 0.25 * 2.0);
  // The sign of the projected area is that of the normal along D, up to one sign common to all triangles.
  Random random(6);
  const auto d = test::exact(axis);
  for (int i = 0; i < 100; ++i) {
    std::array<Vec3, 3> t;
    std::array<Vec2, 3> flat;
    for (std::size_t k = 0; k < 3; ++k) {
      t[k] = {1.0 * random.between(-9, 9), 1.0 * random.between(-9, 9), 1.0 * random.between(-9, 9)};
      flat[k] = project(axis, t[k]);  // exact: small integers
    }
    const double area =
        (flat[1].x - flat[0].x) * (flat[2].y - flat[0].y) - (flat[1].y - flat[0].y) * (flat[2].x - flat[0].x);
    EXPECT_EQ(Rational(area), test::dot(test::exact(cross(t[1] - t[0], t[2] - t[0])), d));
  }
}

TEST(Projection, IsWithinItsErrorAtAnyMagnitude) {
  Random random(7);
  double worst = 0.0;
  for (int i = 0; i < 6000; ++i) {
    const auto step = [&] { return std::ldexp(random.between(-(1 << 20), 1 << 20), -20); };
    const ProjectionAxis axis{static_cast<std::uint8_t>(random.below(3)), step(), step()};
    const int low = random.between(-1074, 1000);
    const int high = std::min(1020, low + random.between(0, 60));
    const auto any = [&] { return std::ldexp(random.symmetric(), random.between(low, high)); };
    const Vec3 p{any(), any(), any()};
    const std::array<double, 3> x{p.x, p.y, p.z};
    const Vec2 computed = project(axis, p);
    const double bound = projection_error(max_abs(p));
    const auto check = [&](double value, std::size_t k, double q) {
      Rational off = Rational(value) - (Rational(x[k]) - Rational(q) * Rational(x[axis.dominant]));
      if (off < 0) off = -off;
      ASSERT_LE(off, Rational(bound)) << i;
      worst = std::max(worst, static_cast<double>(off / Rational(bound)));
    };
    check(computed.x, axis.u(), axis.q_u);
    check(computed.y, axis.w(), axis.q_w);
  }
  EXPECT_GT(worst, 0.2);  // the bound is pessimistic by a small factor at most
}

}  // namespace
}  // namespace graze
