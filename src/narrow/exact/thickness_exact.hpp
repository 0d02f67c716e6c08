// What the thickness tests ask of integers: a sample that floating point left open, and the description of a
// contact.
#pragma once

#include <graze/elementary.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

enum class PairKind;

/// A pair at one time: is its distance <= limit, and the unit vector between its closest points (0 if they touch).
struct ExactSample {
  bool within = false;
  Vec3 direction;
};
ExactSample exact_sample(PairKind kind, const PairStep& pair, double t, double limit);

/// Weights, normal and side at toi_hi of a contact with this interval.
ElementaryImpact exact_description(PairKind kind, const PairStep& pair, double toi_lo, double toi_hi);

/// Side of the first feature at time t (see ElementaryImpact).
int exact_side_at(PairKind kind, const PairStep& pair, double t);

}  // namespace graze::narrow
