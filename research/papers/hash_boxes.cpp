// The third benchmark of HASH with the paper's primitives: not the triangles of the letters but the boxes of the
// lattices that deform them, about eleven per letter, and the distances between boxes of different letters.
#include <array>
#include <chrono>
#include <cmath>
#include <utility>

#include <graze/boxes.hpp>
#include <graze/research.hpp>

#include "commands/detector_options.hpp"
#include "output/interrupt.hpp"
#include "research/papers/figures.hpp"
#include "research/papers/hash.hpp"
#include "research/papers/plots.hpp"
#include "scenes/letter_lattices.hpp"

#include <fmt/format.h>

namespace graze::papers {
namespace {

constexpr std::string_view kAlphabet = "alphabet";
constexpr double kNear = 0.05;  // query distance, relative to the mean diagonal of the boxes in the first step
constexpr double kPrintedVoxels = 2000.0;

struct BoxRule {
  const char* name;
  research::HashOptions options;
};
constexpr std::array kRules = {BoxRule{"paper", {.cells = research::CellRule::Largest, .voxels = 0.2}},
                               BoxRule{"hash", {}}};

double mean_diagonal(std::span<const Box> boxes) {
  double sum = 0.0;
  for (const Box& box : boxes) {
    sum += std::hypot(box.hi.x - box.lo.x, box.hi.y - box.lo.y, box.hi.z - box.lo.z);
  }
  return boxes.empty() ? 0.0 : sum / static_cast<double>(boxes.size());
}

scenes::RigidLattices lattices_of(const BenchScene& scene) {
  scenes::SceneRequest request{
      .size = scene.options.size, .frames = scene.options.frames, .seed = scene.options.seed};
  scenes::find_scene(kAlphabet, request);  // fills in the defaults
  std::vector<scenes::BodyRange> bodies;
  for (BodyId body = 0; body < scene.scene.body_count(); ++body) {
    const auto [first, last] = scene.scene.vertices(body);
    bodies.push_back({.first_vertex = first, .last_vertex = last, .motion = scene.scene.motion(body)});
  }
  return scenes::alphabet_lattices(request, bodies);
}

/// Results of a cell rule over all steps, on one thread and on all.
struct BoxPass {
  std::vector<Stats> steps;
  double close = 0.0;  ///< pairs within the distance, per step
  double ms = 0.0;
  double all_cores_ms = 0.0;
};

/// Pairs per step whose distance was computed.
double distances(const BoxPass& pass) {
  double sum = 0.0;
  for (const Stats& stats : pass.steps) {
    sum += static_cast<double>(stats.tiers.filter + stats.tiers.interval + stats.tiers.exact);
  }
  return sum / static_cast<double>(pass.steps.size());
}

/// The mean over steps.
double mean(const BoxPass& pass, std::uint64_t HashCounts::*counter) {
  double sum = 0.0;
  for (const Stats& stats : pass.steps) sum += static_cast<double>(stats.hash.*counter);
  return sum / static_cast<double>(pass.steps.size());
}

std::vector<BoxPass> run_boxes(const BenchScene& scene, const scenes::RigidLattices& lattices, Progress& progress,
                               std::vector<std::string>& wrong) {
  std::vector<BoxPass> passes(kRules.size());
  const std::size_t count = scene.steps_before_change();
  double distance = 0.0;
  std::vector<Vec3> x_t0 = lattices.positions(scene.x_t0(0));
  for (std::size_t step = 0; step < count; ++step) {
    progress.show(fmt::format("{} boxes step {}", scene.title, step),
                  static_cast<double>(step) / static_cast<double>(count));
    std::vector<Vec3> x_t1 = lattices.positions(scene.x_t1(step));
    const std::vector<Box> boxes = lattice_boxes(lattices.cells(), x_t0, x_t1);
    if (step == 0) distance = kNear * mean_diagonal(boxes);
    std::vector<BoxPair> right;
    for (std::size_t i = 0; i < kRules.size(); ++i) {
      for (const unsigned threads : {1U, 0U}) {
        BoxOptions options{.research = research::Options{.hash = kRules[i].options}, .threads = threads};
        options.progress = [](double) { return !interrupted(); };
        const auto start = std::chrono::steady_clock::now();
        BoxPairs found = close_boxes(boxes, lattices.groups(), distance, options);
        const double ms =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        (threads == 1 ? passes[i].ms : passes[i].all_cores_ms) += ms / static_cast<double>(count);
        if (threads == 1) {
          passes[i].steps.push_back(found.stats);
          passes[i].close += static_cast<double>(found.pairs.size()) / static_cast<double>(count);
        }
        if (i == 0 && threads == 1) {
          right = std::move(found.pairs);
        } else if (found.pairs != right) {
          wrong.push_back(fmt::format("{}: step {}: {} pairs of boxes by {}, {} by {}", scene.name, step,
                                      right.size(), kRules.front().name, found.pairs.size(), kRules[i].name));
        }
      }
    }
    x_t0 = std::move(x_t1);
  }
  return passes;
}

CurveChart::Curve curve_of(std::string name, const BoxPass& pass, std::uint64_t HashCounts::*counter) {
  CurveChart::Curve curve{.name = std::move(name), .x = {}, .y = {}};
  for (std::size_t step = 0; step < pass.steps.size(); ++step) {
    curve.x.push_back(static_cast<double>(step));
    curve.y.push_back(static_cast<double>(pass.steps[step].hash.*counter));
  }
  return curve;
}

}  // namespace

PaperSection hash_boxes(const PaperRequest& request, Progress& progress, Json& json,
                        std::vector<std::string>& wrong) {
  PaperSection section{
      .title = "Benchmark 3 and Figure 7: boxes of the letters' lattices",
      .note = fmt::format(
          "The paper's primitives of this benchmark: 1,014 letters of some 11 boxes, 11,000 in all, in a table of "
          "{} "
          "voxels. Pairs of plain hashing; pairs whose boxes, grown by half the distance, overlap, those of one "
          "letter "
          "included; pairs of two letters, whose distance is computed; and those of them within a twentieth of a "
          "mean "
          "diagonal. Means of a step, milliseconds on one core and on {}. Both rules must find the same pairs.",
          with_separators(static_cast<std::uint64_t>(kPrintedVoxels)), thread_count(0)),
      .columns = {"scene", "contestant", "letters", "boxes", "voxels", "plain hashing", "overlap", "culled",
                  "printed", "two letters", "close", "1 core", "all cores"},
      .rows = {},
      .chart = {}};
  json = Json::array();
  for (const BenchScene* scene : request.scenes) {
    if (scene->name != kAlphabet) continue;
    const scenes::RigidLattices lattices = lattices_of(*scene);
    const std::vector<BoxPass> passes = run_boxes(*scene, lattices, progress, wrong);
    Json entry = {{"scene", scene->name},
                  {"letters", lattices.lattice_count()},
                  {"boxes", lattices.cells().size()},
                  {"printed_voxels", kPrintedVoxels},
                  {"rows", Json::array()}};
    for (std::size_t i = 0; i < passes.size(); ++i) {
      const BoxPass& pass = passes[i];
      const double plain = mean(pass, &HashCounts::voxel_pairs);
      const double left = mean(pass, &HashCounts::box_pairs);
      section.rows.push_back({scene->title, kRules[i].name, with_separators(lattices.lattice_count()),
                              with_separators(lattices.cells().size()), rounded(mean(pass, &HashCounts::voxels)),
                              rounded(plain), rounded(left), factor(quotient(plain, left)), "≥ 100×",
                              rounded(distances(pass)), rounded(pass.close), format_ms(pass.ms),
                              format_ms(pass.all_cores_ms)});
      entry["rows"].push_back({{"contestant", kRules[i].name},
                               {"voxels", mean(pass, &HashCounts::voxels)},
                               {"voxel_pairs", plain},
                               {"box_pairs", left},
                               {"distances", distances(pass)},
                               {"close", pass.close},
                               {"ms", pass.ms},
                               {"all_cores_ms", pass.all_cores_ms}});
    }
    CurveChart chart{
        .title = scene->title + ": pairs of boxes", .across = "step", .logarithmic = true, .curves = {}};
    chart.curves.push_back(curve_of("plain hashing", passes.front(), &HashCounts::voxel_pairs));
    chart.curves.push_back(curve_of("overlap", passes.front(), &HashCounts::box_pairs));
    section.chart += curves_svg(chart);
    json.push_back(std::move(entry));
  }
  return section;
}

}  // namespace graze::papers
