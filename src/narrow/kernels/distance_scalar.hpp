// Narrow phase: certified lower bounds of distances, scalar twin. Runs the operations of distance_kernel.inl.hpp on
// one pair of doubles. The SIMD kernel (narrow/kernels/pair_distance.cpp) runs the same operations in the same
// order, so both compute the same bits.
#pragma once

#include <array>
#include <cstddef>

#include <graze/types.hpp>

#include "narrow/kernels/triple_scalar.hpp"

namespace graze::narrow::scalar {

#define GRAZE_LANES GRAZE_HOST_DEVICE inline
#include "narrow/kernels/distance_kernel.inl.hpp"
#undef GRAZE_LANES

/// Computes the bound of pair_distances() (narrow/kernels/pair_distance.hpp) for one pair.
GRAZE_HOST_DEVICE inline float distance_bound(FeatureKind kind, const std::array<Vec3, 4>& points) {
  Corners<double> p;
  for (std::size_t i = 0; i < 4; ++i) p.at[i] = {{points[i].x, points[i].y, points[i].z}};
  return static_cast<float>(kind == FeatureKind::VertexFace ? distance_bound_vf(p) : distance_bound_ee(p));
}

}  // namespace graze::narrow::scalar
