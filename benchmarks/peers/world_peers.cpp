// The peer of worlds in this build, if it has one. Always compiled.
#include "benchmarks/peers/world_peer.hpp"

namespace graze::peers {

std::unique_ptr<WorldPeer> make_world_peer() {
#ifdef GRAZE_PEER_WORLD
  return make_world_fcl();
#else
  return nullptr;
#endif
}

}  // namespace graze::peers
