// Queries of positions in GPU memory: the part of a method on a GPU that methods on the host do not have
// (query/contact_method.hpp).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <graze/device.hpp>
#include <graze/results.hpp>
#include <graze/types.hpp>

#include "query/query.hpp"

namespace graze::query {

/// Preconditions of all queries: those of ContactMethod, except that positions are not checked but for their
/// number. A query throws InputError for positions that a query on the host refuses.
class DeviceQueries {
 public:
  DeviceQueries() = default;
  DeviceQueries(const DeviceQueries&) = delete;
  DeviceQueries& operator=(const DeviceQueries&) = delete;
  virtual ~DeviceQueries() = default;

  virtual DeviceImpacts impacts(const QueryContext& query, const DeviceStep& x) = 0;
  virtual FirstImpact first_impact(const QueryContext& query, const DeviceStep& x) = 0;
  /// Copies positions from GPU memory, after the work of a stream.
  [[nodiscard]] virtual std::vector<Vec3> copy_to_host(const Vec3* x, std::size_t count, void* stream) = 0;
  /// Copies positions to GPU memory, after the work of a stream.
  virtual void copy_from_host(std::span<const Vec3> x, Vec3* to, void* stream) = 0;
};

}  // namespace graze::query
