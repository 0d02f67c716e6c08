// The last tier of the thickness tests, in integers: decides what certified floating point left open.
#pragma once

#include <optional>

#include <graze/elementary.hpp>

namespace graze::narrow {

enum class PairKind;

/// What is known: beyond delta before lo; if `hit`, within the limit at `end`, else end = 1.
struct ThickSearch {
  double lo = 0.0;
  double end = 1.0;
  bool hit = false;
};

/// Finishes a search. The limit lies between delta and delta + tolerance * min(1, delta). Where contact is so brief
/// that no double time falls into it, toi_hi is the next double after it and the rest describes the contact itself.
std::optional<ElementaryImpact> exact_thick(PairKind kind, const PairStep& pair, const ElementaryOptions& options,
                                            const ThickSearch& known);

/// Weights, normal and side at toi_hi of a contact with this interval.
ElementaryImpact exact_description(PairKind kind, const PairStep& pair, double toi_lo, double toi_hi);

/// Side of the first feature at time t (see ElementaryImpact).
int exact_side_at(PairKind kind, const PairStep& pair, double t);

/// The power of two just at or below the tolerance: products with it are exact.
double power_below(double tolerance);

}  // namespace graze::narrow
