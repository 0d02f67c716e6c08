// Narrow phase with thickness: how long a pair that starts just beyond a distance certainly stays beyond it.
// Decides pairs that thickness.hpp reports at t = 0 because they are closer than distance + slack, though not
// within distance.
#pragma once

#include <graze/elementary.hpp>
#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

/// A time t such that the pair is farther apart than `distance` on all of [0, t]: 0 if and only if the pair is
/// within `distance` at the start; infinity if it stays beyond for the whole step; otherwise positive, and close to
/// the first time within `distance` for a pair that starts just beyond it. Decided in exact arithmetic; some ten
/// microseconds.
double separation_time(FeatureKind kind, const PairStep& pair, double distance);

}  // namespace graze::narrow
