// One continuous query (continuous collision detection, CCD) of method `auto`: pairs of clusters whose bounds,
// linear in time, overlap; then pairs of their features (methods/cluster/cluster_pairs.hpp).
//
// First impact: the bounds of a part of the step are those at its two ends. Once an impact is known, the rest of
// the part is searched for impacts that begin no later: in such a short prefix most clusters hardly move, and the
// bounds of their features at t0, with a gap for the displacements, do (cluster_pairs.hpp). Contacts of static
// vertices are the same in every part and prefix: the first part finds all of them, and they are kept for the next
// query.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "methods/cluster/cluster_mesh.hpp"
#include "methods/cluster/cluster_pairs.hpp"
#include "query/impact_loop.hpp"

namespace graze::methods {

class ClusterSearch final : public StepSearch {
 public:
  /// Refers to everything it is given. `leaf_bytes`: what the leaves take beside the clusters.
  ClusterSearch(const QueryContext& query, ClusterMesh& mesh, std::size_t leaf_bytes, const StepPositions& x,
                Goal goal)
      : query_(query), mesh_(mesh), leaf_bytes_(leaf_bytes), x_(x), goal_(goal) {}

  [[nodiscard]] std::size_t planned_bytes() const override;
  void begin(Stats& stats) override;
  [[nodiscard]] StepPart first_part() override;
  [[nodiscard]] StepPart next_part(const StepPart& part) override;
  void bound(const StepPart& part, Stats& stats) override;
  [[nodiscard]] std::size_t memory_bytes() const override;
  [[nodiscard]] KnownImpacts known_impacts(const QueryContext& query, MemoryBudget& budget, Stats& stats) override;
  [[nodiscard]] ImpactBatch::Step tests() const override;
  [[nodiscard]] std::unique_ptr<SourceSequence> sources(const QueryContext& query, MemoryBudget& budget,
                                                        Stats& stats) override;
  void keep_in_block(std::span<const Impact> impacts, std::vector<Impact>& kept, MemoryBudget& budget) override;
  void keep_block(std::vector<Impact>&& kept) override;
  double after_wave(const std::optional<Impact>& earliest) override;
  void finish_part(const StepPart& part) override;

 private:
  [[nodiscard]] std::size_t part_bytes() const;
  void copy_static(std::span<const Impact> impacts, std::vector<Impact>& kept) const;

  const QueryContext& query_;
  ClusterMesh& mesh_;
  std::size_t leaf_bytes_;
  StepPositions x_;
  Goal goal_;
  double gap_ = 0.0;             ///< see reported_gap()
  double margin_ = 0.0;          ///< for the rounded positions of a part: see truncate_step()
  std::vector<Vec3> x_until_;    ///< positions at the end of a part
  double until_ = 1.0;           ///< end of the part
  PairRules rules_;              ///< of the part; the waves of a search for the first impact shorten its prefix
  std::size_t begin_bytes_ = 0;  ///< taken when the step began
  bool in_first_part_ = true;
  std::atomic<bool> keeps_ = true;         ///< contacts of static vertices are kept, while there is memory for them
  std::vector<std::vector<Impact>> kept_;  ///< by block
};

}  // namespace graze::methods
