// Peers for rigid objects: other libraries that collide two posed meshes, measured beside graze on the same poses
// (graze_bench_rigid).
//
// A peer gets one mesh, used as both objects, or two, and answers the two discrete queries in its own way and
// precision: its pairs are compared with graze's exact ones, and differences are shown but do not fail. To add one:
// a file rigid_NAME.cpp here, a line in rigid_peers.cpp, its package in scripts/install_deps.sh. Enabled by
// GRAZE_PEERS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <graze/error.hpp>
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
  /// What is measured, in one line: structure, number type, compilation.
  [[nodiscard]] virtual std::string_view summary() const = 0;
  /// Builds the peer's structure; called before the first query.
  virtual void prepare(std::span<const Vec3> positions, std::span<const Triangle> triangles) = 0;
  /// Builds a structure of its own for the second object. Throws InputError unless overridden.
  virtual void prepare_other(std::span<const Vec3> /*positions*/, std::span<const Triangle> /*triangles*/) {
    throw InputError("peer '" + std::string(name()) + "' takes one mesh only");
  }
  /// Whether the two copies intersect, by the library's quickest query.
  virtual bool first_hit(const PosePair& poses) = 0;
  /// The number of triangle pairs that the library reports.
  virtual std::size_t triangle_pairs(const PosePair& poses) = 0;
  /// The pairs of the last triangle_pairs, in any order; not measured.
  [[nodiscard]] virtual std::vector<TrianglePair> last_pairs() const = 0;
  /// Bytes of the structure and its copy of the mesh, from the sizes of the library's objects.
  [[nodiscard]] virtual std::uint64_t memory_bytes() const = 0;
};

/// The names of all rigid peers, and of those in this build.
[[nodiscard]] std::span<const std::string_view> rigid_peer_names();
[[nodiscard]] std::vector<std::string_view> rigid_peers_in_build();
/// Throws InputError for an unknown name, and for a peer that is not in this build, with the option that enables
/// it.
[[nodiscard]] std::unique_ptr<RigidPeer> make_rigid_peer(std::string_view name);

// The factory functions of the rigid peers in this build.
std::unique_ptr<RigidPeer> make_rigid_fcl();
std::unique_ptr<RigidPeer> make_rigid_bullet();

}  // namespace graze::peers
