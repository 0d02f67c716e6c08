// Prints the tables of --stats: counters and times per step, counters of single methods, and the funnel of the
// whole run. Cost: linear in the steps.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "frames/step_counters.hpp"
#include "frames/step_rows.hpp"
#include "output/funnel.hpp"
#include "output/terminal.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

/// Counters of normal cones and orphan sets, if a method uses them.
void print_proofs(const std::vector<StepRow>& rows) {
  const auto worked = [](const StepRow& row) {
    return std::any_of(kProofCounters.begin(), kProofCounters.end(),
                       [&](const ProofCounter& counter) { return row.stats.culled.*counter.value != 0; });
  };
  if (std::none_of(rows.begin(), rows.end(), worked)) return;
  fmt::print("\n");
  std::vector<Column> columns{{"step", 6}};
  for (const ProofCounter& counter : kProofCounters) columns.push_back({counter.name, 15});
  Table proofs(columns);
  for (const StepRow& row : rows) {
    std::vector<std::string> cells{with_separators(row.step)};
    for (const ProofCounter& counter : kProofCounters) {
      cells.push_back(with_separators(row.stats.culled.*counter.value));
    }
    proofs.row(cells);
  }
}

/// Counters of temporal coherence, for adaptive.
void print_coherence(const std::vector<StepRow>& rows) {
  if (std::none_of(rows.begin(), rows.end(), [](const StepRow& row) { return row.coherent; })) return;
  fmt::print("\n");
  Table table({{"step", 6},
               {"session", 9},
               {"dangling", 10},
               {"violating", 10},
               {"pairs", 12},
               {"B/pair", 7},
               {"measured", 13},
               {"admissible", 12},
               {"remembered", 11}});
  for (const StepRow& row : rows) {
    const CoherenceCounts& c = row.stats.coherence;
    const double a_pair = static_cast<double>(c.pair_bytes) / static_cast<double>(c.pairs);
    table.row({with_separators(row.step),
               c.session_frames > 0 ? fmt::format("{}/{}", c.session_step, c.session_frames) : "-",
               with_separators(c.dangling_triangles), with_separators(c.violating_triangles),
               with_separators(c.pairs), c.pairs > 0 ? fmt::format("{:.1f}", a_pair) : "-",
               with_separators(c.measured), with_separators(c.admissible), with_separators(c.remembered)});
  }
}

/// Counters of hash.
void print_hashing(const std::vector<StepRow>& rows) {
  if (std::none_of(rows.begin(), rows.end(), [](const StepRow& row) { return row.hashed; })) return;
  fmt::print("\n");
  std::vector<Column> columns{{"step", 6}};
  for (const HashCounter& counter : kHashCounters) columns.push_back({counter.title, 13});
  Table table(columns);
  for (const StepRow& row : rows) {
    std::vector<std::string> cells{with_separators(row.step)};
    for (const HashCounter& counter : kHashCounters)
      cells.push_back(with_separators(row.stats.hash.*counter.value));
    table.row(cells);
  }
}

/// Counters of clusters, for auto.
void print_clustering(const std::vector<StepRow>& rows) {
  if (std::none_of(rows.begin(), rows.end(), [](const StepRow& row) { return row.stats.cluster.clusters > 0; })) {
    return;
  }
  fmt::print("\n");
  std::vector<Column> columns{{"step", 6}};
  for (const ClusterCounter& counter : kClusterCounters) columns.push_back({counter.title, 14});
  Table table(columns);
  for (const StepRow& row : rows) {
    std::vector<std::string> cells{with_separators(row.step)};
    for (const ClusterCounter& counter : kClusterCounters) {
      cells.push_back(with_separators(row.stats.cluster.*counter.value));
    }
    table.row(cells);
  }
}

PhaseTimes times_of(const StepRow& row) {
  PhaseTimes times;
  times.add(row.stats, row.edit_ms.value_or(0.0));
  return times;
}

/// Speed and memory; "-" if unknown.
std::string triangles_a_second(std::uint64_t triangles, double ms) {
  const double rate = 1000.0 * static_cast<double>(triangles) / ms;
  return ms > 0.0 && rate < 1e18 ? with_separators(static_cast<std::uint64_t>(std::llround(rate))) : "-";
}
std::string bytes_a_triangle(const StepRow& row) {
  if (row.triangles == 0) return "-";
  return fmt::format("{:.0f}", static_cast<double>(row.stats.memory_bytes) / static_cast<double>(row.triangles));
}

void print_times(const std::vector<StepRow>& rows) {
  fmt::print("\n");
  const bool edited =
      std::any_of(rows.begin(), rows.end(), [](const StepRow& row) { return row.edit_ms.has_value(); });
  std::vector<Column> columns{{"step", 6}};
  if (edited) columns.push_back({"edit ms", 11});
  columns.insert(columns.end(), {{"update ms", 11},
                                 {"traverse ms", 11},
                                 {"narrow ms", 11},
                                 {"rest ms", 11},
                                 {"total ms", 11},
                                 {"triangles/s", 13},
                                 {"B/triangle", 10}});
  Table times(columns);
  for (const StepRow& row : rows) {
    const Stats& s = row.stats;
    std::vector<std::string> cells{with_separators(row.step)};
    if (edited) cells.push_back(row.edit_ms ? format_ms(*row.edit_ms) : "-");
    for (const double ms : {s.update_ms, s.traverse_ms, s.narrow_ms, times_of(row).rest_ms(), s.total_ms}) {
      cells.push_back(format_ms(ms));
    }
    cells.push_back(triangles_a_second(row.triangles, s.total_ms));
    cells.push_back(bytes_a_triangle(row));
    times.row(cells);
  }
}

/// The funnel and the times of all steps together.
void print_funnel(const std::vector<StepRow>& rows) {
  if (rows.empty()) return;
  Funnel funnel;
  PhaseTimes times;
  for (const StepRow& row : rows) {
    add_funnel(funnel, row_funnel(row));
    times.add(row.stats, row.edit_ms.value_or(0.0));
  }
  const std::string of = rows.size() == 1 ? "stage" : fmt::format("stage, {} steps", with_separators(rows.size()));
  const auto print = [](Table table, const std::vector<std::array<std::string, 4>>& lines) {
    fmt::print("\n");
    for (const auto& cells : lines) table.row({cells.begin(), cells.end()});
  };
  print(Table({{of, -21}, {"pairs", 19}, {"left", 9}, {"logarithmic", -kBarWidth}}), funnel_cells(funnel));
  print(Table({{"time", -21}, {"ms", 19}, {"share", 9}, {"", -kBarWidth}}), time_cells(times));
}

void print_counters(const std::vector<StepRow>& rows) {
  fmt::print("\n");
  const bool on_gpu =
      std::any_of(rows.begin(), rows.end(), [](const StepRow& row) { return row.stats.device_bytes > 0; });
  std::vector<Column> columns{{"step", 6},      {"bv tests", 14}, {"triangle pairs", 14},
                              {"vf tests", 14}, {"ee tests", 14}, {"filter", 14},
                              {"interval", 11}, {"exact", 9},     {"memory", 10}};
  if (on_gpu) columns.push_back({"on GPU", 10});
  Table counters(columns);
  for (const StepRow& row : rows) {
    const Stats& s = row.stats;
    std::vector<std::string> cells{
        with_separators(row.step),         with_separators(s.bv_tests),    with_separators(s.triangle_pairs),
        with_separators(s.vf_tests),       with_separators(s.ee_tests),    with_separators(s.tiers.filter),
        with_separators(s.tiers.interval), with_separators(s.tiers.exact), format_bytes(s.memory_bytes)};
    if (on_gpu) cells.push_back(format_bytes(s.device_bytes));
    counters.row(cells);
  }
}

}  // namespace

void print_stats(const std::vector<StepRow>& rows) {
  print_counters(rows);
  print_proofs(rows);
  print_coherence(rows);
  print_hashing(rows);
  print_clustering(rows);
  print_times(rows);
  print_funnel(rows);
}

}  // namespace graze::app
