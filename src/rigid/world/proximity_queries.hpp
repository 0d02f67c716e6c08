// Queries about the pairs of objects within a distance: candidates whose boxes are within it, each decided by the
// search of rigid/distance.
#pragma once

#include <string_view>

#include <graze/rigid_world.hpp>

#include "rigid/world/candidates.hpp"

namespace graze::rigid {

/// Throws InputError, with the name of the function, unless d is finite and >= 0.
void check_distance(double d, std::string_view function);

/// One pair of triangles within d of each pair of objects within d.
WorldHits find_within(const WorldState& world, const PairScope& scope, double d, const WorldOptions& options);
/// All pairs of triangles within d.
WorldProximities find_proximities(const WorldState& world, const PairScope& scope, double d,
                                  const WorldOptions& options);

}  // namespace graze::rigid
