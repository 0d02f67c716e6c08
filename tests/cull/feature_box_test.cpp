// Boxes in float: never smaller than the truth, and no larger than floats force them to be.
#include "cull/feature_box.hpp"

#include "oracle/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace graze {
namespace {

using oracle::Random;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Any magnitude that a double has.
double any_double(Random& random) {
  return std::ldexp(random.symmetric(), random.between(-1080, 1023));
}

TEST(FloatBounds, AreTheNearestFloatsOnEitherSide) {
  Random random(1);
  for (int i = 0; i < 200'000; ++i) {
    const double x = i % 2 == 0 ? any_double(random) : std::ldexp(random.symmetric(), random.between(-151, 129));
    const float below = float_below(x);
    const float above = float_above(x);
    ASSERT_LE(double{below}, x);
    ASSERT_GE(double{above}, x);
    ASSERT_GT(double{std::nextafter(below, kInfinity)}, x);
    ASSERT_LT(double{std::nextafter(above, -kInfinity)}, x);
  }
}

TEST(FloatBounds, OfAFloatAreItself) {
  for (const float f :
       {0.0F, 1.0F, -1.5F, std::numeric_limits<float>::denorm_min(), std::numeric_limits<float>::max(),
        std::numeric_limits<float>::lowest(), kInfinity, -kInfinity}) {
    EXPECT_EQ(float_below(double{f}), f);
    EXPECT_EQ(float_above(double{f}), f);
  }
}

TEST(FloatBounds, BeyondTheRangeOfFloatAreInfiniteOutward) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  EXPECT_EQ(float_above(1e300), kInfinity);
  EXPECT_EQ(float_below(1e300), kLargest);
  EXPECT_EQ(float_below(-1e300), -kInfinity);
  EXPECT_EQ(float_above(-1e300), -kLargest);
}

TEST(FeatureBox, OfASweptEdgeHoldsItsFourPoints) {
  Random random(2);
  for (int i = 0; i < 10'000; ++i) {
    std::array<Vec3, 4> p;
    for (Vec3& q : p) q = {any_double(random), any_double(random), any_double(random)};
    const FeatureBox box = swept_edge_box(p[0], p[1], p[2], p[3]);
    for (const Vec3& q : p) {
      ASSERT_TRUE(double{box.lo[0]} <= q.x && q.x <= double{box.hi[0]});
      ASSERT_TRUE(double{box.lo[1]} <= q.y && q.y <= double{box.hi[1]});
      ASSERT_TRUE(double{box.lo[2]} <= q.z && q.z <= double{box.hi[2]});
    }
  }
  EXPECT_EQ(swept_edge_box({1, 2, 3}, {-1, 5, 3}, {0, 0, 0}, {2, 2, -4}), (FeatureBox{{-1, 0, -4}, {2, 5, 3}}));
  EXPECT_EQ(swept_vertex_box({1, 2, 3}, {-1, 5, 3}), (FeatureBox{{-1, 2, 3}, {1, 5, 3}}));
}

TEST(FeatureBox, InflatedHoldsWhatIsWithinTheGap) {
  const FeatureBox box{{0, 0, 0}, {1, 1, 1}};
  EXPECT_EQ(inflated(box, 0.0), box);
  Random random(3);
  for (int i = 0; i < 10'000; ++i) {
    const double gap = std::abs(any_double(random));
    const FeatureBox grown = inflated(box, gap);
    ASSERT_LE(double{grown.lo[0]}, -gap);
    ASSERT_GE(double{grown.hi[2]} - 1.0, gap);
  }
}

TEST(FeatureBox, OverlapsWhereClosedBoxesShareAPoint) {
  const FeatureBox unit{{0, 0, 0}, {1, 1, 1}};
  for (int k = 0; k < 3; ++k) {
    for (const float side : {-1.0F, 1.0F}) {
      FeatureBox other = unit;
      const auto axis = static_cast<std::size_t>(k);
      other.lo[axis] += side;
      other.hi[axis] += side;
      EXPECT_TRUE(boxes_overlap(unit, other));  // they touch
      const float step = side * 0x1p-20F;
      other.lo[axis] += step;
      other.hi[axis] += step;
      EXPECT_FALSE(boxes_overlap(unit, other));
      EXPECT_FALSE(boxes_overlap(other, unit));
    }
  }
}

}  // namespace
}  // namespace graze
