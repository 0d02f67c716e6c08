// BOXTREE, section 5: boxtrees beside other trees (Figure 8), as whole systems, each with its own tree shape, and
// volume by volume over the same shapes. A system is a shape (which polygons are below each node) with a kind of
// volume, and its time is a product of factors that are measured one at a time.
//
// All contestants but the library's default traverse with one loop, one float and one triangle pair at a time, with
// work on single nodes lifted (section 3.3).
#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <utility>

#include "research/papers/boxtree/boxtree.hpp"
#include "research/papers/boxtree/shapes.hpp"
#include "research/papers/chart.hpp"
#include "research/papers/figures.hpp"

#include <fmt/format.h>

namespace graze::papers {
namespace {

/// "About as fast": the time of the boxtree is at most this many times that of the DOP tree.
constexpr double kAboutAsFast = 1.5;

constexpr std::array kOthers = {RigidTree::Kdop26, RigidTree::Kdop18, RigidTree::Aabb, RigidTree::Obb,
                                RigidTree::Sphere};
constexpr std::array kVolumes = {RigidTree::Boxtree, RigidTree::Aabb,   RigidTree::Obb,
                                 RigidTree::Kdop18,  RigidTree::Kdop26, RigidTree::Sphere};

/// A tree shape: the rule that splits, and whether the polygons are in random order.
struct ShapeRule {
  std::string_view name;
  std::optional<BoxtreeSplit> split;  ///< none: SAH
  bool random_order = false;
};
constexpr std::array kShapes = {ShapeRule{"volume", BoxtreeSplit::Volume},
                                ShapeRule{kVolumeAtRandom, BoxtreeSplit::Volume, true},
                                ShapeRule{"free", BoxtreeSplit::Free}, ShapeRule{"sah", std::nullopt}};

/// The paper's traversal: SAT lite, lifted.
constexpr ColliderOptions kPrintedSystem{.overlap = BoxOverlap::SatLite};

/// A volume over a shape, measured.
struct Cell {
  std::string_view shape;
  RigidTree volume;
  double us = 0.0;
  double node_tests = 0.0;      ///< a pose
  double triangle_tests = 0.0;  ///< a pose
  double operations = 0.0;      ///< floating-point operations a node test, mean
  double ns = 0.0;              ///< a node test
};

const Cell& cell_of(const std::vector<Cell>& cells, std::string_view shape, RigidTree volume) {
  return *std::find_if(cells.begin(), cells.end(),
                       [&](const Cell& cell) { return cell.shape == shape && cell.volume == volume; });
}

std::vector<Cell> measure_shapes(const BoxtreePlan& plan, const BoxtreeObject& object, Progress& progress,
                                 std::vector<std::string>& wrong) {
  std::deque<RigidObject> trees;  // a deque: addresses stay valid
  std::vector<BoxtreeRun> runs;
  std::vector<Cell> cells;
  const scenes::Shape mixed = in_random_order(object.shape());
  for (const ShapeRule& rule : kShapes) {
    progress.show(fmt::format("{}, shape {}", object.name, rule.name), 0.0);
    const scenes::Shape& mesh = rule.random_order ? mixed : object.shape();
    const RigidObject base = make_rigid(mesh, RigidTree::Boxtree, rule.split.value_or(BoxtreeSplit::Free));
    const rigid::SplitTree topology = rule.split ? shape_of(base) : sah_shape(base);
    for (const RigidTree volume : kVolumes) {
      // A boxtree over a shape of the builder is the builder's, with its cuts.
      const bool built = volume == RigidTree::Boxtree && rule.split;
      const RigidObject& tree = trees.emplace_back(built ? base : fit_to_shape(base, volume, topology));
      const std::string name = fmt::format("{} over {}", name_of(volume), rule.name);
      const std::string invalid = tree.validate();
      if (!invalid.empty()) wrong.push_back(fmt::format("{}, {}: {}", object.name, name, invalid));
      runs.push_back({name, &tree, kPrintedSystem, true});
      cells.push_back({.shape = rule.name, .volume = volume});
    }
  }
  const std::vector<BoxtreeTimes> times = tumble_times(object.name, runs, plan, progress, wrong);
  const auto poses = static_cast<double>(plan.distances.size() * plan.steps);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    BoxtreeFlops flops;
    count_flops(trees[i], kPrintedSystem.overlap, true, plan, flops);
    cells[i].us = times[i].mean();
    cells[i].node_tests = static_cast<double>(times[i].stats.node_tests) / poses;
    cells[i].triangle_tests = static_cast<double>(times[i].stats.triangle_tests) / poses;
    cells[i].operations = flops.average();
    cells[i].ns = ns_per_node_test(trees[i], kPrintedSystem.overlap, plan);
  }
  return cells;
}

/// "Performing about as fast as DOP trees": says what the difference consists of, for the faster order of polygons.
void find_slower(const BoxtreeObject& object, const std::vector<Cell>& cells, std::vector<std::string>& findings) {
  const bool at_random =
      cell_of(cells, kVolumeAtRandom, RigidTree::Boxtree).us < cell_of(cells, "volume", RigidTree::Boxtree).us;
  const std::string_view shape = at_random ? kVolumeAtRandom : "volume";
  const Cell& boxtree = cell_of(cells, shape, RigidTree::Boxtree);
  const Cell& aabb = cell_of(cells, shape, RigidTree::Aabb);
  const Cell& dop = cell_of(cells, shape, RigidTree::Kdop26);
  const Cell& other = cell_of(cells, "sah", RigidTree::Kdop26);
  const double whole = quotient(boxtree.us, other.us);
  if (whole <= kAboutAsFast) return;
  findings.push_back(fmt::format(
      "Boxtrees are not about as fast as DOP trees on {} ({} triangles): the paper's system, with polygons in {} "
      "order, takes {} the time of 26-DOPs over SAH. This is a product of three factors. Tree shape: {}, 26-DOPs "
      "over the paper's splits against SAH. Kind of volume: {}, AABBs against 26-DOPs, both over the paper's "
      "splits. Sides that are not stored: {}, boxtree against AABBs, over the same splits and along the same six "
      "directions, with {} as many node pairs and {} as many triangle pairs. A node test of the boxtree takes "
      "{:.1f} ns for {:.1f} operations, of AABBs {:.1f} ns for {:.1f}, of 26-DOPs {:.1f} ns for {:.1f}.",
      object.name, with_separators(object.shape().triangles.size()), at_random ? "random" : "the mesh's",
      factor(whole), factor(quotient(dop.us, other.us)), factor(quotient(aabb.us, dop.us)),
      factor(quotient(boxtree.us, aabb.us)), factor(quotient(boxtree.node_tests, aabb.node_tests)),
      factor(quotient(boxtree.triangle_tests, aabb.triangle_tests)), boxtree.ns, boxtree.operations, aabb.ns,
      aabb.operations, dop.ns, dop.operations));
}

}  // namespace

PaperSection boxtree_figure8(const BoxtreePlan& plan, Progress& progress, Json& json,
                             std::vector<std::string>& wrong) {
  PaperSection section{
      .title = "Figure 8: boxtrees and other trees, whole systems",
      .note =
          "Microseconds per first-hit query, mean over the tumble and over distances. \"as printed\": the paper's "
          "boxtree, split by volume, SAT lite, lifted, one float at a time, no leaf groups. Its splits depend on "
          "the order of the polygons, of which the paper says nothing: our meshes list neighbours one after the "
          "other; \"random order\" is the same mesh shuffled. The other trees have their own shape, SAH, and the "
          "same scalar loop. The paper finds its boxtree about as fast as its DOP tree. \"factor\": time of the "
          "26-DOP tree divided by that of the boxtree. \"library\": the defaults (boxtree: free, sat, leaf "
          "groups, SIMD), with triangle pairs tested in SIMD lanes for both trees.",
      .columns = {"object", "triangles", "steps", "as printed", "random order", "kdop26", "kdop18", "aabb", "obb",
                  "sphere", "factor", "random order", "printed", "library: boxtree", "kdop26", "factor"},
      .rows = {},
      .chart = {}};
  BarChart chart{.title = "microseconds a pose",
                 .series = {"as printed, random order", "kdop26", "aabb", "obb", "boxtree, library"},
                 .groups = {}};
  json = Json::array();
  for (const BoxtreeObject& object : plan.objects) {
    Json rows = Json::array();
    for (const scenes::Shape& shape : object.shapes) {
      std::deque<RigidObject> trees;  // a deque: addresses stay valid
      std::vector<BoxtreeRun> runs;
      const auto add = [&](std::string name, const scenes::Shape& mesh, RigidTree tree, BoxtreeSplit split,
                           bool scalar) {
        progress.show(object.name + ", " + name, 0.0);
        const RigidObject& built = trees.emplace_back(make_rigid(mesh, tree, split));
        runs.push_back({std::move(name), &built, scalar ? kPrintedSystem : ColliderOptions{}, scalar});
      };
      add("as printed", shape, RigidTree::Boxtree, BoxtreeSplit::Volume, true);
      add("as printed, random order", in_random_order(shape), RigidTree::Boxtree, BoxtreeSplit::Volume, true);
      for (const RigidTree tree : kOthers) add(std::string(name_of(tree)), shape, tree, BoxtreeSplit::Free, true);
      add("boxtree, library", shape, RigidTree::Boxtree, BoxtreeSplit::Free, false);
      add("kdop26, library", shape, RigidTree::Kdop26, BoxtreeSplit::Free, false);
      const std::vector<BoxtreeTimes> times = tumble_times(object.name, runs, plan, progress, wrong);
      const auto us = [&](std::string_view name) { return times_named(times, name).mean(); };
      Json entry = {{"polygons", shape.triangles.size()}};
      for (std::size_t r = 0; r < times.size(); ++r) {
        entry["us"][times[r].name] = times[r].us;
        entry["node_tests"][times[r].name] = times[r].stats.node_tests;
        entry["triangle_tests"][times[r].name] = times[r].stats.triangle_tests;
        entry["tree_bytes"][times[r].name] = runs[r].object->memory().tree_bytes;
      }
      const double printed = quotient(us("kdop26"), us("as printed"));
      const double at_random = quotient(us("kdop26"), us("as printed, random order"));
      const double library = quotient(us("kdop26, library"), us("boxtree, library"));
      entry["factor_as_printed"] = printed;
      entry["factor_random_order"] = at_random;
      entry["factor"] = library;
      std::vector<std::string> row = {object.name, with_separators(shape.triangles.size()),
                                      with_separators(plan.steps), format_ms(us("as printed")),
                                      format_ms(us("as printed, random order"))};
      for (const RigidTree tree : kOthers) row.push_back(format_ms(us(name_of(tree))));
      row.insert(row.end(), {factor(printed), factor(at_random), "≈ 1×", format_ms(us("boxtree, library")),
                             format_ms(us("kdop26, library")), factor(library)});
      section.rows.push_back(std::move(row));
      rows.push_back(std::move(entry));
      if (&shape != &object.shape()) continue;
      BarChart::Group group{
          .name = fmt::format("{}, {} triangles", object.name, with_separators(shape.triangles.size())),
          .values = {},
          .labels = {}};
      for (const std::string& name : chart.series) {
        group.values.push_back(us(name));
        group.labels.push_back(format_ms(group.values.back()));
      }
      chart.groups.push_back(std::move(group));
    }
    json.push_back({{"object", object.name}, {"rows", std::move(rows)}});
  }
  section.chart = bars_svg(chart);
  return section;
}

PaperSection boxtree_same_shapes(const BoxtreePlan& plan, Progress& progress, Json& json,
                                 std::vector<std::string>& wrong) {
  PaperSection section{
      .title = "Figure 8, taken apart: every volume over the same tree shapes",
      .note =
          "Each tree shape with each kind of volume. Shapes: \"volume\", the paper's splits, also with the "
          "polygons in random order; \"free\", the library's boxtree; \"sah\", its other trees. Boxtrees over SAH "
          "cut where they gain most. Times as in Figure 8: one float and one triangle pair at a time, SAT lite "
          "for boxtrees. Node tests and triangle pairs are means over the poses. \"operations\" and \"ns\" of a "
          "node test are means of full traversals without triangle tests. \"of kdop26\": time divided by that of "
          "26-DOPs over the same shape.",
      .columns = {"object", "triangles", "steps", "shape", "volume", "µs", "of kdop26", "node tests",
                  "triangle pairs", "operations", "ns"},
      .rows = {},
      .chart = {}};
  json = Json::array();
  for (const BoxtreeObject& object : plan.objects) {
    const std::vector<Cell> cells = measure_shapes(plan, object, progress, wrong);
    Json rows = Json::array();
    for (const Cell& cell : cells) {
      const double of_dop = quotient(cell.us, cell_of(cells, cell.shape, RigidTree::Kdop26).us);
      section.rows.push_back({object.name, with_separators(object.shape().triangles.size()),
                              with_separators(plan.steps), std::string(cell.shape),
                              std::string(name_of(cell.volume)), format_ms(cell.us), factor(of_dop),
                              fmt::format("{:.1f}", cell.node_tests), fmt::format("{:.1f}", cell.triangle_tests),
                              fmt::format("{:.1f}", cell.operations), fmt::format("{:.1f}", cell.ns)});
      rows.push_back({{"shape", cell.shape},
                      {"volume", name_of(cell.volume)},
                      {"us", cell.us},
                      {"node_tests", cell.node_tests},
                      {"triangle_tests", cell.triangle_tests},
                      {"operations", cell.operations},
                      {"ns_per_node_test", cell.ns}});
    }
    json.push_back({{"object", object.name},
                    {"triangles", object.shape().triangles.size()},
                    {"steps", plan.steps},
                    {"rows", std::move(rows)}});
    find_slower(object, cells, section.findings);
  }
  return section;
}

}  // namespace graze::papers
