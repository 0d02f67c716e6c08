// BOXTREE, section 5: build times (Figure 5), times of the overlap tests (Figure 7), with and without work lifted
// one level (section 3.3), compared with other trees (Figure 8), and by the split rule.
#include "research/papers/boxtree.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <limits>
#include <optional>

#include <graze/detector.hpp>
#include <graze/research.hpp>

#include "output/interrupt.hpp"
#include "research/papers/chart.hpp"
#include "research/papers/figures.hpp"
#include "research/papers/plots.hpp"

#include <fmt/format.h>

namespace graze::papers {
namespace {

constexpr double kPrintedRate = 20'000.0;  // polygons a second, 1 GHz Pentium III
constexpr double kPrintedLookup = 0.08;    // "a speedup of at most 8%"

constexpr std::array kOverlaps = {BoxOverlap::Axis, research::kLookup, BoxOverlap::SatLite, BoxOverlap::Sat};

std::string run_name(BoxOverlap overlap, bool scalar, bool lift) {
  return std::string(name_of(overlap)) + (scalar ? ", scalar" : "") + (lift ? "" : ", no lift");
}

/// The lookup table has no SIMD traversal.
bool has_simd(BoxOverlap overlap) {
  return overlap != research::kLookup;
}

/// Returns the least time of `runs` builds, in milliseconds.
double build_ms(const scenes::Shape& shape, RigidTree tree, BoxtreeSplit split, unsigned runs) {
  double least = std::numeric_limits<double>::infinity();
  for (unsigned run = 0; run < runs; ++run) {
    if (interrupted()) throw Interrupted();
    const auto start = std::chrono::steady_clock::now();
    const RigidObject object = make_rigid(shape, tree, split);
    const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
    least = std::min(least, ms.count());
  }
  return least;
}

double gain(double before, double after) {
  return before > 0.0 ? 1.0 - after / before : 0.0;
}

/// Figure 7: time per pose by distance.
PaperSection figure7(const BoxtreePlan& plan, const std::vector<std::vector<BoxtreeTimes>>& all, Json& json) {
  PaperSection section{
      .title = "Figure 7: the overlap tests",
      .note = fmt::format(
          "Microseconds per first-hit query: the least time of the runs at each pose, as a mean over the "
          "poses of a full tumble in {} steps at each distance (the paper has 5,000: --frames 5000). Work on "
          "single nodes is lifted. "
          "\"scalar\": one float at a time, as in the paper, where SAT lite is the fastest and lookup "
          "tables gain at most 8 % over axis alignment; here the time of each query includes the setup of "
          "the tables. The other columns are the library's SIMD traversal, which also tightens leaf "
          "groups; its default is sat.",
          plan.steps),
      .columns = {"object", "distance", "hits", "scalar: axis", "lut", "sat-lite", "sat", "lut gains", "printed",
                  "SIMD: axis", "sat-lite", "sat"},
      .rows = {},
      .chart = {}};
  for (std::size_t o = 0; o < plan.objects.size(); ++o) {
    const std::vector<BoxtreeTimes>& times = all[o];
    const std::size_t count = plan.distances.size();
    Json entry = {{"object", plan.objects[o].name},
                  {"triangles", plan.objects[o].shape().triangles.size()},
                  {"hits", times.front().hits},
                  {"printed", {{"fastest", "sat-lite"}, {"lut_gain", kPrintedLookup}}}};
    for (const BoxtreeTimes& each : times) {
      entry["us"][each.name] = each.us;
      entry["node_tests"][each.name] = each.stats.node_tests;
    }
    const double lut_gain =
        gain(times_named(times, "axis, scalar").mean(), times_named(times, "lut, scalar").mean());
    entry["lut_gain"] = lut_gain;
    CurveChart chart{.title = plan.objects[o].name + ": microseconds a pose", .across = "distance", .curves = {}};
    for (std::size_t d = 0; d <= count; ++d) {
      const bool mean = d == count;
      const auto us = [&](BoxOverlap overlap, bool scalar) {
        const BoxtreeTimes& each = times_named(times, run_name(overlap, scalar, true));
        return format_ms(mean ? each.mean() : each.us[d]);
      };
      section.rows.push_back({plan.objects[o].name, mean ? "mean" : fmt::format("{:g}", plan.distances[d]),
                              mean ? "" : with_separators(times.front().hits[d]), us(BoxOverlap::Axis, true),
                              us(research::kLookup, true), us(BoxOverlap::SatLite, true), us(BoxOverlap::Sat, true),
                              mean ? percent(100.0 * lut_gain) : "", mean ? "≤ 8 %" : "",
                              us(BoxOverlap::Axis, false), us(BoxOverlap::SatLite, false),
                              us(BoxOverlap::Sat, false)});
    }
    for (const bool scalar : {true, false}) {
      for (const BoxOverlap overlap : kOverlaps) {
        if (!scalar && !has_simd(overlap)) continue;
        const std::string name = run_name(overlap, scalar, true);
        chart.curves.push_back(
            {.name = name, .x = plan.distances, .y = times_named(times, name).us, .dashed = !scalar});
      }
    }
    section.chart += curves_svg(chart);
    json.push_back(std::move(entry));
  }
  return section;
}

/// Makes the table of section 3.3 (lifted work) from the runs of Figure 7.
PaperSection lifting(const BoxtreePlan& plan, const std::vector<std::vector<BoxtreeTimes>>& all) {
  PaperSection section{
      .title = "Section 3.3: work on single nodes one level up",
      .note =
          "Microseconds per first-hit query, mean over distances, without and with lifted work. The paper "
          "counts operations (about half for boxtrees; ours are in Table 1) and gives no times.",
      .columns = {"object", "overlap", "scalar: off", "on", "gain", "SIMD: off", "on", "gain"},
      .rows = {},
      .chart = {}};
  for (std::size_t o = 0; o < plan.objects.size(); ++o) {
    for (const BoxOverlap overlap : kOverlaps) {
      std::vector<std::string> row = {plan.objects[o].name, std::string(name_of(overlap))};
      for (const bool scalar : {true, false}) {
        if (!scalar && !has_simd(overlap)) {
          row.insert(row.end(), {"–", "–", "–"});
          continue;
        }
        const double off = times_named(all[o], run_name(overlap, scalar, false)).mean();
        const double on = times_named(all[o], run_name(overlap, scalar, true)).mean();
        row.insert(row.end(), {format_ms(off), format_ms(on), percent(100.0 * gain(off, on))});
      }
      section.rows.push_back(std::move(row));
    }
  }
  return section;
}

}  // namespace

PaperSection boxtree_figure5(const BoxtreePlan& plan, Progress& progress, Json& json) {
  PaperSection section{
      .title = "Figure 5: time to build a boxtree",
      .note =
          "One thread, the least time of the runs. \"growth\": time per polygon relative to the smallest "
          "mesh. \"volume\" is the paper's builder; it prints 20,000 polygons a second, on a Pentium III "
          "of 1 GHz.",
      .columns = {"object", "polygons", "ms", "polygons a second", "growth", "volume: ms", "polygons a second",
                  "printed", "factor"},
      .rows = {},
      .chart = {}};
  CurveChart chart{.title = "milliseconds to build", .across = "polygons", .curves = {}};
  json = Json::array();
  for (const BoxtreeObject& object : plan.objects) {
    CurveChart::Curve curve{.name = object.name, .x = {}, .y = {}};
    std::optional<double> smallest;
    Json rows = Json::array();
    for (const scenes::Shape& shape : object.builds) {
      progress.show("Figure 5, " + object.name, 0.0);
      const auto polygons = static_cast<double>(shape.triangles.size());
      const double ms = build_ms(shape, RigidTree::Boxtree, BoxtreeSplit::Free, plan.runs);
      const double volume_ms = build_ms(shape, RigidTree::Boxtree, BoxtreeSplit::Volume, plan.runs);
      const double rate = quotient(1000.0 * polygons, ms);
      const double volume_rate = quotient(1000.0 * polygons, volume_ms);
      if (!smallest) smallest = quotient(ms, polygons);
      const double growth = quotient(quotient(ms, polygons), *smallest);
      section.rows.push_back({object.name, rounded(polygons), format_ms(ms), rounded(rate),
                              fmt::format("{:.2f}", growth), format_ms(volume_ms), rounded(volume_rate),
                              rounded(kPrintedRate), factor(quotient(rate, kPrintedRate))});
      rows.push_back({{"polygons", shape.triangles.size()},
                      {"ms", ms},
                      {"rate", rate},
                      {"growth", growth},
                      {"volume_ms", volume_ms},
                      {"volume_rate", volume_rate}});
      curve.x.push_back(polygons);
      curve.y.push_back(ms);
    }
    json.push_back({{"object", object.name}, {"printed_rate", kPrintedRate}, {"rows", std::move(rows)}});
    chart.curves.push_back(std::move(curve));
  }
  section.chart = curves_svg(chart);
  return section;
}

std::vector<PaperSection> boxtree_overlaps(const BoxtreePlan& plan, Progress& progress, Json& json,
                                           std::vector<std::string>& wrong) {
  std::vector<std::vector<BoxtreeTimes>> all;
  for (const BoxtreeObject& object : plan.objects) {
    const RigidObject rigid = make_rigid(object.shape(), RigidTree::Boxtree);
    std::vector<BoxtreeRun> runs;
    for (const bool scalar : {true, false}) {
      for (const BoxOverlap overlap : kOverlaps) {
        if (!scalar && !has_simd(overlap)) continue;
        for (const bool lift : {true, false}) {
          runs.push_back({run_name(overlap, scalar, lift), &rigid, {.overlap = overlap, .lift = lift}, scalar});
        }
      }
    }
    all.push_back(tumble_times(object.name, runs, plan, progress, wrong));
  }
  json = Json::array();
  return {figure7(plan, all, json), lifting(plan, all)};
}

PaperSection boxtree_figure8(const BoxtreePlan& plan, Progress& progress, Json& json,
                             std::vector<std::string>& wrong) {
  PaperSection section{
      .title = "Figure 8: boxtrees and other trees",
      .note =
          "Microseconds per first-hit query, mean over the tumble and over distances. \"boxtree\": the "
          "library's default (sat, SIMD); \"as printed\": SAT lite, one float at a time. The paper finds "
          "its boxtree about as fast as the DOP tree. \"factor\": time of the 26-DOP tree divided by that "
          "of the boxtree.",
      .columns = {"object", "polygons", "boxtree", "as printed", "kdop26", "kdop18", "aabb", "obb", "sphere",
                  "factor", "as printed", "printed"},
      .rows = {},
      .chart = {}};
  constexpr std::array kTrees = {RigidTree::Kdop26, RigidTree::Kdop18, RigidTree::Aabb, RigidTree::Obb,
                                 RigidTree::Sphere};
  BarChart chart{
      .title = "microseconds a pose", .series = {"boxtree", "as printed", "kdop26", "aabb", "obb"}, .groups = {}};
  json = Json::array();
  for (const BoxtreeObject& object : plan.objects) {
    Json rows = Json::array();
    for (const scenes::Shape& shape : object.shapes) {
      std::deque<RigidObject> trees;  // a deque: addresses stay valid
      const RigidObject& boxtree = trees.emplace_back(make_rigid(shape, RigidTree::Boxtree));
      std::vector<BoxtreeRun> runs = {{"boxtree", &boxtree, {}, false},
                                      {"as printed", &boxtree, {.overlap = BoxOverlap::SatLite}, true}};
      for (const RigidTree tree : kTrees) {
        progress.show(object.name + ", " + std::string(name_of(tree)), 0.0);
        runs.push_back({std::string(name_of(tree)), &trees.emplace_back(make_rigid(shape, tree)), {}, false});
      }
      const std::vector<BoxtreeTimes> times = tumble_times(object.name, runs, plan, progress, wrong);
      std::vector<std::string> row = {object.name, with_separators(shape.triangles.size())};
      Json entry = {{"polygons", shape.triangles.size()}};
      for (std::size_t r = 0; r < times.size(); ++r) {
        row.push_back(format_ms(times[r].mean()));
        entry["us"][times[r].name] = times[r].us;
        entry["node_tests"][times[r].name] = times[r].stats.node_tests;
        entry["tree_bytes"][times[r].name] = runs[r].object->memory().tree_bytes;
      }
      const double dop = times_named(times, "kdop26").mean();
      const double ours = quotient(dop, times_named(times, "boxtree").mean());
      const double theirs = quotient(dop, times_named(times, "as printed").mean());
      row.insert(row.end(), {factor(ours), factor(theirs), "≈ 1×"});
      entry["factor"] = ours;
      entry["factor_as_printed"] = theirs;
      section.rows.push_back(std::move(row));
      rows.push_back(std::move(entry));
      if (&shape != &object.shape()) continue;
      BarChart::Group group{
          .name = fmt::format("{}, {} polygons", object.name, with_separators(shape.triangles.size())),
          .values = {},
          .labels = {}};
      for (const std::string& name : chart.series) {
        group.values.push_back(times_named(times, name).mean());
        group.labels.push_back(format_ms(group.values.back()));
      }
      chart.groups.push_back(std::move(group));
    }
    json.push_back({{"object", object.name}, {"rows", std::move(rows)}});
  }
  section.chart = bars_svg(chart);
  return section;
}

PaperSection boxtree_splits(const BoxtreePlan& plan, Progress& progress, Json& json,
                            std::vector<std::string>& wrong) {
  PaperSection section{
      .title = "Section 4.2: how sets of polygons are split",
      .note =
          "\"volume\" is the paper's criterion with coplanar planes, \"longest\" its variant that splits "
          "the longest side alone; \"free\" is ours: each child cuts where it gains most. Time and depth "
          "of the build; node pairs tested and microseconds of a first hit, means over the tumble and "
          "distances; sat, SIMD.",
      .columns = {"object", "split", "build ms", "depth", "node tests", "µs", "against free"},
      .rows = {},
      .chart = {}};
  json = Json::array();
  for (const BoxtreeObject& object : plan.objects) {
    std::deque<RigidObject> trees;
    std::vector<BoxtreeRun> runs;
    std::vector<double> ms;
    for (const BoxtreeSplit split : all_values<BoxtreeSplit>()) {
      ms.push_back(build_ms(object.shape(), RigidTree::Boxtree, split, plan.runs));
      trees.push_back(make_rigid(object.shape(), RigidTree::Boxtree, split));
      runs.push_back({std::string(name_of(split)), &trees.back(), {}, false});
    }
    const std::vector<BoxtreeTimes> times = tumble_times(object.name, runs, plan, progress, wrong);
    const auto poses = static_cast<double>(plan.distances.size() * plan.steps);
    Json rows = Json::array();
    for (std::size_t r = 0; r < times.size(); ++r) {
      const double tests = static_cast<double>(times[r].stats.node_tests) / poses;
      const double against = quotient(times[r].mean(), times_named(times, "free").mean());
      section.rows.push_back({object.name, times[r].name, format_ms(ms[r]), std::to_string(trees[r].memory().depth),
                              fmt::format("{:.1f}", tests), format_ms(times[r].mean()), factor(against)});
      rows.push_back({{"split", times[r].name},
                      {"build_ms", ms[r]},
                      {"depth", trees[r].memory().depth},
                      {"node_tests", tests},
                      {"us", times[r].mean()}});
    }
    json.push_back({{"object", object.name}, {"rows", std::move(rows)}});
  }
  return section;
}

}  // namespace graze::papers
