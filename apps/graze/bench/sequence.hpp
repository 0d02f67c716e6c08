// Measures methods along whole sequences, for methods with temporal coherence.
//
// A pass is a new detector that runs every step of the scene once, in order; passes of the contestants alternate.
// Times exclude the first step, which builds what a detector keeps. Answers are compared in every step. The
// sequence ends where triangles first change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <graze/scene.hpp>
#include <graze/stats.hpp>

#include "bench/run.hpp"
#include "bench/scene.hpp"
#include "output/terminal.hpp"

namespace graze::app {

/// Results of a contestant along a sequence. Times and counts are means per step.
struct SequenceRow {
  std::string method;
  double ms = 0.0;         ///< the median over the passes
  double update_ms = 0.0;  ///< stage times: of the pass with the median time (the lower one of two)
  double traverse_ms = 0.0;
  double narrow_ms = 0.0;
  double vf_tests = 0.0;
  double ee_tests = 0.0;
  double impacts = 0.0;
  std::uint64_t hash = 0;  ///< hash of the contacts of all steps with their intervals
  // Counters of method adaptive only, from the last pass.
  std::size_t skipped_steps = 0;  ///< steps within a session, without its first
  std::size_t sessions = 0;
  double dangling_triangles = 0.0;
  double measured = 0.0;
  double admissible = 0.0;
  double pairs = 0.0;
  double pair_bytes = 0.0;
  std::uint64_t memory_bytes = 0;  ///< for every method: the largest over the steps
};

/// A row for each contestant, in their order; peers are not supported. `scene` is the scene of the steps, or the
/// same with some body pairs ignored. Appends a line to `wrong` for each contestant that differs from the first.
std::vector<SequenceRow> run_sequence(const BenchScene& steps, const Scene& scene,
                                      std::span<const Contestant> contestants, unsigned passes, Progress& progress,
                                      std::vector<std::string>& wrong);

}  // namespace graze::app
