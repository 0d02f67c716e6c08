// Results in GPU memory. The memory is that of the detector or batch that found them, and valid until its next
// query: results keep their owner alive, and refuse to be read after that query.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>

#include <graze/device.hpp>
#include <graze/results.hpp>

#include "device_arrays.hpp"
#include "impact_columns.hpp"
#include "objects.hpp"

namespace graze::python {

/// Impacts in GPU memory, and what they are valid for. All functions need the GIL.
class GpuImpacts {
 public:
  /// Impacts of the latest query of their owner.
  GpuImpacts(std::shared_ptr<QueryRunner> owner, const Impact* impacts, std::size_t count)
      : owner_(std::move(owner)), query_(owner_->queries), impacts_(impacts), count_(count), gpu_(current_gpu()) {}

  [[nodiscard]] std::size_t count() const { return count_; }
  /// The number of the GPU.
  [[nodiscard]] int gpu() const { return gpu_; }
  /// The address of the impacts. Throws Error if the owner has answered another query since.
  [[nodiscard]] const Impact* data() const;
  /// Copies the impacts to the host. Throws as data() does.
  [[nodiscard]] std::vector<Impact> to_host() const;

 private:
  std::shared_ptr<QueryRunner> owner_;
  std::uint64_t query_;
  const Impact* impacts_;
  std::size_t count_;
  int gpu_;
};
using GpuImpactsPointer = std::shared_ptr<const GpuImpacts>;

/// Positions at both ends of a step, copied from GPU memory to read-only arrays of numpy.
struct CopiedStep {
  explicit CopiedStep(const GpuStep& x);
  [[nodiscard]] std::span<const Vec3> t0() const { return span_of(x_t0); }
  [[nodiscard]] std::span<const Vec3> t1() const { return span_of(x_t1); }

  py::array x_t0;
  py::array x_t1;

 private:
  static std::span<const Vec3> span_of(const py::array& x) {
    return {static_cast<const Vec3*>(x.data()), static_cast<std::size_t>(x.shape(0))};
  }
};

/// graze.DeviceColumn: one column of impacts in GPU memory.
struct GpuColumn {
  GpuImpactsPointer impacts;
  const ImpactColumn* column;
};

/// graze.DeviceImpacts.
struct GpuImpactRows {
  GpuImpactsPointer impacts;
  Stats stats;
  std::shared_ptr<const GpuStep> x;  ///< positions of the query, for contact points
  ContextPointer context;
};

/// Defines the columns of a result in GPU memory, whose member `impacts` has the impacts.
template <typename Rows>
void def_gpu_columns(py::class_<Rows, std::shared_ptr<Rows>>& bound) {
  for (const ImpactColumn& column : kImpactColumns) {
    bound.def_property_readonly(
        column.name,
        [&column](const Rows& self) {
          static_cast<void>(self.impacts->data());
          return GpuColumn{self.impacts, &column};
        },
        column.text);
  }
}

}  // namespace graze::python
