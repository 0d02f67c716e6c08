// A method on the hierarchy, put together from its parts: which pairs of leaves, and what is made of them.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "pipeline/adj_features.hpp"
#include "pipeline/hierarchy.hpp"
#include "pipeline/leaf_features.hpp"
#include "pipeline/leaf_pair_source.hpp"
#include "pipeline/procedural_features.hpp"

namespace graze {

/// Whether a method tests a feature pair as often as triangles bring it, instead of once.
inline bool may_repeat_tests(Method method) {
  return method == Method::Basic;
}

/// The stages of a query that may have to look at static bodies first: options of that, and of the rest.
struct StaticStages {
  StaticStages(const Query& query, bool static_first)
      : first(stage_options(query.options, 0.0, kShare)),
        rest(stage_options(query.options, static_first ? kShare : 0.0, 1.0)),
        static_query{query.scene, query.filter, first},
        moving_query{query.scene, query.filter, rest} {}
  StaticStages(const StaticStages&) = delete;  // the queries refer to the options
  StaticStages& operator=(const StaticStages&) = delete;

  static constexpr double kShare = 0.25;  // of the work, at a guess
  DetectorOptions first;
  DetectorOptions rest;
  Query static_query;
  Query moving_query;
};

/// Whether a features class puts pairs of leaves off to a second stage.
template <typename Features>
concept Defers = requires(const Features& features, const LeafPair& pair) {
  features.defers(pair);
};

/// What a method is composed for. At one instant iccd takes representatives as r-tri does, on its own hierarchy:
/// orphans and procedural representatives are for steps.
enum class QuerySpan : std::uint8_t { Step, Instant };

/// Calls run(query, source, features, deferred) with what the method is made of, for each of its stages. Pairs of
/// leaves that a stage puts off go to *deferred (null where there is no later stage), in block order. Orphans
/// are for list(query).
template <QuerySpan kSpan, typename Run, typename List>
void compose_method(const Query& query, Hierarchy& hierarchy, const FeatureBounds& bounds, Hierarchy::Scope scope,
                    PairTests tests, MemoryBudget& budget, const Run& run, const List& list) {
  const auto pairs = [&](bool masked) { return LeafPairSource(hierarchy.leaf_pairs(scope, tests, masked)); };
  std::vector<LeafPair>* const none = nullptr;
  const bool feature_bounds = hierarchy.choices().edge_bounds != EdgeBounds::None;
  switch (query.options.method) {
    case Method::Basic:
      run(query, pairs(BasicFeatures::kMasked), BasicFeatures{hierarchy}, none);
      return;
    case Method::NoDupl:
      run(query, pairs(true), RepresentedFeatures<false>{bounds}, none);
      return;
    case Method::Adj: {
      AdjDatabase database(budget);
      AdjFeatures features{bounds, hierarchy.incidence(), database};
      std::vector<LeafPair> adjacent;
      constexpr double kFirstStage = 0.9;  // of the work, about
      const DetectorOptions first = stage_options(query.options, 0.0, kFirstStage);
      run(Query{query.scene, query.filter, first}, pairs(AdjFeatures::kMasked), features, &adjacent);
      features.stage = AdjFeatures::Stage::Adjacent;
      const DetectorOptions second = stage_options(query.options, kFirstStage, 1.0);
      run(Query{query.scene, query.filter, second}, LeafPairSource(std::move(adjacent)), features, none);
      return;
    }
    case Method::Iccd:
      if constexpr (kSpan == QuerySpan::Step) {
        constexpr double kFirstStage = 0.98;  // of the work, about
        const DetectorOptions first = stage_options(query.options, 0.0, kFirstStage);
        const Query first_query{query.scene, query.filter, first};
        const PatchView mesh = hierarchy.patch_view();
        if (feature_bounds) {
          run(first_query, pairs(false), ProceduralFeatures<true>{bounds, mesh}, none);
        } else {
          run(first_query, pairs(false), ProceduralFeatures<false>{bounds, mesh}, none);
        }
        const DetectorOptions second = stage_options(query.options, kFirstStage, 1.0);
        list(Query{query.scene, query.filter, second});
        return;
      }
      break;
    case Method::Auto:
    case Method::Brute:  // has its own pipeline
    case Method::RTri:
    case Method::Adaptive:  // a plain step is that of r-tri
    case Method::Hash:
      break;
  }
  if (feature_bounds) {
    run(query, pairs(true), RepresentedFeatures<true>{bounds}, none);
  } else {
    run(query, pairs(true), RepresentedFeatures<false>{bounds}, none);
  }
}

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

}  // namespace graze
