// Pieces that detach from graphs, against the connected components, and the number of visited nodes.
#include "mesh/detached_pieces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
namespace {

using Graph = std::vector<std::set<std::uint32_t>>;
using Pieces = std::vector<std::vector<std::uint32_t>>;

auto neighbours_in(const Graph& graph) {
  return [&graph](std::uint32_t node, const auto& visit) {
    for (const std::uint32_t other : graph[node]) visit(other);
  };
}

/// Components that contain a seed, by their smallest node.
Pieces components(const Graph& graph, const std::vector<std::uint32_t>& seeds) {
  Pieces pieces;
  std::set<std::uint32_t> reached;
  for (const std::uint32_t seed : seeds) {
    if (reached.contains(seed)) continue;
    std::vector<std::uint32_t> piece = {seed};
    reached.insert(seed);
    for (std::size_t i = 0; i < piece.size(); ++i) {
      for (const std::uint32_t other : graph[piece[i]]) {
        if (reached.insert(other).second) piece.push_back(other);
      }
    }
    std::sort(piece.begin(), piece.end());
    pieces.push_back(piece);
  }
  std::sort(pieces.begin(), pieces.end());
  return pieces;
}

TEST(DetachedPieces, AreAllComponentsButOne) {
  std::mt19937 random(61);
  std::size_t several = 0;
  for (int round = 0; round < 3000; ++round) {
    SCOPED_TRACE(round);
    Graph graph(2 + random() % 40);
    const std::size_t edge_count = random() % (graph.size() + 5);
    for (std::size_t i = 0; i < edge_count; ++i) {
      const auto a = static_cast<std::uint32_t>(random() % graph.size());
      const auto b = static_cast<std::uint32_t>(random() % graph.size());
      graph[a].insert(b);
      graph[b].insert(a);
    }
    std::vector<std::uint32_t> seeds(random() % 8);
    for (std::uint32_t& seed : seeds) seed = static_cast<std::uint32_t>(random() % graph.size());
    Pieces expected = components(graph, seeds);
    const DetachedPieces found = detached_pieces(seeds, neighbours_in(graph));
    ASSERT_EQ(found.pieces.size() + (expected.empty() ? 0 : 1), expected.size());
    several += found.pieces.size() > 1 ? 1U : 0U;
    if (expected.empty()) continue;
    for (const auto& piece : found.pieces) {
      const auto at = std::find(expected.begin(), expected.end(), piece);
      ASSERT_NE(at, expected.end());
      expected.erase(at);
    }
    ASSERT_TRUE(std::is_sorted(found.pieces.begin(), found.pieces.end()));
    const std::vector<std::uint32_t>& rest = expected.front();
    if (!found.rest_is_largest) continue;
    for (const auto& piece : found.pieces) {
      ASSERT_TRUE(piece.size() < rest.size() || (piece.size() == rest.size() && rest.front() < piece.front()));
    }
  }
  EXPECT_GT(several, 300U);
}

TEST(DetachedPieces, OfALargeMeshCostTheSmallOnes) {
  // A path of a million nodes with one link cut near its end, and an uncut stretch.
  constexpr std::uint32_t kCount = 1'000'000;
  constexpr std::uint32_t kCut = kCount - 50;
  const auto neighbours = [&](std::uint32_t node, const auto& visit) {
    if (node > 0 && node != kCut) visit(node - 1);
    if (node + 1 < kCount && node + 1 != kCut) visit(node + 1);
  };
  const DetachedPieces cut = detached_pieces(std::vector{kCut - 1, kCut}, neighbours);
  ASSERT_EQ(cut.pieces.size(), 1U);
  EXPECT_EQ(cut.pieces[0].size(), 50U);
  EXPECT_EQ(cut.pieces[0].front(), kCut);
  EXPECT_LE(cut.visit_count, 101U);
  const DetachedPieces whole = detached_pieces(std::vector{500U, 520U}, neighbours);
  EXPECT_TRUE(whole.pieces.empty());
  EXPECT_LE(whole.visit_count, 40U);
}

TEST(DetachedPieces, OfOneSeedOrNoneAreNone) {
  const Graph graph(3);
  EXPECT_TRUE(detached_pieces(std::vector<std::uint32_t>{}, neighbours_in(graph)).pieces.empty());
  const DetachedPieces one = detached_pieces(std::vector<std::uint32_t>{2, 2}, neighbours_in(graph));
  EXPECT_TRUE(one.pieces.empty());
  EXPECT_EQ(one.visit_count, 0U);
}

}  // namespace
}  // namespace graze
