// Runs the passes of HASH's contestants (hash.hpp). Hashes and sums are computed while the clock does not run.
#include <algorithm>
#include <chrono>
#include <iterator>
#include <span>
#include <utility>

#include <graze/detector.hpp>
#include <graze/research.hpp>

#include "bench/rows.hpp"
#include "output/interrupt.hpp"
#include "research/papers/hash.hpp"

#include <fmt/format.h>

namespace graze::papers {
namespace {

using Clock = std::chrono::steady_clock;

bool may_lose(const Contestant& contestant) {
  return contestant.options.research->hash.neighbours == research::NeighbourTest::LossyNormals;
}

std::vector<FeaturePair> pairs_of(const Impacts& impacts) {
  std::vector<FeaturePair> pairs;
  pairs.reserve(impacts.impacts.size());
  for (const Impact& impact : impacts.impacts) pairs.push_back(impact.pair);
  return pairs;
}

/// The number of elements of a that are not in b. Precondition: both are sorted.
std::uint64_t missing(const std::vector<FeaturePair>& a, const std::vector<FeaturePair>& b) {
  std::vector<FeaturePair> result;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result.size();
}

template <typename Value>
double mean_of(const std::vector<HashStep>& steps, const Value& value) {
  double sum = 0.0;
  for (const HashStep& step : steps) sum += static_cast<double>(value(step));
  return steps.empty() ? 0.0 : sum / static_cast<double>(steps.size());
}

Contestant hash_contestant(std::string name, unsigned threads, const research::HashOptions& options) {
  Contestant result = make_contestant(std::string(name_of(Method::Hash)), threads);
  result.name = std::move(name);
  if (options.neighbours != research::NeighbourTest::None)
    result.name += ", " + std::string(name_of(options.neighbours));
  result.options.research->hash = options;
  return result;
}

}  // namespace

Contestant papers_rule(unsigned threads, research::NeighbourTest neighbours) {
  return hash_contestant(
      "paper", threads,
      {.cells = research::CellRule::Largest, .voxels = 0.2, .neighbours = neighbours, .representatives = false});
}

Contestant own_rule(unsigned threads, research::NeighbourTest neighbours) {
  return hash_contestant("hash", threads, {.neighbours = neighbours});
}

const HashPass& pass_named(const std::vector<HashPass>& passes, std::string_view name) {
  return *std::find_if(passes.begin(), passes.end(), [&](const HashPass& pass) { return pass.name == name; });
}

double HashPass::mean(std::uint64_t HashCounts::*counter) const {
  return mean_of(steps, [&](const HashStep& step) { return step.stats.hash.*counter; });
}

double HashPass::mean(std::uint64_t Stats::*counter) const {
  return mean_of(steps, [&](const HashStep& step) { return step.stats.*counter; });
}

double HashPass::mean(std::uint64_t HashStep::*counter) const {
  return mean_of(steps, [&](const HashStep& step) { return step.*counter; });
}

double HashPass::tests() const {
  return mean(&Stats::vf_tests) + mean(&Stats::ee_tests);
}

std::uint64_t HashPass::memory_bytes() const {
  std::uint64_t most = 0;
  for (const HashStep& step : steps) most = std::max(most, step.stats.memory_bytes);
  return most;
}

HashBench::HashBench(const BenchScene& scene, Progress& progress, std::size_t first_step)
    : scene_(scene), progress_(progress), first_step_(first_step) {}

void HashBench::compare(const Contestant& contestant, std::size_t step, const std::vector<FeaturePair>& pairs,
                        HashStep& result) {
  const auto differs = [&](const std::string& how) {
    wrong_.push_back(fmt::format("{}: step {}: {} finds {} impacts, {} finds {}, {}", scene_.name,
                                 first_step_ + step, right_name_, right_[step].size(), contestant.name,
                                 pairs.size(), how));
  };
  if (!may_lose(contestant)) {
    if (result.hash != right_hashes_[step]) differs("hashes differ");
    return;
  }
  result.lost = missing(right_[step], pairs);
  if (const std::uint64_t extra = missing(pairs, right_[step]); extra > 0) {
    differs(fmt::format("{} of which are none", extra));
  }
}

HashPass HashBench::pass(const Contestant& contestant, const Scene& scene) {
  DetectorOptions options = contestant.options;
  options.progress = [](double) { return !interrupted(); };
  Detector detector(scene, options);
  HashPass pass{.name = contestant.name, .threads = options.threads, .steps = {}};
  const std::size_t count = scene_.steps_before_change() - first_step_;
  const std::size_t first_timed = count > 1 ? 1 : 0;
  const auto timed_steps = static_cast<double>(count - first_timed);
  const std::size_t wrong_before = wrong_.size();
  for (std::size_t step = 0; step < count; ++step) {
    progress_.show(fmt::format("{} {} step {}", scene_.title, contestant.name, step),
                   static_cast<double>(step) / static_cast<double>(count));
    const auto start = Clock::now();
    const Impacts all = detector.impacts(scene_.x_t0(first_step_ + step), scene_.x_t1(first_step_ + step));
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    HashStep& result = pass.steps.emplace_back(
        HashStep{.stats = all.stats, .ms = ms, .hash = all.toi_hash(), .impacts = all.impacts.size()});
    if (step >= first_timed) {
      pass.ms += ms / timed_steps;
      pass.update_ms += all.stats.update_ms / timed_steps;
      pass.traverse_ms += all.stats.traverse_ms / timed_steps;
      pass.narrow_ms += all.stats.narrow_ms / timed_steps;
    }
    std::vector<FeaturePair> pairs = pairs_of(all);
    if (right_.size() == step) {
      right_name_ = contestant.name;
      right_hashes_.push_back(result.hash);
      right_.push_back(std::move(pairs));
    } else if (wrong_.size() == wrong_before) {
      compare(contestant, step, pairs, result);
    }
  }
  return pass;
}

std::vector<HashPass> HashBench::run(std::span<const Contestant> contestants, unsigned runs) {
  return run(contestants, runs, scene_.scene);
}

std::vector<HashPass> HashBench::run(std::span<const Contestant> contestants, unsigned runs, const Scene& scene) {
  std::vector<HashPass> result(contestants.size());
  std::vector<std::vector<double>> times(contestants.size());
  for (unsigned run = 0; run < runs; ++run) {
    for (std::size_t turn = 0; turn < contestants.size(); ++turn) {
      const std::size_t i = (turn + run) % contestants.size();
      result[i] = pass(contestants[i], scene);
      times[i].push_back(result[i].ms);
    }
  }
  for (std::size_t i = 0; i < result.size(); ++i) result[i].ms = median(times[i]);
  return result;
}

}  // namespace graze::papers
