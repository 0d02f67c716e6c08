// Narrow phase, tier b (interval): quick root search for one pair, which finds the time of impact. Scalar twin of
// narrow/kernels/pair_roots.hpp, with the same operations in the same order (narrow/kernels/root_kernel.inl.hpp)
// and so the same bits. Decides pairs with simple roots that are clearly inside or outside, which are nearly all;
// narrow/interval.hpp handles the rest.
#pragma once

#include <graze/elementary.hpp>

#include "narrow/interval.hpp"

namespace graze::narrow {

/// The impact is set for Contact only.
struct QuickResult {
  IntervalOutcome outcome = IntervalOutcome::Undecided;
  ElementaryImpact impact;
};

/// The result of a quick search over one lane (quick_root.inl.hpp).
template <class Root>
QuickResult quick_result(const Root& root) {
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

/// Tests for touching, without thickness. Correct for any pair; intended for pairs that the filter leaves
/// undecided.
QuickResult quick_root_vertex_face(const PairStep& pair, double tolerance);
QuickResult quick_root_edge_edge(const PairStep& pair, double tolerance);

}  // namespace graze::narrow
