// The loops of the continuous queries, once for all methods: all impacts of a step, and the first impact.
//
// A method provides a StepSearch, one object a query: it bounds a part of the step and names the sources of its
// candidates. The loop runs their blocks in waves, tests the candidates in batches and merges the impacts in block
// order. This is the broad phase loop, and where it hands over to the narrow phase (query/candidate_stream.hpp).
//
// First impact: parts [0, h] of the step with growing h. All contacts up to h are among the candidates of the part,
// so once an impact is found that begins before h - tolerance, nothing later matters. Contacts come early where
// there are many, and the bounds of a short part overlap little.
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

/// The part [0, until] of a step. `begin` is where the part before it ended: 0 for the first one.
struct StepPart {
  double begin = 0.0;
  double until = 1.0;
  /// Share of the query's work that is done before and after this part: for progress.
  double progress_begin = 0.0;
  double progress_end = 1.0;

  [[nodiscard]] bool is_first() const { return begin == 0.0; }
  [[nodiscard]] bool is_last() const { return until == 1.0; }
};

/// Whether a query asks for all impacts or for the earliest one.
enum class Goal : std::uint8_t { All, First };

/// Impacts that need no test, and the share of the query's work that it took to know them.
struct KnownImpacts {
  std::vector<Impact> impacts;
  double progress_end = 0.0;
};

/// One continuous query of a method. Calls come in the order of the declarations; those with a body are optional.
class StepSearch {
 public:
  StepSearch() = default;
  StepSearch(const StepSearch&) = delete;
  StepSearch& operator=(const StepSearch&) = delete;
  virtual ~StepSearch() = default;

  /// Bytes that begin() and bound() will take at least: charged before they are made.
  [[nodiscard]] virtual std::size_t planned_bytes() const = 0;
  /// Takes the positions of the step.
  virtual void begin(Stats& stats) = 0;
  /// The parts of a search for the first impact; a search for all impacts has one part, the whole step.
  [[nodiscard]] virtual StepPart first_part() { return {}; }
  [[nodiscard]] virtual StepPart next_part(const StepPart& part) { return part; }
  /// Makes the bounds of a part, and, with the first one, the proofs of the whole step.
  virtual void bound(const StepPart& part, Stats& stats) = 0;
  /// Bytes taken; asked for after the first bound().
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;
  /// Impacts that earlier queries found and that still hold, or that are found once and kept (static bodies).
  [[nodiscard]] virtual KnownImpacts known_impacts(const QueryContext& query, MemoryBudget& budget, Stats& stats);
  /// What the elementary tests of the query need.
  [[nodiscard]] virtual ImpactBatch::Step tests() const = 0;
  /// Whether no candidate comes twice.
  [[nodiscard]] virtual bool tests_once() const { return true; }
  /// The sources of candidates of the current part. Adds to the stats what making them counts.
  [[nodiscard]] virtual std::unique_ptr<SourceSequence> sources(const QueryContext& query, MemoryBudget& budget,
                                                                Stats& stats) = 0;
  /// Copies impacts worth keeping for the next query from what a block found to `kept`, on the block's thread.
  virtual void keep_in_block(std::span<const Impact> impacts, std::vector<Impact>& kept, MemoryBudget& budget);
  /// Takes impacts in block order, on the calling thread: all of a block's, or what keep_in_block() kept.
  virtual void keep_merged(std::span<const Impact> impacts, MemoryBudget& budget);
  virtual void keep_block(std::span<const Impact> kept);
  /// Called after each wave of a search for the first impact, with the earliest so far; returns the milliseconds
  /// that it spent on tighter bounds.
  virtual double after_wave(const std::optional<Impact>& earliest);
  virtual void finish_part(const StepPart& part);
  /// Adds counters of what the method keeps, at the end of the query.
  virtual void count(Stats& stats) const;
};

/// Hands every impact of the step to `found`.
Stats find_impacts(const QueryContext& query, StepSearch& search, MemoryBudget& budget, FoundImpacts found);

/// The earliest impact of the step.
FirstImpact find_first_impact(const QueryContext& query, StepSearch& search);

}  // namespace graze::query
