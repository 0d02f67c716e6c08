// Narrow phase: barycentric weights and normal of a contact at the end of its time-of-impact interval, in rounded
// doubles. They only describe the contact; no decision depends on them.
#pragma once

#include <graze/elementary.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

/// Sets weights and normal of `impact` from its toi_hi and side.
void describe_vertex_face(const PairStep& pair, ElementaryImpact& impact);
void describe_edge_edge(const PairStep& pair, ElementaryImpact& impact);

}  // namespace graze::narrow
