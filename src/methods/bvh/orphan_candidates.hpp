// Orphan sets of iccd as a source of candidates: the feature pairs that only adjacent triangles have (ICCD,
// section V). Cost: linear in the orphans that are in no free patch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "methods/bvh/hierarchy.hpp"
#include "query/leaf/leaf_candidates.hpp"

namespace graze::methods {

class OrphanCandidates final : public CandidateSource {
 public:
  /// Lists the open orphans and charges their memory. Refers to the mesh, the filter and the budget.
  OrphanCandidates(const LeafQuery& query, Hierarchy& hierarchy);
  ~OrphanCandidates() override;
  OrphanCandidates(const OrphanCandidates&) = delete;
  OrphanCandidates& operator=(const OrphanCandidates&) = delete;

  [[nodiscard]] std::vector<std::uint64_t> block_weights() const override;
  void generate(std::size_t block, CandidateStream& stream) const override;

 private:
  static constexpr std::size_t kOrphansPerBlock = 4096;

  [[nodiscard]] bool is_tested(const Orphan& orphan) const;

  const BodyFilter& filter_;
  const Hierarchy& hierarchy_;
  FeatureBounds bounds_;
  MemoryBudget& budget_;
  std::vector<Orphan> orphans_;
};

}  // namespace graze::methods
