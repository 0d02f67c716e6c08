// The factory functions of the peers in this build.
#pragma once

#include <memory>

#include "benchmarks/peers/peer.hpp"

namespace graze::peers {

/// Embree's rtcCollide: pairs of boxes of swept features that are not incident.
std::unique_ptr<Peer> make_embree(unsigned threads);
std::unique_ptr<Peer> make_embree_low(unsigned threads);

/// CGAL's self_intersections: pairs of triangles that intersect.
std::unique_ptr<Peer> make_cgal(unsigned threads);

}  // namespace graze::peers
