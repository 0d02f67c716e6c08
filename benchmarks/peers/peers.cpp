// The table of peers. Always compiled, so that a build without peers can say how to enable them.
#include "benchmarks/peers/peers.hpp"

#include <array>
#include <string>

#include <graze/error.hpp>

namespace graze::peers {
namespace {

struct Entry {
  std::string_view name;
  std::unique_ptr<Peer> (*make)(unsigned threads) = nullptr;  ///< null: not in this build
};

constexpr std::array kPeers = {
#ifdef GRAZE_PEER_EMBREE
    Entry{"embree", make_embree},
    Entry{"embree-low", make_embree_low},
#else
    Entry{"embree", nullptr},
    Entry{"embree-low", nullptr},
#endif
#ifdef GRAZE_PEER_CGAL
    Entry{"cgal", make_cgal},
#else
    Entry{"cgal", nullptr},
#endif
};

}  // namespace

std::unique_ptr<Peer> make_peer(std::string_view name, unsigned threads) {
  std::string known;
  for (const Entry& entry : kPeers) {
    known += (known.empty() ? "" : ", ") + std::string(kPeerPrefix) + std::string(entry.name);
    if (entry.name != name) continue;
    if (entry.make == nullptr) {
      throw InputError("method '" + std::string(kPeerPrefix) + std::string(name) +
                       "' is not in this build; switch it on with -DGRAZE_PEERS=ON (make bench-peers does)");
    }
    return entry.make(threads);
  }
  throw InputError("method '" + std::string(kPeerPrefix) + std::string(name) + "' is unknown; there are: " + known);
}

}  // namespace graze::peers
