// graze.DetectorBatch and its results, in host memory and in GPU memory. Vertices of all scenes are numbered
// through, scene after scene; a result of one scene has that scene's own vertex ids.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>

#include <graze/detector_batch.hpp>

#include "device_results.hpp"
#include "objects.hpp"

namespace graze::python {

/// What results of a batch refer to.
struct BatchScenes {
  std::vector<NamedScene> scenes;
  std::vector<std::size_t> first_vertices;  ///< by scene; then the number of all vertices
  double thickness = 0.0;
  double tolerance = 1e-6;
};
using BatchScenesPointer = std::shared_ptr<const BatchScenes>;

/// graze.DetectorBatch.
struct NamedBatch : QueryRunner {
  NamedBatch(std::vector<NamedScene>&& given, DetectorOptions chosen, py::object progress);

  DetectorBatch batch;
  BatchScenesPointer scenes;
};

/// graze.BatchImpacts: rows with their contact points.
struct BatchRows {
  BatchImpacts found;
  std::vector<Vec3> points;
  BatchScenesPointer scenes;
  py::object x_t0;  ///< arrays of the query, with positions of all scenes
  py::object x_t1;
};

/// graze.DeviceBatchImpacts.
struct GpuBatchRows {
  GpuImpactsPointer impacts;
  std::vector<std::size_t> begins;  ///< as in BatchImpacts
  Stats stats;
  std::shared_ptr<const GpuStep> x;  ///< positions of the query, for contact points
  BatchScenesPointer scenes;
};

/// Throws IndexError unless there is a scene with this number.
std::size_t scene_of(py::handle given, const BatchScenes& scenes);
/// A pair with vertex ids of its scene, from one with vertex ids of the batch.
FeaturePair own_pair(FeaturePair pair, std::size_t first_vertex);
/// Results with their contact points. Needs no GIL, but for the arguments' copies.
std::shared_ptr<BatchRows> batch_rows(BatchImpacts&& found, py::array x_t0, py::array x_t1,
                                      BatchScenesPointer scenes);

void bind_batch_results(py::module_& module);

}  // namespace graze::python
