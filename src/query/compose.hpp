// What methods are put together from: the stages of a query, and the loop that puts pairs off to a later stage.
// compose_method() itself is by what brings pairs of leaves: methods/bvh/bvh_compose.hpp,
// methods/hash/hash_compose.hpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/leaf_features.hpp"
#include "query/leaf_pair_source.hpp"

namespace graze::query {

/// Whether a method tests a feature pair as often as triangles bring it, instead of once.
inline bool may_repeat_tests(const DetectorOptions& options) {
  const HashOptions& hash = options.hash;
  return options.method == Method::Basic ||
         (options.method == Method::Hash &&
          (!hash.representatives || hash.neighbours == NeighbourTest::LossyNormals));
}

/// The stages of a query that may have to look at static bodies first: options of that, and of the rest.
struct StaticStages {
  StaticStages(const DetectorQuery& query, bool static_first)
      : first(stage_options(query.options, 0.0, kShare)),
        rest(stage_options(query.options, static_first ? kShare : 0.0, 1.0)),
        static_query{query.scene, query.filter, first},
        moving_query{query.scene, query.filter, rest} {}
  StaticStages(const StaticStages&) = delete;  // the queries refer to the options
  StaticStages& operator=(const StaticStages&) = delete;

  static constexpr double kShare = 0.25;  // of the work, at a guess
  DetectorOptions first;
  DetectorOptions rest;
  DetectorQuery static_query;
  DetectorQuery moving_query;
};

/// Whether a features class puts pairs of leaves off to a second stage.
template <typename Features>
concept Defers = requires(const Features& features, const LeafPair& pair) {
  features.defers(pair);
};

/// What a method is composed for. At one instant iccd takes representatives as r-tri does, on its own hierarchy:
/// orphans and procedural representatives are for steps.
enum class QuerySpan : std::uint8_t { Step, Instant };

/// Counts what an update made, where that is of interest.
inline void count_bounds(const LeafBounds&, Stats&) {}

/// Calls visit(pairs) with those that the stage does not put off; the others go to `later`.
template <typename Features, typename Visit>
void visit_or_defer(const Features& features, std::span<const LeafPair> pairs, std::vector<LeafPair>* later,
                    const Visit& visit) {
  if constexpr (Defers<Features>) {
    if (later != nullptr) {
      std::vector<LeafPair> now;
      for (const LeafPair& pair : pairs) (features.defers(pair) ? *later : now).push_back(pair);
      visit(std::span<const LeafPair>(now));
      return;
    }
  }
  visit(pairs);
}

}  // namespace graze::query
