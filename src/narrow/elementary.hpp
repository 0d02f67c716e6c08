// Narrow phase: the continuous vertex-face test (point-triangle) and edge-edge test, which find the time of impact
// of one pair (elementary tests). Three tiers, each more expensive: filter (tier a), interval refinement (tier b),
// exact arithmetic (tier c). Inputs are not checked.
#pragma once

#include <optional>

#include <graze/elementary.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

/// Tiers that have already left the pair undecided and need not run again: none (No), the filter
/// (narrow/kernels/pair_filter.hpp; Yes), or also the quick search of tier b (narrow/kernels/pair_roots.hpp,
/// narrow/kernels/pair_thickness.hpp; Quick).
enum class Filtered { No, Yes, Quick };

/// Unchecked versions of the public impact_vertex_face and impact_edge_edge. Preconditions: finite points and valid
/// options. `tiers` counts the tier that decided.
std::optional<ElementaryImpact> test_vertex_face(const PairStep& pair, const ElementaryOptions& options,
                                                 Filtered filtered, TierCounts& tiers);
std::optional<ElementaryImpact> test_edge_edge(const PairStep& pair, const ElementaryOptions& options,
                                               Filtered filtered, TierCounts& tiers);

}  // namespace graze::narrow
