// The distance of two boxes, compared with d exactly and then rounded once.
//
// Its square is the sum of the squared gaps along the axes, and a gap is a difference of two of the given doubles.
// Along one axis alone the exact difference (a sum of two doubles) decides. Otherwise a filter in doubles with a
// proved bound does, and what it cannot decide integers do (geometry/lattice.hpp). Likewise the root: 106 bits say
// how it rounds to a double in all but about one case of 2^35; there an integer root does. Cost: O(1).
#pragma once

#include <optional>

#include <graze/boxes.hpp>
#include <graze/stats.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

/// The distance of two boxes if it is <= d, correctly rounded; 0 where they overlap or touch. Boxes are finite with
/// lo <= hi, d is finite and >= 0. Counts who decided.
std::optional<double> distance_within(const Box& a, const Box& b, double d, TierCounts& tiers);

}  // namespace graze::narrow
