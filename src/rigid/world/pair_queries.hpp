// Queries about the pairs of objects that intersect: candidates of the broad phase, each tested by the trees of its
// two objects (collide).
#pragma once

#include <graze/rigid_world.hpp>

#include "rigid/world/candidates.hpp"

namespace graze::rigid {

WorldFirstHit find_first_hit(const WorldState& world, const PairScope& scope, const WorldOptions& options);
/// One hit of each pair of objects that intersects.
WorldHits find_hits(const WorldState& world, const PairScope& scope, const WorldOptions& options);
WorldHits find_triangle_pairs(const WorldState& world, const PairScope& scope, const WorldOptions& options);
WorldContacts find_contacts(const WorldState& world, const PairScope& scope, const WorldOptions& options);
ObjectPairs find_box_pairs(const WorldState& world, const PairScope& scope, const WorldOptions& options);

}  // namespace graze::rigid
