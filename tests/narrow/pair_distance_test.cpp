// Lower bounds of distances against exact arithmetic, known answers, and the scalar twin with every instruction set
// that this machine supports.
#include "narrow/kernels/pair_distance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/simd/targets.hpp"
#include "narrow/kernels/distance_scalar.hpp"
#include "oracle/discrete.hpp"
#include "oracle/random.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
namespace {

using oracle::Random;
using Points4 = std::array<Vec3, 4>;

constexpr std::array kKinds{FeatureKind::VertexFace, FeatureKind::EdgeEdge};
constexpr double kTightness = 0x1p-20;

Vec3 operator+(const Vec3& a, const Vec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
Vec3 operator-(const Vec3& a, const Vec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Vec3 operator*(double s, const Vec3& a) {
  return {s * a.x, s * a.y, s * a.z};
}

Vec3 in_cube(Random& random) {
  return {random.symmetric(), random.symmetric(), random.symmetric()};
}

enum class Family {
  Ordinary,
  Grid,
  NearGrid,
  Flat,      // faces without area, parallel edges
  Point,     // edges and faces that are points
  Touching,  // touching up to rounding
  Close,     // above the interior, at distances down to zero
  FarFromOrigin,
  FarApart,  // small features, a large distance
  Tiny,      // one small scale for all, down to denormals
  Huge,
  AnyScale,  // a different magnitude for each coordinate
};
constexpr std::array kFamilies{Family::Ordinary, Family::Grid,     Family::NearGrid, Family::Flat,
                               Family::Point,    Family::Touching, Family::Close,    Family::FarFromOrigin,
                               Family::FarApart, Family::Tiny,     Family::Huge,     Family::AnyScale};

Points4 make_points(Random& random, Family family) {
  Points4 p;
  for (Vec3& x : p) x = in_cube(random);
  const auto scaled = [&p](double s) {
    for (Vec3& x : p) x = s * x;
  };
  const auto grid = [&random] { return static_cast<double>(random.between(-2, 2)); };
  const double s = random.unit();
  const double t = (1 - s) * random.unit();
  switch (family) {
    case Family::Ordinary:
      break;
    case Family::Grid:
      for (Vec3& x : p) x = {grid(), grid(), grid()};
      break;
    case Family::NearGrid:
      for (Vec3& x : p) x = Vec3{grid(), grid(), grid()} + 0x1p-52 * Vec3{grid(), grid(), grid()};
      break;
    case Family::Flat:
      p[3] = random.coin() ? p[1] + (3 * s - 1) * (p[2] - p[1]) : p[2] + (3 * s - 1) * (p[1] - p[0]);
      break;
    case Family::Point:
      p[3] = p[2];
      if (random.coin()) p[1] = random.coin() ? p[2] : p[0];
      break;
    case Family::Touching:
    case Family::Close: {
      const Vec3 lift =
          family == Family::Touching ? Vec3{} : std::ldexp(1.0, -random.between(0, 60)) * in_cube(random);
      if (random.coin()) {
        p[0] = p[1] + s * (p[2] - p[1]) + t * (p[3] - p[1]) + lift;
      } else {
        p[0] = p[2] + s * (p[3] - p[2]) - t * (p[1] - p[0]) + lift;
      }
      break;
    }
    case Family::FarFromOrigin: {
      const Vec3 far = std::ldexp(1.0, random.between(10, 50)) * in_cube(random);
      for (Vec3& x : p) x = x + far;
      break;
    }
    case Family::FarApart: {
      const Vec3 far = std::ldexp(1.0, random.between(1, 40)) * in_cube(random);
      p[0] = p[0] + far;
      if (random.coin()) p[1] = p[1] + far;
      break;
    }
    case Family::Tiny:
      scaled(std::ldexp(1.0, -random.between(100, 1070)));
      break;
    case Family::Huge:
      scaled(std::ldexp(1.0, random.between(100, 996)));
      break;
    case Family::AnyScale:
      for (Vec3& x : p) {
        for (double* c : {&x.x, &x.y, &x.z}) *c = std::ldexp(*c, random.between(-996, 996) / random.between(1, 8));
      }
      break;
  }
  return p;
}

std::vector<float> run(FeatureKind kind, const std::vector<Points4>& all) {
  std::vector<ReferencePoint> reference_points;
  std::vector<PairVertices> pairs;
  for (const Points4& p : all) {
    PairVertices pair{};
    for (std::size_t i = 0; i < 4; ++i) {
      pair[i] = static_cast<VertexId>(reference_points.size());
      reference_points.push_back({.x = p[i], .displacement_bound = std::numeric_limits<float>::quiet_NaN()});
    }
    pairs.push_back(pair);
  }
  std::vector<float> bounds(pairs.size(), -1.0F);
  pair_distances(kind, reference_points, pairs, bounds.data());
  return bounds;
}

float run_one(FeatureKind kind, const Points4& p) {
  return run(kind, {p})[0];
}

oracle::Dyadic square(double value) {
  const oracle::Dyadic d = oracle::dyadic_from(value);
  return d * d;
}

/// Largest coordinate difference within a feature.
double size_of(FeatureKind kind, const Points4& p) {
  const auto longest = [](const Vec3& d) { return std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)}); };
  return kind == FeatureKind::VertexFace ? std::max(longest(p[2] - p[1]), longest(p[3] - p[1]))
                                         : std::max(longest(p[1] - p[0]), longest(p[3] - p[2]));
}

std::string describe(FeatureKind kind, Family family, std::uint64_t index) {
  return "kind " + std::to_string(static_cast<int>(kind)) + ", family " + std::to_string(static_cast<int>(family)) +
         ", pair " + std::to_string(index);
}

std::vector<Points4> make_all(Family family, std::uint64_t count) {
  std::vector<Points4> all;
  all.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    Random random(1 + static_cast<std::uint64_t>(family), i);
    all.push_back(make_points(random, family));
  }
  return all;
}

TEST(PairDistance, is_never_above_the_exact_distance) {
  for (const Family family : kFamilies) {
    const std::vector<Points4> all = make_all(family, family == Family::AnyScale ? 2000 : 10000);
    for (const FeatureKind kind : kKinds) {
      const std::vector<float> bounds = run(kind, all);
      for (std::size_t i = 0; i < all.size(); ++i) {
        const float bound = bounds[i];
        ASSERT_TRUE(bound == 0.0F || (bound >= std::numeric_limits<float>::min() && std::isfinite(bound)))
            << bound << ' ' << describe(kind, family, i);
        if (bound == 0.0F) continue;
        ASSERT_GE(compare(oracle::distance2_fraction(kind, all[i]), square(bound)), 0)
            << bound << ' ' << describe(kind, family, i);
      }
    }
  }
}

TEST(PairDistance, is_tight_for_ordinary_and_degenerate_shapes) {
  for (const Family family : {Family::Ordinary, Family::Grid, Family::NearGrid, Family::Flat, Family::Point,
                              Family::Close, Family::FarFromOrigin, Family::FarApart}) {
    const std::vector<Points4> all = make_all(family, 1000);
    for (const FeatureKind kind : kKinds) {
      const std::vector<float> bounds = run(kind, all);
      for (std::size_t i = 0; i < all.size(); ++i) {
        const double distance = oracle::sqrt_down(oracle::distance2_fraction(kind, all[i]));
        const double slack = kTightness * std::max(distance, size_of(kind, all[i]));
        ASSERT_GE(bounds[i], distance - slack) << describe(kind, family, i);
      }
    }
  }
}

TEST(PairDistance, keeps_its_digits_above_the_inside_however_close) {
  // Along the normal nothing cancels: the bound loses only its error bound, 2^-49 of some coordinates.
  for (const double h : {1.0, 1e-3, 1e-6, 1e-9}) {
    const float vf = run_one(FeatureKind::VertexFace, {{{0.3, 0.3, h}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}});
    const float ee = run_one(FeatureKind::EdgeEdge, {{{-1, 0.1, h}, {1, 0.1, h}, {0.2, -1, 0}, {0.2, 1, 0}}});
    for (const float bound : {vf, ee}) {
      EXPECT_LE(bound, h);
      EXPECT_GE(bound, h * (1 - 0x1p-22) - 6 * 0x1p-48);
    }
  }
}

TEST(PairDistance, knows_every_region) {
  const auto expect_five = [](FeatureKind kind, const Points4& p, const char* what) {
    const float bound = run_one(kind, p);
    EXPECT_LE(bound, 5.0F) << what;
    EXPECT_GE(bound, 5.0F * (1 - 0x1p-22F)) << what;
  };
  const auto face = [&](const Vec3& v, const char* what) {
    expect_five(FeatureKind::VertexFace, {v, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, what);
  };
  face({1, 1, 5}, "above the inside");
  face({1, 1, -5}, "below the inside");
  face({-3, -4, 0}, "first corner");
  face({7, 0, 4}, "second corner");
  face({0, 8, -3}, "third corner");
  face({2, -3, 4}, "first side");
  face({-4, 1, 3}, "second side");
  expect_five(FeatureKind::VertexFace, {{{4, 1, 3}, {-9, 0, 0}, {0, -2, 0}, {0, 2, 0}}}, "third side");
  const auto edges = [&](const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1, const char* what) {
    expect_five(FeatureKind::EdgeEdge, {a0, a1, b0, b1}, what);
    expect_five(FeatureKind::EdgeEdge, {b1, b0, a0, a1}, what);
  };
  edges({-1, 0, 0}, {1, 0, 0}, {0, -1, 5}, {0, 1, 5}, "crossing");
  edges({0, 0, 0}, {4, 0, 0}, {1, 3, 4}, {9, 3, 4}, "parallel, side by side");
  edges({0, 0, 0}, {1, 0, 0}, {4, 4, 0}, {9, 4, 0}, "parallel, one after the other");
  edges({0, 0, 0}, {1, 0, 0}, {6, 0, 0}, {9, 0, 0}, "on one line");
  edges({-2, 0, 0}, {2, 0, 0}, {0, 3, 4}, {0, 6, 8}, "an end above an inside");
  edges({0, 0, 0}, {0, 0, 0}, {3, -9, 4}, {3, 9, 4}, "a point and an edge");
  edges({0, 0, 0}, {0, 0, 0}, {3, 0, 4}, {3, 0, 4}, "two points");
  expect_five(FeatureKind::VertexFace, {{{3, 4, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}, "a face that is a point");
  expect_five(FeatureKind::VertexFace, {{{3, 4, 1}, {0, 0, 0}, {0, 0, 7}, {0, 0, 2}}}, "a face that is a line");
}

TEST(PairDistance, does_not_depend_much_on_the_order_of_vertices) {
  for (const Points4& p : make_all(Family::Ordinary, 300)) {
    const auto same = [&](FeatureKind kind, const Points4& q) {
      const double slack = 4 * kTightness * 4.0;  // features in a cube of side 2, distances below 4
      EXPECT_NEAR(run_one(kind, p), run_one(kind, q), slack);
    };
    same(FeatureKind::VertexFace, {p[0], p[2], p[3], p[1]});
    same(FeatureKind::VertexFace, {p[0], p[2], p[1], p[3]});
    same(FeatureKind::EdgeEdge, {p[1], p[0], p[2], p[3]});
    same(FeatureKind::EdgeEdge, {p[2], p[3], p[0], p[1]});
  }
}

TEST(PairDistance, scales_with_powers_of_two) {
  for (const Family family : {Family::Ordinary, Family::Flat, Family::Point, Family::FarApart}) {
    for (const Points4& p : make_all(family, 200)) {
      for (const FeatureKind kind : kKinds) {
        const float bound = run_one(kind, p);
        for (const int e : {-100, -3, 1, 80}) {
          Points4 q = p;
          for (Vec3& x : q) x = std::ldexp(1.0, e) * x;
          EXPECT_EQ(run_one(kind, q), std::ldexp(bound, e));
        }
      }
    }
  }
}

TEST(PairDistance, is_the_greatest_float_or_nothing_beyond_it) {
  const auto apart = [](double d) {
    return run_one(FeatureKind::VertexFace, {{{0, 0, d}, {0, 0, 0}, {d, 0, 0}, {0, d, 0}}});
  };
  EXPECT_EQ(apart(1e39), std::numeric_limits<float>::max());
  EXPECT_EQ(apart(1e44), std::numeric_limits<float>::max());
  EXPECT_EQ(apart(1e46), 0.0F);
  EXPECT_EQ(apart(1e300), 0.0F);
  EXPECT_EQ(apart(1e308), 0.0F);
}

TEST(PairDistance, is_nothing_below_the_least_normal_float) {
  const auto apart = [](double d) {
    return run_one(FeatureKind::EdgeEdge, {{{0, 0, d}, {d, 0, d}, {0, 0, 0}, {0, d, 0}}});
  };
  EXPECT_GT(apart(0x1.01p-126), 0.0F);
  EXPECT_EQ(apart(0x1p-126), 0.0F);
  EXPECT_EQ(apart(0x1p-130), 0.0F);
  EXPECT_EQ(apart(1e-300), 0.0F);
  EXPECT_EQ(apart(5e-324), 0.0F);
}

TEST(PairDistance, is_nothing_where_a_coordinate_is_no_number) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()}) {
    for (std::size_t i = 0; i < 4; ++i) {
      for (const FeatureKind kind : kKinds) {
        for (double Vec3::*c : {&Vec3::x, &Vec3::y, &Vec3::z}) {
          Points4 p{{{0, 0, 9}, {1, 1, 0}, {2, 0, 1}, {0, 2, 0}}};
          p[i].*c = bad;
          EXPECT_EQ(run_one(kind, p), 0.0F);
        }
      }
    }
  }
}

TEST(PairDistance, takes_vertices_in_any_order_of_a_shared_array_and_writes_no_more_than_asked) {
  Random random(7);
  std::vector<ReferencePoint> reference_points(40);
  for (ReferencePoint& h : reference_points) h.x = in_cube(random);
  std::vector<PairVertices> pairs(1000);
  for (PairVertices& pair : pairs) {
    for (VertexId& v : pair) v = random.below(40);
  }
  for (const FeatureKind kind : kKinds) {
    for (const std::size_t count : {0U, 1U, 2U, 7U, 8U, 9U, 31U, 1000U}) {
      std::vector<float> bounds(count + 8, -7.0F);
      pair_distances(kind, reference_points, std::span(pairs).first(count), bounds.data());
      for (std::size_t i = 0; i < bounds.size(); ++i) {
        float expected = -7.0F;
        if (i < count) {
          const PairVertices& v = pairs[i];
          expected = scalar::distance_bound(kind, {reference_points[v[0]].x, reference_points[v[1]].x,
                                                   reference_points[v[2]].x, reference_points[v[3]].x});
        }
        ASSERT_EQ(bounds[i], expected) << i << " of " << count;
      }
    }
  }
}

TEST(PairDistance, gives_the_same_bits_on_every_target_as_its_scalar_twin) {
  const std::vector<std::string> targets = simd_targets();
  ASSERT_FALSE(targets.empty());
  std::size_t positive = 0;
  for (const Family family : kFamilies) {
    const std::vector<Points4> all = make_all(family, 3001);
    for (const FeatureKind kind : kKinds) {
      for (const std::string& target : targets) {
        use_simd_target(target);
        const std::vector<float> bounds = run(kind, all);
        for (std::size_t i = 0; i < all.size(); ++i) {
          ASSERT_EQ(std::bit_cast<std::uint32_t>(bounds[i]),
                    std::bit_cast<std::uint32_t>(scalar::distance_bound(kind, all[i])))
              << target << ", " << describe(kind, family, i);
          positive += static_cast<std::size_t>(bounds[i] > 0.0F);
        }
      }
    }
  }
  use_simd_target("");
  EXPECT_GT(positive, targets.size() * kFamilies.size() * 3001);  // more than half
}

}  // namespace
}  // namespace graze
