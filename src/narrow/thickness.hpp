// Continuous vertex-face and edge-edge tests with thickness: when does a pair first come within delta?
//
// Conservative, as the public header says: every pair that comes within delta at some t in [0,1] is reported, none
// that stays beyond delta + slack. No input checks: points finite, thickness finite and > 0,
// tolerance in [2^-40, 1].
#pragma once

#include <optional>

#include <graze/elementary.hpp>
#include <graze/stats.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

std::optional<ElementaryImpact> thick_vertex_face(const PairStep& pair, const ElementaryOptions& options,
                                                  TierCounts& tiers);
std::optional<ElementaryImpact> thick_edge_edge(const PairStep& pair, const ElementaryOptions& options,
                                                TierCounts& tiers);

}  // namespace graze::narrow
