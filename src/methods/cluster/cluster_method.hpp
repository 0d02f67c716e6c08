// Method `auto`: clusters of triangles with bounds linear in time (docs/decisions/0012), for all queries.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "methods/cluster/cluster_instant.hpp"
#include "methods/cluster/cluster_leaves.hpp"
#include "methods/cluster/cluster_mesh.hpp"
#include "query/contact_method.hpp"

namespace graze::methods {

class ClusterMethod final : public ContactMethod {
 public:
  /// Refers to the scene.
  explicit ClusterMethod(const Scene& scene) : scene_(scene) {}

  void rebuild() override;
  Stats impacts(const QueryContext& query, const StepPositions& x, MemoryBudget& budget,
                FoundImpacts found) override;
  FirstImpact first_impact(const QueryContext& query, const StepPositions& x) override;
  Intersections intersections(const QueryContext& query, std::span<const Vec3> x) override;
  Stats proximities(const QueryContext& query, std::span<const Vec3> x, double d, MemoryBudget& budget,
                    FoundProximities found) override;
  void prepare_edit() override { leaves_->prepare_edit(); }
  void apply(const MeshChange& change, bool filter_changed) override;
  [[nodiscard]] std::string validate() const override;
  [[nodiscard]] std::size_t memory_bytes() const override;

 private:
  const Scene& scene_;
  std::optional<ClusterLeaves> leaves_;
  std::optional<ClusterMesh> clusters_;
  ClusterInstant instant_;
};

}  // namespace graze::methods
