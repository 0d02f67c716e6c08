// Narrow phase, tier c: whether a pair touches at the start of a step, in exact arithmetic. Where parts of a scene
// share coordinates to the bit, most pairs that reach tier c do.
#pragma once

#include <array>

#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

/// Whether the closed features touch at one instant. Points as in PairStep. Returns false where that takes wider
/// integers than fixed_pair.hpp has: exact tests then decide. Precondition: finite points.
bool starts_in_contact_vertex_face(const std::array<Vec3, 4>& points);
bool starts_in_contact_edge_edge(const std::array<Vec3, 4>& points);

}  // namespace graze::narrow
