// Common options: declared and checked once for all commands.
#include "commands/detector_options.hpp"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <thread>

#include <graze/error.hpp>
#include <graze/research.hpp>

#include "output/interrupt.hpp"
#include "output/terminal.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

research::AdaptiveOptions adaptive_options(const CommonOptions& options) {
  research::AdaptiveOptions result = options.adaptive;
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

research::HashOptions hash_choices(const CommonOptions& options) {
  research::HashOptions result = options.hash;
  result.cells = from_name<research::CellRule>(options.cells);
  result.neighbours = from_name<research::NeighbourTest>(options.neighbours);
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

void add_hierarchy_options(Command& command, CommonOptions& options) {
  command.option(
      "--volume", options.volume,
      "Bounding volume: aabb, kdop18 or kdop26 (default aabb; iccd: kdop18; hash: kdop26, for triangles in a "
      "voxel and for features). Does not change the answer");
  command.option("--builder", options.builder,
                 "How the BVH is built: sah, midpoint, lbvh or connected (default sah; iccd: connected). Does not "
                 "change the answer");
  command.option(
      "--edge-bounds", options.edge_bounds,
      "Bounds of edges: stored, computed (takes less memory) or none, which leaves out the bounds of all "
      "features (default stored). Does not change the answer");
  command.option("--cones", options.cones,
                 "Normal cones that prove patches free of self-collision: none, tight or canonical (default none; "
                 "iccd: tight). Does not change the answer");
}

void add_adaptive_options(Command& command, CommonOptions& options) {
  research::AdaptiveOptions& adaptive = options.adaptive;
  command.flag("--no-skip", options.no_skip,
               "adaptive: no sessions; every step refits and traverses the BVH, and only pair distances are kept");
  command
      .option("--session", adaptive.frames,
              "adaptive: steps per session, at most 1024; 0 adapts the length to its cost (default 0)")
      .type("N");
  command.option("--alpha", options.alpha,
                 "adaptive: margin of the bounds, in displacements of the vertex per step (default: the steps of "
                 "the session minus one)");
  command.option("--beta", adaptive.beta,
                 "adaptive: additional margin, in mean displacements of the body (default 0.2)");
  command.option("--gamma", adaptive.gamma,
                 "adaptive: additional margin, in mean edge lengths of the body (default 0.1)");
  command.flag("--by-work", adaptive.by_work,
               "adaptive: choose session lengths by counted work instead of time, so that every run is the same");
  command
      .option("--low-curvature", adaptive.low_curvature,
              "adaptive with --cones: largest angle between the normals of a sub-surface and its axis, between 0 "
              "and 90 degrees (default 70)")
      .type("DEG");
}

void add_hash_options(Command& command, CommonOptions& options) {
  command.option("--cells", options.cells,
                 "hash: cell size: levels, a size that fits each triangle, or largest, the extent of the largest "
                 "triangle for all, as in the paper (default levels). Does not change the answer");
  command
      .option("--voxels", options.hash.voxels,
              "hash: voxels of the table per triangle, at most 1024; 0 is the default of --cells, 0.2 for largest "
              "(default 0). Does not change the answer")
      .type("X");
  command.option("--neighbours", options.neighbours,
                 "hash: culling of triangle pairs with a common vertex: none; certified, by a proof; or "
                 "lossy-normals, which LOSES CONTACTS of neighbours whose normals are not nearly opposite, e.g. "
                 "where a triangle passes through one that faces the same way (default none)");
  command
      .option("--normal-threshold", options.hash.normal_threshold,
              "hash with lossy-normals: cull neighbours whose normals have a larger dot product, from -1 to 1 "
              "(default -0.9)")
      .type("X");
  command.flag("--all-features", options.all_features,
               "hash: test all 15 feature pairs of each triangle pair, as in the paper, instead of each feature "
               "pair once. Does not change the answer");
}

void add_common_options(Command& command, CommonOptions& options) {
  command.option("--method", options.method, "How candidates are found; 'graze methods' lists them (default auto)");
  add_hierarchy_options(command, options);
  add_adaptive_options(command, options);
  add_hash_options(command, options);
  command.option(
      "--device", options.device,
      "Processor that runs the queries: cpu, cuda, or auto, which takes cuda if it is there (default cpu). "
      "Does not change the answer");
  command.option("--threads", options.threads, "Threads, 0 for all cores (default 0). Does not change the answer");
  command.option("--memory-cap", options.memory_cap,
                 "Limit on the memory of results and work space, e.g. 512M or 2G; a query that needs more fails");
}

DetectorOptions detector_options(const CommonOptions& options) {
  DetectorOptions result;
  result.method = from_name<Method>(options.method);
  result.device = from_name<Device>(options.device);
  if (!options.volume.empty())
    result.research->hierarchy.volume = from_name<research::BoundingVolume>(options.volume);
  if (!options.builder.empty())
    result.research->hierarchy.builder = from_name<research::TreeBuilder>(options.builder);
  if (!options.cones.empty()) result.research->hierarchy.cones = from_name<research::NormalCones>(options.cones);
  result.research->hierarchy.edge_bounds = from_name<research::EdgeBounds>(options.edge_bounds);
  result.research->adaptive = adaptive_options(options);
  result.research->hash = hash_choices(options);
  result.threads = options.threads;
  if (!options.memory_cap.empty()) result.memory_cap = parse_size(options.memory_cap);
  result.progress = [](double) { return !interrupted(); };
  return result;
}

bool loses_contacts(const DetectorOptions& options) {
  return options.method == Method::Hash &&
         options.research->hash.neighbours == research::NeighbourTest::LossyNormals && options.thickness == 0.0;
}

void warn_of_loss(const DetectorOptions& options) {
  if (!loses_contacts(options)) return;
  note("warning",
       fmt::format("contacts may be missing: --neighbours lossy-normals drops contacts of triangles with a common "
                   "vertex whose normals have a dot product above {}",
                   options.research->hash.normal_threshold));
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
