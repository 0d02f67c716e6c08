// Distances of boxes: the comparison is exact and the square root correctly rounded, including ties and denormals.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "narrow/box_distance.hpp"

namespace graze::narrow {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
namespace {

/// One coordinate of two points; the gap is from - to.
struct Difference {
  double from = 0.0;
  double to = 0.0;
};
std::optional<double> distance(const Difference& x, const Difference& y, const Difference& z, double d) {
  TierCounts tiers;
  const Box a{{x.from, y.from, z.from}, {x.from, y.from, z.from}};
  const Box b{{x.to, y.to, z.to}, {x.to, y.to, z.to}};
  const std::optional<double> there = distance_within(a, b, d, tiers);
  EXPECT_EQ(distance_within(b, a, d, tiers), there);
  return there;
}

TEST(BoxDistance, HalfWayBetweenTwoDoublesRoundsToTheEvenOne) {
  // Gaps 3 m and 4 m give 5 m, which for these m is half a unit (4) above a double, the first even, the second odd.
  const double base = 5.0 * 0x1p53;
  EXPECT_EQ(distance({3.0 * 0x1p53, -12.0}, {4.0 * 0x1p53, -16.0}, {}, 1e30), base + 16.0);
  EXPECT_EQ(distance({3.0 * 0x1p53, -36.0}, {4.0 * 0x1p53, -48.0}, {}, 1e30), base + 64.0);
}

TEST(BoxDistance, ALittleBesideHalfWayBetweenTwoDoublesRoundsToTheNearer) {
  const double base = 5.0 * 0x1p53;
  EXPECT_EQ(distance({3.0 * 0x1p53, -12.0}, {4.0 * 0x1p53, -16.0}, {0x1p-300, 0.0}, 1e30), base + 24.0);
  EXPECT_EQ(distance({3.0 * 0x1p53, std::nextafter(-36.0, 0.0)}, {4.0 * 0x1p53, -48.0}, {}, 1e30), base + 56.0);
}

TEST(BoxDistance, AlongOneAxisAGapWithMoreBitsThanADoubleIsComparedExactly) {
  // 1 + 2^-60 rounds to 1.
  EXPECT_EQ(distance({1.0, -0x1p-60}, {}, {}, 1.0), std::nullopt);
  EXPECT_EQ(distance({1.0, 0x1p-60}, {}, {}, 1.0), 1.0);
  EXPECT_EQ(distance({1.0, -0x1p-60}, {}, {}, std::nextafter(1.0, 2.0)), 1.0);
}

TEST(BoxDistance, AlongTwoAxesAGapWithMoreBitsThanADoubleIsComparedExactly) {
  EXPECT_EQ(distance({3.0, -0x1p-300}, {4.0, 0.0}, {}, 5.0), std::nullopt);
  EXPECT_EQ(distance({3.0, 0x1p-300}, {4.0, 0.0}, {}, 5.0), 5.0);
  EXPECT_EQ(distance({3.0, 0.0}, {4.0, 0.0}, {}, 5.0), 5.0);
  // The third gap counts although its square underflows.
  EXPECT_EQ(distance({3.0, 0.0}, {4.0, 0.0}, {1e-300, 0.0}, 5.0), std::nullopt);
}

TEST(BoxDistance, OfDenormalGapsRoundsToADenormal) {
  const double least = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(distance({3 * least, 0.0}, {4 * least, 0.0}, {}, 5 * least), 5 * least);
  EXPECT_EQ(distance({3 * least, 0.0}, {4 * least, 0.0}, {}, 4 * least), std::nullopt);
  EXPECT_EQ(distance({least, 0.0}, {least, 0.0}, {}, 1.0), least) << "sqrt 2";
  EXPECT_EQ(distance({least, 0.0}, {least, 0.0}, {least, 0.0}, 1.0), 2 * least) << "sqrt 3";
  EXPECT_EQ(distance({least, 0.0}, {least, 0.0}, {}, least), std::nullopt) << "it rounds to d, but is more";
}

TEST(BoxDistance, OfHugeGapsNeitherOverflowsNorLosesAComparison) {
  const double greatest = std::numeric_limits<double>::max();
  EXPECT_EQ(distance({greatest, -greatest}, {}, {}, greatest), std::nullopt);
  EXPECT_EQ(distance({greatest, 0.0}, {}, {}, greatest), greatest);
  EXPECT_EQ(distance({greatest, -1.0}, {}, {}, greatest), std::nullopt);
  EXPECT_EQ(distance({greatest, 1.0}, {}, {}, greatest), greatest);
  EXPECT_EQ(distance({-1.0, -greatest}, {}, {}, greatest), greatest);
  EXPECT_EQ(distance({1.0, -greatest}, {}, {}, greatest), std::nullopt);
  EXPECT_EQ(distance({greatest, 0.0}, {1.0, 0.0}, {}, greatest), std::nullopt);
  EXPECT_EQ(distance({3 * 0x1p1000, 0.0}, {4 * 0x1p1000, 0.0}, {}, 5 * 0x1p1000), 5 * 0x1p1000);
}

TEST(BoxDistance, SaysWhichTierDecided) {
  const Box origin{};
  TierCounts tiers;
  EXPECT_EQ(distance_within({{1, 1, 0}, {2, 2, 2}}, origin, 2.0, tiers), std::sqrt(2.0));
  EXPECT_EQ(tiers.filter, 1U);
  EXPECT_EQ(tiers.exact, 0U);
  EXPECT_EQ(distance_within({{3, 4, 0}, {5, 5, 5}}, origin, 5.0, tiers), 5.0);
  EXPECT_EQ(tiers.filter, 1U);
  EXPECT_EQ(tiers.exact, 1U);
}

}  // namespace
}  // namespace graze::narrow
