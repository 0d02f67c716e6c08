// Coordinate maps are non-decreasing for every pair of doubles, and resolve features of every size.
#include "geometry/coordinate_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "geometry/volume.hpp"

namespace graze {

using namespace core;
using namespace geometry;
namespace {

using Sample = CoordinateMap::Sample;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();

/// A double of any size, sometimes zero.
double any_double(std::mt19937_64& random, int lowest, int highest) {
  if (random() % 16 == 0) return 0.0;
  const double mantissa = 1.0 + static_cast<double>(random() >> 12U) * 0x1p-52;
  const int exponent = lowest + static_cast<int>(random() % static_cast<std::uint64_t>(highest - lowest));
  const double value = std::ldexp(mantissa, exponent);
  return random() % 2 == 0 ? value : -value;
}

/// Coordinates where a map may be wrong: the ends of samples and their neighbours, extremes, and random ones.
std::vector<double> probes(const std::vector<Sample>& samples, std::mt19937_64& random, int lowest, int highest) {
  std::vector<double> x{-kInfinity, kInfinity, -kLargest, kLargest, 0.0, -0.0, kTiny, -kTiny, 1e300, -1e300};
  const auto around = [&](double at) {
    double below = at;
    double above = at;
    x.push_back(at);
    for (int i = 0; i < 3; ++i) {
      below = std::nextafter(below, -kInfinity);
      above = std::nextafter(above, kInfinity);
      x.push_back(below);
      x.push_back(above);
    }
  };
  for (const Sample& sample : samples) {
    for (const double end : {sample.lo, sample.hi}) {
      around(end);
      for (const double units : {1.0, 2.0, 8.0}) {  // where a slope may end
        around(end - units * sample.size);
        around(end + units * sample.size);
      }
    }
    x.push_back(sample.lo + 0.5 * (sample.hi - sample.lo));
  }
  for (int i = 0; i < 200; ++i) x.push_back(any_double(random, lowest, highest));
  x.erase(std::remove_if(x.begin(), x.end(), [](double v) { return std::isnan(v); }), x.end());
  std::sort(x.begin(), x.end());
  return x;
}

void expect_monotone(const std::vector<Sample>& samples, std::mt19937_64& random, int lowest = -1060,
                     int highest = 1023) {
  const CoordinateMap map{std::span<const Sample>(samples)};
  const std::vector<double> x = probes(samples, random, lowest, highest);
  std::uint32_t segment = 0;
  float before = -std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float y = map(x[i], segment);
    ASSERT_FALSE(std::isnan(y)) << x[i];
    ASSERT_LE(std::abs(y), CoordinateMap::kLimit);
    ASSERT_GE(y, before) << "at " << x[i] << " after " << (i > 0 ? x[i - 1] : 0.0);
    before = y;
    // A guess of the segment does not change the value.
    std::uint32_t guess = static_cast<std::uint32_t>(random() % map.segment_count());
    ASSERT_EQ(map(x[i], guess), y);
    ASSERT_EQ(guess, segment);
  }
}

TEST(CoordinateMap, is_monotone_without_samples_and_with_one) {
  std::mt19937_64 random(1);
  expect_monotone({}, random);
  expect_monotone({{1.0, 1.0, 0.0}}, random);
  expect_monotone({{1.0, 2.0, 1.0}}, random);
  expect_monotone({{-1e300, 1e300, 2e300}}, random);
  expect_monotone({{-kLargest, kLargest, kInfinity}}, random);
  expect_monotone({{kTiny, 2 * kTiny, kTiny}}, random);
  expect_monotone({{5.0, 5.0, 0.0}, {5.0, 5.0, 0.0}, {5.0, 5.0, 0.0}}, random);
}

TEST(CoordinateMap, is_monotone_where_neighbouring_doubles_are_knots) {
  std::mt19937_64 random(2);
  std::vector<Sample> samples;
  double x = 1e6;
  for (int i = 0; i < 50; ++i) {
    samples.push_back({x, x, i % 2 == 0 ? 1e-300 : 1e300});
    x = std::nextafter(x, kInfinity);
  }
  expect_monotone(samples, random);
}

TEST(CoordinateMap, is_monotone_for_random_samples_of_any_size) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 300; ++round) {
    const int lowest = round % 3 == 0 ? -1060 : round % 3 == 1 ? -30 : -3;
    const int highest = round % 3 == 0 ? 1023 : round % 3 == 1 ? 40 : 3;
    std::vector<Sample> samples(1 + random() % 60);
    for (Sample& sample : samples) {
      const double a = any_double(random, lowest, highest);
      const double b = random() % 2 == 0 ? any_double(random, lowest, highest)
                                         : a + any_double(random, std::max(lowest, -1060), lowest + 3);
      sample = {std::min(a, b), std::max(a, b), std::abs(any_double(random, lowest, highest))};
    }
    expect_monotone(samples, random, lowest, highest);
    if (HasFatalFailure()) return;
  }
}

/// The smallest extent of mapped samples, in units of the last place of their mapped coordinates.
double worst_resolution(const CoordinateMap& map, const std::vector<Sample>& samples) {
  double worst = kInfinity;
  for (const Sample& sample : samples) {
    const float lo = map(sample.lo);
    const float hi = map(sample.hi);
    const float size = std::max(std::abs(lo), std::abs(hi));
    const double ulp = double{std::nextafter(size, std::numeric_limits<float>::infinity())} - double{size};
    worst = std::min(worst, (double{hi} - double{lo}) / ulp);
  }
  return worst;
}

TEST(CoordinateMap, resolves_an_offset_sheet_with_one_segment) {
  for (const double offset : {0.0, 1e3, 1e6, 1e9, 1e12}) {
    std::vector<Sample> samples;
    for (int i = 0; i < 128; ++i) {
      for (int j = 0; j < 32; ++j) samples.push_back({offset + i / 64.0, offset + (i + 1) / 64.0, 1.0 / 64.0});
    }
    const CoordinateMap map{std::span<const Sample>(samples)};
    EXPECT_EQ(map.segment_count(), 1U);
    EXPECT_GE(worst_resolution(map, samples), 0x1p14) << offset;
  }
}

TEST(CoordinateMap, resolves_sheets_apart_with_three_segments) {
  for (const double distance : {1e3, 1e6, 1e9, 1e12}) {
    std::vector<Sample> samples;
    for (const double at : {-distance / 2, distance / 2}) {
      for (int i = 0; i < 128; ++i) samples.push_back({at + i / 64.0, at + (i + 1) / 64.0, 1.0 / 64.0});
    }
    const CoordinateMap map{std::span<const Sample>(samples)};
    EXPECT_LE(map.segment_count(), 3U);
    EXPECT_GE(worst_resolution(map, samples), 0x1p13) << distance;
  }
}

TEST(CoordinateMap, resolves_sizes_from_1e_minus_6_to_1e6_in_one_scene) {
  std::vector<Sample> samples;
  for (int k = -6; k <= 6; ++k) {
    const double size = std::pow(10.0, k);
    const double at = k < 6 ? 2e6 + 1e5 * k : 0.0;
    for (int i = 0; i < 40; ++i) samples.push_back({at + size * i / 40, at + size * (i + 1) / 40, size / 40});
  }
  const CoordinateMap map{std::span<const Sample>(samples)};
  EXPECT_GE(worst_resolution(map, samples), 0x1p11);
}

TEST(CoordinateMap, has_a_range_that_floats_resolve_to_a_fraction_of_a_feature) {
  // The most samples that are used, each alone, and of sizes that do not merge.
  std::mt19937_64 random(4);
  std::vector<Sample> samples;
  double at = -6e8;
  for (int i = 0; i < 8192; ++i) {
    const double size = std::ldexp(1.0, static_cast<int>(random() % 24) - 14);
    at += 1e5 * (1.0 + static_cast<double>(random() % 1000) / 1000.0);
    samples.push_back({at, at + size, size});
  }
  const CoordinateMap map{std::span<const Sample>(samples)};
  EXPECT_LE(map(samples.back().hi) - map(samples.front().lo), 0x1p19F);
  EXPECT_GE(worst_resolution(map, samples), 32.0);
}

TEST(CoordinateMaps, separate_only_volumes_that_are_separate) {
  // Slabs of one coordinate pair: overlapping in doubles implies overlapping when mapped, for every direction.
  std::mt19937_64 random(5);
  const auto number = [&](double scale) { return scale * (static_cast<double>(random() >> 11U) * 0x1p-52 - 1.0); };
  for (const double offset : {0.0, 1e6, 1e12}) {
    std::vector<Vec3> x;
    std::vector<Triangle> triangles;
    for (VertexId i = 0; i < 100; ++i) {
      const double size = std::pow(10.0, number(5.0));
      const Vec3 middle{offset + number(10.0), offset + number(10.0), offset + number(10.0)};
      for (int k = 0; k < 3; ++k) {
        x.push_back({middle.x + number(size), middle.y + number(size), middle.z + number(size)});
      }
      triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    MotionBounds at{.x_t0 = x, .x_t1 = x, .gap = 0.01};
    const CoordinateMaps maps = make_coordinate_maps(at, triangles, 13);
    ASSERT_EQ(maps.directions.size(), 13U);
    std::vector<Dop26> mapped(x.size());
    make_vertex_volumes(std::span<const Vec3>(x), std::span<const Vec3>(x), at.gap, std::span(mapped), &maps);
    for (std::size_t a = 0; a < x.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const Vec3 d{x[a].x - x[b].x, x[a].y - x[b].y, x[a].z - x[b].z};
        const bool near = d.x * d.x + d.y * d.y + d.z * d.z <= at.gap * at.gap;
        ASSERT_TRUE(!near || mapped[a].overlaps(mapped[b]));
      }
    }
    // Volumes of triangles contain those of their vertices, slab by slab.
    at.maps = &maps;
    const TriangleBounds<Dop26> bounds(at);
    for (const Triangle& t : triangles) {
      const Dop26 whole = triangle_volume<Dop26>(mapped, t);
      const Aabb box({whole.lo[0], whole.lo[1], whole.lo[2]}, {whole.hi[0], whole.hi[1], whole.hi[2]});
      const Dop26 volume = bounds(t, box);
      for (std::size_t k = 0; k < 13; ++k) {
        for (const VertexId v : t) {
          // Both are ends of rounded slabs; they differ by less than their error bounds, about 2^-48 of x.
          std::uint32_t segment = 0;
          const auto& direction = kDopDirections[k];
          const double projection = direction[0] * x[v].x + direction[1] * x[v].y + direction[2] * x[v].z;
          ASSERT_LE(volume.lo[k], maps.directions[k](projection, segment));
          ASSERT_GE(volume.hi[k], maps.directions[k](projection, segment));
        }
      }
    }
  }
}

}  // namespace
}  // namespace graze
