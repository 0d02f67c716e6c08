// Ground truth for planar tests, a naive reference in rational arithmetic: exact tests always agree with it,
// filtered tests where they decide.
#pragma once

#include "cull/planar_exact.hpp"
#include "cull/planar_pair.hpp"
#include "cull/planar_twin.hpp"
#include "geometry/vec.hpp"
#include "oracle/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace graze::test {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace narrow;
using namespace bvh;
using namespace cull;

using Points = std::array<VertexPath, 4>;

inline PlanarPath planar(const ProjectionAxis& axis, const VertexPath& path) {
  return {project(axis, path.t0), project(axis, path.t1),
          projection_error(std::max(max_abs(path.t0), max_abs(path.t1)))};
}

inline ProjectionAxis rough_axis(oracle::Random& random) {
  const auto q = [&] {
    return random.coin() ? 0.5 * random.between(-2, 2) : std::ldexp(random.between(-1 << 20, 1 << 20), -20);
  };
  return {static_cast<std::uint8_t>(random.below(3)), q(), q()};
}

inline Vec3 grid_point(oracle::Random& random, int size) {
  const auto x = [&] { return static_cast<double>(random.between(-size, size)); };
  return {x(), x(), x()};
}

struct PairTally {
  int touching = 0;
  int apart = 0;
  int doubted = 0;
};

/// Compares all three tests of one set of points with the naive reference.
inline void check_pairs(const ProjectionAxis& axis, const Points& p, PairTally& tally) {
  const std::array twin{twin_project(axis, p[0]), twin_project(axis, p[1]), twin_project(axis, p[2]),
                        twin_project(axis, p[3])};
  const std::array filter{planar(axis, p[0]), planar(axis, p[1]), planar(axis, p[2]), planar(axis, p[3])};
  const auto compare = [&](const char* name, bool truth, bool exact, Touch filtered) {
    EXPECT_EQ(exact, truth) << name;
    if (filtered != Touch::Doubt) {
      EXPECT_EQ(filtered == Touch::Yes, truth) << name << ", filtered";
    }
    ++(truth ? tally.touching : tally.apart);
    tally.doubted += filtered == Touch::Doubt ? 1 : 0;
  };
  compare("vertex and edge", twin_vertex_edge(twin[0], twin[1], twin[2]), exact_vertex_edge(axis, p[0], p[1], p[2]),
          planar_vertex_edge(filter[0], filter[1], filter[2]).touch);
  compare("edge and edge", twin_edge_edge(twin[0], twin[1], twin[2], twin[3]),
          exact_edge_edge(axis, p[0], p[1], p[2], p[3]),
          planar_edge_edge(filter[0], filter[1], filter[2], filter[3]));
  compare("neighbours", twin_neighbours(twin[0], twin[1], twin[2]), exact_neighbours(axis, p[0], p[1], p[2]),
          planar_neighbours(filter[0], filter[1], filter[2]));
}

}  // namespace graze::test
