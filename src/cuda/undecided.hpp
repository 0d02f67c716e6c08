// The candidates that floating-point arithmetic on the GPU did not decide: the host decides them.
#pragma once

#include <span>
#include <vector>

#include <graze/elementary.hpp>
#include <graze/results.hpp>
#include <graze/stats.hpp>

#include "cuda/engine.hpp"

namespace graze::cuda {

/// Returns the impacts among undecided candidates, on all threads, and counts which tier decided them. In the order
/// of the candidates.
[[nodiscard]] std::vector<Impact> decide(std::span<const Undecided> candidates, const ElementaryOptions& options,
                                         TierCounts& tiers);

}  // namespace graze::cuda
