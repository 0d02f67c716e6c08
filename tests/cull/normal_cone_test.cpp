// Normal cones checked in exact arithmetic: they contain every required normal and are no wider than necessary.
#include "cull/normal_cone.hpp"

#include "cull/cone_twin.hpp"
#include "cull/moving_triangles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
using namespace bvh;
using namespace cull;
namespace {

using oracle::Random;
using test::bent;
using test::Direction;
using test::Judge;
using test::LinearTriangle;
using test::MovingTriangle;
using test::QuadraticTriangle;
using test::Rational;
using test::Real;
using test::smooth_triangle;
using test::troubled_triangle;

template <typename Triangle>
NormalCone cone_of(const Triangle& t) {
  return triangle_cone(t[0], t[1], t[2]);
}
template <typename Triangle>
MovingTriangle exact(const Triangle& t) {
  return test::exact(t[0], t[1], t[2]);
}

/// Checks that a known cone contains all its normals; false at the first that it does not contain.
bool holds_its_normals(const NormalCone& cone, const MovingTriangle& triangle, Random& random) {
  const Judge judge(cone);
  for (const Direction& n : test::control_normals_twin(triangle)) {
    if (!judge.holds(n)) return false;
  }
  if (!(double{cone.angle} < std::numbers::pi / 2)) return true;
  for (int i = 0; i < 2; ++i) {
    if (!judge.holds(test::normal_at(triangle, Rational(random.between(0, 97)) / 97))) return false;
  }
  return true;
}

/// Half the largest angle between control normals: a lower bound of the half angle of any cone.
double least_half_angle(const MovingTriangle& triangle) {
  const auto normals = test::control_normals_twin(triangle);
  double widest = 0.0;
  for (const Direction& a : normals) {
    for (const Direction& b : normals) widest = std::max(widest, test::angle_between(a, b));
  }
  return 0.5 * widest;
}

template <std::size_t kDegree>
void expect_within_errors(const ControlNormals<kDegree>& normals, const MovingTriangle& triangle) {
  const auto truth = test::control_normals_twin(triangle);
  ASSERT_EQ(truth.size(), normals.normal.size());
  for (std::size_t k = 0; k < truth.size(); ++k) {
    if (!is_finite(normals.normal[k]) || !std::isfinite(normals.error[k])) continue;
    const Direction off = test::operator-(test::exact(normals.normal[k]), truth[k]);
    const Rational error(normals.error[k]);
    ASSERT_LE(test::dot(off, off), error * error) << k;
  }
}

TEST(ControlNormals, AreTheBernsteinCoefficientsOfTheNormalWithinTheirErrors) {
  Random random(1);
  for (int i = 0; i < 900; ++i) {
    const LinearTriangle t = troubled_triangle(random, i % test::kTroubles);
    expect_within_errors(control_normals(t[0], t[1], t[2]), exact(t));
    if (i % 3 != 0) continue;
    const QuadraticTriangle q = bent(random, t, 1.0);
    expect_within_errors(control_normals(q[0], q[1], q[2]), exact(q));
  }
}

TEST(ControlNormals, AreExactForSmallIntegers) {
  Random random(2);
  for (int i = 0; i < 200; ++i) {
    const LinearTriangle t = troubled_triangle(random, 6);
    const auto truth = test::control_normals_twin(exact(t));
    const auto normals = control_normals(t[0], t[1], t[2]).normal;
    for (std::size_t k = 0; k < truth.size(); ++k) ASSERT_EQ(test::exact(normals[k]), truth[k]);
  }
}

TEST(ControlNormals, OfStraightMotionAreThosePublished) {
  // The middle control normal is (n0 + n1 - delta) / 2, where delta is the cross product of the motions of the
  // edges.
  Random random(3);
  const LinearTriangle t = troubled_triangle(random, 6);
  const auto normals = control_normals(t[0], t[1], t[2]).normal;
  const auto v = [&](std::size_t k) { return t[k].t1 - t[k].t0; };
  const Vec3 delta = cross(v(1) - v(0), v(2) - v(0));
  const Vec3 n0 = cross(t[1].t0 - t[0].t0, t[2].t0 - t[0].t0);
  const Vec3 n1 = cross(t[1].t1 - t[0].t1, t[2].t1 - t[0].t1);
  EXPECT_EQ(normals[0], n0);
  EXPECT_EQ(normals[1], 0.5 * (n0 + n1 - delta));
  EXPECT_EQ(normals[2], n1);
}

TEST(ControlNormals, HaveAnErrorThatIsNotFiniteWhereEdgesOverflow) {
  const double huge = std::numeric_limits<double>::max();
  const VertexPath a{{-huge, 0, 0}, {-huge, 0, 0}};
  const VertexPath b{{huge, 0, 0}, {huge, 0, 0}};
  const VertexPath c{{0, 1, 0}, {0, 1, 0}};
  for (const double error : control_normals(a, b, c).error) EXPECT_FALSE(std::isfinite(error));
  EXPECT_FALSE(triangle_cone(a, b, c).known());
}

TEST(TriangleCone, HoldsTheNormalOfAnyMotionAtAllTimes) {
  Random random(4);
  std::array<int, test::kTroubles> known{};
  for (int i = 0; i < 4000; ++i) {
    const int kind = i % test::kTroubles;
    const LinearTriangle t = troubled_triangle(random, kind);
    const NormalCone cone = cone_of(t);
    if (!cone.known()) continue;
    ++known[static_cast<std::size_t>(kind)];
    ASSERT_TRUE(holds_its_normals(cone, exact(t), random)) << i;
  }
  // Out of 400 each: a cone that is never known is useless. Where the normal vanishes at some time, no cone exists.
  for (const std::size_t kind : {0U, 1U, 7U}) EXPECT_GT(known[kind], 300) << kind;
  for (const std::size_t kind : {4U, 5U}) EXPECT_EQ(known[kind], 0) << kind;
  for (const std::size_t kind : {2U, 6U}) EXPECT_GT(known[kind], 100) << kind;
  for (const std::size_t kind : {8U, 9U}) EXPECT_GT(known[kind], 5) << kind;
}

TEST(TriangleCone, HoldsTheNormalOfQuadraticMotionAtAllTimes) {
  Random random(5);
  int known = 0;
  for (int i = 0; i < 1500; ++i) {
    const LinearTriangle t =
        i % 2 == 0 ? smooth_triangle(random, 0.1) : troubled_triangle(random, (i / 2) % test::kTroubles);
    const QuadraticTriangle q = bent(random, t, 0.5);
    const NormalCone cone = cone_of(q);
    if (!cone.known()) continue;
    ++known;
    ASSERT_TRUE(holds_its_normals(cone, exact(q), random)) << i;
  }
  EXPECT_GT(known, 700);
}

TEST(TriangleCone, IsTheSmallestOfThreeNormals) {
  Random random(6);
  int by_two = 0;
  int by_three = 0;
  for (int i = 0; i < 800; ++i) {
    const LinearTriangle t =
        smooth_triangle(random, std::ldexp(1.0, i % 2 == 0 ? random.between(-2, 1) : -random.between(1, 40)));
    const NormalCone cone = cone_of(t);
    const MovingTriangle triangle = exact(t);
    if (!cone.known() || double{cone.angle} > 1.5) continue;
    const double widest = least_half_angle(triangle);
    ASSERT_GE(double{cone.angle}, widest);
    if (double{cone.angle} <= widest * (1 + 1e-4) + 1e-6) {
      ++by_two;
      continue;
    }
    // All three normals then lie on the rim of the cone up to float rounding, and the angle is at most that of the
    // circumscribed circle of an acute triangle.
    ++by_three;
    const auto normals = test::control_normals_twin(triangle);
    for (const Direction& n : normals) {
      ASSERT_NEAR(test::angle_between(n, test::exact(cone.axis)), double{cone.angle}, 1e-6) << i;
    }
    ASSERT_LE(std::sin(double{cone.angle}), 2 / std::numbers::sqrt3 * std::sin(widest) + 1e-6) << i;
  }
  EXPECT_GT(by_two, 250);
  EXPECT_GT(by_three, 20);
}

TEST(TriangleCone, OfNearlyConstantNormalsIsNarrow) {
  Random random(7);
  for (int i = 0; i < 400; ++i) {
    // A translation and a small deformation; the sides are about 1 long.
    LinearTriangle t{VertexPath{{0, 0, 0}, {}}, VertexPath{{1, 0, 0}, {}}, VertexPath{{0, 1, 0}, {}}};
    const Vec3 motion = test::random_vector(random);
    const double deformation = i % 2 == 0 ? 0.0 : std::ldexp(1.0, -random.between(5, 40));
    for (VertexPath& p : t) p.t1 = p.t0 + motion + test::random_vector(random, deformation);
    const NormalCone cone = cone_of(t);
    ASSERT_TRUE(cone.known());
    // The worst case is the circle through three normals, at most 2/sqrt(3) times half the largest angle.
    ASSERT_LE(double{cone.angle}, 1.17 * least_half_angle(exact(t)) + 1e-6);
    const QuadraticTriangle q = bent(random, t, 0.01 * deformation);
    ASSERT_LE(double{cone_of(q).angle}, 1.3 * least_half_angle(exact(q)) + 1e-6);
  }
}

TEST(TriangleCone, OfARotationIsHalfTheAngleTurned) {
  // Rotation about an edge: the three control normals lie in a plane, and the first and the last decide.
  for (const double turn : {1e-3, 0.1, 1.0, 2.0}) {
    const VertexPath a{{0, 0, 0}, {0, 0, 0}};
    const VertexPath b{{1, 0, 0}, {1, 0, 0}};
    const VertexPath c{{0, 1, 0}, {0, std::cos(turn), std::sin(turn)}};
    const NormalCone cone = triangle_cone(a, b, c);
    EXPECT_GE(double{cone.angle}, turn / 2 - 1e-15);
    EXPECT_LE(double{cone.angle}, 1.01 * turn / 2 + 1e-6);
  }
}

TEST(TriangleCone, IsUnknownWhereANormalMayVanish) {
  const VertexPath a{{0, 0, 0}, {0, 0, 0}};
  const VertexPath b{{1, 0, 0}, {1, 0, 0}};
  const VertexPath to_a_line{{0, 1, 0}, {0.5, 0, 0}};
  const VertexPath turned_over{{0, 1, 0}, {0, -1, 0}};
  EXPECT_FALSE(triangle_cone(a, b, to_a_line).known());
  EXPECT_FALSE(triangle_cone(a, b, turned_over).known());
  EXPECT_FALSE(triangle_cone(a, a, b).known());
  EXPECT_FALSE(triangle_cone(a, a, a).known());
  Random random(8);
  for (int i = 0; i < 1000; ++i) {
    const LinearTriangle t = troubled_triangle(random, i % 2 == 0 ? 5 : 6);
    const auto normals = test::control_normals_twin(exact(t));
    if (std::any_of(normals.begin(), normals.end(), test::is_zero)) {
      ASSERT_FALSE(cone_of(t).known()) << i;
    }
  }
}

TEST(TriangleCone, OfPointsOnALineIsUnknownThoughRoundingGivesThemANormal) {
  Random random(16);
  int seeming = 0;
  for (int i = 0; i < 1000; ++i) {
    // Points on a line, exactly; their differences are inexact, because one point is 2^-50 times the size of the
    // others.
    LinearTriangle t;
    for (std::size_t v = 0; v < 3; ++v) {
      const double s = std::ldexp(2.0 * random.between(0, 1 << 20) + 1, v == 0 ? -50 : 0);
      t[v].t0 = t[v].t1 = {3 * s, 5 * s, -7 * s};
    }
    ASSERT_TRUE(test::is_zero(test::normal_at(exact(t), 0)));
    const Vec3 computed = control_normals(t[0], t[1], t[2]).normal[0];
    seeming += static_cast<int>(max_abs(computed) > 0.0);
    ASSERT_FALSE(cone_of(t).known()) << i;
  }
  EXPECT_GT(seeming, 500);
}

TEST(TriangleCone, IsUnknownRatherThanWrongAtTheEndsOfTheRange) {
  const auto scaled = [](double s) {
    return cone_of(LinearTriangle{VertexPath{{0, 0, 0}, {0, 0, 0}}, VertexPath{{s, 0, 0}, {s, 0, 0}},
                                  VertexPath{{0, s, 0}, {0, s, s / 8}}});
  };
  for (const double s : {1e-300, 1e-200, 1e-100, 1e80, 1e200, 1e300}) EXPECT_FALSE(scaled(s).known()) << s;
  for (const double s : {1e-60, 1e-30, 1.0, 1e30, 1e70}) {
    EXPECT_TRUE(scaled(s).known()) << s;
    EXPECT_NEAR(double{scaled(s).angle}, std::atan(0.125) / 2, 1e-6) << s;
  }
}

TEST(TriangleCone, OfALinearMotionRaisedToDegreeTwoIsNotWiderThanItsOwn) {
  Random random(9);
  int compared = 0;
  for (int i = 0; i < 600; ++i) {
    // Even integers make the middle control points exact.
    LinearTriangle t;
    for (VertexPath& p : t) {
      const auto even = [&] { return 2.0 * random.between(-8, 8); };
      p.t0 = {even(), even(), even()};
      p.t1 = p.t0 + Vec3{2.0 * random.between(-1, 1), 2.0 * random.between(-1, 1), 2.0 * random.between(-1, 1)};
    }
    const QuadraticTriangle q = bent(random, t, 0.0);
    const NormalCone linear = cone_of(t);
    const NormalCone raised = cone_of(q);
    if (!raised.known() || double{raised.angle} > 1.5) continue;
    // Degree elevation: the same curve with the same ends and a closer control polygon.
    const MovingTriangle triangle = exact(t);
    const Judge judge(raised);
    for (int k = 0; k <= 4; ++k) ASSERT_TRUE(judge.holds(test::normal_at(triangle, Rational(k) / 4))) << i;
    if (!linear.known() || double{linear.angle} > 1.5) continue;
    const Judge wider(linear);
    for (const Direction& n : test::control_normals_twin(exact(q))) ASSERT_TRUE(wider.holds(n)) << i;
    ++compared;
  }
  EXPECT_GT(compared, 300);
}

NormalCone random_cone(Random& random, double widest) {
  Vec3 a = test::random_vector(random);
  a = (1.0 / length(a)) * a;
  const double angle = random.below(8) == 0 ? 0.0 : widest * random.unit();
  return {{static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)}, static_cast<float>(angle)};
}

/// A cone at an angle of about `angle` to the given one.
NormalCone neighbour(Random& random, const NormalCone& cone, double angle, double widest) {
  NormalCone result = random_cone(random, widest);
  const Vec3 offset = test::random_vector(random, angle);
  result.axis = {static_cast<float>(double{cone.axis[0]} + offset.x),
                 static_cast<float>(double{cone.axis[1]} + offset.y),
                 static_cast<float>(double{cone.axis[2]} + offset.z)};
  return result;
}

TEST(ConeMerge, HoldsBothAndIsTheSmallestThatDoes) {
  Random random(10);
  int contained = 0;
  int joined = 0;
  for (int i = 0; i < 6000; ++i) {
    const double widest = std::ldexp(1.5, -random.between(0, 26));
    const NormalCone a = random_cone(random, widest);
    const NormalCone b = i % 3 == 0 ? random_cone(random, widest)
                                    : neighbour(random, a, std::ldexp(1.0, -random.between(0, 30)), widest);
    const NormalCone both = merge(a, b);
    const double between = test::angle_between(test::exact(a.axis), test::exact(b.axis));
    const double needed =
        std::max({double{a.angle}, double{b.angle}, 0.5 * (double{a.angle} + double{b.angle} + between)});
    if (!both.known()) {
      ASSERT_GT(needed, 1.5);
      ASSERT_TRUE(needed > std::numbers::pi - 1e-6 || between > std::numbers::pi - 0.01);
      continue;
    }
    ASSERT_TRUE(test::holds(both, a)) << i;
    ASSERT_TRUE(test::holds(both, b)) << i;
    ASSERT_LE(double{both.angle}, needed + 7e-7) << i;
    (both.angle == a.angle || both.angle == b.angle ? contained : joined) += 1;
  }
  EXPECT_GT(contained, 500);
  EXPECT_GT(joined, 2000);
}

TEST(ConeMerge, OfEqualConesIsTheSameCone) {
  Random random(11);
  for (int i = 0; i < 200; ++i) {
    const NormalCone a = random_cone(random, 1.5);
    NormalCone b = a;
    b.angle *= 0.5F;
    EXPECT_EQ(merge(a, a).axis, a.axis);
    EXPECT_EQ(merge(a, a).angle, a.angle);
    EXPECT_EQ(merge(a, b).angle, a.angle);
    EXPECT_EQ(merge(b, a).angle, a.angle);
  }
}

TEST(ConeMerge, OfAnUnknownConeIsUnknown) {
  Random random(12);
  NormalCone not_a_number = random_cone(random, 1.0);
  not_a_number.angle = std::numeric_limits<float>::quiet_NaN();
  for (int i = 0; i < 100; ++i) {
    const NormalCone a = random_cone(random, 1.5);
    EXPECT_FALSE(merge(a, NormalCone{}).known());
    EXPECT_FALSE(merge(NormalCone{}, a).known());
    EXPECT_FALSE(merge(not_a_number, a).known());
  }
  EXPECT_FALSE(merge(NormalCone{}, NormalCone{}).known());
}

TEST(ConeMerge, OfOppositeConesIsUnknown) {
  Random random(13);
  for (int i = 0; i < 300; ++i) {
    const NormalCone a = random_cone(random, 1.0);
    NormalCone b = neighbour(random, a, std::ldexp(1.0, -random.between(9, 40)), 1.0);
    for (float& x : b.axis) x = -x;
    EXPECT_FALSE(merge(a, b).known());
  }
  // The two cones together span at least pi: every direction.
  EXPECT_FALSE(merge({{1, 0, 0}, 2.5F}, {{0, 1, 0}, 2.5F}).known());
  EXPECT_TRUE(merge({{1, 0, 0}, 2.0F}, {{0, 1, 0}, 2.0F}).known());
}

TEST(ConeMerge, IsCertainJustShortOfOppositeToo) {
  Random random(14);
  int known = 0;
  for (int i = 0; i < 1000; ++i) {
    const NormalCone a = random_cone(random, 0.2);
    NormalCone b = neighbour(random, a, random.unit() * 0.05, 0.2);
    for (float& x : b.axis) x = -x;
    const NormalCone both = merge(a, b);
    if (!both.known()) continue;
    ++known;
    ASSERT_TRUE(test::holds(both, a)) << i;
    ASSERT_TRUE(test::holds(both, b)) << i;
  }
  EXPECT_GT(known, 300);
}

TEST(ConeMerge, InTreesOfAThousandLeavesKeepsEveryLeaf) {
  Random random(15);
  for (const std::size_t leaves : {2U, 3U, 10U, 100U, 1000U}) {
    // A patch around one direction: the angle of the root is the patch's spread plus the loss of pairwise merging.
    const NormalCone centre = random_cone(random, 0.0);
    const double spread = leaves == 1000U ? 0.02 : 0.1;
    std::vector<NormalCone> cones;
    for (std::size_t i = 0; i < leaves; ++i) cones.push_back(neighbour(random, centre, spread, 0.01));
    const std::vector<NormalCone> original = cones;
    while (cones.size() > 1) {  // any two, for any shape of tree
      const std::size_t i = random.below(static_cast<std::uint32_t>(cones.size() - 1));
      const std::size_t j = leaves % 2 == 0 ? i + 1 : cones.size() - 1;
      cones[i] = merge(cones[i], cones[j]);
      cones.erase(cones.begin() + static_cast<std::ptrdiff_t>(j));
    }
    ASSERT_TRUE(cones[0].known());
    for (const NormalCone& leaf : original) ASSERT_TRUE(test::holds(cones[0], leaf));
    EXPECT_LT(double{cones[0].angle}, 3 * std::numbers::sqrt3 * spread + 0.01);
    cones.push_back({});
    EXPECT_FALSE(merge(cones[0], cones[1]).known());
  }
}

}  // namespace
}  // namespace graze
