// Elementary tests on a CUDA device, one pair a thread: what the floating-point tiers of the narrow phase decide,
// by the kernels that the host runs (narrow/kernels/*.inl.hpp), and so with the same bits. Pairs that stay
// undecided go to the host, to narrow/elementary.hpp.
//
// Without thickness the filter and the quick root search are both certain, so a result does not depend on whether
// the filter runs. With thickness the filter decides first: between the thickness and the limit of the search
// (graze/elementary.hpp, slack) only the order filter, search gives the answer of query/impact_batch.cpp.
#pragma once

#include <cuda_runtime.h>

#include <graze/elementary.hpp>

#include "narrow/contact_point.hpp"
#include "narrow/kernels/filter_scalar.hpp"
#include "narrow/kernels/roots_lane.hpp"
#include "narrow/kernels/thick_lane.hpp"
#include "narrow/kernels/thick_scalar.hpp"

namespace graze::cuda {

/// Coordinates of the four points of a pair, indexed by [end of the step][point][axis]. Vertex-face: v, f0, f1, f2.
/// Edge-edge: a0, a1, b0, b1; in canonical order.
using PairPoints = narrow::scalar::Points<double>;

/// Answer of one elementary test: Apart, Contact with the impact, or Undecided.
using narrow::IntervalOutcome;
using narrow::QuickResult;

/// Loads the points of a pair from the positions of all vertices at both ends of the step.
__device__ inline PairPoints load_points(const Vec3* x_t0, const Vec3* x_t1, const VertexId (&vertices)[4]) {
  PairPoints p;
  for (int i = 0; i < 4; ++i) {
    const Vec3& a = x_t0[vertices[i]];
    const Vec3& b = x_t1[vertices[i]];
    p.x[0][i][0] = a.x;
    p.x[0][i][1] = a.y;
    p.x[0][i][2] = a.z;
    p.x[1][i][0] = b.x;
    p.x[1][i][1] = b.y;
    p.x[1][i][2] = b.z;
  }
  return p;
}

/// Whether the filter proves that the pair never touches: as filter_pairs() without thickness.
template <bool kVertexFace>
__device__ inline bool never_touches(const PairPoints& points) {
  if constexpr (kVertexFace) {
    return narrow::scalar::never_touch_vf<bool>(points, 0.0, false);
  } else {
    return narrow::scalar::never_touch_ee<bool>(points, 0.0, false);
  }
}

/// The quick root search: as narrow::quick_root_vertex_face and narrow::quick_root_edge_edge.
template <bool kVertexFace>
__device__ inline QuickResult roots(const PairPoints& points, double tolerance) {
  return narrow::quick_result(narrow::scalar::quick_root<kVertexFace, bool>(points, tolerance));
}

/// Whether one point of each feature is the same at the start of the step: then the features touch there.
template <bool kVertexFace>
__device__ inline bool starts_at_common_point(const PairPoints& points) {
  const auto equal = [&](int i, int j) {
    const double(&x)[4][3] = points.x[0];
    return x[i][0] == x[j][0] && x[i][1] == x[j][1] && x[i][2] == x[j][2];
  };
  if constexpr (kVertexFace) return equal(0, 1) || equal(0, 2) || equal(0, 3);
  return equal(0, 2) || equal(0, 3) || equal(1, 2) || equal(1, 3);
}

/// The impact of a pair that touches at the start of the step, as narrow/elementary.cpp describes it.
template <bool kVertexFace>
__device__ inline ElementaryImpact impact_at_start(const PairPoints& points) {
  PairStep pair;
  for (std::size_t i = 0; i < 4; ++i) {
    pair.t0[i] = {points.x[0][i][0], points.x[0][i][1], points.x[0][i][2]};
    pair.t1[i] = {points.x[1][i][0], points.x[1][i][1], points.x[1][i][2]};
  }
  ElementaryImpact impact;
  if constexpr (kVertexFace) {
    narrow::describe_vertex_face(pair, impact);
  } else {
    narrow::describe_edge_edge(pair, impact);
  }
  return impact;
}

/// Parameters of the tests with thickness. The host computes them once a query.
struct ThickLimits {
  double thickness;
  double gap;        ///< narrow::filter_gap(thickness)
  double slack;      ///< narrow::quick_slack(options)
  double tolerance;  ///< as ElementaryOptions::tolerance
};

inline ThickLimits thick_limits(const ElementaryOptions& options) {
  return {options.thickness, narrow::filter_gap(options.thickness), narrow::quick_slack(options),
          options.tolerance};
}

/// Whether the filter proves that the pair stays farther apart than the thickness: as filter_pairs() with it.
template <bool kVertexFace>
__device__ inline bool never_within(const PairPoints& points, const ThickLimits& limits) {
  if constexpr (kVertexFace) {
    return narrow::scalar::never_touch_vf<bool>(points, limits.gap, true);
  } else {
    return narrow::scalar::never_touch_ee<bool>(points, limits.gap, true);
  }
}

/// Whether the first steps of the search prove that the pair stays apart. thick_roots() then says Apart; calling
/// this first leaves fewer pairs for the longer search, so that threads of a warp have equal work.
template <bool kVertexFace>
__device__ inline bool quickly_apart(const PairPoints& points, const ThickLimits& limits) {
  return narrow::scalar::quickly_apart<kVertexFace, bool>(points, limits.thickness, limits.slack);
}

/// The search for the first time within thickness, for a pair that never_within() leaves: as find_thick_roots().
template <bool kVertexFace>
__device__ inline QuickResult thick_roots(const PairPoints& points, const ThickLimits& limits) {
  return narrow::quick_result(
      narrow::scalar::quick_thickness<kVertexFace, bool>(points, limits.thickness, limits.slack, limits.tolerance));
}

}  // namespace graze::cuda
