// Continuous queries over pairs of leaves. See leaf_search.hpp.
#include "query/leaf/leaf_search.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "query/sort_pairs.hpp"
#include "query/step_prefix.hpp"

namespace graze::query {

namespace {

/// Ends of the step prefixes of a search for the first impact.
constexpr std::array kParts = {0x1p-6, 0x1p-3, 1.0};

}  // namespace

StepPart LeafSearch::part(std::size_t index) {
  part_index_ = index;
  const auto count = static_cast<double>(kParts.size());
  return {.begin = index == 0 ? 0.0 : kParts[index - 1],
          .until = kParts[index],
          .progress_begin = static_cast<double>(index) / count,
          .progress_end = static_cast<double>(index + 1) / count};
}

/// Bytes of the positions and paths of a step prefix.
std::size_t LeafSearch::part_bytes() const {
  return goal_ == Goal::First ? x_.size() * (sizeof(Vec3) + sizeof(VertexPath)) : 0;
}

std::size_t LeafSearch::planned_bytes() const {
  return mesh_.planned_bytes() + x_.size() * sizeof(VertexPath) + part_bytes();
}

std::size_t LeafSearch::memory_bytes() const {
  const std::size_t paths = x_.size() * sizeof(VertexPath);
  // planned_bytes() includes the masks, which may not exist yet.
  return std::max(mesh_.memory_bytes() + paths, mesh_.planned_bytes() + paths) + part_bytes();
}

void LeafSearch::begin(Stats& /*stats*/) {
  make_paths(x_.x_t0, x_.x_t1, paths_);
  mesh_.static_contacts().require_thickness(query_.options.thickness);
  gap_ = reported_gap(query_.elementary(), x_);
}

void LeafSearch::bound(const StepPart& part, Stats& stats) {
  const bool thick = query_.options.thickness > 0.0;
  if (part.is_last()) {
    bounds_.emplace(FeatureBounds{mesh_, paths_, thick});
    mesh_.update(x_.x_t0, x_.x_t1, gap_);
  } else {
    const double margin = truncate_step(x_.x_t0, x_.x_t1, part.until, x_until_);
    make_paths(x_.x_t0, x_until_, paths_until_);
    bounds_.emplace(FeatureBounds{mesh_, paths_until_, thick});
    mesh_.update(x_.x_t0, x_until_, gap_ + margin);
  }
  if (!part.is_first()) return;
  // Proofs use the given positions of the whole step, and so hold for every prefix, whose end positions are
  // rounded.
  if (thick) {
    mesh_.disable_culling();
  } else {
    mesh_.prepare_culling(paths_, !mesh_.static_contacts().impacts, stats.culled);
  }
}

KnownImpacts LeafSearch::known_impacts(const QueryContext& query, MemoryBudget& budget, Stats& stats) {
  if (!mesh_.has_static()) return {};
  std::optional<std::vector<Impact>>& kept = mesh_.static_contacts().impacts;
  if (kept) return {*kept};
  std::vector<std::vector<Impact>> blocks;
  using Found = std::vector<Impact>;
  DuplicateTestCheck duplicate_check(tests_once());
  const auto sources = method_.leaf_sources(
      {query, *bounds_, LeafBounds::Scope::Static, PairTests::Continuous, false, budget, stats});
  const DetectorOptions options = stage_options(query.options, 0.0, LeafBounds::kStaticShare);
  for_each_source({query.scene, query.filter, options}, *sources,
                  [&](const QueryContext& stage, const CandidateSource& source) {
                    test_source<Found>(
                        stage, source, tests(), duplicate_check,
                        [&](BlockResult<Found>& block, std::span<const Impact> found) {
                          keep_impacts(block.found, found, budget);
                        },
                        [&](BlockResult<Found>& block, double) {
                          add_counters(stats, block.stats);
                          blocks.push_back(std::move(block.found));
                        },
                        [] {});
                  });
  kept.emplace(sorted_impacts(std::move(blocks)));
  return {*kept, LeafBounds::kStaticShare};
}

std::unique_ptr<SourceSequence> LeafSearch::sources(const QueryContext& query, MemoryBudget& budget, Stats& stats) {
  return method_.leaf_sources(
      {query, *bounds_, LeafBounds::Scope::Moving, PairTests::Continuous, false, budget, stats});
}

}  // namespace graze::query
