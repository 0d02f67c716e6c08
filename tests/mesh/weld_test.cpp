// Welding keeps the corners of every triangle bit for bit, and keeps no duplicate or unused vertex.
#include "mesh/weld.hpp"

#include <bit>
#include <cstdint>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "oracle/random.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
namespace {

using Bits = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

Bits bits_of(const Vec3& x) {
  return {std::bit_cast<std::uint64_t>(x.x), std::bit_cast<std::uint64_t>(x.y), std::bit_cast<std::uint64_t>(x.z)};
}

TEST(Weld, MakesOneOfEqualVerticesAndDropsUnusedOnes) {
  std::vector<Vec3> positions{{9, 9, 9}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  std::vector<Triangle> triangles{{1, 2, 3}, {4, 5, 6}};
  weld(positions, triangles);
  EXPECT_EQ(positions, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}));
  EXPECT_EQ(triangles, (std::vector<Triangle>{{0, 1, 2}, {1, 2, 3}}));
}

TEST(Weld, KeepsZerosOfBothSignsApart) {
  std::vector<Vec3> positions{{0.0, 0, 0}, {-0.0, 0, 0}, {1, 0, 0}};
  std::vector<Triangle> triangles{{0, 1, 2}};
  weld(positions, triangles);
  EXPECT_EQ(positions.size(), 3U);
}

TEST(Weld, KeepsTheCornersOfRandomSoups) {
  oracle::Random random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<Vec3> positions(1 + random.below(60));
    for (Vec3& x : positions)
      x = {static_cast<double>(random.below(3)), static_cast<double>(random.below(3)), 0.25};
    std::vector<Triangle> triangles(random.below(40));
    for (Triangle& triangle : triangles) {
      for (VertexId& v : triangle)
        v = static_cast<VertexId>(random.below(static_cast<std::uint32_t>(positions.size())));
    }
    std::vector<Vec3> welded = positions;
    std::vector<Triangle> renumbered = triangles;
    weld(welded, renumbered);

    std::set<Bits> used;
    ASSERT_EQ(renumbered.size(), triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      for (std::size_t k = 0; k < 3; ++k) {
        ASSERT_LT(renumbered[t][k], welded.size());
        EXPECT_EQ(bits_of(welded[renumbered[t][k]]), bits_of(positions[triangles[t][k]]));
        used.insert(bits_of(positions[triangles[t][k]]));
      }
    }
    EXPECT_EQ(welded.size(), used.size());
  }
}

}  // namespace
}  // namespace graze
