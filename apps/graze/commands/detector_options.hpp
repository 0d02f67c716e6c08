// The options that every command with a detector takes: --method and the choices within it, --threads,
// --memory-cap.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <graze/detector.hpp>

namespace CLI {
class App;
}

namespace graze::app {

struct CommonOptions {
  std::string method = "auto";
  std::string volume;  ///< empty: the method's own, as the next two
  std::string builder;
  std::string cones;
  std::string edge_bounds = "stored";
  AdaptiveOptions adaptive;
  bool no_skip = false;
  std::optional<double> alpha;  ///< none: the method's own
  HashOptions hash;             ///< but for what follows
  std::string cells = "levels";
  std::string neighbours = "none";
  bool all_features = false;
  unsigned threads = 0;
  std::string memory_cap;
};

/// The choices within a method: --volume, --builder, --edge-bounds, --cones.
void add_hierarchy_options(CLI::App& command, CommonOptions& options);
/// The choices within adaptive: --no-skip, --session, --alpha, --beta, --gamma, --by-work, --low-curvature. Other
/// methods do not look at them.
void add_adaptive_options(CLI::App& command, CommonOptions& options);
/// The choices within hash: --cells, --voxels, --neighbours, --normal-threshold, --all-features.
void add_hash_options(CLI::App& command, CommonOptions& options);
/// All of these, and --method, --threads, --memory-cap.
void add_common_options(CLI::App& command, CommonOptions& options);

/// Checked and ready, with a progress callback that stops on Ctrl-C. Throws InputError.
DetectorOptions detector_options(const CommonOptions& options);

/// May impacts be missing? Of hash with lossy-normals, which looks at neighbours only where there is no thickness.
bool loses_contacts(const DetectorOptions& options);
/// Says so in one line on stderr, or, where all impacts are needed, throws InputError.
void warn_of_loss(const DetectorOptions& options);
void require_all_contacts(const DetectorOptions& options);

/// How many threads a query will use: 0 stands for all cores.
unsigned thread_count(unsigned asked);

/// "512M", "2G", "1500000", "1.5GiB": bytes, in powers of 1024. Throws InputError.
std::uint64_t parse_size(const std::string& text);

}  // namespace graze::app
