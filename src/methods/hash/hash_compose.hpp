// Composition of method `hash` from its parts (HASH, Fig. 2): pairs of leaves from the voxels of a spatial hash,
// and the feature pairs to test: represented ones or all, culled by boxes and by diagonal slabs as the options say.
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

/// Same contract as for a hierarchy (methods/bvh/bvh_compose.hpp); a single stage without orphan pairs.
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
  // Test last whether a vertex's path crosses a triangle's box: the diagonal slabs decide most pairs.
  FeatureBounds boxes = bounds;
  boxes.thick = true;
  std::visit([&](const auto& rows) { boxed(rows, boxes); }, mesh.slabs());
}

}  // namespace graze::methods
