// Queries about the pairs of objects within a distance. See the header.
#include "rigid/world/proximity_queries.hpp"

#include <cmath>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "rigid/distance/search.hpp"
#include "rigid/world/test_candidates.hpp"

namespace graze::rigid {

namespace {

ProximitySide side_of(const PairSide& side) {
  return {side.state, side.state.distance_data.tree(side.state), side.pose};
}

/// Candidates within d. Builds the hierarchies that they need, which tests on several threads would wait for.
Candidates candidates_within(const PairQuery& query, double d) {
  Candidates candidates = query.candidates_within(d);
  for (const Candidate& pair : candidates.pairs) {
    side_of(query.side(pair.a));
    side_of(query.side(pair.b));
  }
  return candidates;
}

}  // namespace

void check_distance(double d, std::string_view function) {
  if (!(d >= 0.0 && std::isfinite(d)))
    throw InputError(fmt::format("{}: the distance {} is not a finite number >= 0", function, d));
}

WorldHits find_within(const WorldState& world, const PairScope& scope, double d, const WorldOptions& options) {
  WorldHits result;
  on_threads(scope, options, [&] {
    const PairQuery query(world, scope, options);
    test_candidates(query, candidates_within(query, d), false, world.proximity_work(), result.hits, result.stats,
                    [&](const PairSide& a, const PairSide& b, ProximityWork& work, std::vector<WorldHit>& hits,
                        RigidStats& stats) {
                      const WithinDistance within = search_within(side_of(a), side_of(b), d, std::nullopt, work);
                      stats += within.stats;
                      if (within.pair) hits.push_back({a.id, b.id, *within.pair});
                    });
  });
  return result;
}

WorldProximities find_proximities(const WorldState& world, const PairScope& scope, double d,
                                  const WorldOptions& options) {
  WorldProximities result;
  on_threads(scope, options, [&] {
    const PairQuery query(world, scope, options);
    test_candidates(
        query, candidates_within(query, d), false, world.proximity_work(), result.proximities, result.stats,
        [&](const PairSide& a, const PairSide& b, ProximityWork& work, std::vector<WorldProximity>& proximities,
            RigidStats& stats) {
          const ProximitySide side_a = side_of(a);
          const ProximitySide side_b = side_of(b);
          const auto never = [](const TrianglePair&) { return false; };
          for (const TrianglePair& pair : sorted_pairs(search_pairs(side_a, side_b, d, work, stats, never)))
            proximities.push_back({a.id, b.id, proximity_of(side_a, side_b, pair)});
        });
  });
  return result;
}

}  // namespace graze::rigid
