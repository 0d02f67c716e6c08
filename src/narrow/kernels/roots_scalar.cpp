// Narrow phase, tier b (interval): quick root search for one pair. See roots_scalar.hpp.
#include "narrow/kernels/roots_scalar.hpp"

#include "narrow/kernels/filter_scalar.hpp"
#include "narrow/toi_width.hpp"

namespace graze::narrow {
namespace scalar {
namespace {

#define GRAZE_LANES inline
#include "narrow/kernels/root_kernel.inl.hpp"
#undef GRAZE_LANES

}  // namespace
}  // namespace scalar

namespace {

template <bool kVertexFace>
QuickResult quick(const PairStep& pair, double tolerance) {
  const auto root = scalar::quick_root<kVertexFace, bool>(scalar::to_points(pair), tolerance);
  QuickResult result;
  if (root.apart) result.outcome = IntervalOutcome::Apart;
  if (!root.contact) return result;
  result.outcome = IntervalOutcome::Contact;
  result.impact = {.toi_lo = root.toi_lo,
                   .toi_hi = root.toi_hi,
                   .weights = {root.weights[0], root.weights[1], root.weights[2], root.weights[3]},
                   .normal = {root.normal[0], root.normal[1], root.normal[2]},
                   .side = static_cast<int>(root.side)};
  return result;
}

}  // namespace

QuickResult quick_root_vertex_face(const PairStep& pair, double tolerance) {
  return quick<true>(pair, tolerance);
}

QuickResult quick_root_edge_edge(const PairStep& pair, double tolerance) {
  return quick<false>(pair, tolerance);
}

}  // namespace graze::narrow
