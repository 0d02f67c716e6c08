// Free movement of a small cube at a random place inside a large one: how far it moves in a random direction before
// it touches a wall (ADAPTIVE, sections 8 and 9, Figure 5), by Monte Carlo and by integrals.
//
// The small cube has side 1, the large one side k >= 1, so a corner of the small cube is a point in a cube of side
// k - 1. The unit of length is the side of the small cube. (The paper defines k as the inverse, but its figure
// grows with our k.) In one dimension the direction is left or right.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "research/namespaces.hpp"

namespace graze::papers {

struct FreeMovementOptions {
  std::uint64_t tests = 1'000'000;  ///< > 0
  std::uint64_t seed = 1;
  int dimensions = 3;  ///< 1 or 3
};

struct FreeMovement {
  double mean = 0.0;               ///< mean distance to the wall
  std::vector<double> free_share;  ///< for each given distance: the share of tests that move farther
};

/// Monte Carlo over places and directions. Deterministic: the result does not depend on the number of threads.
FreeMovement simulate_free_movement(double k, std::span<const double> distances,
                                    const FreeMovementOptions& options = {});

/// Expected value of the mean: (k - 1) / 2 in one dimension; in three, (k - 1) times an integral over directions,
/// with a relative error of about 1e-6.
double expected_free_movement(double k, int dimensions);
/// Expected share of tests that move farther than d, in three dimensions.
double expected_free_share(double k, double d);
/// The paper's condition for all directions, a lower bound of the share: ((k - 1 - 2 d) / k)^3, or 0.
double weak_free_share(double k, double d);

}  // namespace graze::papers
