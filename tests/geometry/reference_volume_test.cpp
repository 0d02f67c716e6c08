// Volumes around reference positions (geometry/volume.hpp): they contain every point within the displacement bound
// and within the sides.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <type_traits>

#include "geometry/reference_point.hpp"
#include "geometry/volume.hpp"
#include "oracle/random.hpp"

namespace graze {

using namespace core;
using namespace geometry;
namespace {

Vec3 random_point(double size, oracle::Random& random) {
  const double x = size * random.symmetric();
  const double y = size * random.symmetric();
  return {x, y, size * random.symmetric()};
}

template <typename Volume>
void expect_contains(const Volume& volume, const Vec3& p, double half_gap) {
  for (std::size_t k = 0; k < Volume::kDirections; ++k) {
    const auto& d = kDopDirections[k];
    const auto sum = static_cast<long double>(d[0]) * p.x + static_cast<long double>(d[1]) * p.y +
                     static_cast<long double>(d[2]) * p.z;
    const long double wide =
        half_gap * std::sqrt(static_cast<long double>(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
    ASSERT_LE(static_cast<long double>(volume.lo[k]), sum - wide) << k;
    ASSERT_GE(static_cast<long double>(volume.hi[k]), sum + wide) << k;
  }
}

template <typename Volume>
class ReferenceVolumes : public ::testing::Test {};
using AllVolumes = ::testing::Types<Aabb, Dop18, Dop26>;
TYPED_TEST_SUITE(ReferenceVolumes, AllVolumes);

TYPED_TEST(ReferenceVolumes, HoldEveryPointWithinTheDisplacementBound) {
  oracle::Random random(12);
  for (const double size : {1e-300, 1e-40, 1e-6, 1.0, 1e6, 1e30}) {
    for (int round = 0; round < 300; ++round) {
      std::array<ReferencePoint, 3> reference_points;
      for (ReferencePoint& reference : reference_points) {
        reference = {.x = random_point(size, random),
                     .displacement_bound = static_cast<float>(2.0 * size * random.unit())};
      }
      const double gap = random.coin() ? 0.0 : size * random.unit();
      std::array<TypeParam, 3> volumes;
      std::array<Aabb, 3> boxes;
      make_vertex_volumes(std::span<const ReferencePoint>(reference_points), gap, std::span<TypeParam>(volumes));
      make_vertex_volumes(std::span<const ReferencePoint>(reference_points), gap, std::span<Aabb>(boxes));
      for (std::size_t i = 0; i < 3; ++i) {
        TypeParam triangle;
        if constexpr (std::is_same_v<TypeParam, Aabb>) {
          triangle = triangle_volume(std::span<const Aabb>(boxes), {0, 1, 2});
        } else {
          triangle = TriangleBounds<TypeParam>({.reference_points = reference_points, .gap = gap})(
              {0, 1, 2}, triangle_volume(std::span<const Aabb>(boxes), {0, 1, 2}));
        }
        for (const auto& d : kDopDirections) {
          // The farthest point along the direction, minus what rounding might add to the length.
          const double length = std::sqrt(static_cast<double>(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
          for (const double sign : {-1.0, 1.0}) {
            const double by =
                sign * (1.0 - 0x1p-48) * static_cast<double>(reference_points[i].displacement_bound) / length;
            const Vec3 p{reference_points[i].x.x + by * d[0], reference_points[i].x.y + by * d[1],
                         reference_points[i].x.z + by * d[2]};
            const Vec3 displacement{p.x - reference_points[i].x.x, p.y - reference_points[i].x.y,
                                    p.z - reference_points[i].x.z};
            const double displacement_bound = static_cast<double>(reference_points[i].displacement_bound);
            if (std::hypot(displacement.x, displacement.y, displacement.z) >= displacement_bound)
              continue;  // rounded out of the ball
            expect_contains(volumes[i], p, gap / 2);
            expect_contains(triangle, p, gap / 2);
          }
        }
      }
    }
  }
}

TYPED_TEST(ReferenceVolumes, HoldEveryPointWithinTheDisplacementBoundAndSides) {
  oracle::Random random(21);
  for (const double size : {1e-40, 1e-6, 1.0, 1e30}) {
    for (int round = 0; round < 300; ++round) {
      std::array<ReferencePoint, 3> reference_points;
      for (ReferencePoint& reference : reference_points) {
        reference = {.x = random_point(size, random),
                     .displacement_bound = static_cast<float>(2.0 * size * random.unit())};
        for (std::uint8_t& side : reference.sides) side = static_cast<std::uint8_t>(random.below(256));
      }
      const double gap = random.coin() ? 0.0 : size * random.unit();
      std::array<Aabb, 3> boxes;
      make_vertex_volumes(std::span<const ReferencePoint>(reference_points), gap, std::span<Aabb>(boxes));
      const Aabb box = triangle_volume(std::span<const Aabb>(boxes), {0, 1, 2});
      for (const ReferencePoint& reference : reference_points) {
        TypeParam triangle;
        if constexpr (std::is_same_v<TypeParam, Aabb>) {
          triangle = box;
        } else {
          triangle = TriangleBounds<TypeParam>({.reference_points = reference_points, .gap = gap})({0, 1, 2}, box);
        }
        const auto displacement_bound = static_cast<double>(reference.displacement_bound);
        for (int corner = 0; corner < 8; ++corner) {
          // A corner of the box of the sides, or the point towards it at the displacement bound.
          Vec3 displacement{(corner & 1) != 0 ? reference.side(0) : -reference.side(0),
                            (corner & 2) != 0 ? reference.side(1) : -reference.side(1),
                            (corner & 4) != 0 ? reference.side(2) : -reference.side(2)};
          const double length = std::hypot(displacement.x, displacement.y, displacement.z);
          const double part = (1.0 - 0x1p-48) * std::min(1.0, length > 0.0 ? displacement_bound / length : 1.0);
          const Vec3 p{reference.x.x + part * displacement.x, reference.x.y + part * displacement.y,
                       reference.x.z + part * displacement.z};
          displacement = {p.x - reference.x.x, p.y - reference.x.y, p.z - reference.x.z};
          if (std::hypot(displacement.x, displacement.y, displacement.z) >= displacement_bound ||
              std::abs(displacement.x) > reference.side(0) || std::abs(displacement.y) > reference.side(1) ||
              std::abs(displacement.z) > reference.side(2)) {
            continue;  // rounded out of the volume
          }
          expect_contains(reference_volume<TypeParam>(reference, gap), p, gap / 2);
          expect_contains(triangle, p, gap / 2);
        }
      }
    }
  }
}

TEST(ReferenceVolumesOf, NarrowSidesAreNarrow) {
  const ReferencePoint reference{.x = {1, 2, 3}, .displacement_bound = 1.0F, .sides = {64, 0, 255}};
  const Aabb box = reference_volume<Aabb>(reference, 0.0);
  EXPECT_NEAR(box.hi[0] - box.lo[0], 0.5, 1e-5);
  EXPECT_NEAR(box.hi[1] - box.lo[1], 0.0, 1e-5);
  EXPECT_NEAR(box.hi[2] - box.lo[2], 2.0, 1e-5);
}

}  // namespace
}  // namespace graze
