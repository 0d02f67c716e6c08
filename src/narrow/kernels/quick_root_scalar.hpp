// Narrow phase kernels: the result of a quick search (quick_root.inl.hpp) for a single lane, on the host or on a
// CUDA device.
#pragma once

#include <graze/elementary.hpp>

#include "core/host_device.hpp"
#include "narrow/interval.hpp"

namespace graze::narrow {

namespace scalar {

#include "narrow/kernels/quick_root.inl.hpp"

}  // namespace scalar

/// The impact is set for Contact only.
struct QuickResult {
  IntervalOutcome outcome = IntervalOutcome::Undecided;
  ElementaryImpact impact;
};

/// The result of a quick search over one lane.
template <class Root>
GRAZE_HOST_DEVICE QuickResult quick_result(const Root& root) {
  QuickResult result;
  if (root.apart) result.outcome = IntervalOutcome::Apart;
  if (!root.contact) return result;
  result.outcome = IntervalOutcome::Contact;
  result.impact = {.toi_lo = root.toi_lo,
                   .toi_hi = root.toi_hi,
                   .weights = {root.weights[0], root.weights[1], root.weights[2], root.weights[3]},
                   .normal = {root.normal[0], root.normal[1], root.normal[2]},
                   .side = static_cast<int>(root.side)};
  return result;
}

}  // namespace graze::narrow
