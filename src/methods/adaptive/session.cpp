// Implementation of sessions: temporal coherence over several steps. See session.hpp.
#include "methods/adaptive/session.hpp"

#include <graze/research.hpp>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <vector>

#include "geometry/volume.hpp"
#include "methods/adaptive/pair_measuring.hpp"

namespace graze::methods {

namespace {

/// Thrown to stop a traversal that generates more pairs than a session should hold.
struct TooManyPairs {};

}  // namespace

void Session::forget_scene() {
  running_ = false;
  has_bounds_ = false;
  displacements_.forget_scene();
}

Session::Outcome Session::begin(const AdaptiveStep& step, const research::AdaptiveOptions& options, unsigned frames,
                                MemoryBudget& budget, Stats& stats) {
  constexpr double kGapHeadroom = 1.25;  // the gap grows with the scene
  const Stopwatch update;
  running_ = false;
  has_bounds_ = false;
  store_.clear();
  renewed_.clear();
  has_new_references_ = false;
  void_pairs_ = 0;
  const double alpha = options.alpha >= 0.0 ? options.alpha : static_cast<double>(frames) - 1.0;
  if (!displacements_.begin(step, {alpha, options.beta, options.gamma})) return Outcome::NotHere;
  // Where the displacement bounds are about as wide as triangles, a session never pays off: do not try one unless
  // the caller fixed its length.
  constexpr double kWidest = 0.5;
  if (options.frames == 0 && displacements_.mean_displacement_bound() > kWidest) return Outcome::TooFar;
  gap_ = kGapHeadroom * step.gap;
  step.hierarchy.update_references(displacements_.reference_points().points(), gap_,
                                   static_cast<double>(displacements_.reference_points().drift_bound()));
  has_bounds_ = true;
  if (has_proofs(step)) {
    step.hierarchy.prepare_culling(step.paths, false, stats.culled);
  } else {
    step.hierarchy.disable_culling();
  }
  stats.update_ms += update.ms();
  return store(step,
               LeafPairSource(step.hierarchy.leaf_pairs(Hierarchy::Scope::Moving, PairTests::Continuous, true)),
               budget, stats);
}

/// Normal cones of sub-surfaces prove only that nothing touches. A query with a thickness also reports pairs that
/// do not touch, so it can't use them.
bool Session::has_proofs(const AdaptiveStep& step) {
  return step.hierarchy.choices().cones != research::NormalCones::None && step.query.options.thickness == 0.0;
}

Session::Outcome Session::advance(const AdaptiveStep& step, MemoryBudget& budget, Stats& stats) {
  // If more than 1 / kMaxDanglingShare of the leaves dangle, a new session finds all pairs again.
  constexpr std::size_t kMaxDanglingShare = 8;
  const Stopwatch update;
  running_ = false;
  has_new_references_ = false;
  if (step.gap > gap_ || !displacements_.advance(step)) return Outcome::NotHere;
  stats.update_ms += update.ms();
  const ReferencePositions& reference_points = displacements_.reference_points();
  if (step.hierarchy.has_static() && !(reference_points.drift() <= reference_points.drift_bound()))
    return Outcome::TooFar;
  if (displacements_.dangling().size() > displacements_.leaf_count() / kMaxDanglingShare) return Outcome::TooFar;
  if ((has_dangling() || has_proofs(step)) && !has_bounds_) return Outcome::NotHere;
  if (!has_proofs(step)) return Outcome::Ready;
  const Stopwatch proving;
  const LeafPairSource opened(
      step.hierarchy.prove_again(step.paths, stats.culled, stats.coherence.violating_triangles));
  stats.update_ms += proving.ms();
  return store(step, opened, budget, stats);
}

void Session::finish_step() {
  if (void_pairs_ > store_.size() / 2) {
    store_.remove_if([](const StoredPair& pair) { return pair.distance == kVoid; });
    void_pairs_ = 0;
  }
  running_ = true;
}

LeafPairSource Session::renew_references(const AdaptiveStep& step, Stats& stats) {
  // A query per leaf takes one or two microseconds; marking the tree takes a few nanoseconds per leaf.
  constexpr std::size_t kMinLeavesForTraversal = 256;
  const Stopwatch update;
  const std::span<const std::uint32_t> dangling = displacements_.dangling();
  stats.coherence.dangling_triangles += dangling.size();
  stats.coherence.dangling_vertices += displacements_.renew_references(step);
  has_new_references_ = true;
  renewed_.resize(displacements_.leaf_count());
  for (const std::uint32_t leaf : dangling) renewed_[leaf] = true;
  has_bounds_ = false;  // until move_references has completed
  step.hierarchy.move_references(displacements_.reference_points().points(), dangling);
  has_bounds_ = true;
  stats.update_ms += update.ms();
  const Stopwatch traverse;
  const auto find = [&] {
    return dangling.size() * kMinLeavesForTraversal < displacements_.leaf_count()
               ? LeafPairSource(step.hierarchy.pairs_of(dangling, stats.bv_tests), false)
               : LeafPairSource(step.hierarchy.marked_leaf_pairs(dangling));
  };
  LeafPairSource source = find();
  stats.traverse_ms += traverse.ms();
  return source;
}

Session::Outcome Session::store(const AdaptiveStep& step, const LeafPairSource& source, MemoryBudget& budget,
                                Stats& stats) {
  // Limit on stored pairs per leaf: beyond it, plain steps are cheaper and take less memory.
  constexpr std::size_t kMaxPairsPerLeaf = 64;
  constexpr std::size_t kMinLeaves = 64;
  struct Part {
    std::vector<StoredPair> pairs;
    Stats stats;
    std::uint64_t measured = 0;
  };
  const Stopwatch traverse;
  const float gap = round_up(gap_);
  const std::size_t before = store_.size();
  const std::size_t most = kMaxPairsPerLeaf * std::max(displacements_.leaf_count(), kMinLeaves);
  std::atomic<std::size_t> found = before;  // whether the limit is exceeded does not depend on the order of
                                            // counting
  Stats counters;
  bool fits = true;
  try {
    run_in_waves<Part>(
        step.query.options, source.block_weights(),
        [&](std::size_t block, Part& part) {
          PairMeasuring measuring(step.hierarchy, displacements_.reference_points().points(), true);
          std::vector<LeafPair> left;
          for_tested_pairs(
              step.query.filter, step.hierarchy, source, block, part.stats, [&](std::span<const LeafPair> pairs) {
                if (found.load(std::memory_order_relaxed) > most) throw TooManyPairs();
                if (!renewed_.empty() && !has_new_references_) {  // the pairs of renewed leaves are stored already
                  left.clear();
                  std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(left),
                               [&](const LeafPair& pair) { return !renewed_[pair.a] && !renewed_[pair.b]; });
                  pairs = left;
                }
                const std::size_t had = part.pairs.size();
                measuring.run(
                    pairs,
                    [&](std::uint32_t a, std::uint32_t b) {
                      return displacements_.max_relevant_distance(a, b, gap);
                    },
                    [&](const StoredPair& pair) { part.pairs.push_back(pair); }, part.measured);
                found.fetch_add(part.pairs.size() - had, std::memory_order_relaxed);
              });
        },
        [&](Part& part, double) {
          part.stats.coherence.measured = part.measured;
          add_counters(counters, part.stats);
          const std::size_t bytes = store_.growth_bytes(part.pairs.size());
          fits = fits && found.load(std::memory_order_relaxed) <= most &&
                 budget.fits(bytes + store_.size() * sizeof(StoredPair));  // leave spare capacity for the results
          if (!fits) {
            found = most + 1;  // stops the other blocks
            return;
          }
          budget.charge(bytes);
          store_.append(part.pairs);
        },
        [] {});
  } catch (const TooManyPairs&) {
    fits = false;
  }
  if (fits) {
    add_counters(stats, counters);  // otherwise the counts depend on the thread timing
    // About as many pairs have become void as were found again.
    if (has_new_references_) void_pairs_ += store_.size() - before;
  } else {
    store_.truncate(before);
  }
  stats.traverse_ms += traverse.ms();
  return fits ? Outcome::Ready : Outcome::TooFar;
}

}  // namespace graze::methods
