// The loop of queries at one instant: runs the blocks of a query's sources in waves, and merges what they find in
// block order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "query/candidate_source.hpp"
#include "query/instant_streams.hpp"
#include "query/waves.hpp"

namespace graze::query {

/// Calls generate(source, block, result) for every block of the sources, where result is an InstantResult<Found>,
/// and take(std::vector<Found>&&) for what was found, in block order. Adds the counters to `stats`.
template <typename Found, typename Generate, typename Take>
void find_at_instant(const QueryContext& query, SourceSequence& sources, Stats& stats, const Generate& generate,
                     const Take& take) {
  using Result = InstantResult<Found>;
  for_each_source(query, sources, [&](const QueryContext& stage, const CandidateSource& source) {
    const std::vector<std::uint64_t> weights = source.block_weights();
    run_in_waves<Result>(
        stage.options, weights, [&](std::size_t block, Result& result) { generate(source, block, result); },
        [&](Result& result, double) {
          add_counters(stats, result.stats);
          if (!result.found.empty()) take(std::move(result.found));
        },
        [] {}, source.wave_sizes());
  });
}

}  // namespace graze::query
