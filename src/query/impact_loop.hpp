// The loops of the continuous queries, shared by all methods: all impacts of a step, and the first impact.
//
// A method provides a StepSearch, one object per query: it bounds a part of the step and provides the sources of
// candidates. The loop runs the blocks of each source in waves, tests the candidates in batches and merges the
// impacts in block order. This is the broad phase loop; it hands candidates to the narrow phase by
// query/candidate_stream.hpp.
//
// First impact (time of impact of the step): the parts are step prefixes [0, h] with growing h. All contacts up to
// h are among the candidates of the prefix, so an impact that begins before h - tolerance ends the search. A step
// with many contacts has early ones, and few bounds of a short prefix overlap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "query/candidate_source.hpp"
#include "query/query.hpp"

namespace graze::query {

/// One part of a search: the step prefix [0, until]. `begin` is the end of the previous part, 0 for the first one.
struct StepPart {
  double begin = 0.0;
  double until = 1.0;
  /// Shares of the query's work that are done before and after this part: for progress.
  double progress_begin = 0.0;
  double progress_end = 1.0;

  [[nodiscard]] bool is_first() const { return begin == 0.0; }
  [[nodiscard]] bool is_last() const { return until == 1.0; }
};

/// Whether a query asks for all impacts or for the earliest one.
enum class Goal : std::uint8_t { All, First };

/// Impacts that need no test in this query, and the share of the query's work that finding them took.
struct KnownImpacts {
  std::vector<Impact> impacts;
  double progress_end = 0.0;
};

/// One continuous query of a method. The loop calls the members in the order of their declarations; the members
/// that are not pure are optional.
class StepSearch {
 public:
  StepSearch() = default;
  StepSearch(const StepSearch&) = delete;
  StepSearch& operator=(const StepSearch&) = delete;
  virtual ~StepSearch() = default;

  /// Bytes that begin() and bound() will allocate at least; charged before they run.
  [[nodiscard]] virtual std::size_t planned_bytes() const = 0;
  /// Takes the positions of the step.
  virtual void begin(Stats& stats) = 0;
  /// The parts of a search for the first impact; a search for all impacts has one part, the whole step.
  [[nodiscard]] virtual StepPart first_part() { return {}; }
  [[nodiscard]] virtual StepPart next_part(const StepPart& part) { return part; }
  /// Computes the bounds of a part; for the first part also the culling proofs of the whole step.
  virtual void bound(const StepPart& part, Stats& stats) = 0;
  /// Bytes allocated; called after the first bound().
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;
  /// Impacts that earlier queries found and that are still valid, or that are found once and kept (static bodies).
  [[nodiscard]] virtual KnownImpacts known_impacts(const QueryContext& query, MemoryBudget& budget, Stats& stats);
  /// The paths and options of the elementary tests.
  [[nodiscard]] virtual ImpactBatch::Step tests() const = 0;
  /// Whether the sources generate every candidate at most once.
  [[nodiscard]] virtual bool tests_once() const { return true; }
  /// The sources of candidates of the current part. Adds the counters of their construction to `stats`.
  [[nodiscard]] virtual std::unique_ptr<SourceSequence> sources(const QueryContext& query, MemoryBudget& budget,
                                                                Stats& stats) = 0;
  /// Copies impacts of a block that the next query can use to `kept`, on the block's thread.
  virtual void keep_in_block(std::span<const Impact> impacts, std::vector<Impact>& kept, MemoryBudget& budget);
  /// Receives what keep_in_block() kept of a block, in block order, on the calling thread.
  virtual void keep_block(std::vector<Impact>&& kept);
  /// Called after each wave of a search for the first impact, with the earliest impact so far. May tighten bounds;
  /// returns the milliseconds that took.
  virtual double after_wave(const std::optional<Impact>& earliest);
  virtual void finish_part(const StepPart& part);
  /// Adds the counters of the method's structures, at the end of the query.
  virtual void count(Stats& stats) const;
};

/// Passes every impact of the step to `found`.
Stats find_impacts(const QueryContext& query, StepSearch& search, MemoryBudget& budget, FoundImpacts found);

/// The earliest impact of the step.
FirstImpact find_first_impact(const QueryContext& query, StepSearch& search);

}  // namespace graze::query
