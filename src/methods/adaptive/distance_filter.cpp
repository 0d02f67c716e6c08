// Implementation of the distance filter: pair distances kept from step to step. See distance_filter.hpp.
#include "methods/adaptive/distance_filter.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "methods/adaptive/pair_measuring.hpp"

namespace graze::methods {

void DistanceFilter::forget_scene() {
  has_references_ = false;
  displacements_.forget_scene();
}

bool DistanceFilter::begin_step(const AdaptiveStep& step) {
  looked_at_ = 0;
  admissible_ = 0;
  if (pause_ > 0) {
    --pause_;
    return false;
  }
  if (has_references_) {
    has_references_ = false;  // in case advance throws
    has_references_ = displacements_.advance(step);
  }
  if (!has_references_) {
    best_share_ = 0.0;
    store_.clear();
    // Reference positions are the ends of this step, without displacement bounds: no vertex ever dangles.
    if (!displacements_.begin(step, {.alpha = 1.0, .beta = 0.0, .gamma = 0.0, .bounded = false})) return false;
  }
  has_references_ = false;  // until end_step confirms the step
  store_.make_table();
  return true;
}

/// Finds the store index of each pair. A traversal generates pairs in nearly the order of the traversal that first
/// found them, so most pairs are right behind the previous one; the others are looked up in the table.
void DistanceFilter::find(std::span<const LeafPair> pairs, std::uint32_t& next, std::uint32_t* places) const {
  constexpr std::uint32_t kAhead = 4;  // stored pairs that do not appear in this step may lie between
  const std::span<const StoredPair> stored = store_.pairs();
  std::array<LeafPair, kRun> asked;
  std::array<std::uint32_t, kRun> found;
  std::array<std::uint8_t, kRun> askers;
  std::size_t count = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    places[i] = PairStore::kNone;
    const std::uint32_t end =
        static_cast<std::uint32_t>(std::min<std::size_t>(std::size_t{next} + kAhead, stored.size()));
    for (std::uint32_t place = next; place < end; ++place) {
      if (stored[place].a != pairs[i].a || stored[place].b != pairs[i].b) continue;
      places[i] = place;
      next = place + 1;
      break;
    }
    if (places[i] != PairStore::kNone) continue;
    askers[count] = static_cast<std::uint8_t>(i);
    asked[count++] = pairs[i];
  }
  store_.find_all(std::span<const LeafPair>(asked).first(count), found.data());
  for (std::size_t k = 0; k < count; ++k) places[askers[k]] = found[k];
  // The order was lost: continue from the last pair.
  const std::uint32_t last = places[pairs.size() - 1];
  if (last != PairStore::kNone) next = last + 1;
}

std::span<const LeafPair> DistanceFilter::keep(const AdaptiveStep& step, std::span<LeafPair> pairs,
                                               Part& part) const {
  std::array<std::uint32_t, kRun> places;
  std::array<LeafPair, kRun> unknown;
  PairMeasuring measuring(step.hierarchy, displacements_.reference_points().points(), false);
  std::size_t kept = 0;
  for (std::size_t begin = 0; begin < pairs.size(); begin += kRun) {
    const auto some = pairs.subspan(begin, std::min(kRun, pairs.size() - begin));
    find(some, part.next, places.data());
    std::size_t unknown_count = 0;
    for (std::size_t i = 0; i < some.size(); ++i) {
      const LeafPair pair = some[i];
      if (places[i] == PairStore::kNone) {
        unknown[unknown_count++] = pair;
      } else if (!displacements_.rules_out(store_.pairs()[places[i]])) {
        pairs[kept++] = pair;
      }
    }
    measuring.run(
        std::span<const LeafPair>(unknown).first(unknown_count),
        [](std::uint32_t, std::uint32_t) { return std::numeric_limits<float>::infinity(); },
        [&](const StoredPair& pair) {
          part.fresh.push_back(pair);
          if (!displacements_.rules_out(pair)) pairs[kept++] = {pair.a, pair.b};
        },
        part.measured);
  }
  part.looked_at += pairs.size();
  part.admissible += kept;
  return pairs.first(kept);
}

void DistanceFilter::take(const Part& part, MemoryBudget& budget, Stats& stats) {
  looked_at_ += part.looked_at;
  admissible_ += part.admissible;
  stats.coherence.measured += part.measured;
  // Pairs that do not fit into the memory budget are measured again when they appear again.
  const std::size_t bytes = store_.growth_bytes(part.fresh.size());
  if (!budget.fits(bytes + store_.size() * sizeof(StoredPair))) return;  // leave spare capacity for the results
  budget.charge(bytes);
  store_.append(part.fresh);
}

void DistanceFilter::end_step(Stats& stats) {
  stats.coherence.admissible += admissible_;
  stats.coherence.pairs = store_.size();
  stats.coherence.pair_bytes = store_.memory_bytes();
  const double share =
      looked_at_ == 0 ? 1.0 : 1.0 - static_cast<double>(admissible_) / static_cast<double>(looked_at_);
  has_references_ = share >= 0.5 * best_share_;
  best_share_ = std::max(best_share_, share);
  if (best_share_ < kMinShare) {
    pause_ = kPause;
    has_references_ = false;
  }
}

}  // namespace graze::methods
