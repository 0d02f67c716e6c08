// ICCD (Tang, Curtis, Yoon, Manocha 2009): Tables I to III and Figure 15; iccd_culling.cpp has the figures of its
// text on cones, bounding volumes and memory.
//
// Table I depends on the mesh alone. All others are means over the steps of a scene, of contestants that must
// agree. The paper's base is our method basic with 18-DOPs, with our exact elementary tests.
#include "research/papers/iccd.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <graze/detector.hpp>
#include <graze/research.hpp>

#include "bench/machine.hpp"
#include "bench/run.hpp"
#include "core/assert.hpp"
#include "mesh/topology.hpp"
#include "research/mesh_counts.hpp"
#include "research/orphans.hpp"
#include "research/papers/chart.hpp"
#include "research/papers/figures.hpp"

#include <fmt/format.h>

namespace graze::papers::iccd {

namespace {

/// The printed figures of a benchmark. Table I is text, because digits are compared; empty without a row.
struct Printed {
  std::string_view benchmark;
  std::string_view triangles;
  std::string_view adjacent;
  std::string_view adjacent_tests;
  std::string_view orphans;
  double ms;
  double speedup;
  double base_tests;
  double tests;
};
constexpr std::array kPrinted = {
    Printed{"Cloth", "92K", "564K", "4.4M", "4.8K", 290, 9, 7'522e3, 216e3},
    Printed{"Princess", "40K", "269K", "2.1M", "2K", 45, 8.8, 932e3, 14e3},
    Printed{"N-body", "34K", "198K", "1.5M", "200", 89, 14.6, 3'359e3, 188e3},
    Printed{"Letters", "5K", "29K", "224K", "114", 9.4, 12.6, 340e3, 8e3},
    Printed{"Flamenco", "49K", "291K", "2.3M", "10.8K", 185, 9.4, 1'125e3, 16e3},
    Printed{"Dragon", "", "", "", "", 878, 21.4, 16'199e3, 981e3},
};

/// The paper's benchmark that our scene of this name represents; none for other scenes.
const Printed* printed_for(const std::string& title) {
  constexpr std::array<std::pair<std::string_view, std::size_t>, 8> kNames = {{{"cloth-ball", 0},
                                                                               {"princess", 1},
                                                                               {"n-body", 2},
                                                                               {"letters", 3},
                                                                               {"flamenco", 4},
                                                                               {"skirt", 4},
                                                                               {"dragon", 5},
                                                                               {"breaking", 5}}};
  const std::string name = lower_case(title);
  for (const auto& [part, index] : kNames) {
    if (name.find(part) != std::string::npos) return &kPrinted[index];
  }
  return nullptr;
}

/// Formats a count with the unit and digits of a printed one: 563793 like "564K" is "564K".
std::string like(std::string_view printed, std::uint64_t count) {
  const char unit = printed.back();
  const bool has_unit = unit == 'K' || unit == 'M';
  const std::string_view digits = has_unit ? printed.substr(0, printed.size() - 1) : printed;
  const std::size_t point = digits.find('.');
  const std::size_t decimals = point == std::string_view::npos ? 0 : digits.size() - point - 1;
  const double scale = unit == 'M' ? 1e6 : unit == 'K' ? 1e3 : 1.0;
  return fmt::format("{:.{}f}{}", static_cast<double>(count) / scale, decimals,
                     has_unit ? std::string(1, unit) : std::string());
}

PaperSection table1(const PaperRequest& request, Json& json) {
  PaperSection section{
      .title = "Table I: adjacent triangles and orphans",
      .note =
          "Counted from the mesh alone; ours / printed. Adjacent pairs take 9 elementary tests with one "
          "common vertex and 4 with a common edge (Govindaraju et al. 2005); orphans replace them. A row "
          "is marked = if all four figures have the paper's digits. For scenes that break, the mesh of the "
          "last frame.",
      .columns = {"scene", "paper's", "triangles", "adjacent pairs", "tests of them", "orphans", "tests/orphans",
                  "="},
      .rows = {},
      .chart = {}};
  json = Json::array();
  for (const BenchScene* scene : request.scenes) {
    const Topology topology = build_topology(scene->last_scene.triangles(), scene->last_scene.vertex_count());
    const AdjacentPairs adjacent = count_adjacent_pairs(topology);
    const OrphanCounts orphans = count_orphans(topology);
    const std::uint64_t adjacent_tests = 9 * adjacent.vertex + 4 * adjacent.edge;
    const std::uint64_t orphan_tests = orphans.vf + orphans.ee;
    const std::array<std::uint64_t, 4> ours = {scene->last_scene.triangle_count(), adjacent.vertex + adjacent.edge,
                                               adjacent_tests, orphan_tests};
    const Printed* printed = printed_for(scene->title);
    const bool has_row = printed != nullptr && !printed->triangles.empty();
    std::vector<std::string> cells = {scene->title, printed != nullptr ? std::string(printed->benchmark) : "–"};
    bool same = has_row;
    for (std::size_t k = 0; k < ours.size(); ++k) {
      const std::string_view theirs =
          has_row ? std::array{printed->triangles, printed->adjacent, printed->adjacent_tests, printed->orphans}[k]
                  : "–";
      cells.push_back(fmt::format("{} / {}", with_separators(ours[k]), theirs));
      same = same && like(theirs, ours[k]) == theirs;
    }
    cells.push_back(factor(quotient(static_cast<double>(adjacent_tests), static_cast<double>(orphan_tests))));
    cells.emplace_back(same ? "=" : "");
    section.rows.push_back(std::move(cells));
    json.push_back({{"scene", scene->name},
                    {"triangles", ours[0]},
                    {"vertex_adjacent", adjacent.vertex},
                    {"edge_adjacent", adjacent.edge},
                    {"adjacent_pairs", ours[1]},
                    {"adjacent_tests", ours[2]},
                    {"orphans", {{"vf", orphans.vf}, {"ee", orphans.ee}, {"total", orphan_tests}}},
                    {"same_digits", same},
                    {"printed", has_row ? Json({{"benchmark", printed->benchmark},
                                                {"triangles", printed->triangles},
                                                {"adjacent_pairs", printed->adjacent},
                                                {"adjacent_tests", printed->adjacent_tests},
                                                {"orphans", printed->orphans}})
                                        : Json(nullptr)}});
  }
  return section;
}

PaperSection table2(const PaperRequest& request, const std::vector<Measured>& all, Json& json) {
  PaperSection section{
      .title = "Table II: time of a step, and speedup over the base",
      .note = fmt::format(
          "Milliseconds, median of {} run{} on {} thread{}; ours / printed, on a Pentium 4 of 2.66 GHz. "
          "The base is basic with 18-DOPs, refitted. Then the first impact alone, which the paper "
          "computes, and r-tri compared with iccd. Where bodies break, times include the edits of the "
          "detector; the last column has those of iccd.",
          request.runs, request.runs == 1 ? "" : "s", request.threads, request.threads == 1 ? "" : "s"),
      .columns = {"scene", "paper's", "base", "iccd", "speedup", "first: base", "iccd", "speedup", "r-tri",
                  "r-tri/iccd", "edits"},
      .rows = {},
      .chart = {}};
  json = Json::array();
  for (const Measured& measured : all) {
    const Printed* printed = printed_for(measured.scene->title);
    const auto beside = [&](const std::string& ours, double Printed::*theirs, const char* sign) {
      return fmt::format("{} / {}", ours, printed != nullptr ? fmt::format("{}{}", printed->*theirs, sign) : "–");
    };
    const double base = measured.row(kBase).median_ms;
    const double ours = measured.row(kOurs).median_ms;
    const double r_tri = measured.row(kRtri).median_ms;
    const double first_base = measured.first[0].median_ms;
    const double first_ours = measured.first[1].median_ms;
    section.rows.push_back({measured.scene->title, printed != nullptr ? std::string(printed->benchmark) : "–",
                            format_ms(base), beside(format_ms(ours), &Printed::ms, ""),
                            beside(factor(quotient(base, ours)), &Printed::speedup, "×"), format_ms(first_base),
                            format_ms(first_ours), factor(quotient(first_base, first_ours)), format_ms(r_tri),
                            factor(quotient(r_tri, ours)),
                            measured.scene->changes.empty() ? "–" : format_ms(measured.row(kOurs).edit_ms)});
    Json contestants = Json::array();
    for (const BenchRow& row : measured.rows) {
      contestants.push_back({{"contestant", row.method},
                             {"median_ms", row.median_ms},
                             {"min_ms", row.min_ms},
                             {"edit_ms", row.edit_ms},
                             {"hash", hex16(row.hash.value_or(0))},
                             {"toi_hash", hex16(row.toi_hash.value_or(0))}});
    }
    json.push_back(
        {{"scene", measured.scene->name},
         {"triangles", measured.scene->last_scene.triangle_count()},
         {"steps", measured.scene->step_count()},
         {"contestants", std::move(contestants)},
         {"speedup", quotient(base, ours)},
         {"first_base_ms", first_base},
         {"first_ms", first_ours},
         {"first_speedup", quotient(first_base, first_ours)},
         {"printed",
          printed != nullptr
              ? Json({{"benchmark", printed->benchmark}, {"ms", printed->ms}, {"speedup", printed->speedup}})
              : Json(nullptr)}});
  }
  return section;
}

PaperSection table3(const std::vector<Measured>& all, Json& json) {
  PaperSection section{
      .title = "Table III: elementary tests of a step",
      .note =
          "Mean over the steps: the base, iccd as in the paper (no bounds of features), and ours, which "
          "tests bounds of features before each elementary test. Every impact takes one test, so no method "
          "needs fewer tests than there are impacts.",
      .columns = {"scene", "paper's", "base", "iccd, as printed", "fewer", "iccd, ours", "fewer", "impacts",
                  "printed base", "iccd", "fewer"},
      .rows = {},
      .chart = {}};
  json = Json::array();
  for (const Measured& measured : all) {
    const Printed* printed = printed_for(measured.scene->title);
    const Stages left = stages(measured);
    const BenchRow& row = measured.row(kOurs);
    const double impacts = measured.a_step(static_cast<double>(row.vf.value_or(0) + row.ee.value_or(0)));
    std::vector<std::string> cells = {measured.scene->title,
                                      printed != nullptr ? std::string(printed->benchmark) : "–",
                                      count_text(left.base),
                                      count_text(left.orphans),
                                      factor(quotient(left.base, left.orphans)),
                                      count_text(left.bounds),
                                      factor(quotient(left.base, left.bounds)),
                                      count_text(impacts)};
    Json line = {{"scene", measured.scene->name},
                 {"base", left.base},
                 {"paper", left.orphans},
                 {"ours", left.bounds},
                 {"impacts", impacts},
                 {"fewer_paper", quotient(left.base, left.orphans)},
                 {"fewer_ours", quotient(left.base, left.bounds)},
                 {"printed", nullptr}};
    if (printed != nullptr) {
      cells.insert(cells.end(), {count_text(printed->base_tests), count_text(printed->tests),
                                 factor(printed->base_tests / printed->tests)});
      line["printed"] = {
          {"benchmark", printed->benchmark}, {"base", printed->base_tests}, {"iccd", printed->tests}};
    } else {
      cells.insert(cells.end(), 3, "–");
    }
    section.rows.push_back(std::move(cells));
    json.push_back(std::move(line));
  }
  return section;
}

PaperSection figure15(const std::vector<Measured>& all, Json& json) {
  PaperSection section{
      .title = "Figure 15: elementary tests that remain after each culling step",
      .note =
          "Shares of the base. Cones and contours first (high-level culling); then each feature pair of "
          "non-adjacent triangles once, with 9 or 4 tests for each adjacent pair that remains; then "
          "orphans instead of adjacent pairs; last, our addition, bounds of features. The paper's figure "
          "has no numbers.",
      .columns = {"scene", "base", "cones", "procedural", "orphan sets", "bounds of features"},
      .rows = {},
      .chart = {}};
  BarChart chart{.title = "Elementary tests that remain",
                 .series = {"base", "cones", "procedural", "orphan sets", "bounds"},
                 .groups = {}};
  json = Json::array();
  for (const Measured& measured : all) {
    const Stages left = stages(measured);
    const std::array<double, 5> values = {left.base, left.cones, left.procedural, left.orphans, left.bounds};
    std::vector<std::string> cells = {measured.scene->title};
    BarChart::Group group{.name = measured.scene->title, .values = {}, .labels = {}};
    for (const double value : values) {
      const double share = 100.0 * quotient(value, left.base);
      cells.push_back(percent(share));
      group.values.push_back(share);
      group.labels.push_back(percent(share));
    }
    chart.groups.push_back(std::move(group));
    section.rows.push_back(std::move(cells));
    json.push_back({{"scene", measured.scene->name},
                    {"base", left.base},
                    {"cones", left.cones},
                    {"procedural", left.procedural},
                    {"orphans", left.orphans},
                    {"bounds", left.bounds}});
  }
  if (!chart.groups.empty()) section.chart = bars_svg(chart);
  return section;
}

Contestant contestant(std::string_view name, Method method, const research::HierarchyOptions& hierarchy,
                      unsigned threads) {
  Contestant result = make_contestant(std::string(name_of(method)), threads);
  result.name = name;
  result.options.research->hierarchy = hierarchy;
  return result;
}

std::vector<Contestant> contestants(unsigned threads) {
  constexpr auto kDop18 = research::BoundingVolume::Kdop18;
  constexpr auto kAabb = research::BoundingVolume::Aabb;
  return {
      contestant(kBase, research::kBasic, {.volume = kDop18, .builder = research::TreeBuilder::Sah}, threads),
      contestant(kOurs, Method::Iccd, {}, threads),
      contestant(
          kBaseCones, research::kBasic,
          {.volume = kDop18, .builder = research::TreeBuilder::Connected, .cones = research::NormalCones::Tight},
          threads),
      contestant(kPaper, Method::Iccd, {.edge_bounds = research::EdgeBounds::None}, threads),
      contestant(kPaperBoxes, Method::Iccd, {.volume = kAabb, .edge_bounds = research::EdgeBounds::None}, threads),
      contestant(kBoxes, Method::Iccd, {.volume = kAabb}, threads),
      contestant(kCanonical, Method::Iccd, {.cones = research::NormalCones::Canonical}, threads),
      contestant(kNoCones, Method::Iccd, {.cones = research::NormalCones::None}, threads),
      contestant(kRtri, Method::RTri, {}, threads),
  };
}

Measured measure(const BenchScene& scene, const PaperRequest& request, Progress& progress,
                 std::vector<std::string>& wrong) {
  Measured result;
  result.scene = &scene;
  const std::vector<Contestant> all = contestants(request.threads);
  result.rows = run_bench(scene, all, {.runs = request.runs}, progress);
  std::vector<Contestant> first(all.begin(), all.begin() + 2);
  for (Contestant& contestant : first) contestant.query = BenchQuery::First;
  result.first = run_bench(scene, first, {.runs = request.runs}, progress);
  for (const std::vector<BenchRow>* rows : {&result.rows, &result.first}) {
    for (std::string& line : disagreements(*rows)) wrong.push_back(std::move(line));
  }
  for (const Triangle& triangle : scene.scene.triangles()) {
    if (triangle[0] == kNoVertex) continue;
    if (scene.scene.motion(scene.scene.body_of(triangle[0])) != Motion::Static) ++result.moving;
  }
  return result;
}

}  // namespace

const BenchRow& Measured::row(std::string_view contestant) const {
  const BenchRow* const found = row_of(rows, contestant);
  GRAZE_ASSERT(found != nullptr);
  return *found;
}

double Measured::tests_a_step(std::string_view contestant) const {
  return a_step(tests(row(contestant)));
}

std::string count_text(double value) {
  return with_separators(static_cast<std::uint64_t>(std::llround(value)));
}

Stages stages(const Measured& measured) {
  const CullCounts& culled = measured.row(kPaper).stats.culled;
  const auto adjacent_tests = static_cast<double>(9 * culled.vertex_adjacent + 4 * culled.edge_adjacent);
  Stages left;
  left.base = measured.tests_a_step(kBase);
  left.cones = measured.tests_a_step(kBaseCones);
  left.orphans = measured.tests_a_step(kPaper);
  left.procedural = left.orphans + measured.a_step(adjacent_tests - static_cast<double>(culled.orphans));
  left.bounds = measured.tests_a_step(kOurs);
  return left;
}

}  // namespace graze::papers::iccd

namespace graze::papers {

PaperResult paper_iccd(const PaperRequest& request, Progress& progress) {
  PaperResult result;
  std::vector<iccd::Measured> all;
  for (const BenchScene* scene : request.scenes) {
    all.push_back(iccd::measure(*scene, request, progress, result.wrong));
  }
  Json& json = result.json;
  json["paper"] = "ICCD";
  json["machine"] = machine_json();
  json["threads"] = request.threads;
  json["runs"] = request.runs;
  result.sections.push_back(iccd::table1(request, json["table1"]));
  result.sections.push_back(iccd::table2(request, all, json["table2"]));
  result.sections.push_back(iccd::table3(all, json["table3"]));
  result.sections.push_back(iccd::figure15(all, json["fig15"]));
  result.sections.push_back(iccd::culling_section(all, json["culling"]));
  result.pictures = iccd::draw_patches(request);
  for (const PaperPicture& picture : result.pictures) result.sections.back().chart += picture.svg;
  result.sections.push_back(iccd::cones_section(all, json["cones"]));
  result.sections.push_back(iccd::volumes_section(all, json["volumes"]));
  PaperSection breaks = iccd::breaks_section(request, progress, result.wrong, json["breaks"]);
  if (!breaks.rows.empty()) result.sections.push_back(std::move(breaks));
  return result;
}

}  // namespace graze::papers
