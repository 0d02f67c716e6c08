// BOXTREE, section 5: build times (Figure 5), times of the overlap tests (Figure 7), with and without work lifted
// one level (section 3.3). Scalar rows are the paper's system: trees split by `volume`, one float at a time, no
// leaf groups.
#include "research/papers/boxtree/boxtree.hpp"

#include <algorithm>
#include <array>
#include <ctime>
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
constexpr double kLinear = 1.25;           // growth of the time per polygon that noise may cause

constexpr double kNoise = 0.03;  // gains below this are not called gains

constexpr std::array kOverlaps = {BoxOverlap::Axis, research::kLookup, BoxOverlap::SatLite, BoxOverlap::Sat};
constexpr std::size_t kAxis = 0;  // indices
constexpr std::size_t kLut = 1;
constexpr std::size_t kSatLite = 2;

std::string run_name(BoxOverlap overlap, bool scalar, bool lift) {
  return std::string(name_of(overlap)) + (scalar ? ", scalar" : "") + (lift ? "" : ", no lift");
}

/// The lookup table has no SIMD traversal.
bool has_simd(BoxOverlap overlap) {
  return overlap != research::kLookup;
}

double gain(double before, double after) {
  return before > 0.0 ? 1.0 - after / before : 0.0;
}

/// The runs of one object in Figure 7.
struct OverlapTimes {
  std::vector<BoxtreeTimes> tumble;
  std::array<double, kOverlaps.size()> ns;  ///< scalar, per node test
};

/// What the paper says about its overlap tests, where it does not hold for an object.
void find_overlaps(const BoxtreePlan& plan, const BoxtreeObject& object, const OverlapTimes& times,
                   std::vector<std::string>& findings) {
  const auto poses = static_cast<double>(plan.distances.size() * plan.steps);
  const auto scalar = [&](BoxOverlap overlap) -> const BoxtreeTimes& {
    return times_named(times.tumble, run_name(overlap, true, true));
  };
  const BoxtreeTimes& lite = scalar(BoxOverlap::SatLite);
  std::size_t fastest = kSatLite;
  for (std::size_t i = 0; i < kOverlaps.size(); ++i) {
    if (scalar(kOverlaps[i]).mean() < scalar(kOverlaps[fastest]).mean()) fastest = i;
  }
  const std::string name =
      fmt::format("{} ({} triangles)", object.name, with_separators(object.shape().triangles.size()));
  const BoxtreeTimes& other = scalar(kOverlaps[fastest]);
  const double saved = gain(lite.mean(), other.mean());
  if (saved > kNoise) {
    const auto count = [&](std::uint64_t sum) { return rounded(static_cast<double>(sum) / poses); };
    findings.push_back(fmt::format(
        "SAT lite is not the fastest test for {}: {} is {} faster. It tests {} node pairs and {} triangle pairs a "
        "pose, SAT lite {} and {}, and a node test takes {:.1f} ns against {:.1f} ns: what the further directions "
        "separate is worth more than they cost.",
        name, name_of(kOverlaps[fastest]), percent(100.0 * saved), count(other.stats.node_tests),
        count(other.stats.triangle_tests), count(lite.stats.node_tests), count(lite.stats.triangle_tests),
        times.ns[fastest], times.ns[kSatLite]));
  }
  const double lut_gain = gain(scalar(BoxOverlap::Axis).mean(), scalar(research::kLookup).mean());
  if (lut_gain > kPrintedLookup) {
    findings.push_back(fmt::format(
        "Lookup tables gain {} for {}, where at most 8 % are printed: a node test takes {:.1f} ns instead of "
        "{:.1f} ns.",
        percent(100.0 * lut_gain), name, times.ns[kLut], times.ns[kAxis]));
  }
}

/// Figure 7: time per pose by distance.
PaperSection figure7(const BoxtreePlan& plan, const std::vector<OverlapTimes>& all, Json& json) {
  PaperSection section{.title = "Figure 7: the overlap tests",
                       .note =
                           "Microseconds per first-hit query: the least time of the runs at each pose, as a mean "
                           "over the poses of a full tumble at each distance. Work on single nodes is lifted. "
                           "\"scalar\": the paper's system, trees split by volume and one float at a time; the "
                           "paper finds SAT lite the fastest, and that lookup tables gain at most 8 % over axis "
                           "alignment. The time of each query includes the setup of the tables. The other columns "
                           "are the library's tree (free) and SIMD traversal, which also tightens leaf groups; "
                           "its default is sat.",
                       .columns = {"object", "triangles", "steps", "distance", "hits", "scalar: axis", "lut",
                                   "sat-lite", "sat", "lut gains", "printed", "SIMD: axis", "sat-lite", "sat"},
                       .rows = {},
                       .chart = {}};
  for (std::size_t o = 0; o < plan.objects.size(); ++o) {
    const std::vector<BoxtreeTimes>& times = all[o].tumble;
    const std::size_t count = plan.distances.size();
    Json entry = {{"object", plan.objects[o].name},
                  {"triangles", plan.objects[o].shape().triangles.size()},
                  {"hits", times.front().hits},
                  {"printed", {{"fastest", "sat-lite"}, {"lut_gain", kPrintedLookup}}}};
    for (const BoxtreeTimes& each : times) {
      entry["us"][each.name] = each.us;
      entry["node_tests"][each.name] = each.stats.node_tests;
      entry["triangle_tests"][each.name] = each.stats.triangle_tests;
    }
    for (std::size_t i = 0; i < kOverlaps.size(); ++i)
      entry["ns_per_node_test"][run_name(kOverlaps[i], true, true)] = all[o].ns[i];
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
      section.rows.push_back({plan.objects[o].name, with_separators(plan.objects[o].shape().triangles.size()),
                              with_separators(plan.steps), mean ? "mean" : fmt::format("{:g}", plan.distances[d]),
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
    find_overlaps(plan, plan.objects[o], all[o], section.findings);
    json.push_back(std::move(entry));
  }
  return section;
}

/// Makes the table of section 3.3 (lifted work) from the runs of Figure 7.
PaperSection lifting(const BoxtreePlan& plan, const std::vector<OverlapTimes>& all) {
  PaperSection section{
      .title = "Section 3.3: work on single nodes one level up",
      .note =
          "Microseconds per first-hit query, mean over distances, without and with lifted work. The paper counts "
          "operations (about half for boxtrees; ours are in Table 1) and gives no times.",
      .columns = {"object", "triangles", "steps", "overlap", "scalar: off", "on", "gain", "SIMD: off", "on",
                  "gain"},
      .rows = {},
      .chart = {}};
  for (std::size_t o = 0; o < plan.objects.size(); ++o) {
    for (const BoxOverlap overlap : kOverlaps) {
      std::vector<std::string> row = {plan.objects[o].name,
                                      with_separators(plan.objects[o].shape().triangles.size()),
                                      with_separators(plan.steps), std::string(name_of(overlap))};
      for (const bool scalar : {true, false}) {
        if (!scalar && !has_simd(overlap)) {
          row.insert(row.end(), {"–", "–", "–"});
          continue;
        }
        const double off = times_named(all[o].tumble, run_name(overlap, scalar, false)).mean();
        const double on = times_named(all[o].tumble, run_name(overlap, scalar, true)).mean();
        row.insert(row.end(), {format_ms(off), format_ms(on), percent(100.0 * gain(off, on))});
      }
      section.rows.push_back(std::move(row));
    }
  }
  return section;
}

}  // namespace

double boxtree_build_ms(const scenes::Shape& shape, BoxtreeSplit split, unsigned runs) {
  double least = std::numeric_limits<double>::infinity();
  for (unsigned run = 0; run < runs; ++run) {
    if (interrupted()) throw Interrupted();
    const std::clock_t start = std::clock();
    const RigidObject object = make_rigid(shape, RigidTree::Boxtree, split);
    least = std::min(least, 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return least;
}

PaperSection boxtree_figure5(const BoxtreePlan& plan, Progress& progress, Json& json) {
  PaperSection section{
      .title = "Figure 5: time to build a boxtree",
      .note =
          "Processor time of one thread, the least of the runs. \"volume\" is the paper's builder, in which every "
          "polygon of a node decides; it prints 20,000 polygons a second, on a Pentium III of 1 GHz, and linear "
          "time. \"growth\": time per polygon relative to the smallest mesh. \"free\" is the library's builder.",
      .columns = {"object", "triangles", "volume: ms", "triangles a second", "growth", "depth", "printed", "factor",
                  "free: ms", "triangles a second", "growth"},
      .rows = {},
      .chart = {}};
  CurveChart chart{.title = "milliseconds to build, volume", .across = "triangles", .curves = {}};
  json = Json::array();
  double worst = kLinear;
  std::string finding;
  for (const BoxtreeObject& object : plan.objects) {
    CurveChart::Curve curve{.name = object.name, .x = {}, .y = {}};
    std::optional<std::array<double, 2>> smallest;
    std::uint64_t smallest_depth = 0;
    Json rows = Json::array();
    for (const scenes::Shape& shape : object.builds) {
      progress.show("Figure 5, " + object.name, 0.0);
      const auto triangles = static_cast<double>(shape.triangles.size());
      const double ms = boxtree_build_ms(shape, BoxtreeSplit::Free, plan.runs);
      const double volume_ms = boxtree_build_ms(shape, BoxtreeSplit::Volume, plan.runs);
      const std::uint64_t depth = make_rigid(shape, RigidTree::Boxtree, BoxtreeSplit::Volume).memory().depth;
      const double rate = quotient(1000.0 * triangles, ms);
      const double volume_rate = quotient(1000.0 * triangles, volume_ms);
      if (!smallest) {
        smallest = {quotient(ms, triangles), quotient(volume_ms, triangles)};
        smallest_depth = depth;
      }
      const double growth = quotient(quotient(ms, triangles), (*smallest)[0]);
      const double volume_growth = quotient(quotient(volume_ms, triangles), (*smallest)[1]);
      section.rows.push_back({object.name, rounded(triangles), format_ms(volume_ms), rounded(volume_rate),
                              fmt::format("{:.2f}", volume_growth), std::to_string(depth), rounded(kPrintedRate),
                              factor(quotient(volume_rate, kPrintedRate)), format_ms(ms), rounded(rate),
                              fmt::format("{:.2f}", growth)});
      rows.push_back({{"polygons", shape.triangles.size()},
                      {"ms", ms},
                      {"rate", rate},
                      {"growth", growth},
                      {"volume_ms", volume_ms},
                      {"volume_rate", volume_rate},
                      {"volume_growth", volume_growth},
                      {"volume_depth", depth}});
      curve.x.push_back(triangles);
      curve.y.push_back(volume_ms);
      if (volume_growth > worst) {
        worst = volume_growth;
        finding = fmt::format(
            "The build is not linear: {} with {} triangles takes {:.2f} times as long per triangle as with {}, "
            "and its tree has a depth of {} instead of {}. Every level of the tree is a pass over all polygons, "
            "so that the recurrence of section 4.3, T(n) = cn + T(αn) + T((1−α)n), has the solution Θ(n log n); "
            "its sum omits that the sets of a level have n polygons together. The criterion does not ask for a "
            "bounded share either: a subset may be a single polygon.",
            object.name, rounded(triangles), volume_growth, rounded(curve.x.front()), depth, smallest_depth);
      }
    }
    json.push_back({{"object", object.name}, {"printed_rate", kPrintedRate}, {"rows", std::move(rows)}});
    chart.curves.push_back(std::move(curve));
  }
  if (!finding.empty()) section.findings.push_back(std::move(finding));
  section.chart = curves_svg(chart);
  return section;
}

std::vector<PaperSection> boxtree_overlaps(const BoxtreePlan& plan, Progress& progress, Json& json,
                                           std::vector<std::string>& wrong) {
  std::vector<OverlapTimes> all;
  for (const BoxtreeObject& object : plan.objects) {
    const RigidObject printed = make_rigid(object.shape(), RigidTree::Boxtree, BoxtreeSplit::Volume);
    const RigidObject ours = make_rigid(object.shape(), RigidTree::Boxtree);
    std::vector<BoxtreeRun> runs;
    for (const bool scalar : {true, false}) {
      for (const BoxOverlap overlap : kOverlaps) {
        if (!scalar && !has_simd(overlap)) continue;
        for (const bool lift : {true, false}) {
          runs.push_back({run_name(overlap, scalar, lift),
                          scalar ? &printed : &ours,
                          {.overlap = overlap, .lift = lift},
                          scalar});
        }
      }
    }
    OverlapTimes& times = all.emplace_back();
    times.tumble = tumble_times(object.name, runs, plan, progress, wrong);
    for (std::size_t i = 0; i < kOverlaps.size(); ++i) times.ns[i] = ns_per_node_test(printed, kOverlaps[i], plan);
  }
  json = Json::array();
  return {figure7(plan, all, json), lifting(plan, all)};
}

}  // namespace graze::papers
