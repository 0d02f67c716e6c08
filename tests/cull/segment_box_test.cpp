// Segment against box, checked by exact clipping: never a false negative, and few false positives.
#include "cull/segment_box.hpp"

#include "oracle/exact.hpp"
#include "oracle/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
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

using oracle::Integer;
using oracle::Random;

/// Clips the segment to the box exactly, in integers of one scale: whether some t in [0, 1] remains.
bool truly_overlap(const Vec3& p0, const Vec3& p1, const Aabb& box) {
  // Infinite bounds clip nothing; zero replaces them here and is not used.
  const auto finite = [](float f) { return std::isinf(f) ? 0.0 : double{f}; };
  const Vec3 lo{finite(box.lo[0]), finite(box.lo[1]), finite(box.lo[2])};
  const Vec3 hi{finite(box.hi[0]), finite(box.hi[1]), finite(box.hi[2])};
  const auto points = oracle::scale_to_integers(std::array{p0, p1, lo, hi}).points;
  struct Time {
    Integer numerator;
    Integer denominator;  // > 0
  };
  const auto before = [](const Time& a, const Time& b) {
    return a.numerator * b.denominator < b.numerator * a.denominator;
  };
  Time first{0, 1};
  Time last{1, 1};
  for (std::size_t k = 0; k < 3; ++k) {
    const Integer speed = points[1][k] - points[0][k];
    for (const int side : {-1, 1}) {  // side * (start + t speed) <= side * bound
      const float bound = side < 0 ? box.lo[k] : box.hi[k];
      if (std::isinf(bound)) {
        if ((bound > 0) != (side > 0)) return false;
        continue;
      }
      const Integer room = side * (points[side < 0 ? 2 : 3][k] - points[0][k]);
      const Integer outward = side * speed;
      if (outward == 0) {
        if (room < 0) return false;
      } else if (outward > 0) {
        last = std::min(last, Time{room, outward}, before);
      } else {
        first = std::max(first, Time{-room, -outward}, before);
      }
    }
  }
  return !before(last, first);
}

Vec3 random_point(Random& random) {
  return {random.symmetric(), random.symmetric(), random.symmetric()};
}

/// The box of the points, rounded outward.
template <typename... Points>
Aabb box_of_points(const Points&... points) {
  Aabb box;
  const auto include = [&](const Vec3& p) {
    const std::array<double, 3> x{p.x, p.y, p.z};
    for (std::size_t k = 0; k < 3; ++k) {
      box.lo[k] = std::min(box.lo[k], round_down(x[k]));
      box.hi[k] = std::max(box.hi[k], round_up(x[k]));
    }
  };
  (include(points), ...);
  return box;
}

Aabb random_box(Random& random, double size) {
  const Vec3 c = random_point(random);
  const auto corner = [&] {
    return Vec3{c.x + size * random.symmetric(), c.y + size * random.symmetric(), c.z + size * random.symmetric()};
  };
  return box_of_points(corner(), corner());
}

TEST(SegmentBox, IsExactOnASmallGridOfIntegers) {
  // Every kind of grazing contact with a face, an edge and a corner; includes points, lines in planes of the box,
  // and flat boxes.
  const auto digit = [](int i) { return static_cast<double>(i % 5 - 1); };
  const auto grid = [&](int i) { return Vec3{digit(i), digit(i / 5), digit(i / 25)}; };
  for (const Aabb& box : {Aabb{{0, 0, 0}, {2, 1, 2}}, Aabb{{0, 1, 0}, {1, 1, 2}}}) {
    std::size_t overlapping = 0;
    for (int i = 0; i < 125; ++i) {
      for (int j = 0; j < 125; ++j) {
        const bool truth = truly_overlap(grid(i), grid(j), box);
        ASSERT_EQ(segment_may_overlap(grid(i), grid(j), box), truth) << i << ' ' << j;
        overlapping += static_cast<std::size_t>(truth);
      }
    }
    EXPECT_GT(overlapping, 1000U);
    EXPECT_LT(overlapping, 14'000U);
  }
}

TEST(SegmentBox, NeverRejectsARandomSegmentThatTouches) {
  Random random(1);
  std::size_t touching = 0;
  std::size_t doubted = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Aabb box = random_box(random, 1.5);
    const Vec3 p0 = random_point(random);
    const Vec3 p1 = random_point(random);
    const bool answer = segment_may_overlap(p0, p1, box);
    const bool truth = truly_overlap(p0, p1, box);
    ASSERT_TRUE(answer || !truth);
    touching += static_cast<std::size_t>(truth);
    doubted += static_cast<std::size_t>(answer && !truth);
  }
  EXPECT_GT(touching, 2000U);
  EXPECT_EQ(doubted, 0U);  // the margin is 1e-15 of the sizes: random segments avoid it
}

TEST(SegmentBox, NeverRejectsASegmentThatGrazesACornerOrAnEdge) {
  Random random(2);
  std::size_t touching = 0;
  std::size_t missing = 0;
  for (int i = 0; i < 40'000; ++i) {
    const Aabb box = random_box(random, std::ldexp(1.0, random.between(-30, 2)));
    // A point of the box on a corner or on an edge, which a segment through it only grazes in most directions.
    std::array<double, 3> q;
    for (std::size_t k = 0; k < 3; ++k) q[k] = double{random.coin() ? box.lo[k] : box.hi[k]};
    if (random.coin()) {
      const std::size_t k = random.below(3);
      q[k] = double{box.lo[k]} + random.unit() * (double{box.hi[k]} - double{box.lo[k]});
    }
    const Vec3 d = random_point(random);
    const double s = std::ldexp(random.unit(), random.between(-10, 10));
    const double t = std::ldexp(random.unit(), random.between(-10, 10));
    const Vec3 p0{q[0] - s * d.x, q[1] - s * d.y, q[2] - s * d.z};
    const Vec3 p1{q[0] + t * d.x, q[1] + t * d.y, q[2] + t * d.z};
    const bool truth = truly_overlap(p0, p1, box);
    ASSERT_TRUE(segment_may_overlap(p0, p1, box) || !truth) << i;
    touching += static_cast<std::size_t>(truth);
    missing += static_cast<std::size_t>(!truth);
  }
  EXPECT_GT(touching, 5000U);  // rounding moves some just inside and some just outside
  EXPECT_GT(missing, 1000U);
}

TEST(SegmentBox, NeverRejectsContactAtAnyMagnitude) {
  Random random(3);
  std::size_t touching = 0;
  std::size_t rejected = 0;
  for (int i = 0; i < 6000; ++i) {
    const int low = random.between(-1074, 1000);
    const int high = std::min(1023, low + random.between(0, 300));
    const auto any = [&] {
      return random.below(6) == 0 ? 0.0 : std::ldexp(random.symmetric(), random.between(low, high));
    };
    const auto point = [&] { return Vec3{any(), any(), any()}; };
    const Vec3 p0 = point();
    const Vec3 p1 = point();
    const Aabb box = random.coin() ? box_of_points(point(), point()) : box_of_points(point(), point(), p1);
    const bool truth = truly_overlap(p0, p1, box);
    const bool answer = segment_may_overlap(p0, p1, box);
    ASSERT_TRUE(answer || !truth) << i;
    touching += static_cast<std::size_t>(truth);
    rejected += static_cast<std::size_t>(!answer);
  }
  EXPECT_GT(touching, 1000U);
  EXPECT_GT(rejected, 1000U);
}

TEST(SegmentBox, DoesNotTakeOverflowForSeparation) {
  const double huge = std::numeric_limits<double>::max();
  const float infinity = std::numeric_limits<float>::infinity();
  const Aabb everything{{-infinity, -infinity, -infinity}, {infinity, infinity, infinity}};
  const Aabb unit{{-1, -1, -1}, {1, 1, 1}};
  EXPECT_TRUE(segment_may_overlap({-huge, -huge, -huge}, {huge, huge, huge}, unit));
  EXPECT_TRUE(segment_may_overlap({-huge, 0, 0}, {huge, 0, 0}, unit));
  EXPECT_TRUE(segment_may_overlap({-huge, 0, 0}, {huge, 0, 0}, everything));
  EXPECT_TRUE(segment_may_overlap({0, 0, 0}, {0, 0, 0}, everything));
  EXPECT_FALSE(segment_may_overlap({-huge, 2, 0}, {huge, 2, 0}, unit));
  // The direction overflows in y alone: one product is infinite and the other is not, and segment and box cross at
  // y = 0.
  const Aabb slab{{-1, -1, 0.125F}, {1, 1, 0.25F}};
  const Vec3 p0{0, -0.95 * huge, 0};
  const Vec3 p1{0, 0.95 * huge, 0.375};
  ASSERT_TRUE(truly_overlap(p0, p1, slab));
  EXPECT_TRUE(segment_may_overlap(p0, p1, slab));
}

TEST(SegmentBox, LeavesFewerThanBoxAgainstBox) {
  Random random(4);
  std::size_t by_box = 0;
  std::size_t by_segment = 0;
  for (int i = 0; i < 100'000; ++i) {
    const Aabb box = random_box(random, 0.3);
    const Vec3 p0 = random_point(random);
    const Vec3 p1 = random_point(random);
    const bool boxes = box_of_points(p0, p1).overlaps(box);
    const bool segment = segment_may_overlap(p0, p1, box);
    ASSERT_TRUE(boxes || !segment);  // the segment test is never weaker than the box test
    by_box += static_cast<std::size_t>(boxes);
    by_segment += static_cast<std::size_t>(segment);
  }
  EXPECT_LT(by_segment, by_box);
  EXPECT_LT(2 * by_segment, by_box);  // long segments, small boxes: most of a segment's box is empty
}

TEST(SegmentBox, AgainstManyBoxesAnswersAsOneByOne) {
  Random random(5);
  std::vector<Aabb> boxes(100);
  for (Aabb& box : boxes) box = random_box(random, 0.5);
  std::vector<std::uint32_t> found(boxes.size());
  for (int i = 0; i < 100; ++i) {
    const Vec3 p0 = random_point(random);
    const Vec3 p1 = random_point(random);
    std::vector<std::uint32_t> expected;
    for (std::uint32_t b = 0; b < boxes.size(); ++b) {
      if (segment_may_overlap(p0, p1, boxes[b])) expected.push_back(b);
    }
    const std::size_t count = segment_may_overlap(p0, p1, boxes, found.data());
    ASSERT_EQ(std::vector(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count)), expected);
  }
}

}  // namespace
}  // namespace graze
