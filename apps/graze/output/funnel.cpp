// Turns counters into stages, and stages into text (funnel.hpp).
#include "output/funnel.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "output/terminal.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

constexpr std::array<StageText, kStageCount> kTexts = {{
    {"voxel_pairs", "pairs in voxels", "with a voxel in common", "triangles"},
    {"bounds", "bounds compared", "pairs of bounding volumes", "bounds"},
    {"box_pairs", "boxes overlap", "pairs of triangles, each once", "triangles"},
    {"cluster_pairs", "cluster pairs", "that overlap, and each with itself", "clusters"},
    {"triangle_pairs", "triangle pairs", "whose bounds overlap", "triangles"},
    {"kept_pairs", "pairs kept", "triangle pairs of earlier steps", "kept"},
    {"admissible_pairs", "pairs admissible", "that distances do not rule out", "kept"},
    {"element_pairs", "element pairs", "feature pairs of triangle pairs", "features"},
    {"feature_tests", "features compared", "feature pairs, by their bounds", "features"},
    {"feature_pairs", "feature pairs", "whose bounds, linear in time, overlap", "features"},
    {"tests", "elementary tests", "feature pairs, each one tested", "features"},
    {"past_filter", "past the filter", "not separated in plain doubles", "features"},
    {"solved", "roots isolated", "not later than the first impact so far", "features"},
    {"exact", "in exact arithmetic", "undecided by intervals", "features", true},
    {"contacts", "contacts", "every one, and no other", "features"},
}};

std::string percent(double share) {
  if (share <= 0.0) return "0 %";
  if (share < 0.0001) return "< 0.01 %";
  return fmt::format("{:.{}f} %", 100.0 * share, share < 0.1 ? 2 : 1);
}

std::string left_text(const std::optional<double>& share) {
  if (!share) return "";
  if (*share <= 1.0) return percent(*share);
  return fmt::format("x {:.{}f}", *share, *share < 10.0 ? 2 : *share < 100.0 ? 1 : 0);
}

std::string bar(double share) {
  const auto length = std::lround(kBarWidth * std::clamp(share, 0.0, 1.0));
  return std::string(static_cast<std::size_t>(length), '#');
}

}  // namespace

const StageText& stage_text(Stage stage) {
  return kTexts[static_cast<std::size_t>(stage)];
}

Funnel make_funnel(const Stats& stats, std::uint64_t contacts) {
  const bool clustered = stats.cluster.clusters > 0;
  const bool hashed = stats.hash.entries > 0;
  const bool kept = stats.coherence.pairs > 0 || stats.coherence.admissible > 0;
  Funnel all;
  const auto add = [&](bool has, Stage stage, std::uint64_t pairs) {
    if (has) all.push_back({stage, pairs});
  };
  const std::uint64_t tests = stats.vf_tests + stats.ee_tests;
  const std::uint64_t past_filter = tests - std::min(tests, stats.tiers.filter);
  const std::uint64_t solved = stats.tiers.interval + stats.tiers.exact;
  add(hashed, Stage::VoxelPairs, stats.hash.voxel_pairs);
  add(!hashed, Stage::Bounds, stats.bv_tests);  // hash counts two levels of bounds together
  add(hashed, Stage::BoxPairs, stats.hash.box_pairs);
  add(clustered, Stage::ClusterPairs, stats.cluster.pairs);
  add(!clustered || stats.triangle_pairs > 0, Stage::TrianglePairs, stats.triangle_pairs);
  add(kept, Stage::KeptPairs, stats.coherence.pairs);
  add(kept, Stage::AdmissiblePairs, stats.coherence.admissible);
  add(hashed, Stage::ElementPairs, stats.hash.element_pairs);
  add(clustered, Stage::FeatureTests, stats.cluster.feature_tests);
  add(clustered, Stage::FeaturePairs, stats.cluster.feature_pairs);
  add(true, Stage::Tests, tests);
  add(true, Stage::PastFilter, past_filter);
  add(solved < past_filter, Stage::Solved, solved);  // first_impact drops pairs that can only touch later
  add(true, Stage::Exact, stats.tiers.exact);
  add(true, Stage::Contacts, contacts);

  Funnel funnel;
  bool later = false;  // true if a later stage has pairs; kept contacts of static features pass none
  for (auto it = all.rbegin(); it != all.rend(); ++it) {
    const bool is_stage = it->stage != Stage::Contacts && !stage_text(it->stage).aside;
    if (it->pairs > 0 || !is_stage || !later) funnel.push_back(*it);
    later = later || (is_stage && it->pairs > 0);
  }
  std::reverse(funnel.begin(), funnel.end());
  return funnel;
}

void add_funnel(Funnel& sum, const Funnel& other) {
  Funnel both;
  std::merge(sum.begin(), sum.end(), other.begin(), other.end(), std::back_inserter(both),
             [](const FunnelStage& a, const FunnelStage& b) { return a.stage < b.stage; });
  sum.clear();
  for (const FunnelStage& stage : both) {
    if (!sum.empty() && sum.back().stage == stage.stage) {
      sum.back().pairs += stage.pairs;
    } else {
      sum.push_back(stage);
    }
  }
}

std::optional<double> share_left(const Funnel& funnel, std::size_t index) {
  for (std::size_t above = index; above-- > 0;) {
    if (stage_text(funnel[above].stage).aside) continue;
    if (funnel[above].pairs == 0) return std::nullopt;
    return static_cast<double>(funnel[index].pairs) / static_cast<double>(funnel[above].pairs);
  }
  return std::nullopt;
}

Json funnel_json(const Funnel& funnel) {
  Json json = Json::object();
  for (const FunnelStage& stage : funnel) json[stage_text(stage.stage).key] = stage.pairs;
  return json;
}

Json stages_json() {
  Json json;
  for (const StageText& text : kTexts) {
    json[text.key] = {{"name", text.name}, {"note", text.note}, {"unit", text.unit}};
    if (text.aside) json[text.key]["aside"] = true;
  }
  return json;
}

void PhaseTimes::add(const Stats& stats, double edit) {
  edit_ms += edit;
  update_ms += stats.update_ms;
  traverse_ms += stats.traverse_ms;
  narrow_ms += stats.narrow_ms;
  total_ms += stats.total_ms;
}

double PhaseTimes::rest_ms() const {
  return std::max(total_ms - edit_ms - update_ms - traverse_ms - narrow_ms, 0.0);
}

std::vector<std::array<std::string, 4>> funnel_cells(const Funnel& funnel) {
  std::uint64_t most = 2;
  for (const FunnelStage& stage : funnel) most = std::max(most, stage.pairs);
  std::vector<std::array<std::string, 4>> cells;
  for (std::size_t i = 0; i < funnel.size(); ++i) {
    const auto& [stage, pairs] = funnel[i];
    const double length =
        pairs > 0 ? std::log(static_cast<double>(pairs)) / std::log(static_cast<double>(most)) : 0.0;
    // The logarithm of one pair is 0, but its bar must be visible.
    cells.push_back({(stage_text(stage).aside ? "  " : "") + std::string(stage_text(stage).name),
                     with_separators(pairs), left_text(share_left(funnel, i)),
                     pairs > 0 ? bar(std::max(length, 1.0 / kBarWidth)) : ""});
  }
  return cells;
}

std::vector<std::array<std::string, 4>> time_cells(const PhaseTimes& times) {
  std::vector<std::array<std::string, 4>> cells;
  const auto add = [&](const char* name, double ms) {
    const double share = times.total_ms > 0.0 ? ms / times.total_ms : 0.0;
    cells.push_back({name, format_ms(ms), percent(share), bar(share)});
  };
  if (times.edit_ms > 0.0) add("edit", times.edit_ms);
  add("update", times.update_ms);
  add("traverse", times.traverse_ms);
  add("narrow", times.narrow_ms);
  add("sort and the rest", times.rest_ms());
  cells.push_back({"total", format_ms(times.total_ms), "", ""});
  return cells;
}

}  // namespace graze::app
