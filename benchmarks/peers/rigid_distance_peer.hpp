// Peers for distances of rigid objects, measured beside graze on the same poses (graze_bench_rigid_distance).
//
// A peer gets one mesh, used as both objects, and returns the distance and its closest points in its own precision.
// Its distance must lie within graze's bounds up to its own rounding; differences are shown. Enabled by
// GRAZE_PEERS.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include <graze/rigid.hpp>
#include <graze/types.hpp>

namespace graze::peers {

class RigidDistancePeer {
 public:
  RigidDistancePeer() = default;
  virtual ~RigidDistancePeer() = default;
  RigidDistancePeer(const RigidDistancePeer&) = delete;
  RigidDistancePeer& operator=(const RigidDistancePeer&) = delete;

  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Builds the peer's structure; called before the first query.
  virtual void prepare(std::span<const Vec3> positions, std::span<const Triangle> triangles) = 0;
  /// The distance of the two copies, to this relative tolerance; at most 0 if the peer says that they intersect.
  virtual double distance(const PosePair& poses, double relative) = 0;
};

/// FCL's peer, or nothing if this build has no peers.
[[nodiscard]] std::unique_ptr<RigidDistancePeer> make_rigid_distance_fcl();

}  // namespace graze::peers
