// Queries about the pairs of objects that intersect. See the header.
#include "rigid/world/pair_queries.hpp"

#include <algorithm>

#include "narrow/triangle_contact.hpp"
#include "rigid/collide.hpp"
#include "rigid/world/test_candidates.hpp"

namespace graze::rigid {

namespace {

RigidSearch search_of(const WorldOptions& options, bool first) {
  return {.overlap = options.collider.overlap, .lift = options.collider.lift, .first = first};
}

WorldHits hits_of(const WorldState& world, const PairScope& scope, const WorldOptions& options, bool first_pair,
                  bool first_triangles) {
  WorldHits result;
  const RigidSearch search = search_of(options, first_triangles);
  on_threads(scope, options, [&] {
    const PairQuery query(world, scope, options);
    test_candidates(
        query, query.candidates(), first_pair, world.work(), result.hits, result.stats,
        [&](const PairSide& a, const PairSide& b, RigidWork& work, std::vector<WorldHit>& hits, RigidStats& stats) {
          stats += collide({a.state, b.state, a.pose, b.pose}, search, work).stats;
          const auto before = static_cast<std::ptrdiff_t>(hits.size());
          for (const TrianglePair& pair : work.found) hits.push_back({a.id, b.id, pair});
          std::sort(hits.begin() + before, hits.end());
        });
  });
  return result;
}

}  // namespace

WorldFirstHit find_first_hit(const WorldState& world, const PairScope& scope, const WorldOptions& options) {
  const WorldHits hits = hits_of(world, scope, options, true, true);
  WorldFirstHit result;
  if (!hits.hits.empty()) result.first = hits.hits.front();
  result.stats = hits.stats;
  return result;
}

WorldHits find_hits(const WorldState& world, const PairScope& scope, const WorldOptions& options) {
  return hits_of(world, scope, options, false, true);
}

WorldHits find_triangle_pairs(const WorldState& world, const PairScope& scope, const WorldOptions& options) {
  return hits_of(world, scope, options, false, false);
}

WorldContacts find_contacts(const WorldState& world, const PairScope& scope, const WorldOptions& options) {
  WorldContacts result;
  const RigidSearch search = search_of(options, false);
  on_threads(scope, options, [&] {
    const PairQuery query(world, scope, options);
    test_candidates(query, query.candidates(), false, world.work(), result.contacts, result.stats,
                    [&](const PairSide& a, const PairSide& b, RigidWork& work, std::vector<WorldContact>& contacts,
                        RigidStats& stats) {
                      stats += collide({a.state, b.state, a.pose, b.pose}, search, work).stats;
                      for (const TrianglePair& pair : sorted_pairs(work.found)) {
                        bool exact = false;
                        const narrow::TriangleContact contact =
                            narrow::triangle_contact(posed_triangle(a.state, a.pose, pair.a),
                                                     posed_triangle(b.state, b.pose, pair.b), exact);
                        contacts.push_back({a.id, b.id, {pair, contact.shape, contact.p, contact.q}});
                      }
                    });
  });
  return result;
}

ObjectPairs find_box_pairs(const WorldState& world, const PairScope& scope, const WorldOptions& options) {
  ObjectPairs result;
  on_threads(scope, options, [&] {
    const PairQuery query(world, scope, options);
    QueryProgress progress(options.progress, 1);
    progress.report();
    const Candidates candidates = query.candidates();
    result.stats.box_tests = candidates.box_tests;
    result.stats.object_pairs = candidates.pairs.size();
    result.pairs.reserve(candidates.pairs.size());
    for (const Candidate& pair : candidates.pairs)
      result.pairs.push_back({query.side(pair.a).id, query.side(pair.b).id});
    progress.go_on();
    progress.report();
  });
  return result;
}

}  // namespace graze::rigid
