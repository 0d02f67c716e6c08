// The continuous elementary tests as the pipeline calls them: three tiers, no checks of input.
#pragma once

#include <optional>

#include <graze/elementary.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

/// Whether a pair has been through tier a (narrow/kernels/pair_filter.hpp), or also the quick way of tier b
/// (narrow/kernels/pair_roots.hpp), which left it: no use asking again.
enum class Filtered { No, Yes, Quick };

/// As impact_vertex_face and impact_edge_edge, for finite points and valid options. `tiers` counts who decided.
std::optional<ElementaryImpact> test_vertex_face(const PairStep& pair, const ElementaryOptions& options,
                                                 Filtered filtered, TierCounts& tiers);
std::optional<ElementaryImpact> test_edge_edge(const PairStep& pair, const ElementaryOptions& options,
                                               Filtered filtered, TierCounts& tiers);

}  // namespace graze::narrow
