// Errors of the CUDA runtime as exceptions of graze.
#pragma once

#include <string>

#include <cuda_runtime.h>

#include <graze/error.hpp>

namespace graze::cuda {

/// Throws ResourceError if a call of the CUDA runtime failed. `what`: what the call was for, "copy positions".
inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  if (status == cudaErrorMemoryAllocation) static_cast<void>(cudaGetLastError());  // not sticky: later calls work
  throw ResourceError(std::string("GPU: ") + what + ": " + cudaGetErrorString(status));
}

/// Throws ResourceError if the last kernel launch failed.
inline void check_launch(const char* what) {
  check(cudaGetLastError(), what);
}

}  // namespace graze::cuda
