// Narrow phase with thickness, exact arithmetic: decides samples in time that floating point left open, and
// describes the contact at the time of impact.
#pragma once

#include <graze/elementary.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

enum class PairKind;

/// A pair at one time: whether its distance is <= limit, and the unit vector between its closest points (0 if they
/// touch).
struct ExactSample {
  bool within = false;
  Vec3 direction;
};
ExactSample exact_sample(PairKind kind, const PairStep& pair, double t, double limit);

/// The impact with this time-of-impact interval; weights and normal at toi_hi, side before the contact.
ElementaryImpact exact_description(PairKind kind, const PairStep& pair, double toi_lo, double toi_hi);

/// Side of the first feature at time t (see ElementaryImpact).
int exact_side_at(PairKind kind, const PairStep& pair, double t);

}  // namespace graze::narrow
