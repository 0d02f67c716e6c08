// See cluster_method.hpp.
#include "methods/cluster/cluster_method.hpp"

#include "methods/cluster/cluster_search.hpp"

namespace graze::methods {

void ClusterMethod::rebuild() {
  clusters_.reset();
  instant_.forget();
  leaves_.reset();
  leaves_.emplace(scene_);
  clusters_.emplace(scene_, *leaves_);
}

Stats ClusterMethod::impacts(const QueryContext& query, const StepPositions& x, MemoryBudget& budget,
                             FoundImpacts found) {
  ClusterSearch search(query, *clusters_, leaves_->memory_bytes(), x, Goal::All);
  return find_impacts(query, search, budget, found);
}

FirstImpact ClusterMethod::first_impact(const QueryContext& query, const StepPositions& x) {
  ClusterSearch search(query, *clusters_, leaves_->memory_bytes(), x, Goal::First);
  return find_first_impact(query, search);
}

Intersections ClusterMethod::intersections(const QueryContext& query, std::span<const Vec3> x) {
  return instant_.intersections(query, *clusters_, leaves_->memory_bytes(), x);
}

Stats ClusterMethod::proximities(const QueryContext& query, std::span<const Vec3> x, double d, MemoryBudget& budget,
                                 FoundProximities found) {
  return instant_.proximities(query, *clusters_, leaves_->memory_bytes(), x, d, budget, found);
}

void ClusterMethod::apply(const MeshChange& change, bool filter_changed) {
  instant_.forget();
  clusters_->apply(leaves_->follow(change), filter_changed);
}

std::string ClusterMethod::validate() const {
  std::string difference = leaves_->validate();
  return difference.empty() ? clusters_->validate() : difference;
}

std::size_t ClusterMethod::memory_bytes() const {
  return (leaves_ ? leaves_->memory_bytes() : 0) + instant_.memory_bytes() +
         (clusters_ ? clusters_->memory_bytes() : 0);
}

}  // namespace graze::methods
