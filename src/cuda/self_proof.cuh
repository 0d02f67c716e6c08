// Proof on the GPU that no two features of a cluster touch unless they are incident: a warp for the cluster, a lane
// for each vertex, face and edge of the contour. Arithmetic and error bounds:
// methods/cluster/self_proof_kernel.inl.hpp.
#pragma once

#include "cuda/device_scene.cuh"
#include "cuda/warp.cuh"
#include "methods/cluster/cluster_bounds.hpp"
#include "methods/cluster/proofs_lane.hpp"

namespace graze::cuda {

using PlanePoint = methods::scalar::PlaneVector<float>;
using ContourBounds = methods::scalar::EdgeBounds<float>;

/// Shared memory of the proof: the vertices of the cluster in the plane of its normal, and the bounds of the edges
/// of its contour.
struct SelfProofSpace {
  PlanePoint plane[methods::kClusterVertices];
  ContourBounds edges[methods::kClusterVertices];
};

__device__ inline float along(const std::array<float, 3>& direction, const float* x) {
  return (direction[0] * x[0] + direction[1] * x[1]) + direction[2] * x[2];
}

__device__ inline PlanePoint from_to(const PlanePoint& p, const PlanePoint& q) {
  return {{q.x[0] - p.x[0], q.x[1] - p.x[1]}, {q.y[0] - p.y[0], q.y[1] - p.y[1]}};
}

/// Whether the edges of the contour that are not neighbours are separated.
__device__ inline bool contour_is_simple(const ClusterShape& shape, float off, SelfProofSpace& space) {
  const unsigned lane = lane_id();
  const unsigned count = shape.contour_count;
  ContourBounds own;
  if (lane < count) {
    own = methods::scalar::bounds_of_edge(space.plane[shape.contour[lane]], space.plane[shape.contour[lane + 1]],
                                          off);
    space.edges[lane] = own;
  }
  __syncwarp();
  bool simple = true;
  for (unsigned i = 0; i + 2 < count; ++i) {
    const unsigned past = i == 0 ? count - 1 : count;  // the last edge is a neighbour of the first
    if (lane < i + 2 || lane >= past) continue;
    const ContourBounds& other = space.edges[i];
    bool apart = false;
    for (int k = 0; k < 8; k += 2) {
      apart = apart || (own.hi[k] < other.lo[k] && own.hi[k + 1] < other.lo[k + 1]) ||
              (other.hi[k] < own.lo[k] && other.hi[k + 1] < own.lo[k + 1]);
    }
    simple = simple && apart;
  }
  return __all_sync(kAllLanes, simple);
}

/// Whether no two features of a cluster touch unless they are incident. `x`: this lane's vertex, as in VertexRow.
__device__ inline bool proved_free_of_self_collision(const ClusterShape& shape, const std::array<float, 3>& normal,
                                                     float error, float position_error, const float (&x)[6],
                                                     SelfProofSpace& space) {
  if (shape.contour_count == 0 || !(error < 1.0F)) return false;
  std::array<float, 3> u{};
  std::array<float, 3> v{};
  if (!methods::scalar::across(normal, u, v)) return false;
  const unsigned lane = lane_id();
  const float off = methods::kSlabErrors * error + 1.8F * position_error;
  PlanePoint point;
  for (int end = 0; end < 2; ++end) {
    point.x[end] = along(u, x + 3 * end);
    point.y[end] = along(v, x + 3 * end);
  }
  __syncwarp();
  space.plane[lane] = point;
  __syncwarp();
  const std::uint32_t word = shape.faces[lane];
  const PlanePoint& first = space.plane[word & 31U];
  methods::scalar::SureQuadratic<float> area = methods::scalar::cross(
      from_to(first, space.plane[word >> 8U & 31U]), from_to(first, space.plane[word >> 16U & 31U]), off);
  const float sign = (word & methods::kFlippedFace) != 0 ? -1.0F : 1.0F;
  const bool mirrored = __shfl_sync(kAllLanes, sign * area.c0, 0) < 0.0F;
  const float turn = mirrored ? -sign : sign;
  area.c0 *= turn;
  area.c1 *= turn;
  area.c2 *= turn;
  const bool right = lane >= shape.face_count || methods::scalar::is_positive<bool>(area);
  if (!__all_sync(kAllLanes, right)) return false;
  __syncwarp();
  // A mirrored plane has the same contour.
  return contour_is_simple(shape, off, space);
}

}  // namespace graze::cuda
