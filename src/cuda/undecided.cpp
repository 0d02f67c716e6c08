// See undecided.hpp.
#include "cuda/undecided.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "core/tasks.hpp"
#include "narrow/elementary.hpp"

namespace graze::cuda {

namespace {

/// Candidates of one task: exact arithmetic takes a microsecond and more for each.
constexpr std::size_t kGrain = 64;

struct Decided {
  std::vector<Impact> impacts;
  TierCounts tiers;
};

void decide_one(const Undecided& left, const ElementaryOptions& options, Decided& part) {
  // With thickness the GPU's filter has seen the pair, and does not decide it again.
  const auto filtered = options.thickness > 0.0 ? narrow::Filtered::Quick : narrow::Filtered::No;
  const std::optional<ElementaryImpact> found =
      left.pair.kind == FeatureKind::VertexFace
          ? narrow::test_vertex_face(left.points, options, filtered, part.tiers)
          : narrow::test_edge_edge(left.points, options, filtered, part.tiers);
  if (!found) return;
  part.impacts.push_back({.pair = left.pair,
                          .toi_lo = found->toi_lo,
                          .toi_hi = found->toi_hi,
                          .weights = found->weights,
                          .normal = found->normal,
                          .side = found->side,
                          .remembered_side = found->side});
}

}  // namespace

std::vector<Impact> decide(std::span<const Undecided> candidates, const ElementaryOptions& options,
                           TierCounts& tiers) {
  std::vector<Decided> parts((candidates.size() + kGrain - 1) / kGrain);
  parallel_for(0, parts.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t part = first; part < last; ++part) {
      const std::size_t end = std::min((part + 1) * kGrain, candidates.size());
      for (std::size_t i = part * kGrain; i < end; ++i) decide_one(candidates[i], options, parts[part]);
    }
  });
  std::vector<Impact> all;
  for (const Decided& part : parts) {
    all.insert(all.end(), part.impacts.begin(), part.impacts.end());
    tiers += part.tiers;
  }
  return all;
}

}  // namespace graze::cuda
