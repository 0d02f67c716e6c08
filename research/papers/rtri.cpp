// R-TRI (Curtis, Tamstorf, Manocha 2008): Table 1, Table 2, Figure 10, and the cost of stored edge bounds.
//
// The paper prints Figure 10 as bars without numbers; the figures of its text and captions stand beside ours.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <graze/detector.hpp>
#include <graze/research.hpp>

#include "bench/machine.hpp"
#include "bench/run.hpp"
#include "core/tasks.hpp"
#include "geometry/vec.hpp"
#include "research/papers/chart.hpp"
#include "research/papers/figures.hpp"
#include "research/papers/papers.hpp"
#include "research/papers/rtri_culling.hpp"
#include "research/representative_schemas.hpp"

#include <fmt/format.h>

namespace graze::papers {
namespace {

/// The printed figures of a benchmark: rates in percent (Table 2), and the "up to" factors of the captions.
struct Printed {
  std::string_view benchmark;
  double box_cull;
  double segment_cull;
  double improvement;
  double fewer_tests;  ///< tests of BASIC divided by R-TRI
  double faster;       ///< time of BASIC divided by R-TRI
};
constexpr std::array kPrinted = {
    Printed{"Balls", 72.3, 77.9, 7.8, 9.0, 5.3},
    Printed{"Cloth-ball", 77.4, 87.9, 13.6, 28.0, 5.1},
    Printed{"Princess", 49.1, 65.8, 34.0, 12.0, 4.98},
    Printed{"Flamenco", 61.2, 72.0, 17.6, 15.0, 4.9},
};

/// The paper's benchmark that our scene of this name represents; none for other scenes.
const Printed* printed_for(const std::string& title) {
  const std::string name = lower_case(title);
  const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
  if (has("cloth-ball") || has("draped-ball")) return &kPrinted[1];
  if (has("princess")) return &kPrinted[2];
  if (has("flamenco") || has("skirt")) return &kPrinted[3];
  if (has("balls") || has("n-body")) return &kPrinted[0];
  return nullptr;
}

PaperSection table1(Json& json) {
  PaperSection section{.title = "Table 1: elementary tests for one contact under two schemas",
                       .note = "Counted on regular tori; ours / printed.",
                       .columns = {"scenario", "VF tests", "EE tests", "total"},
                       .rows = {},
                       .chart = {}};
  json = Json::array();
  const auto both = [](std::uint64_t ours, std::uint64_t printed) { return fmt::format("{} / {}", ours, printed); };
  for (const SchemaScenario& row : schema_scenarios()) {
    section.rows.push_back({row.name, both(row.counts.vf, row.printed.vf), both(row.counts.ee, row.printed.ee),
                            both(row.counts.total(), row.printed.total())});
    json.push_back({{"scenario", row.name},
                    {"vf", row.counts.vf},
                    {"ee", row.counts.ee},
                    {"total", row.counts.total()},
                    {"printed", {{"vf", row.printed.vf}, {"ee", row.printed.ee}, {"total", row.printed.total()}}}});
  }
  return section;
}

PaperSection table2(const PaperRequest& request, const std::vector<SweepCulling>& counts, Json& json) {
  PaperSection section{
      .title = "Table 2: culling swept vertices against swept triangles",
      .note =
          "Vertex–face pairs that the traversal generates, represented and not incident: the share culled "
          "by the box of the vertex's path, and by the path itself, a segment, against the triangle's box.",
      .columns = {"scene", "pairs", "box", "segment", "improvement", "paper's", "box", "segment", "improvement"},
      .rows = {},
      .chart = {}};
  json = Json::array();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const BenchScene& scene = *request.scenes[i];
    const SweepCulling& count = counts[i];
    const Printed* printed = printed_for(scene.title);
    std::vector<std::string> cells = {
        scene.title, with_separators(count.pairs), percent(100.0 * count.box_cull_rate()),
        percent(100.0 * count.segment_cull_rate()), percent(100.0 * count.improvement())};
    Json row = {{"scene", scene.name},
                {"pairs", count.pairs},
                {"box_cull", count.box_cull_rate()},
                {"segment_cull", count.segment_cull_rate()},
                {"improvement", count.improvement()},
                {"printed", nullptr}};
    if (printed != nullptr) {
      cells.insert(cells.end(), {std::string(printed->benchmark), percent(printed->box_cull),
                                 percent(printed->segment_cull), percent(printed->improvement)});
      row["printed"] = {{"benchmark", printed->benchmark},
                        {"box_cull", printed->box_cull / 100.0},
                        {"segment_cull", printed->segment_cull / 100.0},
                        {"improvement", printed->improvement / 100.0}};
    } else {
      cells.insert(cells.end(), 4, "–");
    }
    section.rows.push_back(std::move(cells));
    json.push_back(std::move(row));
  }
  return section;
}

/// The methods of Figure 10, in its order.
std::vector<std::string> figure_methods() {
  std::vector<std::string> names;
  for (const std::string_view wanted : {"basic", "adj", "no-dupl", "r-tri"}) {
    for (const Method method : research::all_methods()) {
      if (name_of(method) == wanted) names.emplace_back(wanted);
    }
  }
  return names;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

PaperSection figure10(const PaperRequest& request, const RowsByScene& all, Json& json) {
  PaperSection section{
      .title = "Figure 10: elementary tests and time of a step",
      .note =
          fmt::format("Mean over the steps; time is the median of {} run{} on {} thread{}, from new "
                      "positions to sorted exact impacts.",
                      request.runs, request.runs == 1 ? "" : "s", request.threads, request.threads == 1 ? "" : "s"),
      .columns = {"scene", "method", "VF tests", "EE tests", "tests", "over R-TRI", "ms", "over R-TRI"},
      .rows = {},
      .chart = {}};
  json = Json::array();
  BarChart counts{.title = "Elementary tests of a step", .series = {}, .groups = {}};
  for (const std::string& name : figure_methods()) counts.series.push_back(upper(name));
  BarChart times = counts;
  times.title = "Milliseconds of a step";
  for (std::size_t i = 0; i < all.size(); ++i) {
    const BenchScene& scene = *request.scenes[i];
    const double steps = static_cast<double>(scene.step_count());
    const BenchRow& best = *row_of(all[i], "r-tri");
    counts.groups.push_back({.name = scene.title, .values = {}, .labels = {}});
    times.groups.push_back(counts.groups.back());
    Json rows = Json::array();
    for (const BenchRow& row : all[i]) {
      const auto a_step = [&](double sum) { return static_cast<std::uint64_t>(std::llround(sum / steps)); };
      section.rows.push_back({scene.title, upper(row.method),
                              with_separators(a_step(static_cast<double>(row.stats.vf_tests))),
                              with_separators(a_step(static_cast<double>(row.stats.ee_tests))),
                              with_separators(a_step(tests(row))), factor(quotient(tests(row), tests(best))),
                              format_ms(row.median_ms), factor(quotient(row.median_ms, best.median_ms))});
      counts.groups.back().values.push_back(tests(row));
      counts.groups.back().labels.push_back(with_separators(a_step(tests(row))));
      times.groups.back().values.push_back(row.median_ms);
      times.groups.back().labels.push_back(format_ms(row.median_ms));
      rows.push_back({{"method", row.method},
                      {"vf_tests", row.stats.vf_tests},
                      {"ee_tests", row.stats.ee_tests},
                      {"median_ms", row.median_ms},
                      {"min_ms", row.min_ms},
                      {"hash", hex16(row.hash.value_or(0))}});
    }
    json.push_back({{"scene", scene.name},
                    {"triangles", scene.scene.triangle_count()},
                    {"steps", scene.step_count()},
                    {"rows", std::move(rows)}});
  }
  section.chart = bars_svg(counts) + bars_svg(times);
  return section;
}

/// Mean displacement of a vertex per step, relative to the mean edge length at the start of the step; over the
/// steps before triangles change.
double motion_over_edge(const BenchScene& scene) {
  double displacement = 0.0;
  double side = 0.0;
  for (std::size_t step = 0; step < scene.steps_before_change(); ++step) {
    const std::span<const Vec3> x_t0 = scene.x_t0(step);
    const std::span<const Vec3> x_t1 = scene.x_t1(step);
    for (std::size_t v = 0; v < x_t0.size(); ++v) displacement += length(x_t1[v] - x_t0[v]);
    for (const Triangle& t : scene.scene.triangles()) {
      for (std::size_t k = 0; k < 3; ++k) side += length(x_t0[t[(k + 1) % 3]] - x_t0[t[k]]);
    }
  }
  const auto vertices = static_cast<double>(scene.scene.vertex_count());
  const auto sides = 3.0 * static_cast<double>(scene.scene.triangle_count());
  return quotient(displacement * sides, side * vertices);
}

constexpr const char* kRatiosNote =
    "Ours / printed; the captions say \"up to\". BASIC over NO-DUPL is a property of the mesh: with "
    "half a vertex and one and a half edges per triangle, the 15 tests of a triangle pair become "
    "3.25, 4.6 times fewer. NO-DUPL over R-TRI depends on how far features move: once a step is "
    "longer than an edge, the box of a swept edge is nearly that of its triangle, and bounds of "
    "features cull little, unless the displacement is along an axis. The last column has this ratio: "
    "mean displacement of a vertex per step divided by the mean edge length. The paper's steps are "
    "not known.";

PaperSection figure10_ratios(const PaperRequest& request, const RowsByScene& all, Json& json) {
  PaperSection section{.title = "Figure 10 beside what the paper says of it",
                       .note = kRatiosNote,
                       .columns = {"scene", "BASIC/R-TRI tests", "BASIC/NO-DUPL", "NO-DUPL/R-TRI", "ADJ/R-TRI",
                                   "BASIC/R-TRI time", "NO-DUPL/R-TRI", "ADJ/NO-DUPL", "motion/edge"},
                       .rows = {},
                       .chart = {}};
  json = Json::array();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Printed* printed = printed_for(request.scenes[i]->title);
    const BenchRow* basic = row_of(all[i], "basic");
    const BenchRow* adj = row_of(all[i], "adj");
    const BenchRow* no_dupl = row_of(all[i], "no-dupl");
    const BenchRow* r_tri = row_of(all[i], "r-tri");
    Json row = {{"scene", request.scenes[i]->name}};
    std::vector<std::string> cells = {request.scenes[i]->title};
    const auto add = [&](const char* key, const BenchRow* a, const BenchRow* b, bool time,
                         const std::string& paper) {
      if (a == nullptr || b == nullptr) {
        cells.push_back("– / " + paper);
        row[key] = nullptr;
        return;
      }
      const double value = time ? quotient(a->median_ms, b->median_ms) : quotient(tests(*a), tests(*b));
      cells.push_back(factor(value) + " / " + paper);
      row[key] = value;
    };
    const auto caption = [&](double Printed::*value) {
      return printed != nullptr ? fmt::format("{}×", printed->*value) : std::string("–");
    };
    add("basic_over_r_tri_tests", basic, r_tri, false, caption(&Printed::fewer_tests));
    add("basic_over_no_dupl_tests", basic, no_dupl, false, "5×");
    add("no_dupl_over_r_tri_tests", no_dupl, r_tri, false, "3×");
    add("adj_over_r_tri_tests", adj, r_tri, false, "1×");
    add("basic_over_r_tri_time", basic, r_tri, true, caption(&Printed::faster));
    add("no_dupl_over_r_tri_time", no_dupl, r_tri, true, "1.33×");
    add("adj_over_no_dupl_time", adj, no_dupl, true, "2×");
    const double motion = motion_over_edge(*request.scenes[i]);
    cells.push_back(fmt::format("{:.2f}", motion));
    row["motion_over_edge"] = motion;
    row["printed"] = printed == nullptr ? Json(nullptr)
                                        : Json({{"benchmark", printed->benchmark},
                                                {"basic_over_r_tri_tests", printed->fewer_tests},
                                                {"basic_over_r_tri_time", printed->faster}});
    section.rows.push_back(std::move(cells));
    json.push_back(std::move(row));
  }
  return section;
}

constexpr const char* kComputed = "r-tri, edge bounds computed";

PaperSection edge_bounds(const PaperRequest& request, const RowsByScene& all,
                         const std::vector<SweepCulling>& counts, Json& json) {
  PaperSection section{
      .title = "Section 5.1: bounds of edges, stored or made for each test",
      .note =
          "Storing a box for every edge grew the paper's hierarchies by 75 %, two boxes per triangle; our "
          "nodes also have links and padding. Times are those of R-TRI, per step.",
      .columns = {"scene", "hierarchy", "edge boxes", "more / printed", "stored ms", "computed ms",
                  "computed/stored"},
      .rows = {},
      .chart = {}};
  json = Json::array();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double more =
        quotient(static_cast<double>(counts[i].edge_bounds_bytes), static_cast<double>(counts[i].bvh_bytes));
    const BenchRow& stored = *row_of(all[i], "r-tri");
    const BenchRow& computed = *row_of(all[i], kComputed);
    section.rows.push_back({request.scenes[i]->title, format_bytes(counts[i].bvh_bytes),
                            format_bytes(counts[i].edge_bounds_bytes), fmt::format("{:.0f} % / 75 %", 100.0 * more),
                            format_ms(stored.median_ms), format_ms(computed.median_ms),
                            factor(quotient(computed.median_ms, stored.median_ms))});
    json.push_back({{"scene", request.scenes[i]->name},
                    {"bvh_bytes", counts[i].bvh_bytes},
                    {"edge_bounds_bytes", counts[i].edge_bounds_bytes},
                    {"more", more},
                    {"printed_more", 0.75},
                    {"stored_ms", stored.median_ms},
                    {"computed_ms", computed.median_ms}});
  }
  return section;
}

std::vector<SweepCulling> count_culling(const PaperRequest& request, Progress& progress) {
  std::vector<SweepCulling> counts(request.scenes.size());
  with_threads(request.threads, [&] {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const BenchScene& scene = *request.scenes[i];
      const CullMeter meter(scene.scene);
      const std::size_t steps = scene.steps_before_change();
      for (std::size_t step = 0; step < steps; ++step) {
        progress.show(scene.title + " culling", static_cast<double>(step) / static_cast<double>(steps));
        meter.add_step(scene.x_t0(step), scene.x_t1(step), counts[i]);
      }
    }
  });
  return counts;
}

}  // namespace

PaperResult paper_rtri(const PaperRequest& request, Progress& progress) {
  PaperResult result;
  const std::vector<SweepCulling> counts = count_culling(request, progress);
  RowsByScene figure(request.scenes.size());
  RowsByScene with_ablation;
  for (std::size_t i = 0; i < figure.size(); ++i) {
    std::vector<Contestant> contestants;
    for (const std::string& name : figure_methods()) contestants.push_back(make_contestant(name, request.threads));
    Contestant computed = make_contestant("r-tri", request.threads);
    computed.name = kComputed;
    computed.options.research->hierarchy.edge_bounds = research::EdgeBounds::Computed;
    contestants.push_back(std::move(computed));
    with_ablation.push_back(run_bench(*request.scenes[i], contestants, {.runs = request.runs}, progress));
    for (std::string& line : disagreements(with_ablation.back())) result.wrong.push_back(std::move(line));
    for (const BenchRow& row : with_ablation.back()) {
      if (row.method != kComputed) figure[i].push_back(row);
    }
  }
  Json& json = result.json;
  json["paper"] = "R-TRI";
  json["machine"] = machine_json();
  json["threads"] = request.threads;
  json["runs"] = request.runs;
  result.sections.push_back(table1(json["table1"]));
  result.sections.push_back(table2(request, counts, json["table2"]));
  result.sections.push_back(figure10(request, figure, json["fig10"]));
  result.sections.push_back(figure10_ratios(request, figure, json["fig10_ratios"]));
  result.sections.push_back(edge_bounds(request, with_ablation, counts, json["edge_bounds"]));
  return result;
}

}  // namespace graze::papers
