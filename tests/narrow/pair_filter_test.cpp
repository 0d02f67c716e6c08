// The SIMD filter against its scalar twin, with every instruction set that this machine supports, and known
// answers.
#include "narrow/kernels/pair_filter.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <span>
#include <vector>

#include "core/simd/targets.hpp"
#include "narrow/kernels/filter_scalar.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
namespace {

// Coordinates that provoke ties, cancellation, overflow, underflow, and ordinary ones.
double coordinate(std::mt19937_64& random, int family) {
  const auto pick = [&](std::uint64_t n) { return static_cast<int>(random() % n); };
  const double uniform = static_cast<double>(random() >> 11) * 0x1p-53;
  switch (family) {
    case 0:
      return 2.0 * uniform - 1.0;
    case 1:
      return pick(5) - 2;
    case 2:
      return std::ldexp(1.0 + uniform, pick(2000) - 1000);
    case 3:
      return 1.0 + pick(9) * 0x1p-52;
    case 4:
      return std::ldexp(uniform - 0.5, -1060 + pick(40));
    default:
      return std::ldexp(uniform - 0.5, 1020 + pick(4));
  }
}

/// Pairs that share no vertices: pair n has 4n to 4n + 3 in some order.
struct Batch {
  std::vector<PairStep> pairs;
  std::vector<VertexPath> paths;
  std::vector<PairVertices> vertices;
};

constexpr std::size_t kPairs = 256;

Batch random_batch(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Batch batch;
  batch.pairs.resize(kPairs);
  batch.paths.resize(4 * kPairs);
  batch.vertices.resize(kPairs);
  for (std::size_t n = 0; n < kPairs; ++n) {
    const int family = static_cast<int>(random() % 6);
    const std::size_t shift = random() % 4;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t v = 4 * n + (i + shift) % 4;
      batch.vertices[n][i] = static_cast<VertexId>(v);
      for (std::size_t e = 0; e < 2; ++e) {
        Vec3 x{coordinate(random, family), coordinate(random, family), coordinate(random, family)};
        // A third of the pairs is lifted, so that every proof has pairs to reject.
        if (random() % 3 == 0) x.z += 0.25;
        (e == 0 ? batch.pairs[n].t0 : batch.pairs[n].t1)[i] = x;
        (e == 0 ? batch.paths[v].t0 : batch.paths[v].t1) = x;
      }
    }
  }
  return batch;
}

std::vector<std::uint16_t> run(FeatureKind kind, const Batch& batch, std::size_t count, double thickness) {
  std::vector<std::uint16_t> survivors(count);
  survivors.resize(
      filter_pairs(kind, batch.paths, std::span(batch.vertices).first(count), thickness, survivors.data()));
  return survivors;
}

std::vector<std::uint16_t> run_scalar(FeatureKind kind, const std::vector<PairStep>& pairs, std::size_t count,
                                      double thickness) {
  std::vector<std::uint16_t> survivors;
  const double gap = filter_gap(thickness);
  for (std::size_t n = 0; n < count; ++n) {
    const auto p = scalar::to_points(pairs[n]);
    const bool apart = kind == FeatureKind::VertexFace ? scalar::never_touch_vf<bool>(p, gap, thickness > 0)
                                                       : scalar::never_touch_ee<bool>(p, gap, thickness > 0);
    if (!apart) survivors.push_back(static_cast<std::uint16_t>(n));
  }
  return survivors;
}

TEST(PairFilter, gives_the_same_survivors_on_every_target_as_its_scalar_twin) {
  const std::vector<std::string> targets = simd_targets();
  ASSERT_FALSE(targets.empty());
  std::size_t kept = 0;
  std::size_t seen = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Batch batch = random_batch(seed);
    for (const FeatureKind kind : {FeatureKind::VertexFace, FeatureKind::EdgeEdge}) {
      for (const double thickness : {0.0, 0.05}) {
        for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{13}, kPairs}) {
          const auto expected = run_scalar(kind, batch.pairs, count, thickness);
          for (const std::string& target : targets) {
            use_simd_target(target);
            ASSERT_EQ(run(kind, batch, count, thickness), expected) << target << ", seed " << seed;
          }
          kept += expected.size();
          seen += count;
        }
      }
    }
  }
  use_simd_target("");
  // Both outcomes are frequent, else the comparison proves nothing.
  EXPECT_GT(kept, seen / 20);
  EXPECT_LT(kept, seen - seen / 20);
}

TEST(PairFilter, names_an_unknown_target) {
  EXPECT_THROW(use_simd_target("abacus"), std::invalid_argument);
}

// A vertex above a triangle that moves down by `fall` along z.
PairStep falling_vertex(double height, double fall) {
  PairStep pair;
  pair.t0 = {Vec3{0.25, 0.25, height}, Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}};
  pair.t1 = pair.t0;
  pair.t1[0].z -= fall;
  return pair;
}

bool rejected(const PairStep& pair, double thickness) {
  return scalar::never_touch_vf<bool>(scalar::to_points(pair), filter_gap(thickness), thickness > 0);
}

TEST(PairFilter, rejects_what_stays_apart_and_keeps_what_touches) {
  EXPECT_TRUE(rejected(falling_vertex(1.0, 0.5), 0.0));
  EXPECT_FALSE(rejected(falling_vertex(1.0, 1.0), 0.0));
  EXPECT_FALSE(rejected(falling_vertex(1.0, 1.5), 0.0));
  EXPECT_TRUE(rejected(falling_vertex(0x1p-1074, 0.0), 0.0));
}

TEST(PairFilter, keeps_pairs_within_thickness) {
  EXPECT_FALSE(rejected(falling_vertex(0.5, 0.0), 0.5));
  EXPECT_TRUE(rejected(falling_vertex(0.5, 0.0), 0.499));
  EXPECT_FALSE(rejected(falling_vertex(0.1, 0.0), 0.1));
}

TEST(PairFilter, rejects_by_the_inside_test_what_crosses_the_plane_beside_the_face) {
  PairStep pair = falling_vertex(1.0, 2.0);
  pair.t0[0].x = pair.t1[0].x = 0.75;  // inside the box of the triangle, beyond its diagonal
  pair.t0[0].y = pair.t1[0].y = 0.75;
  EXPECT_TRUE(rejected(pair, 0.0));
}

}  // namespace
}  // namespace graze
