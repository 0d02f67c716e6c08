// How far a small cube, somewhere inside a large one, moves in some direction before it meets a wall: the study of
// ADAPTIVE (sections 8 and 9, Figure 5), by Monte Carlo and by integrals.
//
// The small cube has side 1, the large one side k >= 1: its corner is a point in a cube of side k - 1, and lengths
// are in sides of the small one. (The paper defines k the other way round, but draws what grows with it.) In one
// dimension the direction is left or right.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "research/namespaces.hpp"

namespace graze::research {

struct FreeMovementOptions {
  std::uint64_t tests = 1'000'000;  ///< > 0
  std::uint64_t seed = 1;
  int dimensions = 3;  ///< 1 or 3
};

struct FreeMovement {
  double mean = 0.0;               ///< mean way to the wall
  std::vector<double> free_share;  ///< for each distance asked for: the share that goes farther
};

/// Draws places and directions. The result depends on the options alone, not on the number of threads.
FreeMovement simulate_free_movement(double k, std::span<const double> distances,
                                    const FreeMovementOptions& options = {});

/// What the mean tends to: (k - 1) / 2 in one dimension; in three (k - 1) times an integral over directions, to
/// about 1e-6 of it.
double expected_free_movement(double k, int dimensions);
/// What the share that goes farther than d tends to, in three dimensions.
double expected_free_share(double k, double d);
/// The paper's condition for any direction, a bound from below: ((k - 1 - 2 d) / k)^3, or 0.
double weak_free_share(double k, double d);

}  // namespace graze::research
