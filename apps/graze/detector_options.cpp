// Common options: declared once, checked once.
#include "detector_options.hpp"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <thread>

#include <graze/error.hpp>

#include "interrupt.hpp"

#include <CLI/CLI.hpp>

namespace graze::app {

void add_hierarchy_options(CLI::App& command, CommonOptions& options) {
  command.add_option(
      "--volume", options.volume,
      "Bounds of the hierarchy's nodes: aabb, dop18 or dop26 (default aabb, of iccd dop18); the answer "
      "is the same");
  command.add_option(
      "--builder", options.builder,
      "How the hierarchy is built: sah, midpoint, lbvh or connected (default sah, of iccd connected); "
      "the answer is the same");
  command.add_option(
      "--edge-bounds", options.edge_bounds,
      "Bounds of edges: stored, computed to save memory, or none of any feature (default stored); the "
      "answer is the same");
  command.add_option(
      "--cones", options.cones,
      "Normal cones that rule out contacts of a patch with itself: none, tight or canonical (default "
      "none, of iccd tight); the answer is the same");
}

void add_common_options(CLI::App& command, CommonOptions& options) {
  command.add_option("--method", options.method,
                     "How candidates are found; 'graze methods' lists them (default auto)");
  add_hierarchy_options(command, options);
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
  result.threads = options.threads;
  if (!options.memory_cap.empty()) result.memory_cap = parse_size(options.memory_cap);
  result.progress = [](double) { return !interrupted(); };
  return result;
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
