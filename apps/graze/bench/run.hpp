// Measures contestants side by side on one scene: methods of graze, and peers (benchmarks/peers).
//
// The measured time is that of a step, from new positions in memory to the sorted exact answer of the query. It
// includes the refit of the BVH, but not topology and the first build: each contestant is made, and runs the first
// step once, before the clock starts. A run is all steps of the scene in order; its time is the mean over the
// steps. Runs of contestants alternate, each round beginning with another one, so that disturbances of the machine
// affect all alike. Where triangles change, the time includes the edit of the detector; each run then begins with a
// new detector, because edits cannot go back to the first step.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <graze/detector.hpp>

#include "bench/query.hpp"
#include "bench/rows.hpp"
#include "bench/scene.hpp"
#include "output/terminal.hpp"

namespace graze::app {

struct Contestant {
  std::string name;         ///< name of the row: "r-tri" or "peer:NAME"
  DetectorOptions options;  ///< a peer uses only the threads
  BenchQuery query = BenchQuery::Impacts;
};

/// A method, or a peer if the name is "peer:NAME". Throws InputError for an unknown name.
Contestant make_contestant(const std::string& name, unsigned threads);

struct BenchRunOptions {
  unsigned runs = 5;      ///< >= 1
  double distance = 0.0;  ///< distance of BenchQuery::Proximities
};

/// A row for each contestant, in their order. Throws InputError for options that a peer does not support,
/// Interrupted when the user asks to stop, std::logic_error if a contestant's runs give different answers.
std::vector<BenchRow> run_bench(const BenchScene& scene, std::span<const Contestant> contestants,
                                const BenchRunOptions& options, Progress& progress);

}  // namespace graze::app
