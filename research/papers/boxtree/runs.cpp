// Runs of contestants (boxtree.hpp). They call the library's scalar traversals directly: these are what the paper
// describes, and what can be counted. Trees of every kind go through the same loop, so that they differ in their
// nodes alone.
#include "research/papers/boxtree/boxtree.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>

#include <graze/detector.hpp>

#include "output/interrupt.hpp"
#include "rigid/collide.hpp"
#include "rigid/leaf_sink.hpp"
#include "rigid/placement.hpp"
#include "scenes/tumble.hpp"

#include <fmt/format.h>

namespace graze::papers {
namespace {

using Clock = std::chrono::steady_clock;
/// Microseconds. Longer queries are likely to be interrupted: their processor time counts, which is coarser.
constexpr double kLongQuery = 100.0;

rigid::Placement place_copies(const rigid::ObjectState& object, const PosePair& poses) {
  return rigid::place(placed(object, poses.a), placed(object, poses.b));
}

std::uint64_t traverse_scalar(const rigid::ObjectState& object, const rigid::Placement& placement,
                              const ColliderOptions& options, rigid::LeafSink& sink,
                              rigid::FlopCounts* flops = nullptr) {
  if (object.kind != RigidTree::Boxtree)
    return object.volumes->traverse(*object.volumes, placement, sink, flops, options.lift);
  return rigid::traverse_boxtrees_scalar(object.boxtree, object.boxtree, placement,
                                         {.overlap = options.overlap, .lift = options.lift}, sink, flops);
}

bool overlap_scalar(const rigid::ObjectState& object, const PosePair& poses, const ColliderOptions& options,
                    RigidStats& stats) {
  const rigid::PosedObjects places{object, object, poses.a, poses.b};
  // Tests the pairs of the traversal one after the other, up to the first that intersects.
  bool hit = false;
  const auto test = [&](std::span<const TrianglePair> batch) {
    hit = std::any_of(batch.begin(), batch.end(),
                      [&](const TrianglePair& pair) { return rigid::intersect(places, pair, stats); });
    return hit;
  };
  rigid::LeafSink sink(test, 1, 1);
  const rigid::Placement placement = place_copies(object, poses);
  stats.node_tests += traverse_scalar(object, placement, options, sink);
  return hit;
}

/// One full turn at a distance: hits and times by pose.
struct Turn {
  std::vector<bool> hits;
  std::vector<double> us;
  RigidStats stats;
};

Turn turn(const BoxtreeRun& run, const std::vector<PosePair>& poses) {
  Turn result;
  result.hits.reserve(poses.size());
  result.us.reserve(poses.size());
  Collider collider(*run.object, *run.object, run.collider);
  for (const PosePair& pair : poses) {
    bool hit = false;
    const std::clock_t processor_start = std::clock();
    const auto start = Clock::now();
    if (run.scalar) {
      hit = overlap_scalar(rigid::ObjectAccess::state(*run.object), pair, run.collider, result.stats);
    } else {
      const FirstHit first = collider.first_hit(pair.a, pair.b);
      hit = first.hit();
      result.stats += first.stats;
    }
    double us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
    if (us > kLongQuery)
      us = std::min(us, 1e6 * static_cast<double>(std::clock() - processor_start) / CLOCKS_PER_SEC);
    result.us.push_back(us);
    result.hits.push_back(hit);
  }
  return result;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

}  // namespace

RigidObject make_rigid(const scenes::Shape& shape, RigidTree tree, BoxtreeSplit split) {
  return {shape.positions, shape.triangles, {.tree = tree, .split = split, .threads = 1}};
}

double BoxtreeTimes::mean() const {
  return mean_of(us);
}

const BoxtreeTimes& times_named(const std::vector<BoxtreeTimes>& times, std::string_view name) {
  return *std::find_if(times.begin(), times.end(), [&](const BoxtreeTimes& each) { return each.name == name; });
}

std::vector<BoxtreeTimes> tumble_times(const std::string& object, std::span<const BoxtreeRun> runs,
                                       const BoxtreePlan& plan, Progress& progress,
                                       std::vector<std::string>& wrong) {
  std::vector<BoxtreeTimes> times;
  for (const BoxtreeRun& run : runs) times.push_back({.name = run.name, .us = {}, .hits = {}, .stats = {}});
  for (std::size_t d = 0; d < plan.distances.size(); ++d) {
    const std::vector<PosePair> poses = scenes::tumble(plan.distances[d], plan.steps);
    std::vector<bool> right;
    std::vector<std::vector<double>> us(runs.size());
    for (unsigned round = 0; round < plan.runs; ++round) {
      for (std::size_t r = 0; r < runs.size(); ++r) {
        if (interrupted()) throw Interrupted();
        progress.show(object + ", " + runs[r].name,
                      static_cast<double>(d) / static_cast<double>(plan.distances.size()));
        const Turn result = turn(runs[r], poses);
        if (us[r].empty()) us[r] = result.us;
        for (std::size_t k = 0; k < poses.size(); ++k) us[r][k] = std::min(us[r][k], result.us[k]);
        if (right.empty()) right = result.hits;
        if (round > 0) continue;
        times[r].hits.push_back(
            static_cast<std::uint64_t>(std::count(result.hits.begin(), result.hits.end(), true)));
        times[r].stats += result.stats;
        const auto differs = std::mismatch(right.begin(), right.end(), result.hits.begin()).first;
        if (differs != right.end()) {
          wrong.push_back(fmt::format("{}, distance {}, step {}: {} finds a hit, {} does not", object,
                                      plan.distances[d], differs - right.begin(),
                                      *differs ? runs[0].name : runs[r].name,
                                      *differs ? runs[r].name : runs[0].name));
        }
      }
    }
    for (std::size_t r = 0; r < runs.size(); ++r) times[r].us.push_back(mean_of(us[r]));
  }
  return times;
}

double BoxtreeFlops::average() const {
  return tests > 0 ? static_cast<double>(counts.total()) / static_cast<double>(tests) : 0.0;
}

void count_flops(const RigidObject& object, BoxOverlap overlap, bool lift, const BoxtreePlan& plan,
                 BoxtreeFlops& sum) {
  const rigid::ObjectState& state = rigid::ObjectAccess::state(object);
  for (const double distance : plan.distances) {
    for (const PosePair& poses : scenes::tumble(distance, kFullTraversals)) {
      const auto ignore = [](std::span<const TrianglePair>) { return false; };
      rigid::LeafSink sink(ignore, rigid::LeafSink::kMaxPairs);
      const rigid::Placement placement = place_copies(state, poses);
      rigid::FlopCounts counts;
      sum.tests += traverse_scalar(state, placement, {.overlap = overlap, .lift = lift}, sink, &counts);
      sum.counts.multiplications += counts.multiplications;
      sum.counts.additions += counts.additions;
      sum.counts.comparisons += counts.comparisons;
      sum.worst = std::max(sum.worst, counts.worst);
    }
  }
}

double ns_per_node_test(const RigidObject& object, BoxOverlap overlap, const BoxtreePlan& plan) {
  const rigid::ObjectState& state = rigid::ObjectAccess::state(object);
  std::vector<rigid::Placement> placements;
  for (const double distance : plan.distances) {
    for (const PosePair& poses : scenes::tumble(distance, kFullTraversals))
      placements.push_back(place_copies(state, poses));
  }
  double least = std::numeric_limits<double>::infinity();
  std::uint64_t tests = 0;
  for (unsigned run = 0; run < plan.runs; ++run) {
    if (interrupted()) throw Interrupted();
    tests = 0;
    const std::clock_t start = std::clock();
    for (const rigid::Placement& placement : placements) {
      const auto ignore = [](std::span<const TrianglePair>) { return false; };
      rigid::LeafSink sink(ignore, rigid::LeafSink::kMaxPairs);
      tests += traverse_scalar(state, placement, {.overlap = overlap}, sink);
    }
    least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return tests > 0 ? 1e9 * least / static_cast<double>(tests) : 0.0;
}

}  // namespace graze::papers
