// Narrow phase, boxes: compares the distance of two boxes with a limit d exactly, and rounds it once.
//
// The squared distance is the sum of the squared gaps along the axes, and a gap is the difference of two given
// doubles. If the boxes are separated along one axis only, the exact difference (a sum of two doubles) decides.
// Otherwise a floating-point filter with a proved error bound decides, and exact arithmetic on integers
// (geometry/lattice.hpp) decides what the filter leaves open. The square root works likewise: 106 bits determine
// the rounded double in all but about one case of 2^35, where an integer square root decides. Cost: O(1).
#pragma once

#include <optional>

#include <graze/boxes.hpp>
#include <graze/stats.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

/// The correctly rounded distance of two boxes if it is <= d, otherwise nothing; 0 if they overlap or touch.
/// Preconditions: boxes are finite with lo <= hi, d is finite and >= 0. `tiers` counts the tier that decided.
std::optional<double> distance_within(const Box& a, const Box& b, double d, TierCounts& tiers);

}  // namespace graze::narrow
