// Peers: other libraries, measured beside graze on the same steps (`graze bench --method peer:NAME`).
//
// A peer does what it is best at, which need not be what graze does: each says what it counts. Its row in the
// benchmark has those counts and no hash, since it does not give the exact contacts. Adding one: a file
// NAME.cpp here, a line in peers.cpp, its package in scripts/install_deps.sh. Switched on by GRAZE_PEERS.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include <graze/scene.hpp>
#include <graze/types.hpp>

namespace graze::peers {

/// What a peer found in a step: candidates or contacts, as its summary says.
struct PeerCounts {
  std::uint64_t vf = 0;
  std::uint64_t ee = 0;

  friend bool operator==(const PeerCounts&, const PeerCounts&) = default;
};

class Peer {
 public:
  Peer() = default;
  virtual ~Peer() = default;
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Topology and whatever else is made once; not measured. Before the first run.
  virtual void prepare(const Scene& scene) = 0;
  /// One step, from new positions to counts. The first run may build what later ones only update.
  virtual PeerCounts run(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) = 0;
  /// Bytes that the peer's own structures hold, if it can tell.
  [[nodiscard]] virtual std::optional<std::uint64_t> memory_bytes() const { return std::nullopt; }
};

/// Names are written "peer:NAME" on the command line.
inline constexpr std::string_view kPeerPrefix = "peer:";

/// The peer of a name without its prefix, on so many threads (0: all cores). Throws InputError for an unknown name,
/// and for one that this build was made without, saying how to switch it on.
std::unique_ptr<Peer> make_peer(std::string_view name, unsigned threads);

}  // namespace graze::peers
