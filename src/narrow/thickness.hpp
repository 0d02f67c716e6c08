// Narrow phase with thickness (minimum separation): the time of impact at which a vertex-face or edge-edge pair
// first comes within delta.
//
// The tests are conservative, as graze/elementary.hpp states: they report every pair that comes within delta at
// some t in [0,1], and no pair that stays beyond delta + slack. Filter, quick search
// (kernels/thick_kernel.inl.hpp), interval subdivision and exact arithmetic decide in turn. Inputs are not checked.
// Preconditions: finite points, finite thickness > 0, tolerance in [2^-40, 1].
#pragma once

#include <optional>

#include <graze/elementary.hpp>
#include <graze/stats.hpp>

#include "core/namespaces.hpp"
#include "narrow/elementary.hpp"

namespace graze::narrow {

std::optional<ElementaryImpact> thickness_vertex_face(const PairStep& pair, const ElementaryOptions& options,
                                                      Filtered filtered, TierCounts& tiers);
std::optional<ElementaryImpact> thickness_edge_edge(const PairStep& pair, const ElementaryOptions& options,
                                                    Filtered filtered, TierCounts& tiers);

}  // namespace graze::narrow
