// See distance_filter.hpp.
#include "pipeline/distance_filter.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "pipeline/pair_measuring.hpp"

namespace graze {

void DistanceFilter::forget_scene() {
  has_homes_ = false;
  strays_.forget_scene();
}

bool DistanceFilter::begin_step(const AdaptiveStep& step) {
  looked_at_ = 0;
  admissible_ = 0;
  if (pause_ > 0) {
    --pause_;
    return false;
  }
  if (has_homes_) {
    has_homes_ = false;  // should the step not come to its end
    has_homes_ = strays_.advance(step);
  }
  if (!has_homes_) {
    best_share_ = 0.0;
    store_.clear();
    // Homes where this step ends, and no bounds around them that could be left.
    if (!strays_.begin(step, {.alpha = 1.0, .beta = 0.0, .gamma = 0.0, .bounded = false})) return false;
  }
  has_homes_ = false;  // until end_step
  store_.make_table();
  return true;
}

std::span<const LeafPair> DistanceFilter::keep(const AdaptiveStep& step, std::span<LeafPair> pairs,
                                               Part& part) const {
  constexpr std::size_t kSome = 512;
  std::array<std::uint32_t, kSome> places;
  PairMeasuring measuring(step.hierarchy, strays_.homes().points(), false);
  std::size_t kept = 0;
  part.looked_at += pairs.size();
  for (std::size_t begin = 0; begin < pairs.size(); begin += kSome) {
    const auto some = pairs.subspan(begin, std::min(kSome, pairs.size() - begin));
    store_.find_all(some, places.data());
    std::array<LeafPair, kSome> unknown;
    std::size_t unknown_count = 0;
    const std::size_t kept_before = kept;
    for (std::size_t i = 0; i < some.size(); ++i) {
      const LeafPair pair = some[i];
      if (places[i] == PairStore::kNone) {
        unknown[unknown_count++] = pair;
      } else if (!strays_.rules_out(store_.pairs()[places[i]])) {
        pairs[kept++] = pair;
      }
    }
    measuring.run(
        std::span<const LeafPair>(unknown).first(unknown_count),
        [](std::uint32_t, std::uint32_t) { return std::numeric_limits<float>::infinity(); },
        [&](const StoredPair& pair) {
          part.fresh.push_back(pair);
          if (!strays_.rules_out(pair)) pairs[kept++] = {pair.a, pair.b};
        },
        part.measured);
    part.admissible += kept - kept_before;
  }
  return pairs.first(kept);
}

void DistanceFilter::take(const Part& part, MemoryBudget& budget, Stats& stats) {
  looked_at_ += part.looked_at;
  admissible_ += part.admissible;
  stats.coherence.measured += part.measured;
  // Pairs that do not fit are measured again when they come again.
  const std::size_t bytes = store_.growth_bytes(part.fresh.size());
  if (!budget.fits(bytes)) return;
  budget.charge(bytes);
  store_.append(part.fresh);
}

void DistanceFilter::end_step(Stats& stats) {
  stats.coherence.admissible += admissible_;
  stats.coherence.pairs = store_.size();
  stats.coherence.pair_bytes = store_.memory_bytes();
  const double share =
      looked_at_ == 0 ? 1.0 : 1.0 - static_cast<double>(admissible_) / static_cast<double>(looked_at_);
  has_homes_ = share >= 0.5 * best_share_;
  best_share_ = std::max(best_share_, share);
  if (best_share_ < kLeastShare) {
    pause_ = kPause;
    has_homes_ = false;
  }
}

}  // namespace graze
