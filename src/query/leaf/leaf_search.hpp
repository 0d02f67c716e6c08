// Continuous queries (continuous collision detection, CCD) of the methods that work on pairs of leaves.
//
// Contacts among static bodies are tested once and kept (StaticContacts). Memory: a path per vertex; for the first
// impact also the positions and paths of a step prefix.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "query/impact_loop.hpp"
#include "query/leaf/bounded_leaves.hpp"

namespace graze::query {

class LeafSearch final : public StepSearch {
 public:
  /// Refers to its arguments.
  LeafSearch(const QueryContext& query, BoundedLeaves& mesh, LeafMethod& method, const StepPositions& x, Goal goal)
      : query_(query), mesh_(mesh), method_(method), x_(x), goal_(goal) {}

  [[nodiscard]] std::size_t planned_bytes() const override;
  void begin(Stats& stats) override;
  [[nodiscard]] StepPart first_part() override { return part(0); }
  [[nodiscard]] StepPart next_part(const StepPart&) override { return part(part_index_ + 1); }
  void bound(const StepPart& part, Stats& stats) override;
  [[nodiscard]] std::size_t memory_bytes() const override;
  [[nodiscard]] KnownImpacts known_impacts(const QueryContext& query, MemoryBudget& budget, Stats& stats) override;
  [[nodiscard]] ImpactBatch::Step tests() const override { return {paths_, query_.elementary()}; }
  [[nodiscard]] bool tests_once() const override { return method_.tests_once(); }
  [[nodiscard]] std::unique_ptr<SourceSequence> sources(const QueryContext& query, MemoryBudget& budget,
                                                        Stats& stats) override;
  void count(Stats& stats) const override { mesh_.count(stats); }

 private:
  [[nodiscard]] StepPart part(std::size_t index);
  [[nodiscard]] std::size_t part_bytes() const;

  const QueryContext& query_;
  BoundedLeaves& mesh_;
  LeafMethod& method_;
  StepPositions x_;
  Goal goal_;
  std::size_t part_index_ = 0;
  double gap_ = 0.0;
  std::vector<VertexPath> paths_;  ///< paths in the whole step, for elementary tests and proofs
  std::vector<Vec3> x_until_;      ///< positions at the end of a step prefix
  std::vector<VertexPath> paths_until_;
  std::optional<FeatureBounds> bounds_;  ///< bounds in the current step prefix
};

}  // namespace graze::query
