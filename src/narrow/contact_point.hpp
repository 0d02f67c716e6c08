// Where two touching features touch: weights and normal at the end of the time-of-impact interval, in rounded
// doubles. Only a description: no decision rests on it.
#pragma once

#include <graze/elementary.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

/// Fills weights and normal from toi_hi and side.
void describe_vertex_face(const PairStep& pair, ElementaryImpact& impact);
void describe_edge_edge(const PairStep& pair, ElementaryImpact& impact);

}  // namespace graze::narrow
