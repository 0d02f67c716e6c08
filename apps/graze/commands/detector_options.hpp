// The options that every command with a detector takes: --method and the options of single methods, --device,
// --threads, --memory-cap.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <graze/detector.hpp>
#include <graze/research.hpp>

#include "commands/cli.hpp"

namespace graze::app {

struct CommonOptions {
  std::string method = "auto";
  std::string volume;  ///< empty: the default of the method; also of builder and cones
  std::string builder;
  std::string cones;
  std::string edge_bounds = "stored";
  research::AdaptiveOptions adaptive;
  bool no_skip = false;
  std::optional<double> alpha;  ///< none: the default of the method
  research::HashOptions hash;   ///< without the choices by name below
  std::string cells = "levels";
  std::string neighbours = "none";
  bool all_features = false;
  std::string device = "cpu";
  unsigned threads = 0;
  std::string memory_cap;
};

/// Options of methods with a BVH: --volume, --builder, --edge-bounds, --cones.
void add_hierarchy_options(Command& command, CommonOptions& options);
/// Options of adaptive: --no-skip, --session, --alpha, --beta, --gamma, --by-work, --low-curvature. Other methods
/// ignore them.
void add_adaptive_options(Command& command, CommonOptions& options);
/// Options of hash: --cells, --voxels, --neighbours, --normal-threshold, --all-features.
void add_hash_options(Command& command, CommonOptions& options);
/// All options above, and --method, --device, --threads, --memory-cap.
void add_common_options(Command& command, CommonOptions& options);

/// The options of a detector, with a progress callback that stops on Ctrl-C. Throws InputError for bad values.
DetectorOptions detector_options(const CommonOptions& options);

/// True if impacts may be missing: hash with lossy-normals, which culls neighbours only if there is no thickness.
bool loses_contacts(const DetectorOptions& options);
/// If impacts may be missing: prints one line on stderr, or throws InputError.
void warn_of_loss(const DetectorOptions& options);
void require_all_contacts(const DetectorOptions& options);

/// The number of threads that a query uses: 0 means all cores.
unsigned thread_count(unsigned asked);

/// Bytes of a text such as "512M", "2G", "1500000" or "1.5GiB"; units are powers of 1024. Throws InputError.
std::uint64_t parse_size(const std::string& text);

}  // namespace graze::app
