// Pairs of posed soups for walks of trees, hard ones among them, and which of their triangles meet by brute force.
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

struct WalkCase {
  std::string name;
  Soup a;
  Soup b;
  Pose pose_a;
  Pose pose_b;
};

/// Random soups in random poses, some off orthonormal as far as poses may be; degenerate triangles; boxes whose
/// faces, edges or corners touch; coordinates near 1e-300 and 1e300; sizes that differ by 1e12; far from the
/// origin.
const std::vector<WalkCase>& walk_cases();

/// A closed surface of 8 * 4^levels triangles about the unit ball, rough enough to be no ball.
Soup rough_ball(int levels);

using Pairs = std::set<TrianglePair>;
/// By exact tests of all pairs of posed triangles.
Pairs pairs_that_meet(const WalkCase& walk_case);
/// Those of `pairs` that meet.
Pairs those_that_meet(const WalkCase& walk_case, const Pairs& pairs);

/// `object` without its pose, slack and steps.
Placed place_soup(const Soup& soup, const Frame& frame, const Pose& pose, double slack, double steps);

/// What a walk puts into a sink; fails for a pair that comes twice.
Pairs pairs_of(const std::function<void(LeafSink&)>& walk);

}  // namespace graze::rigid::testing
