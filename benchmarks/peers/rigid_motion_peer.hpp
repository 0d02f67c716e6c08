// The peer for motions of rigid objects: FCL's conservative advancement, measured beside graze's first_contact on
// the same motions (graze_bench_rigid_motion).
//
// FCL gets both meshes and answers in its own way and precision; differences from graze's certified times are shown
// but do not fail. Enabled by GRAZE_PEERS, compiled for this machine with GRAZE_PEERS_NATIVE.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include <graze/rigid.hpp>

#include "scenes/shapes.hpp"

namespace graze::peers {

class RigidMotionPeer {
 public:
  RigidMotionPeer() = default;
  virtual ~RigidMotionPeer() = default;
  RigidMotionPeer(const RigidMotionPeer&) = delete;
  RigidMotionPeer& operator=(const RigidMotionPeer&) = delete;

  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Builds the structures of both objects; called before the first query.
  virtual void prepare(const scenes::Shape& a, const scenes::Shape& b) = 0;
  /// The time of the first contact of two straight motions about the objects' origins; 1 if there is none.
  virtual double first_contact(const RigidMotion& motion_a, const RigidMotion& motion_b) = 0;
};

/// Null if this build has no peers.
[[nodiscard]] std::unique_ptr<RigidMotionPeer> make_rigid_motion_peer();

}  // namespace graze::peers
