// Narrow phase, tier b (interval): quick root search for one pair, which finds the time of impact. Scalar twin of
// narrow/kernels/pair_roots.hpp, with the same operations in the same order (narrow/kernels/root_kernel.inl.hpp)
// and so the same bits. Decides pairs with simple roots that are clearly inside or outside, which are nearly all;
// narrow/interval.hpp handles the rest.
#pragma once

#include <graze/elementary.hpp>

#include "narrow/kernels/quick_root_scalar.hpp"

namespace graze::narrow {

/// Tests for touching, without thickness. Correct for any pair; intended for pairs that the filter leaves
/// undecided.
QuickResult quick_root_vertex_face(const PairStep& pair, double tolerance);
QuickResult quick_root_edge_edge(const PairStep& pair, double tolerance);

}  // namespace graze::narrow
