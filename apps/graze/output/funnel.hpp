// The funnel of a query: how many pairs reach each stage, from broad phase to contacts, and where the time goes.
//
// This file alone knows which counters of Stats are stages, their order and their names: --stats prints the funnel,
// JSON documents contain it, the report draws it. A method shows the stages that it has. The length of a bar is
// logarithmic, so that the last stages are visible. Cost: constant per query.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <graze/stats.hpp>

#include "output/output.hpp"

namespace graze::app {

/// Stages in the order in which pairs pass them. No method has all stages.
enum class Stage : std::uint8_t {
  VoxelPairs,
  Bounds,
  BoxPairs,
  ClusterPairs,
  TrianglePairs,
  KeptPairs,
  AdmissiblePairs,
  ElementPairs,
  FeatureTests,
  FeaturePairs,
  Tests,
  PastFilter,
  Solved,
  Exact,
  Contacts,
};
inline constexpr std::size_t kStageCount = 15;

/// Names of a stage: key in documents, name in tables, note and unit of its pairs. If two stages have the same
/// unit, the pairs of the later are a subset of the earlier; otherwise one pair may lead to several.
struct StageText {
  const char* key;
  const char* name;
  const char* note;
  const char* unit;
  bool aside = false;  ///< a subset of the stage above; the next stage is compared with the stage above it
};
const StageText& stage_text(Stage stage);

struct FunnelStage {
  Stage stage{};
  std::uint64_t pairs = 0;
};
using Funnel = std::vector<FunnelStage>;  ///< ascending stages

/// The stages of one query, which found `contacts` contacts. A stage without pairs is left out if a later stage has
/// pairs, which then did not pass it. There may be more contacts than tests: a method keeps the contacts of static
/// features from the step before.
Funnel make_funnel(const Stats& stats, std::uint64_t contacts);

/// Adds `other` to `sum`, which then has the stages of both.
void add_funnel(Funnel& sum, const Funnel& other);

/// Pairs of a stage divided by those of the stage above it that is not aside; none for the first stage, and if the
/// stage above has no pairs.
std::optional<double> share_left(const Funnel& funnel, std::size_t index);

/// Pairs by key, in order: {"KEY": pairs, ...}; and the texts of all keys: {"KEY": {"name", "note", "unit"[,
/// "aside"]}, ...}.
Json funnel_json(const Funnel& funnel);
Json stages_json();

/// Times of the stages of queries. The rest is sorting, merging and copying of results.
struct PhaseTimes {
  double edit_ms = 0.0;
  double update_ms = 0.0;
  double traverse_ms = 0.0;
  double narrow_ms = 0.0;
  double total_ms = 0.0;

  void add(const Stats& stats, double edit);  ///< total_ms of `stats` includes the edit
  [[nodiscard]] double rest_ms() const;       ///< at least 0: stages and total are timed separately
};

inline constexpr int kBarWidth = 32;  ///< characters of the longest bar

/// Cells of the table: stage, pairs, share left of the stage above, a bar with the logarithm of the pairs.
std::vector<std::array<std::string, 4>> funnel_cells(const Funnel& funnel);
/// Cells of the times: phase, milliseconds, share of the total, a bar with the share. No row for an edit of 0 ms.
std::vector<std::array<std::string, 4>> time_cells(const PhaseTimes& times);

}  // namespace graze::app
