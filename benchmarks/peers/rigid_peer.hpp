// Peers for rigid objects: other libraries that collide two posed meshes, measured beside graze on the same poses
// (graze_bench_rigid).
//
// A peer gets one mesh, used as both objects, and answers the two discrete queries in its own way and its own
// precision: its pairs are compared with graze's exact ones, and what differs is shown, not failed. Adding one: a
// file rigid_NAME.cpp here, a line in rigid_peers.cpp, its package in scripts/install_deps.sh. Switched on by
// GRAZE_PEERS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <graze/rigid.hpp>
#include <graze/types.hpp>

namespace graze::peers {

class RigidPeer {
 public:
  RigidPeer() = default;
  virtual ~RigidPeer() = default;
  RigidPeer(const RigidPeer&) = delete;
  RigidPeer& operator=(const RigidPeer&) = delete;

  [[nodiscard]] virtual std::string_view name() const = 0;
  /// What is measured, in a line: structure, number type, how it was compiled.
  [[nodiscard]] virtual std::string_view summary() const = 0;
  /// Builds its structure; before the first query.
  virtual void prepare(std::span<const Vec3> positions, std::span<const Triangle> triangles) = 0;
  /// Do the two copies meet? By the quickest way that the library has.
  virtual bool first_hit(const PosePair& poses) = 0;
  /// How many pairs of triangles the library reports.
  virtual std::size_t triangle_pairs(const PosePair& poses) = 0;
  /// Those of the last triangle_pairs, in any order; not measured.
  [[nodiscard]] virtual std::vector<TrianglePair> last_pairs() const = 0;
  /// Bytes that the structure and its copy of the mesh take, from the sizes of what the library keeps.
  [[nodiscard]] virtual std::uint64_t memory_bytes() const = 0;
};

/// The names of all of them, and those that are in this build.
[[nodiscard]] std::span<const std::string_view> rigid_peer_names();
[[nodiscard]] std::vector<std::string_view> rigid_peers_in_build();
/// Throws InputError for an unknown name, and for one that this build was made without, saying how to switch it on.
[[nodiscard]] std::unique_ptr<RigidPeer> make_rigid_peer(std::string_view name);

// The makers of those that are in this build.
std::unique_ptr<RigidPeer> make_rigid_fcl();
std::unique_ptr<RigidPeer> make_rigid_bullet();

}  // namespace graze::peers
