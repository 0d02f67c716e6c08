// Positions in GPU memory as arguments: arrays of PyTorch, CuPy, JAX, Numba, Warp and others, by what these say of
// themselves. DLPack is asked first, which orders the work of both sides, then __cuda_array_interface__ (versions 2
// and 3). Arrays are viewed in place; nothing is converted, because no value must travel through the host.
//
// All functions need the GIL unless they say otherwise. They throw InputError, naming the argument. The classes
// need a GPU; is_on_gpu and is_step_on_gpu do not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include <graze/device.hpp>
#include <graze/types.hpp>

#include "dlpack.hpp"

namespace graze::python {

namespace py = pybind11;

/// Whether an argument is an array in GPU memory. Lists and arrays of numpy are not asked.
bool is_on_gpu(py::handle given);

/// Whether both positions of a step are in GPU memory. Throws InputError if one of them is.
bool is_step_on_gpu(py::handle x_t0, py::handle x_t1);

/// An argument of n x 3 doubles in GPU memory. Holds the array until it is destroyed, which needs the GIL.
class GpuPositions {
 public:
  /// `rows` is the number of rows that the array must have.
  GpuPositions(py::handle given, const std::string& name, std::size_t rows);
  GpuPositions(GpuPositions&&) noexcept = default;
  GpuPositions& operator=(GpuPositions&&) = delete;
  ~GpuPositions() = default;

  /// Throws InputError if the array says that it must not be changed.
  void require_writable() const;
  /// Whether the two arrays share memory.
  [[nodiscard]] bool overlaps(const GpuPositions& other) const;

  [[nodiscard]] Vec3* data() const { return data_; }
  [[nodiscard]] std::size_t count() const { return count_; }
  /// The stream whose work so far writes the array, as in DeviceStep; nothing if there is no such work.
  [[nodiscard]] std::optional<void*> stream() const { return stream_; }

 private:
  struct GiveBack {
    void operator()(dlpack::ManagedTensor* tensor) const {
      if (tensor->give_back != nullptr) tensor->give_back(tensor);
    }
  };
  /// What an array says of itself.
  struct Layout {
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides;  ///< in bytes; empty: contiguous
    std::string type;
    std::uint64_t address = 0;
  };

  Layout take_dlpack(py::handle given);
  Layout take_interface(py::handle given);
  void take(const Layout& layout, std::size_t rows);
  void require_current_gpu(const dlpack::Place& place) const;

  std::string name_;
  py::object held_;  ///< keeps the memory alive, unless tensor_ does
  std::unique_ptr<dlpack::ManagedTensor, GiveBack> tensor_;
  Vec3* data_ = nullptr;
  std::size_t count_ = 0;
  std::optional<void*> stream_;
  bool read_only_ = false;
};

/// Positions at both ends of a step, in GPU memory.
struct GpuStep {
  GpuStep(py::handle given_t0, py::handle given_t1, std::size_t rows);
  /// The view for queries, which wait for one stream: waits here for the other streams, also for that of an array
  /// that the query writes. Needs no GIL.
  [[nodiscard]] DeviceStep view(const GpuPositions* out = nullptr) const;

  GpuPositions x_t0;
  GpuPositions x_t1;
};

/// The view for a query of one instant. Needs no GIL.
[[nodiscard]] inline DevicePositions instant_of(const GpuPositions& x) {
  return {x.data(), x.count(), x.stream().value_or(nullptr)};
}

}  // namespace graze::python
