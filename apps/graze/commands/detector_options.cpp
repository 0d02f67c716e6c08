// Common options: declared once, checked once.
#include "commands/detector_options.hpp"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <thread>

#include <graze/error.hpp>

#include "output/interrupt.hpp"
#include "output/terminal.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace graze::app {
namespace {

AdaptiveOptions adaptive_options(const CommonOptions& options) {
  AdaptiveOptions result = options.adaptive;
  result.skip = !options.no_skip;
  if (result.frames > 1024) throw InputError(fmt::format("--session {}: must be at most 1024", result.frames));
  const auto require_not_negative = [](const char* name, double value) {
    if (!(std::isfinite(value) && value >= 0.0)) {
      throw InputError(fmt::format("{} {}: must be a number >= 0", name, value));
    }
  };
  if (options.alpha) {
    require_not_negative("--alpha", *options.alpha);
    result.alpha = *options.alpha;
  }
  require_not_negative("--beta", result.beta);
  require_not_negative("--gamma", result.gamma);
  if (!(result.low_curvature > 0.0 && result.low_curvature < 90.0)) {
    throw InputError(fmt::format("--low-curvature {}: must lie between 0 and 90 degrees", result.low_curvature));
  }
  return result;
}

HashOptions hash_choices(const CommonOptions& options) {
  HashOptions result = options.hash;
  result.cells = cell_rule_from_name(options.cells);
  result.neighbours = neighbour_test_from_name(options.neighbours);
  result.representatives = !options.all_features;
  if (!(result.voxels >= 0.0 && result.voxels <= 1024.0)) {
    throw InputError(fmt::format("--voxels {}: must lie between 0 and 1024", result.voxels));
  }
  if (!(result.normal_threshold >= -1.0 && result.normal_threshold <= 1.0)) {
    throw InputError(fmt::format("--normal-threshold {}: must lie between -1 and 1", result.normal_threshold));
  }
  return result;
}

}  // namespace

void add_hierarchy_options(CLI::App& command, CommonOptions& options) {
  command.add_option(
      "--volume", options.volume,
      "Bounds of the hierarchy's nodes, of hash those of triangles inside a voxel and of features: aabb, dop18 or "
      "dop26 (default aabb, of iccd dop18, of hash dop26); the answer is the same");
  command.add_option(
      "--builder", options.builder,
      "How the hierarchy is built: sah, midpoint, lbvh or connected (default sah, of iccd connected); "
      "the answer is the same");
  command.add_option(
      "--edge-bounds", options.edge_bounds,
      "Bounds of edges: stored, computed to save memory, or none of any feature (default stored; of hash, whose "
      "features have dop26, none leaves out the culling of features); the answer is the same");
  command.add_option(
      "--cones", options.cones,
      "Normal cones that rule out contacts of a patch with itself: none, tight or canonical (default "
      "none, of iccd tight); the answer is the same");
}

void add_adaptive_options(CLI::App& command, CommonOptions& options) {
  AdaptiveOptions& adaptive = options.adaptive;
  command.add_flag(
      "--no-skip", options.no_skip,
      "Of adaptive: no sessions; every step updates and traverses the hierarchy, and only distances of "
      "pairs are kept");
  command
      .add_option("--session", adaptive.frames,
                  "Of adaptive: steps of a session, at most 1024; 0 adapts them to what they cost (default 0)")
      ->type_name("N");
  command.add_option("--alpha", options.alpha,
                     "Of adaptive: room in the bounds, in ways of the vertex in a step (default: the steps of the "
                     "session less one)");
  command.add_option("--beta", adaptive.beta, "Of adaptive: more room, in mean ways of the body (default 0.2)");
  command.add_option("--gamma", adaptive.gamma,
                     "Of adaptive: more room, in mean edge lengths of the body (default 0.1)");
  command.add_flag("--by-work", adaptive.by_work,
                   "Of adaptive: lengths of sessions by counted work instead of time, the same in every run");
  command
      .add_option(
          "--low-curvature", adaptive.low_curvature,
          "Of adaptive with --cones: most that normals of a sub-surface turn from its axis, between 0 and 90 "
          "degrees (default 70)")
      ->type_name("DEG");
}

void add_hash_options(CLI::App& command, CommonOptions& options) {
  command.add_option(
      "--cells", options.cells,
      "Of hash: size of cells: levels, for each triangle one that suits it, or largest, for all the extent of the "
      "largest, as in the paper (default levels); the answer is the same");
  command
      .add_option("--voxels", options.hash.voxels,
                  "Of hash: voxels of the table for each triangle, at most 1024; 0 is the rule's own, of largest "
                  "0.2 (default 0); "
                  "the answer is the same")
      ->type_name("X");
  command.add_option(
      "--neighbours", options.neighbours,
      "Of hash: what rules out pairs of triangles with a common vertex: none; certified, a proof; or "
      "lossy-normals, which LOSES CONTACTS: those of neighbours whose normals are not all but opposite, as where "
      "one passes through another that faces the same way (default none)");
  command
      .add_option("--normal-threshold", options.hash.normal_threshold,
                  "Of hash with lossy-normals: neighbours whose normals have a larger dot product are ruled out, "
                  "from -1 to 1 (default -0.9)")
      ->type_name("X");
  command.add_flag("--all-features", options.all_features,
                   "Of hash: all 15 feature pairs of each pair of triangles, as in the paper, instead of each "
                   "once; the answer is the same");
}

void add_common_options(CLI::App& command, CommonOptions& options) {
  command.add_option("--method", options.method,
                     "How candidates are found; 'graze methods' lists them (default auto)");
  add_hierarchy_options(command, options);
  add_adaptive_options(command, options);
  add_hash_options(command, options);
  command.add_option("--threads", options.threads, "Threads, 0 for all cores (default 0); the answer is the same");
  command.add_option("--memory-cap", options.memory_cap,
                     "Most memory that results and work space may take, e.g. 512M or 2G; beyond is an error");
}

DetectorOptions detector_options(const CommonOptions& options) {
  DetectorOptions result;
  result.method = method_from_name(options.method);
  if (!options.volume.empty()) result.hierarchy.volume = bounding_volume_from_name(options.volume);
  if (!options.builder.empty()) result.hierarchy.builder = tree_builder_from_name(options.builder);
  if (!options.cones.empty()) result.hierarchy.cones = normal_cones_from_name(options.cones);
  result.hierarchy.edge_bounds = edge_bounds_from_name(options.edge_bounds);
  result.adaptive = adaptive_options(options);
  result.hash = hash_choices(options);
  result.threads = options.threads;
  if (!options.memory_cap.empty()) result.memory_cap = parse_size(options.memory_cap);
  result.progress = [](double) { return !interrupted(); };
  return result;
}

bool loses_contacts(const DetectorOptions& options) {
  return options.method == Method::Hash && options.hash.neighbours == NeighbourTest::LossyNormals &&
         options.thickness == 0.0;
}

void warn_of_loss(const DetectorOptions& options) {
  if (!loses_contacts(options)) return;
  note("warning",
       fmt::format("contacts may be missing: --neighbours lossy-normals drops those of triangles with a common "
                   "vertex whose normals have a dot product above {}",
                   options.hash.normal_threshold));
}

void require_all_contacts(const DetectorOptions& options) {
  if (loses_contacts(options)) {
    throw InputError("a capture keeps every contact; --neighbours lossy-normals loses some");
  }
}

unsigned thread_count(unsigned asked) {
  if (asked > 0) return asked;
  const unsigned cores = std::thread::hardware_concurrency();
  return cores > 0 ? cores : 1;
}

std::uint64_t parse_size(const std::string& text) {
  const auto bad = [&] { return InputError("'" + text + "' is not a size: write e.g. 800K, 512M or 2G"); };
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front())) == 0) throw bad();
  char* end = nullptr;
  double value = std::strtod(text.c_str(), &end);
  std::string unit(end);
  for (char& c : unit) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const std::string letters = "KMGT";
  if (!unit.empty() && unit != "B") {
    const std::size_t power = letters.find(unit.front());
    const std::string rest = unit.substr(1);
    if (power == std::string::npos || (!rest.empty() && rest != "B" && rest != "IB")) throw bad();
    value = std::ldexp(value, 10 * static_cast<int>(power + 1));
  }
  if (!(value >= 1.0) || value >= 0x1p63) throw bad();
  return static_cast<std::uint64_t>(value);
}

}  // namespace graze::app
