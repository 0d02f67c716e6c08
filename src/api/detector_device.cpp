// Queries of positions in GPU memory (graze/detector.hpp). Those that the host decides copy the positions first.
#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <graze/detector.hpp>
#include <graze/error.hpp>

#include "api/detector_state.hpp"
#include "query/device_queries.hpp"

namespace graze {

using query::DeviceQueries;

namespace {

DeviceQueries& device_queries(query::ContactMethod& method) {
  DeviceQueries* const queries = method.device_queries();
  if (queries == nullptr) throw InputError("positions in GPU memory need a detector with device cuda");
  return *queries;
}

void check_array(const Scene& scene, const Vec3* x, std::size_t count, const char* name) {
  if (count != scene.vertex_count()) {
    throw InputError(
        fmt::format("{} has {} positions, the scene has {} vertices", name, count, scene.vertex_count()));
  }
  if (x == nullptr && count > 0) throw InputError(fmt::format("{} is a null pointer", name));
}

void check_step(const Scene& scene, const DeviceStep& x) {
  check_array(scene, x.x_t0, x.count, "x_t0");
  check_array(scene, x.x_t1, x.count, "x_t1");
}

}  // namespace

DeviceImpacts Detector::impacts(const DeviceStep& x) {
  DeviceQueries& device = device_queries(*state_->method);
  return state_->run<DeviceImpacts>([&] { check_step(state_->scene, x); },
                                    [&] { return device.impacts(state_->query(), x); });
}

FirstImpact Detector::first_impact(const DeviceStep& x) {
  DeviceQueries& device = device_queries(*state_->method);
  return state_->run<FirstImpact>([&] { check_step(state_->scene, x); },
                                  [&] { return device.first_impact(state_->query(), x); });
}

SafeStep Detector::safe_step(const DeviceStep& x, Vec3* positions, const SafeStepOptions& options) {
  DeviceQueries& device = device_queries(*state_->method);
  check_step(state_->scene, x);
  const std::vector<Vec3> x_t0 = device.copy_to_host(x.x_t0, x.count, x.stream);
  const std::vector<Vec3> x_t1 = device.copy_to_host(x.x_t1, x.count, x.stream);
  SafeStep step = safe_step(x_t0, x_t1, options);
  if (positions != nullptr) device.copy_from_host(step.positions, positions, x.stream);
  return step;
}

Intersections Detector::intersections(const DevicePositions& x, const IntersectionOptions& options) {
  DeviceQueries& device = device_queries(*state_->method);
  check_array(state_->scene, x.x, x.count, "x");
  return intersections(device.copy_to_host(x.x, x.count, x.stream), options);
}

Proximities Detector::proximities(const DevicePositions& x, double d) {
  DeviceQueries& device = device_queries(*state_->method);
  check_array(state_->scene, x.x, x.count, "x");
  return proximities(device.copy_to_host(x.x, x.count, x.stream), d);
}

}  // namespace graze
