// Ground truth for contour tests: all pairs of edges in rational arithmetic.
#pragma once

#include "cull/contour.hpp"
#include "cull/contour_loops.hpp"
#include "cull/planar_twin.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <ostream>
#include <vector>

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
using namespace bvh;
using namespace cull;

inline std::ostream& operator<<(std::ostream& out, ContourTest::Answer answer) {
  constexpr std::array kNames{"Simple", "Crossing", "Unknown"};
  return out << kNames[static_cast<std::size_t>(answer)];
}

namespace test {

using Answer = ContourTest::Answer;

inline std::vector<TwinPath> twin_of(const Loop& loop) {
  std::vector<TwinPath> polygon;
  for (const VertexId vertex : loop.vertices) {
    polygon.push_back(twin_project(loop.axis, loop.paths[vertex]));
  }
  return polygon;
}

inline Answer truth_of(const Loop& loop) {
  return twin_is_simple(twin_of(loop)) ? Answer::Simple : Answer::Crossing;
}

/// The index of the directed edge in the loop; the loop's size if it is not in the loop.
inline std::size_t place_of(const Loop& loop, const std::array<VertexId, 2>& edge) {
  const std::size_t n = loop.vertices.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (loop.vertices[i] == edge[0] && loop.vertices[(i + 1) % n] == edge[1]) {
      return i;
    }
  }
  return n;
}

/// The answer of the contour test, after checking that edges reported as touching do touch.
inline Answer answer_of(ContourTest& contour, const Loop& loop) {
  contour.start(loop.paths, loop.axis);
  const Answer answer = contour.test(loop.vertices);
  if (answer == Answer::Crossing) {
    const std::size_t i = place_of(loop, contour.crossing().a);
    const std::size_t j = place_of(loop, contour.crossing().b);
    EXPECT_LT(std::max(i, j), loop.vertices.size());
    EXPECT_TRUE(twin_edges_touch(twin_of(loop), i, j));
  }
  return answer;
}

struct Tally {
  int simple = 0;
  int crossing = 0;

  void add(Answer answer) {
    simple += answer == Answer::Simple ? 1 : 0;
    crossing += answer == Answer::Crossing ? 1 : 0;
  }
};

}  // namespace test

}  // namespace graze
