// See hash_method.hpp. The candidates are composed of pairs of leaves from the voxels and of a choice of their
// feature pairs (HASH, Fig. 2): represented ones or all, culled by boxes and by diagonal slabs as the options say.
#include "methods/hash/hash_method.hpp"

#include <graze/research.hpp>

#include <type_traits>
#include <variant>

#include "methods/hash/hash_features.hpp"
#include "methods/hash/hash_pair_source.hpp"
#include "query/leaf/leaf_candidates.hpp"
#include "query/leaf/leaf_instant.hpp"
#include "query/leaf/leaf_search.hpp"

namespace graze::methods {

void HashMethod::rebuild() {
  leaves_.reset();
  leaves_.emplace(scene_, choices_);
}

Stats HashMethod::impacts(const QueryContext& query, const StepPositions& x, MemoryBudget& budget,
                          FoundImpacts found) {
  LeafSearch search(query, *leaves_, *this, x, Goal::All);
  return find_impacts(query, search, budget, found);
}

FirstImpact HashMethod::first_impact(const QueryContext& query, const StepPositions& x) {
  LeafSearch search(query, *leaves_, *this, x, Goal::First);
  return find_first_impact(query, search);
}

Intersections HashMethod::intersections(const QueryContext& query, std::span<const Vec3> x) {
  return leaf_intersections(query, *leaves_, *this, x);
}

Stats HashMethod::proximities(const QueryContext& query, std::span<const Vec3> x, double d, MemoryBudget& budget,
                              FoundProximities found) {
  return leaf_proximities(query, *leaves_, *this, x, d, budget, found);
}

void HashMethod::apply(const MeshChange& change, bool /*filter_changed*/) {
  leaves_->apply(change);
}

std::unique_ptr<SourceSequence> HashMethod::leaf_sources(const LeafQuery& query) {
  const HashedLeaves& mesh = *leaves_;
  const bool representatives = choices_.hash.representatives;
  constexpr static std::monostate kNoSlabs;
  const auto with = [&](const auto& rows, const auto& inner) -> std::unique_ptr<SourceSequence> {
    using Features = HashFeatures<std::remove_cvref_t<decltype(inner)>, std::remove_cvref_t<decltype(rows)>>;
    return std::make_unique<SingleSource>(make_leaf_candidates(query.query.filter, mesh,
                                                               HashPairSource(mesh, query.scope, query.tests),
                                                               Features{inner, mesh, rows, query.bounds}));
  };
  if (choices_.edge_bounds == research::EdgeBounds::None) {
    return representatives ? with(kNoSlabs, RepresentedFeatures<false>{query.bounds})
                           : with(kNoSlabs, BasicFeatures{mesh});
  }
  const auto boxed = [&](const auto& rows, const FeatureBounds& first) {
    return representatives ? with(rows, RepresentedFeatures<true>{first}) : with(rows, BoxedFeatures{first});
  };
  if (!mesh.has_element_slabs()) return boxed(kNoSlabs, query.bounds);
  // Whether a vertex's path crosses a triangle's box is tested last: the diagonal slabs decide most pairs.
  FeatureBounds boxes = query.bounds;
  boxes.thick = true;
  return std::visit([&](const auto& rows) { return boxed(rows, boxes); }, mesh.slabs());
}

}  // namespace graze::methods
