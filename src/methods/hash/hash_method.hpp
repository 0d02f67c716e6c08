// Method `hash` (HASH): broad phase by a spatial hash in place of a hierarchy, with culling inside the voxels. No
// tree, and nothing is kept but what static bodies need. Answers are those of `brute` unless
// research::NeighbourTest::LossyNormals is chosen. Cost: linear in triangles for the update, plus the candidates.
#pragma once

#include <cstddef>

#include <graze/research.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "methods/hash/hashed_leaves.hpp"
#include "query/contact_method.hpp"
#include "query/leaf/bounded_leaves.hpp"

namespace graze::methods {

class HashMethod final : public ContactMethod, public LeafMethod {
 public:
  /// Refers to the scene.
  HashMethod(const Scene& scene, const DetectorOptions& options) : scene_(scene), choices_(options) {}

  void rebuild() override;
  Stats impacts(const QueryContext& query, const StepPositions& x, MemoryBudget& budget,
                FoundImpacts found) override;
  FirstImpact first_impact(const QueryContext& query, const StepPositions& x) override;
  Intersections intersections(const QueryContext& query, std::span<const Vec3> x) override;
  Stats proximities(const QueryContext& query, std::span<const Vec3> x, double d, MemoryBudget& budget,
                    FoundProximities found) override;
  [[nodiscard]] bool reports_once() const override { return tests_once(); }
  void prepare_edit() override { leaves_->prepare_edit(); }
  void apply(const MeshChange& change, bool filter_changed) override;
  [[nodiscard]] std::string validate() const override { return leaves_->validate(); }
  [[nodiscard]] std::size_t memory_bytes() const override { return leaves_ ? leaves_->memory_bytes() : 0; }

  [[nodiscard]] std::unique_ptr<SourceSequence> leaf_sources(const LeafQuery& query) override;
  /// Without representatives a feature pair is tested as often as triangle pairs have it.
  [[nodiscard]] bool tests_once() const override { return choices_.hash.representatives; }

 private:
  const Scene& scene_;
  HashChoices choices_;
  std::optional<HashedLeaves> leaves_;
};

}  // namespace graze::methods
