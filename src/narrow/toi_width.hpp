// Narrow phase: how wide a time-of-impact interval [toi_lo, toi_hi] may be. All tiers use this rule, so that a
// contact after the start of the step has toi_lo > 0 however early it is, and a solver that advances to toi_lo
// makes progress.
#pragma once

#include "core/host_device.hpp"
#include "core/namespaces.hpp"

namespace graze::narrow {

/// Maximum width of an interval relative to its lower end, beside the absolute tolerance.
inline constexpr double kRelativeWidth = 0x1p-10;

/// Whether [lo, hi] satisfies the rule. A contact at the start of the step has the interval [0, 0].
GRAZE_HOST_DEVICE inline bool is_narrow(double lo, double hi, double tolerance) {
  return hi - lo <= tolerance && hi - lo <= kRelativeWidth * lo;
}

}  // namespace graze::narrow
