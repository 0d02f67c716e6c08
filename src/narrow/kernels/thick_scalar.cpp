// Narrow phase with thickness, quick search for one pair. See thick_scalar.hpp.
#include "narrow/kernels/thick_scalar.hpp"

#include "narrow/kernels/thick_lane.hpp"

namespace graze::narrow {
namespace {

template <bool kVertexFace>
QuickResult quick(const PairStep& pair, const ElementaryOptions& options) {
  return quick_result(scalar::quick_thickness<kVertexFace, bool>(scalar::to_points(pair), options.thickness,
                                                                 quick_slack(options), options.tolerance));
}

}  // namespace

QuickResult quick_thickness_vertex_face(const PairStep& pair, const ElementaryOptions& options) {
  return quick<true>(pair, options);
}

QuickResult quick_thickness_edge_edge(const PairStep& pair, const ElementaryOptions& options) {
  return quick<false>(pair, options);
}

}  // namespace graze::narrow
