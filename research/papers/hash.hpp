// Shared by the sections of HASH's chapter: contestants, and their results in every step of a scene.
//
// A pass is a new detector that runs every step once, in order. Times exclude the first step, which builds what a
// detector keeps. Answers are compared in every step with those of the first pass; for a lossy contestant the lost
// contacts are counted. Cost besides the queries: linear in the impacts; those of one pass are kept in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <graze/research.hpp>
#include <graze/scene.hpp>
#include <graze/stats.hpp>
#include <graze/types.hpp>

#include "bench/run.hpp"
#include "bench/scene.hpp"
#include "output/output.hpp"
#include "output/terminal.hpp"
#include "research/namespaces.hpp"
#include "research/papers/papers.hpp"

namespace graze::papers {

struct HashStep {
  Stats stats;
  double ms = 0.0;
  std::uint64_t hash = 0;  ///< hash of the contacts with their intervals
  std::uint64_t impacts = 0;
  std::uint64_t lost = 0;  ///< contacts that a lossy contestant loses
};

/// Results of a contestant on a scene.
struct HashPass {
  std::string name;
  unsigned threads = 1;
  std::vector<HashStep> steps;
  double ms = 0.0;         ///< mean over the steps without the first; median over the runs
  double update_ms = 0.0;  ///< stage times, of the last run
  double traverse_ms = 0.0;
  double narrow_ms = 0.0;

  /// Means per step, over all steps.
  [[nodiscard]] double mean(std::uint64_t HashCounts::*counter) const;
  [[nodiscard]] double mean(std::uint64_t Stats::*counter) const;
  [[nodiscard]] double mean(std::uint64_t HashStep::*counter) const;
  [[nodiscard]] double tests() const;  ///< elementary tests
  [[nodiscard]] std::uint64_t memory_bytes() const;
};

/// Runs many contestants on one scene.
class HashBench {
 public:
  /// Begins with the given step. Keeps references to `scene` and `progress`.
  HashBench(const BenchScene& scene, Progress& progress, std::size_t first_step = 0);
  /// Runs the contestants in turn, `runs` times each; returns one pass for each, in their order. Adds a line to
  /// wrong() for the first step of a pass whose answer differs from the answer of the very first pass. The answer
  /// of a lossy contestant counts as different only if it has a false contact.
  std::vector<HashPass> run(std::span<const Contestant> contestants, unsigned runs);
  /// Runs on another scene with the same vertices, triangles and body pairs.
  std::vector<HashPass> run(std::span<const Contestant> contestants, unsigned runs, const Scene& scene);

  [[nodiscard]] const std::vector<std::string>& wrong() const { return wrong_; }

 private:
  HashPass pass(const Contestant& contestant, const Scene& scene);
  void compare(const Contestant& contestant, std::size_t step, const std::vector<FeaturePair>& pairs,
               HashStep& result);

  const BenchScene& scene_;
  Progress& progress_;
  std::size_t first_step_;
  std::vector<std::vector<FeaturePair>> right_;  ///< answers of the first pass, by step
  std::vector<std::uint64_t> right_hashes_;
  std::string right_name_;
  std::vector<std::string> wrong_;
};

/// Contestants: the paper's rule (one cell size, 0.2 voxels per triangle, all features), and our rule.
Contestant papers_rule(unsigned threads, research::NeighbourTest neighbours = research::NeighbourTest::None);
Contestant own_rule(unsigned threads, research::NeighbourTest neighbours = research::NeighbourTest::None);

/// All measurements on one scene for the chapter.
struct HashResults {
  const BenchScene* scene = nullptr;
  std::vector<HashPass> rules;       ///< the paper's rule and ours, with each neighbour test
  std::vector<HashPass> methods;     ///< r-tri, basic, our rule, the paper's
  std::vector<HashPass> one_core;    ///< our rule and the paper's on one core, for Figure 9
  std::vector<HashPass> cores;       ///< our rule and the paper's on all cores
  std::vector<HashPass> all_moving;  ///< on one core, static bodies made deforming; empty if no body is static
};
const HashPass& pass_named(const std::vector<HashPass>& passes, std::string_view name);

/// The scene with its static bodies declared as deforming; none if no body is static.
std::optional<Scene> without_static(const Scene& scene);

/// Figure 9, methods and cell sizes (hash_times.cpp).
PaperSection hash_figure9(const std::vector<HashResults>& all, Json& json);
PaperSection hash_methods(const std::vector<HashResults>& all, Json& json);
PaperSection hash_cells(const PaperRequest& request, Progress& progress, Json& json,
                        std::vector<std::string>& wrong);
/// Benchmark 3 with the paper's primitives (boxes), on the alphabet scenes among the scenes.
PaperSection hash_boxes(const PaperRequest& request, Progress& progress, Json& json,
                        std::vector<std::string>& wrong);

}  // namespace graze::papers
