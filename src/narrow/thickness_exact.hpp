// The last tier of the thickness tests, in integers: decides what certified floating point left open.
#pragma once

#include <graze/elementary.hpp>

namespace graze::narrow {

enum class PairKind;

/// What is known: beyond delta before lo; if `hit`, within the limit at `end`, else end = 1.
struct ThickSearch {
  double lo = 0.0;
  double end = 1.0;
  bool hit = false;
};

/// Finishes a search on a normalised pair (see thickness.cpp): true if the pair comes within the limit; then
/// `state` says when. Contact is between the last time that is beyond delta and a time that, rounded up to a
/// double, is `end`.
bool exact_thick(PairKind kind, const PairStep& pair, double delta, double limit, double tolerance,
                 ThickSearch& state);

/// Weights, normal and side at toi_hi of a contact with this interval.
ElementaryImpact exact_description(PairKind kind, const PairStep& pair, double toi_lo, double toi_hi);

/// Side of the first feature at time t (see ElementaryImpact).
int exact_side_at(PairKind kind, const PairStep& pair, double t);

}  // namespace graze::narrow
