// Distances and the decision "within d": known values, exact ties, degenerate shapes, every magnitude, and the
// naive reference in rational arithmetic.
#include <graze/elementary.hpp>
#include <graze/error.hpp>

#include "random_points.hpp"
#include "rational_twin.hpp"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>

#include <cmath>
#include <limits>

namespace graze {
namespace {

using test::Points;
using test::PointSource;
using test::Rational;

// 400 bits and any exponent: squares of 1e-320 are representable.
using Wide =
    boost::multiprecision::number<boost::multiprecision::cpp_bin_float<400>, boost::multiprecision::et_off>;

double twin_distance(const std::array<Vec3, 4>& p, std::size_t split) {
  const Rational squared = test::twin_squared_distance(p, split);
  return static_cast<double>(sqrt(Wide(numerator(squared)) / Wide(denominator(squared))));
}

double ulps(double a, double b) {
  if (a == b) {
    return 0.0;
  }
  const double unit = std::max(std::nextafter(std::abs(b), 1e308) - std::abs(b), 5e-324);
  return std::abs(a - b) / unit;
}

void expect_weights_sum_to_one(const std::array<double, 4>& w, std::size_t split) {
  double first = 0.0;
  double second = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_GE(w[i], 0.0);
    (i < split ? first : second) += w[i];
  }
  EXPECT_NEAR(first, 1.0, 1e-15);
  EXPECT_NEAR(second, 1.0, 1e-15);
}

/// Expects a unit normal along which the features are as far apart as their distance, up to the rounding of the
/// normal; none for features that touch.
void expect_separates(const std::array<Vec3, 4>& p, std::size_t split, const ElementaryDistance& result) {
  const Vec3& n = result.normal;
  if (result.distance == 0.0) {
    EXPECT_EQ(n, Vec3{});
    return;
  }
  EXPECT_NEAR(n.x * n.x + n.y * n.y + n.z * n.z, 1.0, 1e-15);
  Wide low = 0;   // of the first feature along the normal
  Wide high = 0;  // of the second
  Wide extent = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::array<Wide, 3> q = {Wide(p[i].x) - Wide(p[0].x), Wide(p[i].y) - Wide(p[0].y),
                                   Wide(p[i].z) - Wide(p[0].z)};
    const Wide along = q[0] * n.x + q[1] * n.y + q[2] * n.z;
    if (i < split) low = i == 0 ? along : std::min(low, along);
    if (i >= split) high = i == split ? along : std::max(high, along);
    for (const Wide& coordinate : q) extent = std::max(extent, Wide(abs(coordinate)));
  }
  EXPECT_GE(low - high, Wide(result.distance) - Wide(4e-15) * (extent + Wide(result.distance)) - Wide(1e-322));
}

TEST(DistanceVertexFace, KnowsEveryRegionOfTheFace) {
  const auto distance = [](const Vec3& v) {
    return distance_vertex_face({v, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}}).distance;
  };
  EXPECT_EQ(distance({1, 1, 7}), 7.0) << "above the inside";
  EXPECT_EQ(distance({1, 1, 0}), 0.0) << "on it";
  EXPECT_EQ(distance({-3, -4, 0}), 5.0) << "corner";
  EXPECT_EQ(distance({2, -3, 4}), 5.0) << "side";
  EXPECT_EQ(distance({4, 4, 0}), std::sqrt(8.0)) << "slanted side";
  EXPECT_EQ(distance({7, 0, 4}), 5.0) << "another corner";
}

TEST(DistanceVertexFace, AnswersForFacesWithoutArea) {
  EXPECT_EQ(distance_vertex_face({{{3, 4, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}).distance, 5.0);
  EXPECT_EQ(distance_vertex_face({{{3, 4, 1}, {0, 0, 0}, {0, 0, 2}, {0, 0, 7}}}).distance, 5.0);
  EXPECT_EQ(distance_vertex_face({{{0, 0, 1}, {0, 0, 0}, {0, 0, 2}, {0, 0, 0}}}).distance, 0.0);
}

TEST(DistanceVertexFace, ReturnsTheClosestPoint) {
  const ElementaryDistance d = distance_vertex_face({{{1, 2, 7}, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}}});
  EXPECT_EQ(d.weights, (std::array{1.0, 0.25, 0.25, 0.5}));
}

TEST(DistanceEdgeEdge, KnowsCrossingParallelAndDegenerateEdges) {
  const auto distance = [](const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
    return distance_edge_edge({a0, a1, b0, b1}).distance;
  };
  EXPECT_EQ(distance({-1, 0, 0}, {1, 0, 0}, {0, -1, 2}, {0, 1, 2}), 2.0) << "crossing";
  EXPECT_EQ(distance({-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}), 0.0) << "crossing";
  EXPECT_EQ(distance({0, 0, 0}, {4, 0, 0}, {1, 3, 4}, {9, 3, 4}), 5.0) << "parallel, side by side";
  EXPECT_EQ(distance({0, 0, 0}, {1, 0, 0}, {4, 4, 0}, {9, 4, 0}), 5.0) << "parallel, one after the other";
  EXPECT_EQ(distance({0, 0, 0}, {1, 0, 0}, {3, 0, 0}, {9, 0, 0}), 2.0) << "on one line";
  EXPECT_EQ(distance({0, 0, 0}, {5, 0, 0}, {3, 0, 0}, {9, 0, 0}), 0.0) << "on one line, overlapping";
  EXPECT_EQ(distance({0, 0, 0}, {0, 0, 0}, {3, -9, 4}, {3, 9, 4}), 5.0) << "a point and an edge";
  EXPECT_EQ(distance({3, -9, 4}, {3, 9, 4}, {0, 0, 0}, {0, 0, 0}), 5.0) << "an edge and a point";
  EXPECT_EQ(distance({0, 0, 0}, {0, 0, 0}, {3, 0, 4}, {3, 0, 4}), 5.0) << "two points";
}

TEST(Distance, IsRightAtEveryScale) {
  for (const int e : {-1070, -1000, -500, -60, 60, 500, 1000}) {
    const auto at = [e](double x, double y, double z) {
      return Vec3{std::ldexp(x, e), std::ldexp(y, e), std::ldexp(z, e)};
    };
    EXPECT_EQ(distance_vertex_face({at(2, -3, 4), at(0, 0, 0), at(4, 0, 0), at(0, 4, 0)}).distance,
              std::ldexp(5, e));
    EXPECT_EQ(distance_edge_edge({at(0, 0, 0), at(4, 0, 0), at(1, 3, 4), at(9, 3, 4)}).distance, std::ldexp(5, e));
  }
}

TEST(Distance, IsWithinTwoUlpsOfRationals) {
  for (const Points kind : {Points::Grid, Points::Real, Points::Wild, Points::NearGrid}) {
    PointSource source(17);
    for (int i = 0; i < (kind == Points::Wild ? 12 : 400); ++i) {
      const auto p = source.points<4>(kind);
      const ElementaryDistance vf = distance_vertex_face(p);
      ASSERT_LE(ulps(vf.distance, twin_distance(p, 1)), 2.0)
          << i << ' ' << vf.distance << ' ' << twin_distance(p, 1);
      expect_weights_sum_to_one(vf.weights, 1);
      expect_separates(p, 1, vf);
      const ElementaryDistance ee = distance_edge_edge(p);
      ASSERT_LE(ulps(ee.distance, twin_distance(p, 2)), 2.0)
          << i << ' ' << ee.distance << ' ' << twin_distance(p, 2);
      expect_weights_sum_to_one(ee.weights, 2);
      expect_separates(p, 2, ee);
    }
  }
}

TEST(Distance, StaysAccurateAboveALargeFaceAndForNearlyParallelEdges) {
  PointSource source(19);
  for (int i = 0; i < 200; ++i) {
    auto p = source.points<4>(Points::Real);
    const double height = std::ldexp(source.coordinate(Points::Real), -source.integer(0, 60));
    for (Vec3& v : p) {
      v.z = 0.3 * v.x + std::ldexp(source.coordinate(Points::Real), -30);
    }
    p[0] = {(p[1].x + p[2].x + p[3].x) / 3, (p[1].y + p[2].y + p[3].y) / 3,
            (p[1].z + p[2].z + p[3].z) / 3 + height};
    ASSERT_LE(ulps(distance_vertex_face(p).distance, twin_distance(p, 1)), 2.0) << i;
    expect_separates(p, 1, distance_vertex_face(p));
    const double tilt = std::ldexp(source.coordinate(Points::Real), -source.integer(20, 50));
    p[2] = {p[0].x + 0.5, p[0].y + height, p[0].z};
    p[3] = {p[1].x + 0.25, p[1].y + height + tilt, p[1].z + tilt};
    ASSERT_LE(ulps(distance_edge_edge(p).distance, twin_distance(p, 2)), 2.0) << i;
    expect_separates(p, 2, distance_edge_edge(p));
  }
}

TEST(Within, DecidesTiesExactly) {
  const std::array<Vec3, 4> vf{{{2, -3, 4}, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
  EXPECT_TRUE(within_vertex_face(vf, 5.0));
  EXPECT_FALSE(within_vertex_face(vf, std::nextafter(5.0, 0.0)));
  EXPECT_TRUE(within_vertex_face(vf, std::nextafter(5.0, 9.0)));
  const std::array<Vec3, 4> ee{{{0, 0, 0}, {4, 0, 0}, {1, 3, 4}, {9, 3, 4}}};
  EXPECT_TRUE(within_edge_edge(ee, 5.0));
  EXPECT_FALSE(within_edge_edge(ee, std::nextafter(5.0, 0.0)));
}

TEST(Within, ZeroMeansTouching) {
  EXPECT_TRUE(within_vertex_face({{{1, 1, 0}, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}}}, 0.0));
  EXPECT_FALSE(within_vertex_face({{{1, 1, 5e-324}, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}}}, 0.0));
  EXPECT_TRUE(within_edge_edge({{{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}}}, 0.0));
  EXPECT_FALSE(within_edge_edge({{{-1, 0, 0}, {1, 0, 0}, {0, -1, 1e-300}, {0, 1, 1e-300}}}, 0.0));
  EXPECT_TRUE(within_edge_edge({{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}}, 0.0));
}

TEST(Within, AgreesWithRationalsIncludingTies) {
  for (const Points kind : {Points::Grid, Points::Real, Points::Wild, Points::NearGrid}) {
    PointSource source(23);
    int yes = 0;
    int ties = 0;
    TierCounts tiers;
    const int count = kind == Points::Wild ? 12 : 400;
    for (int i = 0; i < count; ++i) {
      const auto p = source.points<4>(kind);
      for (const std::size_t split : {std::size_t{1}, std::size_t{2}}) {
        const Rational squared = test::twin_squared_distance(p, split);
        // Half the time d is the distance up to rounding, else random.
        double d = std::abs(source.coordinate(kind));
        if (i % 2 == 0) {
          d = std::min(twin_distance(p, split), 1e308);
        }
        const bool expected = squared <= Rational(d) * Rational(d);
        ASSERT_EQ(split == 1 ? within_vertex_face(p, d, &tiers) : within_edge_edge(p, d, &tiers), expected) << i;
        yes += expected ? 1 : 0;
        ties += squared == Rational(d) * Rational(d) ? 1 : 0;
      }
    }
    EXPECT_GT(yes, count / 10);
    EXPECT_LT(yes, 2 * count - count / 10);
    EXPECT_EQ(tiers.filter + tiers.interval + tiers.exact, static_cast<std::uint64_t>(2 * count));
    if (kind == Points::Grid) {
      EXPECT_GT(ties, 40);
    }
  }
}

TEST(Within, RefusesBadDistancesAndPoints) {
  const std::array<Vec3, 4> p{};
  EXPECT_THROW(within_vertex_face(p, -1.0), InputError);
  EXPECT_THROW(within_edge_edge(p, std::numeric_limits<double>::infinity()), InputError);
  EXPECT_THROW(within_edge_edge(p, std::numeric_limits<double>::quiet_NaN()), InputError);
  EXPECT_THROW(distance_vertex_face({{{std::numeric_limits<double>::infinity(), 0, 0}, {}, {}, {}}}), InputError);
  EXPECT_THROW(distance_edge_edge({{{}, {}, {}, {0, 0, -std::numeric_limits<double>::infinity()}}}), InputError);
}

}  // namespace
}  // namespace graze
