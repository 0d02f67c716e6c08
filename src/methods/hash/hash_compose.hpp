// Method `hash`, put together from its parts (HASH, Fig. 2): pairs of leaves from voxels, and what is made of them.
#pragma once

#include <type_traits>
#include <variant>
#include <vector>

#include "methods/hash/hash_features.hpp"
#include "methods/hash/hash_pair_source.hpp"
#include "query/compose.hpp"

namespace graze::methods {

inline void count_bounds(const HashedLeaves& mesh, Stats& stats) {
  mesh.count(stats.hash);
}

/// As for a hierarchy (methods/bvh/bvh_compose.hpp); one stage, no list.
template <QuerySpan kSpan, typename Run, typename List>
void compose_method(const DetectorQuery& query, HashedLeaves& mesh, const FeatureBounds& bounds,
                    LeafBounds::Scope scope, PairTests tests, MemoryBudget&, const Run& run, const List&) {
  const HashPairSource source(mesh, scope, tests);
  const bool representatives = mesh.choices().hash.representatives;
  constexpr std::monostate kNone;
  const auto with = [&](const auto& rows, const auto& inner) {
    using Chosen = HashFeatures<std::remove_cvref_t<decltype(inner)>, std::remove_cvref_t<decltype(rows)>>;
    run(query, source, Chosen{inner, mesh, rows, bounds}, static_cast<std::vector<LeafPair>*>(nullptr));
  };
  if (mesh.choices().edge_bounds == EdgeBounds::None) {
    if (representatives) {
      with(kNone, RepresentedFeatures<false>{bounds});
    } else {
      with(kNone, BasicFeatures{mesh});
    }
    return;
  }
  const auto boxed = [&](const auto& rows, const FeatureBounds& first) {
    if (representatives) {
      with(rows, RepresentedFeatures<true>{first});
    } else {
      with(rows, BoxedFeatures{first});
    }
  };
  if (!mesh.has_element_slabs()) {
    boxed(kNone, bounds);
    return;
  }
  // Whether a vertex's path crosses a triangle's box is looked at last: slanted bounds settle most.
  FeatureBounds boxes = bounds;
  boxes.thick = true;
  std::visit([&](const auto& rows) { boxed(rows, boxes); }, mesh.slabs());
}

}  // namespace graze::methods
