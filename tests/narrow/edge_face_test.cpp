// Edge-face and triangle-triangle intersection: every degenerate class by hand, and random points against the naive
// reference in rational arithmetic.
#include <graze/elementary.hpp>
#include <graze/error.hpp>

#include "random_points.hpp"
#include "rational_twin.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace graze {
namespace {

using test::Points;
using test::PointSource;

bool intersects(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
  return intersect_edge_face({p, q, a, b, c});
}

constexpr Vec3 kA{0, 0, 0};
constexpr Vec3 kB{4, 0, 0};
constexpr Vec3 kC{0, 4, 0};

TEST(EdgeFace, CrossesTheInsideOrMissesIt) {
  EXPECT_TRUE(intersects({1, 1, 1}, {1, 1, -1}, kA, kB, kC));
  EXPECT_TRUE(intersects({1, 1, -1}, {1, 1, 1}, kA, kC, kB));
  EXPECT_FALSE(intersects({3, 3, 1}, {3, 3, -1}, kA, kB, kC));
  EXPECT_FALSE(intersects({1, 1, 2}, {1, 1, 1}, kA, kB, kC));
}

TEST(EdgeFace, TouchingInASinglePointCounts) {
  EXPECT_TRUE(intersects({1, 1, 0}, {1, 1, 1}, kA, kB, kC)) << "an end on the face";
  EXPECT_TRUE(intersects({2, 2, 1}, {2, 2, -1}, kA, kB, kC)) << "through a side";
  EXPECT_TRUE(intersects({0, 0, 1}, {0, 0, -1}, kA, kB, kC)) << "through a corner";
  EXPECT_TRUE(intersects({4, 0, 0}, {9, 5, 7}, kA, kB, kC)) << "an end on a corner";
  EXPECT_TRUE(intersects({2, 2, 0}, {9, 9, 7}, kA, kB, kC)) << "an end on a side";
  EXPECT_FALSE(intersects({std::nextafter(2.0, 3.0), 2, 0}, {9, 9, 7}, kA, kB, kC)) << "an ulp outside";
}

TEST(EdgeFace, HandlesCoplanarSegments) {
  EXPECT_TRUE(intersects({1, 1, 0}, {1, 2, 0}, kA, kB, kC)) << "inside";
  EXPECT_TRUE(intersects({-1, 1, 0}, {9, 1, 0}, kA, kB, kC)) << "right across";
  EXPECT_TRUE(intersects({-1, 0, 0}, {9, 0, 0}, kA, kB, kC)) << "covers a side";
  EXPECT_TRUE(intersects({4, 0, 0}, {9, 0, 0}, kA, kB, kC)) << "in line with a side, touching its end";
  EXPECT_FALSE(intersects({5, 0, 0}, {9, 0, 0}, kA, kB, kC)) << "in line with a side, apart";
  EXPECT_TRUE(intersects({3, 3, 0}, {1, 3, 0}, kA, kB, kC)) << "ends on a side";
  EXPECT_FALSE(intersects({3, 3, 0}, {2, 3, 0}, kA, kB, kC)) << "outside, boxes overlap";
  EXPECT_TRUE(intersects({-1, 1, 0}, {1, -1, 0}, kA, kB, kC)) << "through a corner only";
  EXPECT_FALSE(intersects({-1, 0.5, 0}, {0.25, -1, 0}, kA, kB, kC)) << "past a corner";
}

TEST(EdgeFace, HandlesEveryPlaneThatIsUprightOnAnAxis) {
  EXPECT_TRUE(intersects({0, 1, 1}, {0, 9, 1}, {0, 0, 0}, {0, 4, 0}, {0, 0, 4}));
  EXPECT_FALSE(intersects({0, 3, 3}, {0, 9, 1}, {0, 0, 0}, {0, 4, 0}, {0, 0, 4}));
  EXPECT_TRUE(intersects({1, 0, 1}, {9, 0, 1}, {0, 0, 0}, {4, 0, 0}, {0, 0, 4}));
  EXPECT_FALSE(intersects({3, 0, 3}, {9, 0, 1}, {0, 0, 0}, {4, 0, 0}, {0, 0, 4}));
}

TEST(EdgeFace, TreatsAPointAsASegment) {
  EXPECT_TRUE(intersects({1, 1, 0}, {1, 1, 0}, kA, kB, kC));
  EXPECT_FALSE(intersects({3, 3, 0}, {3, 3, 0}, kA, kB, kC));
  EXPECT_FALSE(intersects({1, 1, 1}, {1, 1, 1}, kA, kB, kC));
}

TEST(EdgeFace, TreatsAFlatTriangleAsItsSides) {
  // Collapsed to the segment (0,0,0)-(6,6,6), with the middle corner anywhere on it.
  EXPECT_TRUE(intersects({1, 0, 1}, {1, 2, 1}, {0, 0, 0}, {2, 2, 2}, {6, 6, 6}));
  EXPECT_TRUE(intersects({5, 4, 5}, {5, 6, 5}, {2, 2, 2}, {0, 0, 0}, {6, 6, 6}));
  EXPECT_FALSE(intersects({1, 0, 1}, {1, 2, 1.5}, {0, 0, 0}, {2, 2, 2}, {6, 6, 6}));
  EXPECT_TRUE(intersects({6, 6, 6}, {7, 7, 7}, {0, 0, 0}, {2, 2, 2}, {6, 6, 6}));
  EXPECT_FALSE(intersects({6.5, 6.5, 6.5}, {7, 7, 7}, {0, 0, 0}, {2, 2, 2}, {6, 6, 6}));
  EXPECT_TRUE(intersects({3, 3, 3}, {3, 3, 3}, {0, 0, 0}, {2, 2, 2}, {6, 6, 6}));
}

TEST(EdgeFace, TreatsATriangleThatIsAPoint) {
  const Vec3 point{1, 2, 3};
  EXPECT_TRUE(intersects({0, 0, 0}, {2, 4, 6}, point, point, point));
  EXPECT_FALSE(intersects({0, 0, 0}, {2, 4, 6.5}, point, point, point));
  EXPECT_TRUE(intersects(point, point, point, point, point));
  EXPECT_FALSE(intersects({0, 0, 0}, {0, 0, 0}, point, point, point));
}

TEST(EdgeFace, AnswersTheSameAtEveryScale) {
  for (const double s : {5e-324, 1e-300, 1e-150, 1e150, 1e300}) {
    const auto at = [s](double x, double y, double z) { return Vec3{s * x, s * y, s * z}; };
    EXPECT_TRUE(intersects(at(1, 1, 1), at(1, 1, -1), at(0, 0, 0), at(4, 0, 0), at(0, 4, 0))) << s;
    EXPECT_FALSE(intersects(at(3, 3, 1), at(3, 3, -1), at(0, 0, 0), at(4, 0, 0), at(0, 4, 0))) << s;
    EXPECT_TRUE(intersects(at(2, 2, 0), at(4, 4, 0), at(0, 0, 0), at(4, 0, 0), at(0, 4, 0))) << s;
    EXPECT_FALSE(intersects(at(3, 2, 0), at(4, 4, 0), at(0, 0, 0), at(4, 0, 0), at(0, 4, 0))) << s;
  }
}

TEST(EdgeFace, AgreesWithRationalsOnEveryKindOfPoints) {
  for (const Points kind : {Points::Grid, Points::Real, Points::Wild, Points::NearGrid}) {
    PointSource source(11);
    int hits = 0;
    TierCounts tiers;
    const int count = kind == Points::Wild ? 12 : 250;  // the reference's fractions grow to thousands of bits
    for (int i = 0; i < count; ++i) {
      auto p = source.points<5>(kind);
      if (kind != Points::Real && i % 3 == 0) {
        for (Vec3& v : p) {
          v.z = p[0].z;  // all in one plane
        }
      }
      const bool intersect = intersect_edge_face(p, &tiers);
      ASSERT_EQ(intersect, test::twin_squared_distance(p, 2) == 0) << i;
      hits += intersect ? 1 : 0;
    }
    EXPECT_GT(hits, count / 30) << static_cast<int>(kind);
    EXPECT_LT(hits, count - count / 30) << static_cast<int>(kind);
    EXPECT_EQ(tiers.filter + tiers.interval + tiers.exact, static_cast<std::uint64_t>(count));
  }
}

TEST(EdgeFace, RefusesWhatIsNotFiniteAndNamesIt) {
  try {
    intersect_edge_face({{{0, 0, 0}, {1, 0, 0}, {0, 0, 0}, {0, std::numeric_limits<double>::quiet_NaN(), 0}, {}}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("point 3"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("nan"), std::string::npos) << error.what();
  }
}

TEST(TriangleTriangle, IntersectInEveryWayThatTrianglesCan) {
  const auto intersect = [](const Vec3& p, const Vec3& q, const Vec3& r) {
    return intersect_triangle_triangle({kA, kB, kC, p, q, r});
  };
  EXPECT_TRUE(intersect({1, 1, -1}, {1, 1, 1}, {9, 9, 9})) << "crossing";
  EXPECT_TRUE(intersect({-9, -9, 0}, {20, -9, 0}, {-9, 20, 0})) << "coplanar, one inside the other";
  EXPECT_TRUE(intersect({1, 1, 0}, {2, 1, 0}, {1, 2, 0})) << "coplanar, the other inside";
  EXPECT_TRUE(intersect({2, 2, 0}, {9, 9, 1}, {9, 9, 2})) << "corner on a side";
  EXPECT_TRUE(intersect({0, 0, 0}, {-1, -1, 1}, {-1, -1, -1})) << "corner on a corner";
  EXPECT_TRUE(intersect({0, 0, 0}, {4, 0, 0}, {0, 0, 9})) << "a common side";
  EXPECT_TRUE(intersect({1, 1, -3}, {1, 1, 3}, {1, 1, 2})) << "the other is a segment";
  EXPECT_TRUE(intersect({1, 1, 0}, {1, 1, 0}, {1, 1, 0})) << "the other is a point";
  EXPECT_FALSE(intersect({1, 1, 1}, {2, 1, 1}, {1, 2, 1})) << "parallel planes";
  EXPECT_FALSE(intersect({3, 3, 0}, {9, 3, 0}, {3, 9, 0})) << "coplanar, apart";
  EXPECT_FALSE(intersect({3, 3, -1}, {3, 3, 1}, {9, 9, 0})) << "crosses the plane outside";
}

TEST(TriangleTriangle, AgreesWithRationalsOnEveryKindOfPoints) {
  for (const Points kind : {Points::Grid, Points::Real, Points::NearGrid}) {
    PointSource source(13);
    int hits = 0;
    for (int i = 0; i < 25; ++i) {
      auto p = source.points<6>(kind);
      if (kind != Points::Real && i % 3 == 0) {
        for (Vec3& v : p) {
          v.x = p[0].x;
        }
      }
      const bool intersect = intersect_triangle_triangle(p);
      ASSERT_EQ(intersect, test::twin_squared_distance(p, 3) == 0) << i;
      hits += intersect ? 1 : 0;
    }
    EXPECT_GT(hits, 2);
    EXPECT_LT(hits, 23);
  }
}

}  // namespace
}  // namespace graze
