// BOXTREE, section 4.2: the ways to split a set of polygons, the paper's also with the polygons in random order.
#include <algorithm>
#include <deque>
#include <random>
#include <utility>

#include "research/papers/boxtree/boxtree.hpp"
#include "research/papers/figures.hpp"

#include <fmt/format.h>

namespace graze::papers {
namespace {

struct BuiltTree {
  std::string name;
  double build_ms = 0.0;
  std::uint64_t depth = 0;
};

/// "Yields good hierarchies": not for every order of the polygons.
void find_order(const BoxtreeObject& object, const std::vector<BuiltTree>& built,
                const std::vector<BoxtreeTimes>& times, double poses, std::vector<std::string>& findings) {
  constexpr double kMuchWorse = 2.0;
  const auto tests = [&](std::string_view name) {
    return static_cast<double>(times_named(times, name).stats.node_tests) / poses;
  };
  const auto depth = [&](std::string_view name) {
    return std::find_if(built.begin(), built.end(), [&](const BuiltTree& tree) { return tree.name == name; })
        ->depth;
  };
  const double worse = quotient(tests("volume"), tests(kVolumeAtRandom));
  if (worse <= kMuchWorse) return;
  findings.push_back(fmt::format(
      "The criterion does not yield a good hierarchy of {} ({} triangles) in the order of the mesh: {} node tests "
      "a pose and a depth of {}, in random order {} and {}, {} as many. The pass gives polygons away one after "
      "the other, so that neighbours in a row let one subset grow over the other; and equal totals are decided "
      "without regard to balance.",
      object.name, with_separators(object.shape().triangles.size()), rounded(tests("volume")), depth("volume"),
      rounded(tests(kVolumeAtRandom)), depth(kVolumeAtRandom), factor(worse)));
}

}  // namespace

scenes::Shape in_random_order(scenes::Shape shape) {
  std::mt19937 random(1);
  for (std::size_t i = shape.triangles.size(); i > 1; --i)
    std::swap(shape.triangles[i - 1], shape.triangles[std::size_t{random()} % i]);
  return shape;
}

PaperSection boxtree_splits(const BoxtreePlan& plan, Progress& progress, Json& json,
                            std::vector<std::string>& wrong) {
  PaperSection section{
      .title = "Section 4.2: how sets of polygons are split",
      .note =
          "\"volume\" is the paper's criterion: coplanar planes, and all polygons of a node decide, in the order "
          "of the mesh; \"longest\" is its variant that splits the longest side alone (the paper announces a "
          "result of it and prints none). \"volume-sampled\" lets 32 to 64 polygons decide and rejects uneven "
          "splits; \"free\" is ours, where each child cuts where it gains most. Time and depth of the build; node "
          "tests and microseconds of a first hit, means over the tumble and distances: with the paper's scalar "
          "SAT lite, and with the library's traversal (sat, leaf groups, SIMD).",
      .columns = {"object", "triangles", "steps", "split", "build ms", "depth", "scalar: node tests", "µs",
                  "against free", "library: node tests", "µs", "against free"},
      .rows = {},
      .chart = {}};
  json = Json::array();
  for (const BoxtreeObject& object : plan.objects) {
    const scenes::Shape mixed = in_random_order(object.shape());
    std::deque<RigidObject> trees;
    std::vector<BoxtreeRun> printed;
    std::vector<BoxtreeRun> library;
    std::vector<BuiltTree> built;
    const auto add = [&](std::string_view name, const scenes::Shape& shape, BoxtreeSplit split) {
      progress.show(fmt::format("{}, split {}", object.name, name), 0.0);
      const double ms = boxtree_build_ms(shape, split, plan.runs);
      const RigidObject& tree = trees.emplace_back(make_rigid(shape, RigidTree::Boxtree, split));
      built.push_back({std::string(name), ms, tree.memory().depth});
      printed.push_back({std::string(name), &tree, {.overlap = BoxOverlap::SatLite}, true});
      library.push_back({std::string(name), &tree, {}, false});
    };
    for (const BoxtreeSplit split : all_values<BoxtreeSplit>()) add(name_of(split), object.shape(), split);
    add(kVolumeAtRandom, mixed, BoxtreeSplit::Volume);
    const std::vector<BoxtreeTimes> scalar = tumble_times(object.name, printed, plan, progress, wrong);
    const std::vector<BoxtreeTimes> lanes = tumble_times(object.name, library, plan, progress, wrong);
    const auto poses = static_cast<double>(plan.distances.size() * plan.steps);
    Json rows = Json::array();
    for (std::size_t r = 0; r < built.size(); ++r) {
      const auto tests = [&](const std::vector<BoxtreeTimes>& times) {
        return static_cast<double>(times[r].stats.node_tests) / poses;
      };
      const auto against = [&](const std::vector<BoxtreeTimes>& times) {
        return quotient(times[r].mean(), times_named(times, "free").mean());
      };
      section.rows.push_back(
          {object.name, with_separators(object.shape().triangles.size()), with_separators(plan.steps),
           built[r].name, format_ms(built[r].build_ms), std::to_string(built[r].depth),
           fmt::format("{:.1f}", tests(scalar)), format_ms(scalar[r].mean()), factor(against(scalar)),
           fmt::format("{:.1f}", tests(lanes)), format_ms(lanes[r].mean()), factor(against(lanes))});
      rows.push_back({{"split", built[r].name},
                      {"build_ms", built[r].build_ms},
                      {"depth", built[r].depth},
                      {"scalar_node_tests", tests(scalar)},
                      {"scalar_us", scalar[r].mean()},
                      {"node_tests", tests(lanes)},
                      {"us", lanes[r].mean()}});
    }
    find_order(object, built, scalar, poses, section.findings);
    json.push_back({{"object", object.name}, {"rows", std::move(rows)}});
  }
  return section;
}

}  // namespace graze::papers
