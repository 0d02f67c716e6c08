// The broad phase loop of continuous queries: all impacts (find_impacts), the first impact (find_first_impact).
// See impact_loop.hpp.
#include "query/impact_loop.hpp"

#include <utility>

namespace graze::query {

KnownImpacts StepSearch::known_impacts(const QueryContext& /*query*/, MemoryBudget& /*budget*/, Stats& /*stats*/) {
  return {};
}
void StepSearch::keep_in_block(std::span<const Impact> /*impacts*/, std::vector<Impact>& /*kept*/,
                               MemoryBudget& /*budget*/) {}
void StepSearch::keep_block(std::vector<Impact>&& /*kept*/) {}
double StepSearch::after_wave(const std::optional<Impact>& /*earliest*/) {
  return 0.0;
}
void StepSearch::finish_part(const StepPart& /*part*/) {}
void StepSearch::count(Stats& /*stats*/) const {}

Stats find_impacts(const QueryContext& query, StepSearch& search, MemoryBudget& budget, FoundImpacts found) {
  Stats stats;
  const Stopwatch update;
  const std::size_t planned = search.planned_bytes();
  budget.charge(planned);
  const StepPart whole;
  search.begin(stats);
  search.bound(whole, stats);
  stats.memory_bytes = search.memory_bytes();
  budget.charge_rest(planned, stats.memory_bytes);
  stats.update_ms = update.ms();

  const Stopwatch loop;
  StageTimes times;
  KnownImpacts known = search.known_impacts(query, budget, stats);
  if (!known.impacts.empty()) {
    budget.charge(known.impacts.size() * sizeof(Impact));
    found(std::move(known.impacts));
  }
  struct Found {
    std::vector<Impact> all;
    std::vector<Impact> kept;
  };
  using Result = BlockResult<Found>;
  const auto keep_all = [&](Result& block, std::span<const Impact> impacts) {
    keep_impacts(block.found.all, impacts, budget);
    search.keep_in_block(impacts, block.found.kept, budget);
  };
  const auto merge = [&](Result& block, double /*share*/) {
    add_counters(stats, block.stats);
    times.add(block);
    if (!block.found.kept.empty()) search.keep_block(std::move(block.found.kept));
    if (!block.found.all.empty()) found(std::move(block.found.all));
  };
  DuplicateTestCheck duplicate_check(search.tests_once());
  const auto sources = search.sources(query, budget, stats);
  const DetectorOptions rest = stage_options(query.options, known.progress_end, 1.0);
  for_each_source({query.scene, query.filter, rest}, *sources,
                  [&](const QueryContext& stage, const CandidateSource& source) {
                    test_source<Found>(stage, source, search.tests(), duplicate_check, keep_all, merge, [] {});
                  });
  search.finish_part(whole);
  search.count(stats);
  times.write(loop.ms(), stats);
  return stats;
}

FirstImpact find_first_impact(const QueryContext& query, StepSearch& search) {
  struct Found {
    std::optional<Impact> earliest;
    std::vector<Impact> kept;
  };
  using Result = BlockResult<Found>;
  FirstImpact result;
  Stats& stats = result.stats;
  MemoryBudget budget(query.options.memory_cap);
  const std::size_t planned = search.planned_bytes();
  budget.charge(planned);
  const Stopwatch all;
  StageTimes times;
  search.begin(stats);
  double update_ms = all.ms();
  const auto keep_first = [&](Result& block, std::span<const Impact> impacts) {
    keep_earliest(block.found.earliest, impacts);
    search.keep_in_block(impacts, block.found.kept, budget);
  };
  const auto merge = [&](Result& block, double /*share*/) {
    add_counters(stats, block.stats);
    times.add(block);
    if (block.found.earliest) keep_earliest(result.impact, std::span(&*block.found.earliest, 1));
    if (!block.found.kept.empty()) search.keep_block(std::move(block.found.kept));
  };
  for (StepPart part = search.first_part();; part = search.next_part(part)) {
    const DetectorOptions options = stage_options(query.options, part.progress_begin, part.progress_end);
    const QueryContext part_query{query.scene, query.filter, options};
    const Stopwatch update;
    search.bound(part, stats);
    update_ms += update.ms();
    double known_end = 0.0;
    if (part.is_first()) {
      stats.memory_bytes = search.memory_bytes();
      budget.charge_rest(planned, stats.memory_bytes);
      const KnownImpacts known = search.known_impacts(part_query, budget, stats);
      keep_earliest(result.impact, known.impacts);
      known_end = known.progress_end;
    }
    DuplicateTestCheck duplicate_check(search.tests_once());
    const auto sources = search.sources(part_query, budget, stats);
    const DetectorOptions rest = stage_options(options, known_end, 1.0);
    for_each_source({query.scene, query.filter, rest}, *sources,
                    [&](const QueryContext& stage, const CandidateSource& source) {
                      test_source<Found>(stage, source, search.tests(), duplicate_check, keep_first, merge,
                                         [&] { update_ms += search.after_wave(result.impact); });
                    });
    search.finish_part(part);
    if (part.is_last()) break;
    if (result.impact && result.impact->toi_lo < part.until - query.options.tolerance) {
      report_progress(query.options, 1.0);
      break;
    }
  }
  search.count(stats);
  times.write(all.ms() - update_ms, stats);
  stats.update_ms = update_ms;
  if (result.impact) result.toi = result.impact->toi_lo;
  return result;
}

}  // namespace graze::query
