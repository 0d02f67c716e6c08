// The table of peers for rigid objects. Always compiled, so that a build without peers can say how to enable them.
#include <array>
#include <string>

#include "benchmarks/peers/rigid_distance_peer.hpp"
#include "benchmarks/peers/rigid_motion_peer.hpp"
#include "benchmarks/peers/rigid_peer.hpp"

#include <graze/error.hpp>

namespace graze::peers {
namespace {

struct Entry {
  std::string_view name;
  std::unique_ptr<RigidPeer> (*make)() = nullptr;  ///< null: not in this build
};

constexpr std::array kPeers = {
#ifdef GRAZE_PEER_RIGID
    Entry{"fcl", make_rigid_fcl},
    Entry{"bullet", make_rigid_bullet},
#else
    Entry{"fcl", nullptr},
    Entry{"bullet", nullptr},
#endif
};
constexpr std::array<std::string_view, kPeers.size()> kNames = {kPeers[0].name, kPeers[1].name};

}  // namespace

std::span<const std::string_view> rigid_peer_names() {
  return kNames;
}

std::vector<std::string_view> rigid_peers_in_build() {
  std::vector<std::string_view> names;
  for (const Entry& entry : kPeers) {
    if (entry.make != nullptr) names.push_back(entry.name);
  }
  return names;
}

std::unique_ptr<RigidPeer> make_rigid_peer(std::string_view name) {
  std::string known;
  for (const Entry& entry : kPeers) {
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
    if (entry.name != name) continue;
    if (entry.make == nullptr) {
      throw InputError("peer '" + std::string(name) +
                       "' is not in this build; switch it on with -DGRAZE_PEERS=ON (make bench-peers does)");
    }
    return entry.make();
  }
  throw InputError("peer '" + std::string(name) + "' is unknown; there are: " + known);
}

#ifndef GRAZE_PEER_RIGID
std::unique_ptr<RigidDistancePeer> make_rigid_distance_fcl() {
  return nullptr;
}
std::unique_ptr<RigidMotionPeer> make_rigid_motion_peer() {
  return nullptr;
}
#endif

}  // namespace graze::peers
