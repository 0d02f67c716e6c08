// The times of HASH's chapter: Figure 9 (one core and all cores), our rule and the paper's compared with other
// methods, and the size of the hash table. The paper's figure is lost, except for the four times in its text.
#include <algorithm>
#include <array>
#include <utility>

#include "commands/detector_options.hpp"
#include "research/papers/figures.hpp"
#include "research/papers/hash.hpp"
#include "research/papers/plots.hpp"

#include <fmt/format.h>

#include <graze/research.hpp>

namespace graze::papers {
namespace {

/// Mean milliseconds per step as in section 6.4, and the number of triangles.
struct PrintedTime {
  std::string_view scene;
  double dual_core;
  double quad_core;
  double triangles;
};
constexpr std::array kPrintedTimes = {PrintedTime{"tori", 80.0, 40.0, 11200.0},
                                      PrintedTime{"bunny-cloth", 240.0, 60.0, 80000.0}};

constexpr std::array kVoxels = {0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 4.0};
constexpr std::size_t kCellSteps = 4;  // the last steps, which have the most contacts

const PrintedTime* printed_time_of(const BenchScene& scene) {
  const auto found = std::find_if(kPrintedTimes.begin(), kPrintedTimes.end(),
                                  [&](const PrintedTime& time) { return time.scene == scene.title; });
  return found == kPrintedTimes.end() ? nullptr : &*found;
}

Json times_of(const HashPass& pass) {
  return {{"ms", pass.ms},
          {"update_ms", pass.update_ms},
          {"traverse_ms", pass.traverse_ms},
          {"narrow_ms", pass.narrow_ms}};
}

double microseconds_a_triangle(double ms, double triangles) {
  return quotient(1e3 * ms, triangles);
}

StackedChart::Bar bar_of(std::string name, const HashPass& pass) {
  return {.name = std::move(name),
          .values = {pass.update_ms, pass.traverse_ms, pass.narrow_ms},
          .label = format_ms(pass.ms) + " ms"};
}

}  // namespace

std::optional<Scene> without_static(const Scene& scene) {
  Scene result;
  bool any = false;
  std::vector<std::vector<Triangle>> triangles(scene.body_count());
  for (const Triangle& triangle : scene.triangles()) {
    const BodyId body = scene.body_of(triangle[0]);
    const VertexId first = scene.vertices(body).first;
    triangles[body].push_back({triangle[0] - first, triangle[1] - first, triangle[2] - first});
  }
  for (BodyId body = 0; body < scene.body_count(); ++body) {
    const auto [first, last] = scene.vertices(body);
    const bool is_static = scene.motion(body) == Motion::Static;
    any = any || is_static;
    result.add_body({.positions = scene.positions().subspan(first, last - first),
                     .triangles = triangles[body],
                     .motion = is_static ? Motion::Deforming : scene.motion(body),
                     .groups = scene.groups(body),
                     .meets = scene.meets(body)});
  }
  for (const auto& [a, b] : scene.ignored_pairs()) result.ignore_pair(a, b);
  return any ? std::optional(std::move(result)) : std::nullopt;
}

PaperSection hash_figure9(const std::vector<HashResults>& all, Json& json) {
  const unsigned cores = thread_count(0);
  PaperSection section{
      .title = "Figure 9: time of a step on one core and on all",
      .note = fmt::format(
          "Milliseconds, and the stages on one core: update (bounds, cells and voxels), traverse (culling of "
          "pairs), narrow (elementary tests). The paper's machines are a dual-core Pentium D of 3 GHz and a "
          "quad-core Xeon of 2 GHz; the last column has microseconds a triangle: ours on {} core{} / printed on "
          "two / on four. In the column \"not static\", static bodies are hashed anew in each step, as moving "
          "bodies are.",
          cores, cores == 1 ? "" : "s"),
      .columns = {"scene", "contestant", "update", "traverse", "narrow", "1 core", fmt::format("{} cores", cores),
                  "speed-up", "not static", "printed, 2 / 4 cores", "µs/triangle"},
      .rows = {},
      .chart = {}};
  json = Json::array();
  for (const HashResults& results : all) {
    const BenchScene& scene = *results.scene;
    const PrintedTime* const printed = printed_time_of(scene);
    const auto triangles = static_cast<double>(scene.scene.triangle_count());
    Json entry = {{"scene", scene.name}, {"triangles", triangles}, {"cores", cores}, {"rows", Json::array()}};
    entry["printed"] = printed != nullptr
                           ? Json{{"dual_core_ms", printed->dual_core}, {"quad_core_ms", printed->quad_core}}
                           : Json(nullptr);
    StackedChart chart{
        .title = scene.title + ": milliseconds of a step", .parts = {"update", "traverse", "narrow"}, .bars = {}};
    for (const HashPass& one : results.one_core) {
      const HashPass& many = pass_named(results.cores, one.name);
      const double ours = microseconds_a_triangle(many.ms, triangles);
      Json row = {{"contestant", one.name}, {"one_core", times_of(one)}, {"all_cores", times_of(many)}};
      std::string not_static = "–";
      if (!results.all_moving.empty()) {
        const HashPass& moving = pass_named(results.all_moving, one.name);
        not_static = format_ms(moving.ms);
        row["not_static"] = times_of(moving);
      }
      section.rows.push_back(
          {scene.title, one.name, format_ms(one.update_ms), format_ms(one.traverse_ms), format_ms(one.narrow_ms),
           format_ms(one.ms), format_ms(many.ms), factor(quotient(one.ms, many.ms)), not_static,
           printed != nullptr ? fmt::format("{:.0f} / {:.0f}", printed->dual_core, printed->quad_core) : "–",
           printed != nullptr ? fmt::format("{:.2f} / {:.1f} / {:.1f}", ours,
                                            microseconds_a_triangle(printed->dual_core, printed->triangles),
                                            microseconds_a_triangle(printed->quad_core, printed->triangles))
                              : fmt::format("{:.2f}", ours)});
      entry["rows"].push_back(std::move(row));
      chart.bars.push_back(bar_of(one.name + ", 1 core", one));
      chart.bars.push_back(bar_of(fmt::format("{}, {} cores", one.name, cores), many));
    }
    section.chart += stacked_svg(chart);
    json.push_back(std::move(entry));
  }
  return section;
}

PaperSection hash_methods(const std::vector<HashResults>& all, Json& json) {
  PaperSection section{
      .title = "Our rule, the paper's, and methods with a hierarchy",
      .note =
          "\"hash\" is our rule: a cell size for each triangle, each feature pair tested once. \"paper\" is the "
          "paper's: one cell size, all features. Milliseconds per step. The answers of all methods are compared "
          "in every step and are equal.",
      .columns = {"scene", "method", "update", "traverse", "narrow", "all", "over basic", "over r-tri", "tests",
                  "B/triangle"},
      .rows = {},
      .chart = {}};
  json = Json::array();
  for (const HashResults& results : all) {
    const BenchScene& scene = *results.scene;
    const double basic = pass_named(results.methods, "basic").ms;
    const double r_tri = pass_named(results.methods, "r-tri").ms;
    Json entry = {{"scene", scene.name}, {"rows", Json::array()}};
    for (const HashPass& pass : results.methods) {
      const double bytes =
          quotient(static_cast<double>(pass.memory_bytes()), static_cast<double>(scene.scene.triangle_count()));
      section.rows.push_back({scene.title, pass.name, format_ms(pass.update_ms), format_ms(pass.traverse_ms),
                              format_ms(pass.narrow_ms), format_ms(pass.ms), factor(quotient(basic, pass.ms)),
                              factor(quotient(r_tri, pass.ms)), fmt::format("{:.0f}", pass.tests()),
                              fmt::format("{:.0f}", bytes)});
      Json row = times_of(pass);
      row["method"] = pass.name;
      row["tests"] = pass.tests();
      row["impacts"] = pass.mean(&HashStep::impacts);
      row["bytes_per_triangle"] = bytes;
      entry["rows"].push_back(std::move(row));
    }
    json.push_back(std::move(entry));
  }
  return section;
}

PaperSection hash_cells(const PaperRequest& request, Progress& progress, Json& json,
                        std::vector<std::string>& wrong) {
  PaperSection section{
      .title = "Section 4.2: cells and the size of the table",
      .note = fmt::format("Milliseconds of a step by voxels a triangle, over the last {} steps; each feature pair "
                          "once, whichever the cells. The paper takes 0.2.",
                          kCellSteps),
      .columns = {"scene", "cells", "sizes", "entries/triangle"},
      .rows = {},
      .chart = {}};
  for (const double voxels : kVoxels) section.columns.push_back(fmt::format("{}", voxels));
  json = Json::array();
  for (const BenchScene* scene : request.scenes) {
    const std::size_t steps = scene->steps_before_change();
    HashBench bench(*scene, progress, steps > kCellSteps ? steps - kCellSteps : 0);
    for (const research::CellRule rule : {research::CellRule::Largest, research::CellRule::Levels}) {
      std::vector<Contestant> contestants;
      for (const double voxels : kVoxels) {
        Contestant& contestant = contestants.emplace_back(own_rule(request.threads));
        contestant.name = fmt::format("{} {}", name_of(rule), voxels);
        contestant.options.research->hash = {.cells = rule, .voxels = voxels};
      }
      const std::vector<HashPass> passes = bench.run(contestants, request.runs);
      const double entries =
          quotient(passes.front().mean(&HashCounts::entries), static_cast<double>(scene->scene.triangle_count()));
      std::vector<std::string> cells{scene->title, std::string(name_of(rule)),
                                     fmt::format("{:.0f}", passes.front().mean(&HashCounts::levels)),
                                     fmt::format("{:.1f}", entries)};
      for (std::size_t i = 0; i < passes.size(); ++i) {
        cells.push_back(format_ms(passes[i].ms));
        json.push_back({{"scene", scene->name},
                        {"cells", name_of(rule)},
                        {"voxels_a_triangle", kVoxels[i]},
                        {"voxels", passes[i].mean(&HashCounts::voxels)},
                        {"used_voxels", passes[i].mean(&HashCounts::used_voxels)},
                        {"voxel_pairs", passes[i].mean(&HashCounts::voxel_pairs)},
                        {"box_pairs", passes[i].mean(&HashCounts::box_pairs)},
                        {"ms", passes[i].ms}});
      }
      section.rows.push_back(std::move(cells));
    }
    wrong.insert(wrong.end(), bench.wrong().begin(), bench.wrong().end());
  }
  return section;
}

}  // namespace graze::papers
