// The SIMD box tests of feature pairs against plain ones, for every instruction set that this machine supports.
#include "cull/box_pairs.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "core/simd/targets.hpp"
#include "mesh/features.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
using namespace bvh;
using namespace cull;
namespace {

constexpr std::size_t kCount = 300;

/// Boxes on a coarse grid, so that many just touch; some are infinite, some are points.
Aabb random_box(std::mt19937_64& random) {
  Aabb box;
  for (std::size_t k = 0; k < 3; ++k) {
    box.lo[k] = static_cast<float>(random() % 8) - 4.0F;
    box.hi[k] = box.lo[k] + static_cast<float>(random() % 3);
    if (random() % 50 == 0) box.hi[k] = std::numeric_limits<float>::infinity();
    if (random() % 50 == 0) box.lo[k] = -std::numeric_limits<float>::infinity();
  }
  return box;
}

std::vector<IndexPair> random_pairs(std::mt19937_64& random) {
  std::vector<IndexPair> pairs(2000);
  for (IndexPair& pair : pairs) {
    pair = {static_cast<std::uint32_t>(random() % kCount), static_cast<std::uint32_t>(random() % kCount)};
  }
  return pairs;
}

TEST(BoxPairs, KeepTheSameEdgesOnEveryTargetAsPlainTests) {
  std::mt19937_64 random(1);
  std::vector<PackedBox> edges(kCount);
  std::vector<Aabb> boxes(kCount);
  for (std::size_t e = 0; e < kCount; ++e) {
    boxes[e] = random_box(random);
    edges[e].set(boxes[e]);
    edges[e].first = static_cast<std::uint32_t>(random() % 60);
    edges[e].second = edges[e].first + 1 + static_cast<std::uint32_t>(random() % 9);
    if (e % 7 == 0) edges[e].second = 0x7fc00000U;  // an id that is a NaN as a float
    EXPECT_EQ(edges[e].box(), boxes[e]);
  }
  const std::vector<IndexPair> pairs = random_pairs(random);
  std::vector<PairVertices> expected;
  for (const IndexPair& pair : pairs) {
    const bool in_order = edges[pair.a].first < edges[pair.b].first;
    const PackedBox& a = edges[in_order ? pair.a : pair.b];
    const PackedBox& b = edges[in_order ? pair.b : pair.a];
    EXPECT_EQ(a.overlaps(b), boxes[pair.a].overlaps(boxes[pair.b]));
    if (incident(Edge{a.first, a.second}, Edge{b.first, b.second}) || !boxes[pair.a].overlaps(boxes[pair.b]))
      continue;
    expected.push_back({a.first, a.second, b.first, b.second});
  }
  ASSERT_GT(expected.size(), 50U);
  ASSERT_LT(expected.size(), 1500U);
  for (const std::string& target : simd_targets()) {
    use_simd_target(target);
    std::vector<PairVertices> kept(pairs.size() + 1);
    kept.resize(overlapping_edges(edges, pairs, kept.data()));
    EXPECT_EQ(kept, expected) << target;
    std::vector<PairVertices> again(pairs.size() + 1);
    std::vector<std::uint16_t> places(pairs.size() + 1);
    again.resize(overlapping_edges(edges, pairs, again.data(), places.data()));
    EXPECT_EQ(again, expected) << target;
    for (std::size_t i = 0; i < again.size(); ++i) {
      const IndexPair& pair = pairs[places[i]];
      ASSERT_TRUE(i == 0 || places[i - 1] < places[i]);
      ASSERT_EQ(std::minmax(again[i][0], again[i][2]), std::minmax(edges[pair.a].first, edges[pair.b].first));
    }
  }
  use_simd_target("");
}

TEST(BoxPairs, KeepTheSameVertexFacesOnEveryTargetAsPlainTests) {
  std::mt19937_64 random(2);
  std::vector<PackedBox> vertices(kCount);
  std::vector<Leaf> leaves(kCount);
  std::vector<Aabb> vertex_boxes(kCount);
  std::vector<Aabb> leaf_boxes(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    vertex_boxes[i] = random_box(random);
    leaf_boxes[i] = random_box(random);
    vertices[i].set(vertex_boxes[i]);
    leaves[i].box.set(leaf_boxes[i]);
    for (VertexId& v : leaves[i].vertices) v = static_cast<VertexId>(random() % kCount);
  }
  const std::vector<IndexPair> pairs = random_pairs(random);
  std::vector<std::array<std::uint32_t, 2>> expected;
  for (const IndexPair& pair : pairs) {
    if (incident(pair.a, leaves[pair.b].vertices) || !vertex_boxes[pair.a].overlaps(leaf_boxes[pair.b])) continue;
    expected.push_back({pair.a, pair.b});
  }
  ASSERT_GT(expected.size(), 50U);
  for (const std::string& target : simd_targets()) {
    use_simd_target(target);
    std::vector<IndexPair> kept(pairs.size() + 1);
    kept.resize(overlapping_vertex_faces(vertices, leaves, pairs, kept.data()));
    std::vector<std::array<std::uint32_t, 2>> actual;
    actual.reserve(kept.size());
    for (const IndexPair& pair : kept) actual.push_back({pair.a, pair.b});
    EXPECT_EQ(actual, expected) << target;
  }
  use_simd_target("");
}

}  // namespace
}  // namespace graze
