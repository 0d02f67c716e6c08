// Peer for worlds of rigid objects: another library's broad phase and mesh trees, measured beside graze on the same
// objects and poses (graze_bench_rigid_world). Its pairs are compared with graze's exact ones; differences are
// shown and do not fail. Enabled by GRAZE_PEERS without GRAZE_PEERS_NATIVE.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <graze/rigid.hpp>
#include <graze/types.hpp>

namespace graze::peers {

class WorldPeer {
 public:
  using Pairs = std::vector<std::array<std::uint32_t, 2>>;

  WorldPeer() = default;
  virtual ~WorldPeer() = default;
  WorldPeer(const WorldPeer&) = delete;
  WorldPeer& operator=(const WorldPeer&) = delete;

  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Adds instances of one mesh, numbered in the order of addition.
  virtual void add(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                   std::span<const Pose> poses) = 0;
  /// The mesh of the object of hits_of().
  virtual void set_probe(std::span<const Vec3> positions, std::span<const Triangle> triangles) = 0;
  /// Builds the broad phase; called once, after all objects were added.
  virtual void build() = 0;
  /// Moves all objects.
  virtual void move(std::span<const Pose> poses) = 0;
  /// The pairs of objects that intersect, the smaller number first, in any order.
  virtual Pairs all_hits() = 0;
  /// The objects that the probe intersects at a pose; with `first`, the library stops at one of them.
  virtual std::vector<std::uint32_t> hits_of(const Pose& pose, bool first) = 0;
};

/// Null if the build has no such peer.
[[nodiscard]] std::unique_ptr<WorldPeer> make_world_peer();
/// FCL's; in builds with GRAZE_PEERS and without GRAZE_PEERS_NATIVE.
std::unique_ptr<WorldPeer> make_world_fcl();

}  // namespace graze::peers
