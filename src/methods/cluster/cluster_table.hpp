// Fills the table of a cluster for a step: vertex positions at both ends, error, bounds linear in time (box and
// k-DOP slabs), and the slab along the cluster's normal.
//
// Cost: some hundred nanoseconds per cluster, in SIMD lanes.
#pragma once

#include <span>

#include <graze/types.hpp>

#include "methods/cluster/cluster.hpp"
#include "methods/cluster/local_frame.hpp"

namespace graze::methods {

/// Computes positions, error and bounds. Precondition: the slot is not free.
void fill_table(const ClusterLocalFrame& local_frame, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                Cluster& cluster);

}  // namespace graze::methods
