// Connected components of a mesh, against a naive flood, at several thread counts.
#include "methods/cluster/build/connected_pieces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "core/tasks.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace methods;
namespace {

/// The lowest vertex of each component, by lowering until nothing changes.
std::vector<VertexId> naive_pieces(const std::vector<Triangle>& leaves, std::size_t vertex_count) {
  std::vector<VertexId> lowest(vertex_count);
  std::iota(lowest.begin(), lowest.end(), 0U);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Triangle& leaf : leaves) {
      const VertexId least = std::min({lowest[leaf[0]], lowest[leaf[1]], lowest[leaf[2]]});
      for (const VertexId v : leaf) {
        changed = changed || lowest[v] != least;
        lowest[v] = least;
      }
    }
  }
  return lowest;
}

TEST(ConnectedPieces, AreNamedByTheirLowestVertexOnAnyNumberOfThreads) {
  std::mt19937 random(1);
  for (const std::size_t count : {0U, 1U, 20U, 1000U, 70'000U}) {
    const std::size_t vertex_count = 3 + 2 * count;
    std::vector<Triangle> leaves(count);
    for (Triangle& leaf : leaves) {
      const std::size_t first = random() % (vertex_count - 2);
      leaf = {static_cast<VertexId>(first + 1), static_cast<VertexId>(first),
              static_cast<VertexId>(random() % 50 == 0 ? random() % vertex_count : first + 2)};
    }
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0U);
    const std::vector<VertexId> expected = naive_pieces(leaves, vertex_count);
    for (const unsigned threads : {1U, 2U, 7U}) {
      with_threads(threads, [&] {
        const auto pieces = connected_pieces({.triangles = leaves, .masks = {}}, numbers, vertex_count);
        EXPECT_TRUE(std::equal(pieces.begin(), pieces.end(), expected.begin(), expected.end()));
      });
    }
  }
}

}  // namespace
}  // namespace graze
