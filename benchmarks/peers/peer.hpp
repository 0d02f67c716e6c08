// Peers: other libraries, measured beside graze on the same steps (`graze bench --method peer:NAME`).
//
// A peer does what it is best at, which may differ from what graze does: its summary says what it counts. Its row
// in the benchmark has these counts; it has a hash only if it gives the pairs that graze gives. To add one: a file
// NAME.cpp here, a line in peers.cpp, its package in scripts/install_deps.sh. Enabled by GRAZE_PEERS.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <graze/results.hpp>
#include <graze/scene.hpp>
#include <graze/types.hpp>

namespace graze::peers {

/// Counts of a peer in a step: candidates or contacts, as its summary says.
struct PeerCounts {
  std::uint64_t vf = 0;
  std::uint64_t ee = 0;
  std::uint64_t triangle_pairs = 0;  ///< of a peer that answers Intersections

  friend bool operator==(const PeerCounts&, const PeerCounts&) = default;
};

/// The query that a peer answers: candidates of a step, or the pairs of triangles that intersect at its start.
enum class PeerAnswer : std::uint8_t { StepCandidates, Intersections };

class Peer {
 public:
  Peer() = default;
  virtual ~Peer() = default;
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual PeerAnswer answers() const { return PeerAnswer::StepCandidates; }
  /// Prepares topology and other one-time data; not measured. Called before the first run.
  virtual void prepare(const Scene& scene) = 0;
  /// Runs one step, from new positions to counts. The first run may build what later runs only update.
  virtual PeerCounts run(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1) = 0;
  /// The pairs of triangles of the last run, sorted, of a peer that answers Intersections.
  [[nodiscard]] virtual std::vector<TrianglePair> triangle_pairs() const { return {}; }
  /// Bytes that the peer's own structures hold, if known.
  [[nodiscard]] virtual std::optional<std::uint64_t> memory_bytes() const { return std::nullopt; }
};

/// Prefix of peer names on the command line: "peer:NAME".
inline constexpr std::string_view kPeerPrefix = "peer:";

/// The peer of a name without its prefix, on `threads` threads (0: all cores). Throws InputError for an unknown
/// name, and for a peer that is not in this build, with the option that enables it.
std::unique_ptr<Peer> make_peer(std::string_view name, unsigned threads);

}  // namespace graze::peers
