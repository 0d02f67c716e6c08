// See gpu.hpp.
#include "cuda/runtime/gpu.hpp"

#include <cuda_runtime.h>

#include "cuda/runtime/error.cuh"

namespace graze::cuda {

namespace {

__global__ void probe() {}

std::string find_out() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  int driver = 0;
  if (status == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0)
    return "no driver for a GPU of NVIDIA";
  if (status != cudaSuccess) return cudaGetErrorString(status);
  if (count == 0) return "no CUDA device";
  // Fails if the code was compiled for other architectures.
  cudaFuncAttributes attributes;
  const cudaError_t usable = cudaFuncGetAttributes(&attributes, probe);
  static_cast<void>(cudaGetLastError());
  return usable == cudaSuccess ? std::string() : std::string(cudaGetErrorString(usable));
}

}  // namespace

const std::string& why_no_gpu() {
  static const std::string why = find_out();
  return why;
}

void copy_to_host(const Impact* from, std::span<Impact> to) {
  check(cudaMemcpy(to.data(), from, to.size_bytes(), cudaMemcpyDeviceToHost), "copy impacts");
}

void copy_to_host(const Vec3* from, std::span<Vec3> to, void* stream) {
  check(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)), "copy positions");
  check(cudaMemcpy(to.data(), from, to.size_bytes(), cudaMemcpyDeviceToHost), "copy positions");
}

int current_device() {
  int device = 0;
  check(cudaGetDevice(&device), "current device");
  return device;
}

}  // namespace graze::cuda
