// Operations of the 32 threads of a warp: minima, maxima, and places in a common list.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

namespace graze::cuda {

inline constexpr unsigned kWarp = 32;
inline constexpr unsigned kAllLanes = 0xffffffffU;

__device__ inline unsigned lane_id() {
  return threadIdx.x & (kWarp - 1);
}
__device__ inline unsigned lanes_below() {
  return (1U << lane_id()) - 1U;
}

/// Integers in the order of the floats that they stand for; -0 is below 0.
__device__ inline int ordered(float x) {
  const int bits = __float_as_int(x);
  return bits ^ ((bits >> 31) & 0x7fffffff);
}
__device__ inline float from_ordered(int x) {
  return __int_as_float(x ^ ((x >> 31) & 0x7fffffff));
}

__device__ inline float warp_min(float x) {
  return from_ordered(__reduce_min_sync(kAllLanes, ordered(x)));
}
__device__ inline float warp_max(float x) {
  return from_ordered(__reduce_max_sync(kAllLanes, ordered(x)));
}
__device__ inline double warp_min(double x) {
  for (unsigned step = kWarp / 2; step > 0; step /= 2) x = min(x, __shfl_xor_sync(kAllLanes, x, step));
  return x;
}
__device__ inline double warp_max(double x) {
  for (unsigned step = kWarp / 2; step > 0; step /= 2) x = max(x, __shfl_xor_sync(kAllLanes, x, step));
  return x;
}

/// Reserves a place in a global list for each lane with `wanted`, with one atomic operation; returns the place of
/// this lane. All lanes of the warp call it.
__device__ inline std::uint32_t warp_append(bool wanted, std::uint32_t* count) {
  const unsigned lanes = __ballot_sync(kAllLanes, wanted);
  std::uint32_t base = 0;
  if (lanes != 0) {
    if (lane_id() == 0) base = atomicAdd(count, static_cast<std::uint32_t>(__popc(lanes)));
    base = __shfl_sync(kAllLanes, base, 0);
  }
  return base + static_cast<std::uint32_t>(__popc(lanes & lanes_below()));
}

}  // namespace graze::cuda
