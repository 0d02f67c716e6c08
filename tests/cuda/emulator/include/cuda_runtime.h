// The part of CUDA that graze's sources for the GPU use, on the host: types, memory, streams and graphs, and the
// operations of threads, warps and blocks (emulator.hpp).
//
// Memory of the GPU is memory of the host, filled with a pattern so that what is read before it is written shows in
// results. A stream runs its work at once, unless a graph captures it.
#pragma once

#include <math.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>

#define __host__
#define __device__
#define __global__
#define __launch_bounds__(...)
#define __grid_constant__
#define __shared__ static  // blocks run one after the other

struct uint2 {
  unsigned x, y;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(8) float2 {
  float x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  dim3(unsigned width = 1) : x(width) {}  // NOLINT(google-explicit-constructor)
};
inline uint2 make_uint2(unsigned x, unsigned y) {
  return {x, y};
}
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) {
  return {x, y, z, w};
}

#include "emulator.hpp"
#include "memory.hpp"

inline const dim3& threadIdx = graze::emulator::thread_index;
inline const dim3& blockIdx = graze::emulator::block_index;
inline const dim3& blockDim = graze::emulator::block_size;
inline const dim3& gridDim = graze::emulator::grid_size;

// Minima and maxima of CUDA: a number wins against NaN, and -0 is below 0.
template <typename A, typename B>
constexpr std::common_type_t<A, B> min(A a, B b) {
  using T = std::common_type_t<A, B>;
  const T x = a;
  const T y = b;
  if constexpr (std::is_floating_point_v<T>) {
    if (x != x || y != y) return x != x ? y : x;
    if (x == y) return __builtin_signbit(x) ? x : y;
  }
  return x < y ? x : y;
}
template <typename A, typename B>
constexpr std::common_type_t<A, B> max(A a, B b) {
  using T = std::common_type_t<A, B>;
  const T x = a;
  const T y = b;
  if constexpr (std::is_floating_point_v<T>) {
    if (x != x || y != y) return x != x ? y : x;
    if (x == y) return __builtin_signbit(x) ? y : x;
  }
  return x < y ? y : x;
}

inline int __float_as_int(float x) {
  return std::bit_cast<int>(x);
}
inline float __int_as_float(int x) {
  return std::bit_cast<float>(x);
}
inline long long __double_as_longlong(double x) {
  return std::bit_cast<long long>(x);
}
inline double __longlong_as_double(long long x) {
  return std::bit_cast<double>(x);
}
inline int __popc(unsigned x) {
  return std::popcount(x);
}
inline int __clz(int x) {
  return std::countl_zero(static_cast<unsigned>(x));
}

// Threads take turns, so that plain operations are atomic.
template <typename T>
T atomicAdd(T* at, std::type_identity_t<T> by) {
  const T before = *at;
  *at = before + by;
  return before;
}
template <typename T>
T atomicMin(T* at, std::type_identity_t<T> with) {
  const T before = *at;
  if (with < before) *at = with;
  return before;
}
template <typename T>
T atomicMax(T* at, std::type_identity_t<T> with) {
  const T before = *at;
  if (before < with) *at = with;
  return before;
}
inline void __threadfence() {}
inline void __syncthreads() {
  graze::emulator::wait_for_block();
}

inline void __syncwarp(unsigned mask = 0xffffffffU) {
  graze::emulator::exchange(graze::emulator::Operation::Sync, mask, 0);
}
inline unsigned __ballot_sync(unsigned mask, bool yes) {
  const std::uint64_t* const all = graze::emulator::exchange(graze::emulator::Operation::Vote, mask, yes ? 1 : 0);
  unsigned lanes = 0;
  for (unsigned lane = 0; lane < 32; ++lane) lanes |= static_cast<unsigned>(all[lane]) << lane;
  return lanes;
}
inline int __any_sync(unsigned mask, bool yes) {
  return __ballot_sync(mask, yes) != 0 ? 1 : 0;
}
inline int __all_sync(unsigned mask, bool yes) {
  return __ballot_sync(mask, yes) == 0xffffffffU ? 1 : 0;
}
template <typename T>
T __shfl_sync(unsigned mask, T value, int lane) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  const std::uint64_t* const all =
      graze::emulator::exchange(graze::emulator::Operation::Shuffle, mask, std::bit_cast<Bits>(value));
  return std::bit_cast<T>(static_cast<Bits>(all[lane & 31]));
}
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int with) {
  return __shfl_sync(mask, value, static_cast<int>(graze::emulator::thread_index.x & 31U) ^ with);
}
template <typename T>
T __reduce_min_sync(unsigned mask, T value) {
  const std::uint64_t* const all =
      graze::emulator::exchange(graze::emulator::Operation::Reduce, mask, static_cast<std::uint32_t>(value));
  for (unsigned lane = 0; lane < 32; ++lane)
    value = min(value, static_cast<T>(static_cast<std::uint32_t>(all[lane])));
  return value;
}
template <typename T>
T __reduce_max_sync(unsigned mask, T value) {
  const std::uint64_t* const all =
      graze::emulator::exchange(graze::emulator::Operation::Reduce, mask, static_cast<std::uint32_t>(value));
  for (unsigned lane = 0; lane < 32; ++lane)
    value = max(value, static_cast<T>(static_cast<std::uint32_t>(all[lane])));
  return value;
}

// The runtime.
enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInsufficientDriver = 35
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum cudaStreamCaptureMode { cudaStreamCaptureModeThreadLocal };
enum cudaDeviceAttr { cudaDevAttrMultiProcessorCount };
inline constexpr unsigned cudaStreamNonBlocking = 1;
inline constexpr unsigned cudaEventDefault = 0;
inline constexpr unsigned cudaEventDisableTiming = 2;
inline constexpr unsigned cudaEventRecordDefault = 0;
inline constexpr unsigned cudaEventRecordExternal = 1;
struct cudaFuncAttributes {};
using cudaStream_t = graze::emulator::Stream*;
using cudaEvent_t = graze::emulator::Event*;
using cudaGraph_t = graze::emulator::Graph*;
using cudaGraphExec_t = graze::emulator::Graph*;

inline const char* cudaGetErrorString(cudaError_t status) {
  return status == cudaSuccess                 ? "no error"
         : status == cudaErrorMemoryAllocation ? "out of memory"
                                               : "invalid argument";
}
inline cudaError_t cudaDriverGetVersion(int* version) {
  *version = 0;
  return cudaSuccess;
}
inline cudaError_t cudaGetLastError() {
  return cudaSuccess;
}
inline cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
inline cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) {
  *value = 2;
  return cudaSuccess;
}
inline cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *total = std::size_t{1} << 40U;
  *free = *total - graze::emulator::allocated_bytes();
  return cudaSuccess;
}
template <typename Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes*, Kernel*) {
  return cudaSuccess;
}

template <typename T>
cudaError_t cudaMalloc(T** to, std::size_t bytes) {
  *to = static_cast<T*>(graze::emulator::allocate(bytes));
  return *to == nullptr && bytes > 0 ? cudaErrorMemoryAllocation : cudaSuccess;
}
inline cudaError_t cudaFree(void* from) {
  graze::emulator::release(from);
  return cudaSuccess;
}
template <typename T>
cudaError_t cudaMallocHost(T** to, std::size_t bytes) {
  return cudaMalloc(to, bytes);
}
inline cudaError_t cudaFreeHost(void* from) {
  return cudaFree(from);
}

inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind,
                                   cudaStream_t stream = nullptr) {
  graze::emulator::enqueue_copy(stream, to, from, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return cudaMemcpyAsync(to, from, bytes, kind);
}
inline cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream = nullptr) {
  graze::emulator::enqueue_fill(stream, to, value, bytes);
  return cudaSuccess;
}

inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = new graze::emulator::Stream;
  return cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete stream;
  return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return cudaSuccess;
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  if (event->capture == nullptr || stream->capture == event->capture) return cudaSuccess;
  stream->capture = event->capture;
  event->capture->joined.push_back(stream);
  return cudaSuccess;
}
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  *event = new graze::emulator::Event;
  (*event)->has_time = flags != cudaEventDisableTiming;
  return cudaSuccess;
}
inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return graze::emulator::record(stream, event, false) ? cudaSuccess : cudaErrorInvalidValue;
}
inline cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  const bool in_graph = flags == cudaEventRecordExternal;
  return graze::emulator::record(stream, event, in_graph) ? cudaSuccess : cudaErrorInvalidValue;
}
inline cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t first, cudaEvent_t second) {
  return graze::emulator::elapsed(*first, *second, *ms) ? cudaSuccess : cudaErrorInvalidValue;
}

inline cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  stream->capture = new graze::emulator::Graph;
  return cudaSuccess;
}
inline cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  *graph = stream->capture;
  stream->capture = nullptr;
  for (graze::emulator::Stream* const joined : (*graph)->joined) joined->capture = nullptr;
  return cudaSuccess;
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  *exec = new graze::emulator::Graph(*graph);
  return cudaSuccess;
}
inline cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t) {
  for (const auto& work : graph->work) work();
  return cudaSuccess;
}
inline cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
  delete graph;
  return cudaSuccess;
}
