// An array in GPU memory, as a user of CUDA makes it.
#pragma once

#include <stdexcept>
#include <vector>

#include <cuda_runtime.h>

namespace graze::testing {

inline void expect_success(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(const std::vector<T>& from) {
    expect_success(cudaMalloc(&data_, from.size() * sizeof(T)));
    set(from);
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  void set(const std::vector<T>& from) const {
    expect_success(cudaMemcpy(data_, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  [[nodiscard]] std::vector<T> get(std::size_t count) const {
    std::vector<T> all(count);
    expect_success(cudaMemcpy(all.data(), data_, count * sizeof(T), cudaMemcpyDeviceToHost));
    return all;
  }
  [[nodiscard]] T* data() const { return static_cast<T*>(data_); }

 private:
  void* data_ = nullptr;
};

}  // namespace graze::testing
