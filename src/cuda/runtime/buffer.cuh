// Arrays in the memory of the GPU, and arrays of the host that the GPU can read and write directly (pinned memory).
//
// Arrays only grow: a query in the steady state allocates nothing. All of them report to one Usage, which knows how
// much GPU memory a method holds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include <cuda_runtime.h>

#include "cuda/runtime/error.cuh"

namespace graze::cuda {

/// Bytes of GPU memory that a method holds.
struct Usage {
  std::size_t bytes = 0;
};

/// Array in GPU memory. Growing it discards its content.
template <typename T>
class DeviceBuffer {
 public:
  explicit DeviceBuffer(Usage& usage) : usage_(&usage) {}
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  ~DeviceBuffer() { release(); }

  /// Makes room for at least `count` elements, with a reserve of an eighth. Throws ResourceError if there is no
  /// memory; the array is then empty.
  void reserve(std::size_t count, const char* what) {
    if (count <= capacity_) return;
    release();
    const std::size_t wanted = count + count / 8 + 32;
    check(cudaMalloc(&data_, wanted * sizeof(T)), what);
    capacity_ = wanted;
    usage_->bytes += wanted * sizeof(T);
  }
  void release() {
    if (data_ == nullptr) return;
    cudaFree(data_);
    usage_->bytes -= capacity_ * sizeof(T);
    data_ = nullptr;
    capacity_ = 0;
  }

  [[nodiscard]] T* data() const { return static_cast<T*>(data_); }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

 private:
  Usage* usage_;
  void* data_ = nullptr;
  std::size_t capacity_ = 0;
};

/// Array in pinned host memory. Growing it discards its content.
template <typename T>
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  PinnedBuffer(const PinnedBuffer&) = delete;
  PinnedBuffer& operator=(const PinnedBuffer&) = delete;
  ~PinnedBuffer() { release(); }

  void reserve(std::size_t count, const char* what) {
    if (count <= capacity_) return;
    release();
    const std::size_t wanted = count + count / 8 + 32;
    check(cudaMallocHost(&data_, wanted * sizeof(T)), what);
    capacity_ = wanted;
  }
  void release() {
    if (data_ != nullptr) cudaFreeHost(data_);
    data_ = nullptr;
    capacity_ = 0;
  }

  [[nodiscard]] T* data() const { return static_cast<T*>(data_); }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] std::span<T> first(std::size_t count) const { return {data(), count}; }

 private:
  void* data_ = nullptr;
  std::size_t capacity_ = 0;
};

}  // namespace graze::cuda
