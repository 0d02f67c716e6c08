// Method `hash`, put together from its parts (HASH, Fig. 2): pairs of leaves from voxels, and what is made of them.
#pragma once

#include <variant>

#include "pipeline/compose.hpp"
#include "pipeline/hash_features.hpp"
#include "pipeline/hash_pair_source.hpp"

namespace graze {

inline void count_bounds(const HashedLeaves& mesh, Stats& stats) {
  mesh.count(stats.hash);
}

/// As for a hierarchy (pipeline/bvh_compose.hpp); one stage, no list.
template <QuerySpan kSpan, typename Run, typename List>
void compose_method(const Query& query, HashedLeaves& mesh, const FeatureBounds& bounds, LeafBounds::Scope scope,
                    PairTests tests, MemoryBudget&, const Run& run, const List&) {
  const HashPairSource source(mesh, scope, tests);
  const bool representatives = mesh.choices().hash.representatives;
  const auto with = [&](const auto& rows, const auto& inner) {
    run(query, source, HashFeatures{inner, mesh, rows}, static_cast<std::vector<LeafPair>*>(nullptr));
  };
  if (mesh.choices().edge_bounds == EdgeBounds::None) {
    constexpr std::monostate kNone;
    if (representatives) {
      with(kNone, RepresentedFeatures<false>{bounds});
    } else {
      with(kNone, BasicFeatures{mesh});
    }
    return;
  }
  std::visit(
      [&](const auto& rows) {
        if (representatives) {
          with(rows, RepresentedFeatures<true>{bounds});
        } else {
          with(rows, BoxedFeatures{bounds});
        }
      },
      mesh.slants());
}

}  // namespace graze
