// Queries of methods basic, no-dupl, adj, r-tri and iccd, and their sources of candidates. See bvh_method.hpp.
#include "methods/bvh/bvh_method.hpp"

#include <graze/research.hpp>

#include <utility>
#include <vector>

#include "methods/bvh/adj_features.hpp"
#include "methods/bvh/orphan_candidates.hpp"
#include "methods/bvh/procedural_features.hpp"
#include "query/leaf/leaf_candidates.hpp"
#include "query/leaf/leaf_instant.hpp"
#include "query/leaf/leaf_search.hpp"

namespace graze::methods {

namespace {

/// Source of candidates: overlapping leaf pairs with this choice of feature pairs.
template <typename Features>
std::unique_ptr<const CandidateSource> candidates(const LeafQuery& query, Hierarchy& hierarchy, bool masked,
                                                  const Features& features, DeferredPairs* deferred = nullptr) {
  return make_leaf_candidates(query.query.filter, hierarchy,
                              LeafPairSource(hierarchy.leaf_pairs(query.scope, query.tests, masked)), features,
                              deferred);
}

/// adj: the first source has non-adjacent triangles, the second source adjacent ones.
class AdjSources final : public SourceSequence {
 public:
  AdjSources(const LeafQuery& query, Hierarchy& hierarchy)
      : query_(query),
        hierarchy_(hierarchy),
        database_(query.budget),
        features_{query.bounds, hierarchy.incidence(), database_} {}

  SourceStage next() override {
    constexpr double kFirstShare = 0.9;  // estimated share of the work
    switch (stage_++) {
      case 0:
        return {candidates(query_, hierarchy_, AdjFeatures::kMasked, features_, &deferred_), kFirstShare};
      case 1: {
        std::vector<LeafPair> adjacent;
        for (const std::vector<LeafPair>& pairs : deferred_) {
          adjacent.insert(adjacent.end(), pairs.begin(), pairs.end());
        }
        query_.budget.charge(adjacent.size() * sizeof(LeafPair));
        features_.stage = AdjFeatures::Stage::Adjacent;
        return {
            make_leaf_candidates(query_.query.filter, hierarchy_, LeafPairSource(std::move(adjacent)), features_)};
      }
      default:
        return {};
    }
  }

 private:
  LeafQuery query_;
  Hierarchy& hierarchy_;
  AdjDatabase database_;
  AdjFeatures features_;
  DeferredPairs deferred_;
  int stage_ = 0;
};

/// iccd: non-adjacent triangles by procedural representatives, then the orphan sets.
class IccdSources final : public SourceSequence {
 public:
  IccdSources(const LeafQuery& query, Hierarchy& hierarchy) : query_(query), hierarchy_(hierarchy) {}

  SourceStage next() override {
    constexpr double kFirstShare = 0.98;  // estimated share of the work
    switch (stage_++) {
      case 0: {
        const PatchView mesh = hierarchy_.patch_view();
        if (hierarchy_.choices().edge_bounds != research::EdgeBounds::None) {
          return {candidates(query_, hierarchy_, false, ProceduralFeatures<true>{query_.bounds, mesh}),
                  kFirstShare};
        }
        return {candidates(query_, hierarchy_, false, ProceduralFeatures<false>{query_.bounds, mesh}), kFirstShare};
      }
      case 1:
        return {std::make_unique<OrphanCandidates>(query_, hierarchy_)};
      default:
        return {};
    }
  }

 private:
  LeafQuery query_;
  Hierarchy& hierarchy_;
  int stage_ = 0;
};

}  // namespace

void BvhMethod::rebuild() {
  hierarchy_.reset();
  hierarchy_.emplace(scene_, choices_);
}

Stats BvhMethod::impacts(const QueryContext& query, const StepPositions& x, MemoryBudget& budget,
                         FoundImpacts found) {
  LeafSearch search(query, *hierarchy_, *this, x, Goal::All);
  return find_impacts(query, search, budget, found);
}

FirstImpact BvhMethod::first_impact(const QueryContext& query, const StepPositions& x) {
  LeafSearch search(query, *hierarchy_, *this, x, Goal::First);
  return find_first_impact(query, search);
}

Intersections BvhMethod::intersections(const QueryContext& query, std::span<const Vec3> x) {
  return leaf_intersections(query, *hierarchy_, *this, x);
}

Stats BvhMethod::proximities(const QueryContext& query, std::span<const Vec3> x, double d, MemoryBudget& budget,
                             FoundProximities found) {
  return leaf_proximities(query, *hierarchy_, *this, x, d, budget, found);
}

void BvhMethod::apply(const MeshChange& change, bool /*filter_changed*/) {
  hierarchy_->apply(change);
}

std::unique_ptr<SourceSequence> BvhMethod::leaf_sources(const LeafQuery& query) {
  Hierarchy& hierarchy = *hierarchy_;
  const auto single = [&](bool masked, const auto& features) {
    return std::make_unique<SingleSource>(candidates(query, hierarchy, masked, features));
  };
  if (method_ == research::kBasic) return single(BasicFeatures::kMasked, BasicFeatures{hierarchy});
  if (method_ == research::kAdj) return std::make_unique<AdjSources>(query, hierarchy);
  // At one instant iccd uses the representatives of r-tri; orphans and procedural representatives are for steps.
  if (method_ == Method::Iccd && !query.instant) return std::make_unique<IccdSources>(query, hierarchy);
  if (method_ == research::kNoDupl || hierarchy.choices().edge_bounds == research::EdgeBounds::None) {
    return single(true, RepresentedFeatures<false>{query.bounds});
  }
  return single(true, RepresentedFeatures<true>{query.bounds});
}

}  // namespace graze::methods
