// Tier b, the quick way, for one pair: the scalar twin of narrow/kernels/pair_roots.hpp, with the same operations
// in the same order (narrow/kernels/root_kernel.inl.hpp) and so the same bits. Decides what has simple roots,
// clearly inside or outside: nearly all; the rest is for narrow/interval.hpp.
#pragma once

#include <graze/elementary.hpp>

#include "narrow/interval.hpp"

namespace graze::narrow {

/// The impact is set for Contact only.
struct QuickResult {
  IntervalOutcome outcome = IntervalOutcome::Undecided;
  ElementaryImpact impact;
};

/// For touching (no thickness). Right for any pair, meant for those that tier a leaves.
QuickResult quick_vertex_face(const PairStep& pair, double tolerance);
QuickResult quick_edge_edge(const PairStep& pair, double tolerance);

}  // namespace graze::narrow
