// Float volumes against exact projections in rational arithmetic.
#include "geometry/volume.hpp"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>

#include <cmath>
#include <random>
#include <vector>

namespace graze {

using namespace core;
using namespace geometry;
namespace {

using Rational = boost::multiprecision::cpp_rational;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kMaxFloat = std::numeric_limits<float>::max();

/// A random finite double: random sign, exponent and mantissa; sometimes zero or exactly a float.
double any_double(std::mt19937_64& random, int lowest, int highest) {
  if (random() % 16 == 0) return 0.0;
  const double mantissa = 1.0 + static_cast<double>(random() >> (random() % 4 == 0 ? 45U : 12U)) * 0x1p-52;
  const int exponent = lowest + static_cast<int>(random() % static_cast<std::uint64_t>(highest - lowest));
  const double value = std::ldexp(mantissa, exponent);
  return random() % 2 == 0 ? value : -value;
}

bool at_most(float bound, const Rational& x) {
  return bound == -kInfinity || (bound != kInfinity && Rational(bound) <= x);
}
bool at_least(float bound, const Rational& x) {
  return bound == kInfinity || (bound != -kInfinity && Rational(bound) >= x);
}

TEST(RoundOutward, gives_the_nearest_float_on_the_outer_side) {
  EXPECT_EQ(round_up(0.5), 0.5F);
  EXPECT_EQ(round_down(0.5), 0.5F);
  EXPECT_EQ(round_up(0.1), std::nextafterf(round_down(0.1), 1.0F));
  EXPECT_EQ(round_up(1e-320), 0x1p-149F);
  EXPECT_EQ(round_down(1e-320), 0.0F);
  EXPECT_EQ(round_up(-1e-320), 0.0F);
  EXPECT_EQ(round_down(-1e-320), -0x1p-149F);
  EXPECT_EQ(round_up(1e300), kInfinity);
  EXPECT_EQ(round_down(1e300), kMaxFloat);
  EXPECT_EQ(round_up(-1e300), -kMaxFloat);
  EXPECT_EQ(round_down(-1e300), -kInfinity);
  EXPECT_EQ(round_up(std::nextafter(static_cast<double>(kMaxFloat), 1e300)), kInfinity);
  EXPECT_EQ(round_up(static_cast<double>(kMaxFloat)), kMaxFloat);
}

TEST(RoundOutward, is_tight_and_never_inward_for_random_doubles) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200'000; ++i) {
    const double x = any_double(random, -160, 127);
    const float up = round_up(x);
    const float down = round_down(x);
    ASSERT_GE(static_cast<double>(up), x);
    ASSERT_LE(static_cast<double>(down), x);
    ASSERT_LT(static_cast<double>(std::nextafterf(up, -kInfinity)), x);
    ASSERT_GT(static_cast<double>(std::nextafterf(down, kInfinity)), x);
  }
}

template <typename Volume>
class Volumes : public ::testing::Test {};
using AllVolumes = ::testing::Types<Aabb, Dop18, Dop26>;
TYPED_TEST_SUITE(Volumes, AllVolumes);

template <typename Volume>
Volume volume_of(const Vec3& a, const Vec3& b, double thickness) {
  std::vector<Volume> volumes;
  make_vertex_volumes<Volume>(std::vector{a}, std::vector{b}, thickness, volumes);
  return volumes.at(0);
}

Rational project(std::size_t k, const Vec3& p) {
  const auto& d = kDopDirections[k];
  return d[0] * Rational(p.x) + d[1] * Rational(p.y) + d[2] * Rational(p.z);
}

TYPED_TEST(Volumes, hold_the_exact_projections_of_both_ends_with_the_inflation) {
  std::mt19937_64 random(2);
  struct Range {
    int lowest;
    int highest;
  };
  // Ranges: all doubles; around 1; values that a float cannot distinguish from zero; values whose sums overflow.
  for (const Range range :
       {Range{-1074, 1023}, Range{-3, 3}, Range{-1074, -1000}, Range{-150, -120}, Range{1000, 1023}}) {
    for (int i = 0; i < 600; ++i) {
      Vec3 x[2];
      for (Vec3& p : x) {
        p = {any_double(random, range.lowest, range.highest), any_double(random, range.lowest, range.highest),
             any_double(random, range.lowest, range.highest)};
        if (random() % 4 == 0) p.y = std::nextafter(-p.x, 1.0);  // cancellation
        if (random() % 4 == 0) p.z = -(p.x + p.y);
      }
      if (!std::isfinite(x[0].z) || !std::isfinite(x[1].z)) continue;
      const double thickness = i % 2 == 0 ? 0.0 : std::abs(any_double(random, range.lowest, range.highest - 1));
      const auto volume = volume_of<TypeParam>(x[0], x[1], thickness);
      for (std::size_t k = 0; k < TypeParam::kDirections; ++k) {
        const auto& d = kDopDirections[k];
        const int square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        // hi - p >= h sqrt(square) / 2, squared.
        const Rational need = Rational(thickness) * Rational(thickness) * square / 4;
        for (const Vec3& p : x) {
          const Rational value = project(k, p);
          ASSERT_TRUE(at_most(volume.lo[k], value)) << "direction " << k;
          ASSERT_TRUE(at_least(volume.hi[k], value)) << "direction " << k;
          if (volume.hi[k] != kInfinity) {
            const Rational room = Rational(volume.hi[k]) - value;
            ASSERT_GE(Rational(room * room), need) << "direction " << k;
          }
          if (volume.lo[k] != -kInfinity) {
            const Rational room = value - Rational(volume.lo[k]);
            ASSERT_GE(Rational(room * room), need) << "direction " << k;
          }
        }
      }
    }
  }
}

TYPED_TEST(Volumes, are_tight_to_a_few_float_steps) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p{any_double(random, -2, 2), any_double(random, -2, 2), any_double(random, -2, 2)};
    const auto volume = volume_of<TypeParam>(p, p, 0.0);
    for (std::size_t k = 0; k < TypeParam::kDirections; ++k) {
      const double value = project(k, p).template convert_to<double>();
      ASSERT_LE(static_cast<double>(volume.hi[k]) - value, 0x1p-23 * std::abs(value) + 0x1p-45);
      ASSERT_LE(value - static_cast<double>(volume.lo[k]), 0x1p-23 * std::abs(value) + 0x1p-45);
    }
  }
}

TEST(Boxes, of_floats_are_exact) {
  const Aabb box = volume_of<Aabb>({1.0, -2.0, 0.25}, {0.5, 3.0, 0.25}, 0.0);
  EXPECT_EQ(box.lo, (std::array{0.5F, -2.0F, 0.25F}));
  EXPECT_EQ(box.hi, (std::array{1.0F, 3.0F, 0.25F}));
}

TYPED_TEST(Volumes, of_points_within_the_thickness_overlap) {
  std::mt19937_64 random(4);
  int close = 0;
  for (int i = 0; i < 5000; ++i) {
    const Vec3 a{any_double(random, -8, 0), any_double(random, -8, 0), any_double(random, -8, 0)};
    // A point along a direction of the k-DOP, where the bound is attained.
    const auto& d = kDopDirections[random() % TypeParam::kDirections];
    const double by = any_double(random, -12, -6);
    const Vec3 b{a.x + by * d[0], a.y + by * d[1], a.z + by * d[2]};
    const Rational x = Rational(a.x) - Rational(b.x);
    const Rational y = Rational(a.y) - Rational(b.y);
    const Rational z = Rational(a.z) - Rational(b.z);
    const double thickness = std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
    if (Rational(x * x + y * y + z * z) > Rational(thickness) * Rational(thickness)) continue;
    ++close;
    ASSERT_TRUE(volume_of<TypeParam>(a, a, thickness).overlaps(volume_of<TypeParam>(b, b, thickness)));
  }
  EXPECT_GT(close, 1000);
}

TEST(Boxes, of_points_far_apart_do_not_overlap) {
  EXPECT_FALSE(volume_of<Aabb>({0, 0, 0}, {0, 0, 0}, 0.1).overlaps(volume_of<Aabb>({0.2, 0, 0}, {0.3, 0, 0}, 0.1)));
  // The diagonal direction, which boxes do not bound.
  const Vec3 a0{0, 0, 0};
  const Vec3 a1{1, 1, 0};
  const Vec3 b0{0.5, 0, 0};
  const Vec3 b1{1.5, 1, 0};
  EXPECT_TRUE(volume_of<Aabb>(a0, a1, 0.0).overlaps(volume_of<Aabb>(b0, b1, 0.0)));
  EXPECT_FALSE(volume_of<Dop18>(a0, a1, 0.0).overlaps(volume_of<Dop18>(b0, b1, 0.0)));
  EXPECT_FALSE(volume_of<Dop26>(a0, a1, 0.0).overlaps(volume_of<Dop26>(b0, b1, 0.0)));
}

}  // namespace
}  // namespace graze
