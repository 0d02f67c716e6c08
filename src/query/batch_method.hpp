// The interface (seam) between a batch of scenes (graze/detector_batch.hpp) and a method that treats all of them in
// one query. Methods without one answer scene by scene.
#pragma once

#include <cstddef>

#include <graze/detector_batch.hpp>
#include <graze/device.hpp>

#include "query/query.hpp"

namespace graze::query {

/// Preconditions of all queries: positions of all scenes' vertices, scene after scene. A query throws InputError
/// for positions that a query of a single scene refuses; the message begins with "scene N: ".
class BatchMethod {
 public:
  BatchMethod() = default;
  BatchMethod(const BatchMethod&) = delete;
  BatchMethod& operator=(const BatchMethod&) = delete;
  virtual ~BatchMethod() = default;

  virtual BatchImpacts impacts(const DetectorOptions& options, const StepPositions& x) = 0;
  virtual DeviceBatchImpacts impacts(const DetectorOptions& options, const DeviceStep& x) = 0;
  /// Bytes of the structures that are kept between queries.
  [[nodiscard]] virtual std::size_t memory_bytes() const = 0;
};

}  // namespace graze::query
