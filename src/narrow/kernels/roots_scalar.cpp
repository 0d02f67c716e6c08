// Narrow phase, tier b (interval): quick root search for one pair. See roots_scalar.hpp.
#include "narrow/kernels/roots_scalar.hpp"

#include "narrow/kernels/roots_lane.hpp"

namespace graze::narrow {
namespace {

template <bool kVertexFace>
QuickResult quick(const PairStep& pair, double tolerance) {
  return quick_result(scalar::quick_root<kVertexFace, bool>(scalar::to_points(pair), tolerance));
}

}  // namespace

QuickResult quick_root_vertex_face(const PairStep& pair, double tolerance) {
  return quick<true>(pair, tolerance);
}

QuickResult quick_root_edge_edge(const PairStep& pair, double tolerance) {
  return quick<false>(pair, tolerance);
}

}  // namespace graze::narrow
