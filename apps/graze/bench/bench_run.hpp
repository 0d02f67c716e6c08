// Measures contestants side by side on one scene: methods of graze, and peers (benchmarks/peers).
//
// What is timed is a step, from new positions in memory to sorted exact impacts: the refit of the hierarchy is in
// it, topology and the first build are not, since each contestant is made and runs the first step once before the
// clock starts. A run is all steps of the scene in order; runs of the contestants alternate, beginning with another
// one each time, so that whatever disturbs the machine hits all alike. The time of a run is its mean over the
// steps. Where triangles change, the edit of the detector is in the time; such a run begins with a new detector,
// as edits do not lead back to the first step.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <graze/detector.hpp>

#include "bench/bench_rows.hpp"
#include "bench/bench_scene.hpp"
#include "output/terminal.hpp"

namespace graze::app {

struct Contestant {
  std::string name;         ///< "r-tri" or "peer:NAME"; what its row is called
  DetectorOptions options;  ///< of a peer only the threads count
};

/// One of a method, or of a peer if the name says so. Throws InputError for an unknown method.
Contestant make_contestant(const std::string& name, unsigned threads);

struct BenchRunOptions {
  unsigned runs = 5;   ///< >= 1
  bool first = false;  ///< the first impact only
};

/// A row for each contestant, in their order. Throws InputError for what a peer can't do, Interrupted when the user
/// asks to stop, std::logic_error if a contestant gives two answers.
std::vector<BenchRow> run_bench(const BenchScene& scene, std::span<const Contestant> contestants,
                                const BenchRunOptions& options, Progress& progress);

}  // namespace graze::app
