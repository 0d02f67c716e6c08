// The intersection of two triangles against a naive reference in rational arithmetic that clips one
// triangle by the half-spaces of the other: shapes must be equal, points within a few units in the last place of
// the largest coordinate, and the order of the triangles must not matter.
#include "narrow/triangle_contact.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <tuple>
#include <vector>

#include "narrow/edge_face.hpp"
#include "narrow/random_points.hpp"
#include "narrow/rational_twin.hpp"

namespace graze::narrow {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
namespace {

using test::Points;
using test::PointSource;
using test::Rational;
using test::RationalPoint;
using test::operator-;
using Corners = std::array<Vec3, 3>;

RationalPoint cross(const RationalPoint& a, const RationalPoint& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
RationalPoint negative(const RationalPoint& a) {
  return {-a[0], -a[1], -a[2]};
}
bool is_zero(const RationalPoint& a) {
  return a[0] == 0 && a[1] == 0 && a[2] == 0;
}

using Polygon = std::vector<RationalPoint>;

/// Clips a convex polygon, possibly degenerate, to the half-space normal . (x - origin) >= 0.
Polygon cut(const Polygon& polygon, const RationalPoint& normal, const RationalPoint& origin) {
  Polygon kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const RationalPoint& p = polygon[i];
    const RationalPoint& q = polygon[(i + 1) % polygon.size()];
    const Rational at_p = test::dot(normal, p - origin);
    const Rational at_q = test::dot(normal, q - origin);
    if (at_p >= 0) kept.push_back(p);
    if (at_p * at_q < 0) {
      const Rational t = at_p / (at_p - at_q);
      kept.push_back({p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2])});
    }
  }
  return kept;
}
Polygon cut_to_plane(const Polygon& polygon, const RationalPoint& normal, const RationalPoint& origin) {
  return cut(cut(polygon, normal, origin), negative(normal), origin);
}

/// The corners, and perhaps other points, of the intersection of two triangles; sorted, each once.
Polygon twin(const Corners& a, const Corners& b) {
  Polygon common;
  for (const Vec3& p : a) common.push_back(test::to_rational(p));
  std::array<RationalPoint, 3> t;
  for (std::size_t i = 0; i < 3; ++i) t[i] = test::to_rational(b[i]);
  const RationalPoint normal = cross(t[1] - t[0], t[2] - t[0]);
  if (!is_zero(normal)) {
    common = cut_to_plane(common, normal, t[0]);
    for (std::size_t i = 0; i < 3; ++i) common = cut(common, cross(normal, t[(i + 1) % 3] - t[i]), t[i]);
  } else {
    std::sort(t.begin(), t.end());  // a segment from the first to the last
    const RationalPoint along = t[2] - t[0];
    for (std::size_t k = 0; k < 3; ++k) {
      RationalPoint axis{0, 0, 0};
      axis[k] = 1;
      common = cut_to_plane(common, is_zero(along) ? axis : cross(along, axis), t[0]);
    }
    common = cut(cut(common, along, t[0]), negative(along), t[2]);
  }
  std::sort(common.begin(), common.end());
  common.erase(std::unique(common.begin(), common.end()), common.end());
  return common;
}

ContactShape shape_of(const Polygon& sorted) {
  if (sorted.size() == 1) return ContactShape::Point;
  for (const RationalPoint& p : sorted) {
    if (!is_zero(cross(sorted.back() - sorted.front(), p - sorted.front()))) return ContactShape::Area;
  }
  return ContactShape::Segment;
}

bool is_near(const Vec3& p, const RationalPoint& expected, const Rational& tolerance) {
  const RationalPoint d = test::to_rational(p) - expected;
  return std::all_of(d.begin(), d.end(), [&](const Rational& c) { return -tolerance <= c && c <= tolerance; });
}

struct Seen {
  std::array<int, 3> shapes{};
  int exact = 0;

  int of(ContactShape shape) const { return shapes[static_cast<std::size_t>(shape)]; }
};

/// Checks the contact of two triangles if they intersect.
void check(const Corners& a, const Corners& b, Seen& seen) {
  bool unused = false;
  if (!triangles_intersect(a, b, unused)) return;
  bool exact = false;
  const TriangleContact contact = triangle_contact(a, b, exact);
  bool other_exact = false;
  const TriangleContact swapped = triangle_contact(b, a, other_exact);
  EXPECT_EQ(contact.shape, swapped.shape);
  EXPECT_EQ(contact.p, swapped.p);
  EXPECT_EQ(contact.q, swapped.q);
  EXPECT_EQ(exact, other_exact);
  EXPECT_LE(std::tie(contact.p.x, contact.p.y, contact.p.z), std::tie(contact.q.x, contact.q.y, contact.q.z));

  const Polygon expected = twin(a, b);
  ASSERT_FALSE(expected.empty());
  ASSERT_EQ(contact.shape, shape_of(expected));
  Rational tolerance(std::numeric_limits<double>::denorm_min());  // 8 2^-53 of the largest coordinate, and rounding
  for (const Corners* t : {&a, &b}) {
    for (const Vec3& p : *t) {
      for (const double c : {p.x, p.y, p.z}) tolerance = std::max(tolerance, Rational(std::abs(c)) / (1LL << 50));
    }
  }
  if (contact.shape == ContactShape::Area) {
    Rational farthest = 0;
    for (const RationalPoint& p : expected) {
      for (const RationalPoint& q : expected) farthest = std::max(farthest, test::dot(p - q, p - q));
    }
    const RationalPoint between = test::to_rational(contact.q) - test::to_rational(contact.p);
    const Rational slack = farthest / (1LL << 40) + 12 * tolerance * tolerance;
    EXPECT_GE(test::dot(between, between) + slack, farthest);
    for (const Vec3& p : {contact.p, contact.q}) {
      EXPECT_TRUE(std::any_of(expected.begin(), expected.end(),
                              [&](const RationalPoint& q) { return is_near(p, q, tolerance); }));
    }
  } else {
    const RationalPoint& low = expected.front();
    const RationalPoint& high = expected.back();
    const bool in_order = is_near(contact.p, low, tolerance) && is_near(contact.q, high, tolerance);
    const bool turned = is_near(contact.p, high, tolerance) && is_near(contact.q, low, tolerance);
    EXPECT_TRUE(in_order || turned);  // if both round to one x, the other coordinates order them
    if (contact.shape == ContactShape::Point) {
      EXPECT_EQ(contact.p, contact.q);
    }
  }
  ++seen.shapes[static_cast<std::size_t>(contact.shape)];
  seen.exact += static_cast<int>(exact);
}

/// Translates b so that one of its points coincides with a point of a.
Corners moved_onto(const Corners& a, Corners b, PointSource& source) {
  const auto weight = [&] { return 0.1 + 0.01 * source.integer(0, 35); };
  const double u = weight();
  const double v = weight();
  const auto mix = [&](double Vec3::*c) {
    return (a[0].*c + u * (a[1].*c - a[0].*c) + v * (a[2].*c - a[0].*c)) -
           (b[0].*c + v * (b[1].*c - b[0].*c) + u * (b[2].*c - b[0].*c));
  };
  const Vec3 shift{mix(&Vec3::x), mix(&Vec3::y), mix(&Vec3::z)};
  for (Vec3& p : b) p = {p.x + shift.x, p.y + shift.y, p.z + shift.z};
  return b;
}

TEST(TriangleContact, InGeneralPositionIsASegmentFoundWithoutIntegers) {
  PointSource source(1);
  Seen seen;
  for (const double offset : {0.0, 10.0, 1e6}) {
    for (int i = 0; i < 120; ++i) {
      Corners a = source.points<3>(Points::Real);
      Corners b = moved_onto(a, source.points<3>(Points::Real), source);
      for (Corners* t : {&a, &b}) {
        for (Vec3& p : *t) p = {p.x + offset, p.y - 3 * offset, p.z};
      }
      check(a, b, seen);
    }
  }
  EXPECT_GT(seen.of(ContactShape::Segment), 340);
  EXPECT_EQ(seen.of(ContactShape::Point), 0);
  EXPECT_EQ(seen.of(ContactShape::Area), 0);
  EXPECT_LE(seen.exact, 2);
}

TEST(TriangleContact, OnAGridHasTheExactShape) {
  PointSource source(2);
  Seen seen;
  for (int i = 0; i < 6000; ++i) check(source.points<3>(Points::Grid), source.points<3>(Points::Grid), seen);
  EXPECT_GT(seen.of(ContactShape::Segment), 300);
  EXPECT_GT(seen.of(ContactShape::Point), 100);
  // Coplanar triangles.
  for (int i = 0; i < 600; ++i) {
    Corners a = source.points<3>(Points::Grid);
    Corners b = source.points<3>(Points::Grid);
    for (Corners* t : {&a, &b}) {
      for (Vec3& p : *t) p.z = p.x + 2 * p.y;
    }
    check(a, b, seen);
  }
  EXPECT_GT(seen.of(ContactShape::Area), 100);
}

TEST(TriangleContact, CloseToAGridHasTheExactShape) {
  PointSource source(3);
  Seen seen;
  for (int i = 0; i < 1200; ++i)
    check(source.points<3>(Points::NearGrid), source.points<3>(Points::NearGrid), seen);
  EXPECT_GT(seen.of(ContactShape::Segment), 50);
  EXPECT_GT(seen.exact, 25);
}

TEST(TriangleContact, OfNeighboursIsWhatTheyShare) {
  PointSource source(4);
  Seen corner;
  Seen edge;
  Seen same;
  for (int i = 0; i < 150; ++i) {
    const Corners a = source.points<3>(Points::Real);
    const Corners b = source.points<3>(Points::Real);
    check(a, {b[0], a[1], b[2]}, corner);
    check(a, {b[0], a[2], a[1]}, edge);
    check(a, {a[1], a[0], a[2]}, same);
  }
  EXPECT_EQ(corner.of(ContactShape::Area) + edge.of(ContactShape::Point) + edge.of(ContactShape::Area), 0);
  EXPECT_GT(corner.of(ContactShape::Point), 50);
  EXPECT_EQ(edge.of(ContactShape::Segment), 150);
  EXPECT_EQ(same.of(ContactShape::Area), 150);
}

/// Points of thin triangles are as precise as those of well-shaped ones.
TEST(TriangleContact, OfSliversIsAsPreciseAsOfRoundTriangles) {
  PointSource source(5);
  Seen seen;
  for (int i = 0; i < 400; ++i) {
    Corners a = source.points<3>(Points::Real);
    Corners b = source.points<3>(Points::Real);
    const double thin = std::ldexp(1.0, -source.integer(10, 50));
    for (Corners* t : {&a, &b}) {
      auto& [p, q, r] = *t;
      const double s = 0.125 * source.integer(1, 7);
      const Vec3 off = source.points<1>(Points::Real)[0];
      r = {p.x + s * (q.x - p.x) + thin * off.x, p.y + s * (q.y - p.y) + thin * off.y,
           p.z + s * (q.z - p.z) + thin * off.z};
    }
    // Two needles, a needle through a well-shaped triangle, and two nearly coplanar triangles.
    if (i % 3 == 1) b[2] = source.points<1>(Points::Real)[0];
    if (i % 3 == 2) {
      for (std::size_t k = 0; k < 3; ++k) b[k] = {a[k].y + a[0].x, a[k].x, a[k].z * (1.0 + thin)};
    }
    check(a, moved_onto(a, b, source), seen);
  }
  EXPECT_GT(seen.of(ContactShape::Segment), 150);
}

TEST(TriangleContact, OfAnySizeIsRight) {
  PointSource source(6);
  Seen seen;
  for (int i = 0; i < 60; ++i) check(source.points<3>(Points::Wild), source.points<3>(Points::Wild), seen);
  EXPECT_GT(seen.of(ContactShape::Segment) + seen.of(ContactShape::Point), 8);
  for (const double scale : {1e-300, 1e-200, 1e-60, 1e60, 1e200, 1e300}) {
    for (int i = 0; i < 20; ++i) {
      Corners a = source.points<3>(Points::Real);
      Corners b = moved_onto(a, source.points<3>(Points::Real), source);
      for (Corners* t : {&a, &b}) {
        for (Vec3& p : *t) p = {scale * p.x, scale * p.y, scale * p.z};
      }
      check(a, b, seen);
    }
  }
  EXPECT_GT(seen.of(ContactShape::Segment), 100);
}

TEST(TriangleContact, OfTrianglesWithoutAreaIsASegmentOrAPoint) {
  PointSource source(7);
  Seen seen;
  for (int i = 0; i < 6000; ++i) {
    Corners a = source.points<3>(Points::Grid);
    Corners b = source.points<3>(Points::Grid);
    a[2] = i % 3 == 0 ? a[0] : Vec3{2 * a[1].x - a[0].x, 2 * a[1].y - a[0].y, 2 * a[1].z - a[0].z};
    if (i % 5 == 0) a[1] = a[2];
    if (i % 2 == 0) b[1] = b[0];
    check(a, b, seen);
  }
  EXPECT_EQ(seen.of(ContactShape::Area), 0);
  EXPECT_GT(seen.of(ContactShape::Segment), 10);
  EXPECT_GT(seen.of(ContactShape::Point), 100);
}

TEST(TriangleContact, OfASquareCutByItsDiagonalsHasTheFarthestCorners) {
  bool exact = false;
  const Corners a{Vec3{0, 0, 0}, Vec3{4, 0, 0}, Vec3{0, 4, 0}};
  const Corners b{Vec3{1, 1, 0}, Vec3{-3, 1, 0}, Vec3{1, -3, 0}};
  const TriangleContact contact = triangle_contact(a, b, exact);
  EXPECT_EQ(contact.shape, ContactShape::Area);  // the unit square
  EXPECT_EQ(contact.p, (Vec3{0, 0, 0}));
  EXPECT_EQ(contact.q, (Vec3{1, 1, 0}));
  EXPECT_TRUE(exact);
}

}  // namespace
}  // namespace graze::narrow
