// What the parts of HASH's chapter share: contestants, and what each did in every step of a scene.
//
// A pass is a new detector that sees every step once, in order; the first step makes what a detector keeps and is
// not in the times. Answers are compared in every step with those of the first pass; of a lossy contestant it is
// counted how many contacts it loses. Cost beside the queries: linear in the impacts, of which those of one pass
// are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <graze/scene.hpp>
#include <graze/stats.hpp>
#include <graze/types.hpp>

#include "bench/run.hpp"
#include "bench/scene.hpp"
#include "output/output.hpp"
#include "output/terminal.hpp"
#include "research/namespaces.hpp"
#include "research/papers.hpp"

namespace graze::research {

struct HashStep {
  Stats stats;
  double ms = 0.0;
  std::uint64_t hash = 0;  ///< of contacts with their intervals
  std::uint64_t impacts = 0;
  std::uint64_t lost = 0;  ///< of a lossy contestant
};

/// What a contestant did on a scene.
struct HashPass {
  std::string name;
  unsigned threads = 1;
  std::vector<HashStep> steps;
  double ms = 0.0;         ///< mean of a step but the first; the median over runs
  double update_ms = 0.0;  ///< stages: of the last run
  double traverse_ms = 0.0;
  double narrow_ms = 0.0;

  /// Means a step, of all steps.
  [[nodiscard]] double mean(std::uint64_t HashCounts::*counter) const;
  [[nodiscard]] double mean(std::uint64_t Stats::*counter) const;
  [[nodiscard]] double mean(std::uint64_t HashStep::*counter) const;
  [[nodiscard]] double tests() const;  ///< elementary tests
  [[nodiscard]] std::uint64_t memory_bytes() const;
};

/// The same scene for many contestants.
class HashBench {
 public:
  /// From the given step on. `scene` and `progress` are referred to.
  HashBench(const BenchScene& scene, Progress& progress, std::size_t first_step = 0);
  /// In their order; runs of them alternate. A line is added to wrong() for the first step of a pass whose answer
  /// differs from that of the first pass of all, or, of a lossy contestant, has a contact that is none.
  std::vector<HashPass> run(std::span<const Contestant> contestants, unsigned runs);
  /// The same on another scene with the same vertices, triangles and pairs of bodies.
  std::vector<HashPass> run(std::span<const Contestant> contestants, unsigned runs, const Scene& scene);

  [[nodiscard]] const std::vector<std::string>& wrong() const { return wrong_; }

 private:
  HashPass pass(const Contestant& contestant, const Scene& scene);
  void compare(const Contestant& contestant, std::size_t step, const std::vector<FeaturePair>& pairs,
               HashStep& result);

  const BenchScene& scene_;
  Progress& progress_;
  std::size_t first_step_;
  std::vector<std::vector<FeaturePair>> right_;  ///< of the first pass, by step
  std::vector<std::uint64_t> right_hashes_;
  std::string right_name_;
  std::vector<std::string> wrong_;
};

/// Contestants: the paper's rule (one size of cells, 0.2 voxels a triangle, all features), and ours.
Contestant papers_rule(unsigned threads, NeighbourTest neighbours = NeighbourTest::None);
Contestant own_rule(unsigned threads, NeighbourTest neighbours = NeighbourTest::None);

/// Everything that is measured on one scene for the chapter.
struct HashResults {
  const BenchScene* scene = nullptr;
  std::vector<HashPass> rules;       ///< the paper's and ours, with each neighbour test
  std::vector<HashPass> methods;     ///< r-tri, basic, ours, the paper's
  std::vector<HashPass> one_core;    ///< ours and the paper's, for Figure 9
  std::vector<HashPass> cores;       ///< on all cores
  std::vector<HashPass> all_moving;  ///< on one, static bodies like others; empty if there are none
};
const HashPass& pass_named(const std::vector<HashPass>& passes, std::string_view name);

/// The scene with static bodies as deforming ones that happen to stand; none if there are none.
std::optional<Scene> without_static(const Scene& scene);

/// Figure 9 and what stands beside it (hash_times.cpp).
PaperSection hash_figure9(const std::vector<HashResults>& all, Json& json);
PaperSection hash_methods(const std::vector<HashResults>& all, Json& json);
PaperSection hash_cells(const PaperRequest& request, Progress& progress, Json& json,
                        std::vector<std::string>& wrong);
/// Benchmark 3 with the paper's primitives, on those of the scenes that are of the alphabet.
PaperSection hash_boxes(const PaperRequest& request, Progress& progress, Json& json,
                        std::vector<std::string>& wrong);

}  // namespace graze::research
