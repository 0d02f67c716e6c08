// Queries of a detector for positions in GPU memory (graze/detector.hpp). All need the GIL, and release it while
// the query runs. They throw InputError, naming the array, for arrays and detectors that do not fit.
#pragma once

#include <memory>

#include <pybind11/pybind11.h>

#include "device_results.hpp"
#include "objects.hpp"

namespace graze::python {

/// Throws InputError, naming the array, if a detector or batch does not run on a GPU.
void require_on_gpu(const QueryRunner& self, const char* name);

std::shared_ptr<GpuImpactRows> gpu_impacts(const std::shared_ptr<NamedDetector>& self, py::handle x_t0,
                                           py::handle x_t1);
std::shared_ptr<FirstRow> gpu_first_impact(NamedDetector& self, py::handle x_t0, py::handle x_t1);
/// `out`: None, or an array in GPU memory that the safe positions are written to.
std::shared_ptr<SafeRow> gpu_safe_step(NamedDetector& self, py::handle x_t0, py::handle x_t1,
                                       const SafeStepOptions& options, const py::object& out);
std::shared_ptr<IntersectionRows> gpu_intersections(NamedDetector& self, py::handle x,
                                                    const IntersectionOptions& options);
std::shared_ptr<ProximityRows> gpu_proximities(NamedDetector& self, py::handle x, double d);

/// Throws InputError unless the sink is None.
void require_no_sink(py::handle sink);

}  // namespace graze::python
