// The funnel of a query: how many pairs come to each stage, from bounds to contacts, and where the time goes.
//
// The one place that knows which counters of Stats are stages, in which order, and what they are called: --stats
// prints it, the documents carry it, the report draws it. A method shows the stages that it has. Widths of bars are
// logarithmic, or the last stages could not be seen. Cost: constant a query.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <graze/stats.hpp>

#include "output/output.hpp"

namespace graze::app {

/// Stages in the order in which pairs pass them. No method has all.
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

/// How a stage is called: in documents, in tables, and what its pairs are. Of two stages with pairs of one unit the
/// later has some of the earlier's pairs; else one pair may lead to several.
struct StageText {
  const char* key;
  const char* name;
  const char* note;
  const char* unit;
  bool aside = false;  ///< some of the pairs above, that the next stage is not compared with
};
const StageText& stage_text(Stage stage);

struct FunnelStage {
  Stage stage{};
  std::uint64_t pairs = 0;
};
using Funnel = std::vector<FunnelStage>;  ///< ascending stages

/// The stages of one query; `contacts` is what it found. A stage without pairs is left out where pairs came to a
/// later one: they did not come through it. Contacts may be more than what was tested: of what stands still a
/// method knows them from the step before.
Funnel make_funnel(const Stats& stats, std::uint64_t contacts);

/// Adds up: stages that only one of them has are those of both.
void add_funnel(Funnel& sum, const Funnel& other);

/// Pairs of a stage for each one of the stage above, asides left out; none for the first, and after no pairs.
std::optional<double> share_left(const Funnel& funnel, std::size_t index);

/// {"KEY": pairs, ...} in order, and what the keys mean: {"KEY": {"name", "note", "unit"[, "aside"]}, ...}.
Json funnel_json(const Funnel& funnel);
Json stages_json();

/// Where the time of queries went. The rest is sorting, merging and handing over.
struct PhaseTimes {
  double edit_ms = 0.0;
  double update_ms = 0.0;
  double traverse_ms = 0.0;
  double narrow_ms = 0.0;
  double total_ms = 0.0;

  void add(const Stats& stats, double edit);  ///< the total of `stats` has the edit in it
  [[nodiscard]] double rest_ms() const;       ///< never negative: stages are timed apart from the whole
};

inline constexpr int kBarWidth = 32;  ///< characters of the longest bar

/// Cells of the table: stage, pairs, what is left of the stage above, a bar as long as the logarithm of the pairs.
std::vector<std::array<std::string, 4>> funnel_cells(const Funnel& funnel);
/// Phase, milliseconds, share of the total, a bar as long as the share. An edit only where there was one.
std::vector<std::array<std::string, 4>> time_cells(const PhaseTimes& times);

}  // namespace graze::app
