// Narrow phase, distance queries: the distance of one feature pair, and the exact decision "within d" (filter, then
// interval bounds, then exact arithmetic), without input checks. The public versions in graze/elementary.hpp check
// their input and call these. Precondition: `d` is finite and >= 0.
#pragma once

#include <array>

#include <graze/elementary.hpp>
#include <graze/stats.hpp>
#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::narrow {

ElementaryDistance distance_vertex_face_unchecked(const std::array<Vec3, 4>& points);
ElementaryDistance distance_edge_edge_unchecked(const std::array<Vec3, 4>& points);

bool within_vertex_face_unchecked(const std::array<Vec3, 4>& points, double d, TierCounts& tiers);
bool within_edge_edge_unchecked(const std::array<Vec3, 4>& points, double d, TierCounts& tiers);

}  // namespace graze::narrow
