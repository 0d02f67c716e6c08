// Measures methods along whole sequences, for those that use what earlier steps knew.
//
// A pass is a new detector that sees every step of the scene once, in order; passes of the contestants alternate.
// The first step builds what a detector keeps and is not in the times. Answers are compared in every step. Where
// triangles change the sequence ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <graze/scene.hpp>
#include <graze/stats.hpp>

#include "bench/bench_run.hpp"
#include "bench/bench_scene.hpp"
#include "output/terminal.hpp"

namespace graze::app {

/// What a contestant did along a sequence. Times and counts are means a step.
struct SequenceRow {
  std::string method;
  double ms = 0.0;         ///< the median over the passes
  double update_ms = 0.0;  ///< stages: of the pass with that time, or the one before it
  double traverse_ms = 0.0;
  double narrow_ms = 0.0;
  double vf_tests = 0.0;
  double ee_tests = 0.0;
  double impacts = 0.0;
  std::uint64_t hash = 0;  ///< of the contacts of all steps with their intervals
  // Of adaptive, of the last pass.
  std::size_t skipped_steps = 0;  ///< within a session after its first step
  std::size_t sessions = 0;
  double dangling_triangles = 0.0;
  double measured = 0.0;
  double admissible = 0.0;
  double pairs = 0.0;
  double pair_bytes = 0.0;
  std::uint64_t memory_bytes = 0;  ///< of all methods: the most that a step held
};

/// A row for each contestant, in their order; peers can't take part. `scene` is that of the steps, with or without
/// some of its pairs of bodies. Appends a line to `wrong` for each contestant that differs from the first one.
std::vector<SequenceRow> run_sequence(const BenchScene& steps, const Scene& scene,
                                      std::span<const Contestant> contestants, unsigned passes, Progress& progress,
                                      std::vector<std::string>& wrong);

}  // namespace graze::app
