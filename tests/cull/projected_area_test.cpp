// The sign of a moving triangle's projected area along an axis, checked by exact dot products of its normals.
#include "cull/projected_area.hpp"

#include "cull/cone_twin.hpp"
#include "cull/moving_triangles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
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
using test::LinearTriangle;
using test::Rational;

ProjectionAxis random_axis(Random& random) {
  const auto entry = [&] { return std::ldexp(random.between(-(1 << 20), 1 << 20), -20); };
  return {static_cast<std::uint8_t>(random.below(3)), entry(), entry()};
}

/// 1 if all control normals have a positive dot product with the axis, -1 if all have a negative one, else 0.
int exact_side(const ProjectionAxis& axis, const LinearTriangle& t) {
  const auto d = test::exact(axis);
  const auto normals = test::control_normals_twin(test::exact(t[0], t[1], t[2]));
  const auto all = [&](auto holds) {
    return std::all_of(normals.begin(), normals.end(), [&](const auto& n) { return holds(test::dot(n, d)); });
  };
  if (all([](const Rational& value) { return value > 0; })) return 1;
  return all([](const Rational& value) { return value < 0; }) ? -1 : 0;
}

TEST(ProjectedSide, IsThatOfEveryControlNormal) {
  Random random(11);
  int proved = 0;
  int truly = 0;
  for (int i = 0; i < 1500; ++i) {
    const bool smooth = i % 2 == 0;
    const LinearTriangle t = smooth ? test::smooth_triangle(random, 0.5 * random.unit())
                                    : test::troubled_triangle(random, i / 2 % test::kTroubles);
    const ProjectionAxis axis = random_axis(random);
    const int side = projected_side(axis, t[0], t[1], t[2]);
    const int expected = exact_side(axis, t);
    if (side != 0) {
      ASSERT_EQ(side, expected) << i;
    }
    ASSERT_EQ(projected_side(axis, t[0], t[2], t[1]), -side) << i;
    if (smooth) {
      proved += side != 0 ? 1 : 0;
      truly += expected != 0 ? 1 : 0;
    }
  }
  EXPECT_GT(truly, 250);
  EXPECT_EQ(proved, truly);  // every well-shaped triangle is decided
}

TEST(ProjectedSide, IsUnknownWhereTheTriangleIsSeenEdgeOnAndProvedAHairBeside) {
  const auto still = [](double x, double y, double z) { return VertexPath{{x, y, z}, {x, y, z}}; };
  const ProjectionAxis up{2, 0.0, 0.0};
  const auto side = [&](double width) {
    return projected_side(up, still(0, 0, 0), still(1, width, 0), still(1, 0, 1));
  };
  EXPECT_EQ(side(0.0), 0);
  EXPECT_EQ(side(0x1p-50), 0);
  EXPECT_EQ(side(0x1p-44), -1);
  EXPECT_EQ(side(-0x1p-44), 1);
}

TEST(ProjectedSide, CountsOnlyIfItIsTheSameAtAllTimes) {
  const ProjectionAxis up{2, 0.0, 0.0};
  const VertexPath a{{0, 0, 0}, {0, 0, 0}};
  const VertexPath b{{1, 0, 0}, {1, 0, 0}};
  EXPECT_EQ(projected_side(up, a, b, {{0, 1, 0}, {0, 1, 0}}), 1);
  EXPECT_EQ(projected_side(up, a, b, {{0, 1, 0}, {0, -1, 0}}), 0);
  EXPECT_EQ(projected_side(up, a, b, {{0, 1, 0}, {0, 0, 0}}), 0);
  // A half turn: positive at both ends, negative in between.
  EXPECT_EQ(projected_side(up, a, {{1, 0, 0}, {-1, 0, 0}}, {{0, 1, 0}, {0, -1, 0}}), 0);
}

TEST(ProjectedSide, IsUnknownBeyondTheRangeOfItsErrorBound) {
  const ProjectionAxis up{2, 0.0, 0.0};
  const auto of_size = [&](double s) {
    const VertexPath a{{0, 0, 0}, {0, 0, 0}};
    return projected_side(up, a, {{s, 0, 0}, {s, 0, 0}}, {{0, s, 0}, {0, s, 0}});
  };
  for (const double s : {1e-100, 1e-3, 1e5, 1e100}) EXPECT_EQ(of_size(s), 1) << s;
  for (const double s : {0.0, 5e-324, 1e-300, 1e300}) EXPECT_EQ(of_size(s), 0) << s;
  constexpr double kLargest = std::numeric_limits<double>::max();
  const VertexPath far{{-kLargest, 0, 0}, {-kLargest, 0, 0}};
  EXPECT_EQ(projected_side(up, far, {{kLargest, 0, 0}, {kLargest, 0, 0}}, {{0, 1, 0}, {0, 1, 0}}), 0);
}

}  // namespace
}  // namespace graze
