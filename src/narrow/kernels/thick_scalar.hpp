// Narrow phase with thickness, quick search for one pair: scalar twin of narrow/kernels/pair_thickness.hpp, with
// the same operations in the same order (narrow/kernels/thick_kernel.inl.hpp) and so the same bits.
// narrow/thickness.hpp handles the rest.
#pragma once

#include <graze/elementary.hpp>

#include "narrow/kernels/roots_scalar.hpp"

namespace graze::narrow {

/// The slack of the quick search: at most tolerance * min(1, thickness), see graze/elementary.hpp.
inline double quick_slack(const ElementaryOptions& options) {
  return options.tolerance * (options.thickness < 1.0 ? options.thickness : 1.0) * (1.0 - 0x1p-40);
}

/// Tests for the first time within thickness. Correct for any pair. Precondition: thickness > 0.
QuickResult quick_thickness_vertex_face(const PairStep& pair, const ElementaryOptions& options);
QuickResult quick_thickness_edge_edge(const PairStep& pair, const ElementaryOptions& options);

}  // namespace graze::narrow
