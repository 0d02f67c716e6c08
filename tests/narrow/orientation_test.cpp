// Signs of orientation determinants against rational arithmetic, and cases where doubles alone are wrong.
#include "narrow/orientation.hpp"

#include "random_points.hpp"
#include "rational_twin.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
namespace {

using narrow::orient2d;
using narrow::orient3d;
using narrow::Projection;
using test::Points;
using test::PointSource;
using test::Rational;

int twin_orient3d(const std::array<Vec3, 4>& p) {
  const auto d = test::to_rational(p[3]);
  const auto a = test::operator-(test::to_rational(p[0]), d);
  const auto b = test::operator-(test::to_rational(p[1]), d);
  const auto c = test::operator-(test::to_rational(p[2]), d);
  const Rational det =
      a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  return det.sign();
}

int twin_orient2d(std::size_t drop, const std::array<Vec3, 3>& p) {
  const std::size_t x = (drop + 1) % 3;
  const std::size_t y = (drop + 2) % 3;
  const auto a = test::to_rational(p[0]);
  const auto b = test::to_rational(p[1]);
  const auto c = test::to_rational(p[2]);
  const Rational det = (b[x] - a[x]) * (c[y] - a[y]) - (b[y] - a[y]) * (c[x] - a[x]);
  return det.sign();
}

TEST(Orientation, IsPositiveForARightHandedFrame) {
  bool exact = false;
  EXPECT_EQ(orient3d({1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}, exact), 1);
  EXPECT_EQ(orient3d({0, 1, 0}, {1, 0, 0}, {0, 0, 1}, {0, 0, 0}, exact), -1);
  EXPECT_EQ(orient2d(Projection::AlongZ, {0, 0, 5}, {1, 0, 6}, {0, 1, 7}, exact), 1);
  EXPECT_EQ(orient2d(Projection::AlongX, {5, 0, 0}, {6, 1, 0}, {7, 0, 1}, exact), 1);
  EXPECT_EQ(orient2d(Projection::AlongY, {0, 5, 0}, {0, 6, 1}, {1, 7, 0}, exact), 1);
  EXPECT_FALSE(exact);
}

TEST(Orientation, SeesOneUlpOffAPlane) {
  bool exact = false;
  const double up = std::nextafter(1.0, 2.0);
  EXPECT_EQ(orient3d({3, 0, 1}, {0, 3, 1}, {-3, -3, 1}, {0.1, 0.1, 1.0}, exact), 0);
  EXPECT_EQ(orient3d({3, 0, 1}, {0, 3, 1}, {-3, -3, 1}, {0.1, 0.1, up}, exact), -1);
  EXPECT_EQ(orient3d({3, 0, 3}, {0, 3, 3}, {-3, -3, -6}, {up, 1.0, 2.0}, exact), 1);
}

TEST(Orientation, NeedsNoArithmeticForEqualPoints) {
  const std::array<Vec3, 4> points = {Vec3{0.1, 0.7, 0.3}, Vec3{1.0 / 3.0, 0.2, 0.9}, Vec3{0.6, 0.4, 0.8},
                                      Vec3{0.5, 0.15, 0.35}};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      auto p = points;
      p[i] = p[j];
      bool exact = false;
      EXPECT_EQ(orient3d(p[0], p[1], p[2], p[3], exact), 0);
      if (i < 3) {
        EXPECT_EQ(orient2d(Projection::AlongY, p[0], p[1], p[2], exact), 0);
      }
      EXPECT_FALSE(exact) << i << " " << j;
      EXPECT_FALSE(certainly_not_coplanar(p[0], p[1], p[2], p[3]));
    }
  }
  EXPECT_TRUE(certainly_not_coplanar(points[0], points[1], points[2], points[3]));
}

TEST(Orientation, NeitherOverflowsNorUnderflows) {
  bool exact = false;
  for (const double s : {5e-324, 1e-300, 1e-110, 1e110, 1e300}) {
    EXPECT_EQ(orient3d({s, 0, 0}, {0, s, 0}, {0, 0, s}, {0, 0, 0}, exact), 1) << s;
    EXPECT_EQ(orient3d({s, 0, 0}, {0, s, 0}, {s, s, 0}, {0, 0, 0}, exact), 0) << s;
    EXPECT_EQ(orient2d(Projection::AlongZ, {0, 0, 0}, {s, 0, 0}, {0, s, 0}, exact), 1) << s;
  }
  EXPECT_EQ(orient3d({-1.7e308, 0, 0}, {0, 1.7e308, 0}, {0, 0, 1.7e308}, {1.7e308, 0, 0}, exact), -1);
}

TEST(Orientation, AgreesWithRationalsOnEveryKindOfPoints) {
  for (const Points kind : {Points::Grid, Points::Real, Points::Wild, Points::NearGrid}) {
    PointSource source(7);
    int zeros = 0;
    for (int i = 0; i < (kind == Points::Wild ? 200 : 2000); ++i) {
      bool exact = false;
      const auto p = source.points<4>(kind);
      const int sign = orient3d(p[0], p[1], p[2], p[3], exact);
      ASSERT_EQ(sign, twin_orient3d(p)) << i;
      zeros += sign == 0 ? 1 : 0;
      const std::array<Vec3, 3> triple{p[0], p[1], p[2]};
      ASSERT_EQ(orient2d(Projection::AlongX, p[0], p[1], p[2], exact), twin_orient2d(0, triple));
      ASSERT_EQ(orient2d(Projection::AlongY, p[0], p[1], p[2], exact), twin_orient2d(1, triple));
      ASSERT_EQ(orient2d(Projection::AlongZ, p[0], p[1], p[2], exact), twin_orient2d(2, triple));
    }
    if (kind == Points::Grid) {
      EXPECT_GT(zeros, 100);
    }
  }
}

}  // namespace
}  // namespace graze
