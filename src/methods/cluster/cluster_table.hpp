// The table of a cluster in a step: where its vertices are at both ends, and bounds of all of them.
//
// Cost: some hundred nanoseconds a cluster, in SIMD lanes.
#pragma once

#include <span>

#include <graze/types.hpp>

#include "methods/cluster/cluster.hpp"
#include "methods/cluster/local_frame.hpp"

namespace graze::methods {

/// Positions, error and bounds. Precondition: not a free place.
void fill_table(const ClusterLocalFrame& frame, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                Cluster& cluster);

}  // namespace graze::methods
