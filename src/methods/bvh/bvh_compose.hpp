// A method on the hierarchy, put together from its parts: which pairs of leaves, and what is made of them.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "methods/bvh/adj_features.hpp"
#include "methods/bvh/hierarchy.hpp"
#include "methods/bvh/procedural_features.hpp"
#include "query/compose.hpp"

namespace graze::methods {

/// Calls run(query, source, features, deferred) with what the method is made of, for each of its stages. Pairs of
/// leaves that a stage puts off go to *deferred (null where there is no later stage), in block order. Orphans
/// are for list(query).
template <QuerySpan kSpan, typename Run, typename List>
void compose_method(const DetectorQuery& query, Hierarchy& hierarchy, const FeatureBounds& bounds,
                    Hierarchy::Scope scope, PairTests tests, MemoryBudget& budget, const Run& run,
                    const List& list) {
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
      run(DetectorQuery{query.scene, query.filter, first}, pairs(AdjFeatures::kMasked), features, &adjacent);
      features.stage = AdjFeatures::Stage::Adjacent;
      const DetectorOptions second = stage_options(query.options, kFirstStage, 1.0);
      run(DetectorQuery{query.scene, query.filter, second}, LeafPairSource(std::move(adjacent)), features, none);
      return;
    }
    case Method::Iccd:
      if constexpr (kSpan == QuerySpan::Step) {
        constexpr double kFirstStage = 0.98;  // of the work, about
        const DetectorOptions first = stage_options(query.options, 0.0, kFirstStage);
        const DetectorQuery first_query{query.scene, query.filter, first};
        const PatchView mesh = hierarchy.patch_view();
        if (feature_bounds) {
          run(first_query, pairs(false), ProceduralFeatures<true>{bounds, mesh}, none);
        } else {
          run(first_query, pairs(false), ProceduralFeatures<false>{bounds, mesh}, none);
        }
        const DetectorOptions second = stage_options(query.options, kFirstStage, 1.0);
        list(DetectorQuery{query.scene, query.filter, second});
        return;
      }
      break;
    case Method::Auto:
    case Method::Brute:  // has its own pipeline
    case Method::RTri:
    case Method::Adaptive:  // a plain step is that of r-tri
    case Method::Hash:      // has its own
      break;
  }
  if (feature_bounds) {
    run(query, pairs(true), RepresentedFeatures<true>{bounds}, none);
  } else {
    run(query, pairs(true), RepresentedFeatures<false>{bounds}, none);
  }
}

}  // namespace graze::methods
