// Fills the table of a cluster for a step: vertex positions at both ends, error, bounds linear in time (box and
// k-DOP slabs), and the slab along the cluster's normal. Chooses the cluster's local frame.
//
// Cost: some hundred nanoseconds per cluster, in SIMD lanes.
#pragma once

#include <span>

#include <graze/types.hpp>

#include "methods/cluster/cluster.hpp"
#include "methods/cluster/local_frame.hpp"

namespace graze::methods {

/// Computes positions, error and bounds, in the shared local frame if it resolves the cluster, else in an own one.
/// Precondition: the slot is not free.
void fill_table(const ClusterLocalFrame& shared, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                Cluster& cluster);

/// Computes positions, error and bounds in a given local frame. Precondition: the slot is not free.
void fill_table_in(const ClusterLocalFrame& frame, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                   Cluster& cluster);

/// Makes `changed` a copy of a cluster with the coordinates of another local frame. Precondition: the scale of `to`
/// is not larger than that of the cluster's frame.
void change_frame(const Cluster& cluster, const ClusterLocalFrame& to, Cluster& changed);

/// Two clusters with coordinates of one local frame.
struct ComparableClusters {
  const Cluster& a;
  const Cluster& b;
};

/// Brings two clusters to the frame of one of them, the one with the smaller scale: `changed` receives the other
/// one, if its frame is different. Precondition: if both are in a shared frame, it is the same.
inline ComparableClusters in_one_frame(const Cluster& a, const Cluster& b, Cluster& changed) {
  if ((a.own_frame | b.own_frame) == 0 || a.frame == b.frame) return {a, b};
  if (a.frame.scale <= b.frame.scale) {
    change_frame(b, a.frame, changed);
    return {a, changed};
  }
  change_frame(a, b.frame, changed);
  return {changed, b};
}

}  // namespace graze::methods
