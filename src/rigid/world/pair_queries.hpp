// Queries about pairs of objects: candidates of the broad phase, each tested by the trees of its two objects
// (collide), on all threads, with results merged in the order of candidates.
#pragma once

#include <optional>

#include <graze/rigid_world.hpp>

#include "rigid/world/world_state.hpp"

namespace graze::rigid {

/// Which pairs a query is about: all against all, an object against all, or a probe against all. The probe must
/// have been checked.
struct PairScope {
  std::optional<std::uint32_t> slot = {};
  const WorldProbe* probe = nullptr;
};

/// Throws InputError unless the probe has an object of the world's kind of tree and a valid pose.
void check_probe(const WorldState& world, const WorldProbe& probe);

WorldFirstHit find_first_hit(const WorldState& world, const PairScope& scope, const WorldOptions& options);
/// One hit of each pair of objects that intersects.
WorldHits find_hits(const WorldState& world, const PairScope& scope, const WorldOptions& options);
WorldHits find_triangle_pairs(const WorldState& world, const PairScope& scope, const WorldOptions& options);
WorldContacts find_contacts(const WorldState& world, const PairScope& scope, const WorldOptions& options);
ObjectPairs find_box_pairs(const WorldState& world, const PairScope& scope, const WorldOptions& options);

}  // namespace graze::rigid
