// Pairs of posed soups for tests of tree traversals, difficult ones included, and their intersecting triangles by
// brute force.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <graze/rigid.hpp>

#include "rigid/leaf_sink.hpp"
#include "rigid/local_frame.hpp"
#include "rigid/placement.hpp"

namespace graze::rigid::testing {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;

struct Soup {
  std::vector<Vec3> positions;
  std::vector<Triangle> triangles;
};

struct TraversalCase {
  std::string name;
  Soup a;
  Soup b;
  Pose pose_a;
  Pose pose_b;
};

/// Random soups in random poses, some as far from orthonormal as poses may be; degenerate triangles; boxes whose
/// faces, edges or corners touch; coordinates near 1e-300 and 1e300; sizes that differ by 1e12; positions far from
/// the origin.
const std::vector<TraversalCase>& traversal_cases();

/// A closed surface of 8 * 4^levels triangles around the unit ball, rough enough to differ from a ball.
Soup rough_ball(int levels);

using Pairs = std::set<TrianglePair>;
/// The intersecting pairs, by exact tests of all pairs of posed triangles.
Pairs intersecting_pairs(const TraversalCase& traversal_case);
/// The pairs in `pairs` that intersect.
Pairs filter_intersecting(const TraversalCase& traversal_case, const Pairs& pairs);

/// Describes a soup to place(): its local frame and pose, its largest coordinate, and its tree's slack and depth.
Placed place_soup(const Soup& soup, const LocalFrame& local_frame, const Pose& pose, double slack, double steps);

/// The pairs that a traversal puts into its sink; fails if a pair occurs twice.
Pairs pairs_of(const std::function<void(LeafSink&)>& traverse);

}  // namespace graze::rigid::testing
