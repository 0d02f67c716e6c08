// Queries for positions in GPU memory (detector_device.hpp). Impacts stay there; other results are on the host.
#include "detector_device.hpp"

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <graze/error.hpp>

namespace graze::python {

namespace {

GpuStep step_of(const NamedDetector& self, py::handle x_t0, py::handle x_t1) {
  require_on_gpu(self, "x_t0");
  return {x_t0, x_t1, self.detector.scene().vertex_count()};
}

GpuPositions instant_argument(const NamedDetector& self, py::handle x) {
  require_on_gpu(self, "x");
  return {x, "x", self.detector.scene().vertex_count()};
}

/// The array that the safe positions are written to; nothing for None.
std::optional<GpuPositions> target_of(const py::object& out, std::size_t rows) {
  if (out.is_none()) return std::nullopt;
  if (!is_on_gpu(out)) throw InputError("out is not in GPU memory, x_t0 and x_t1 are");
  GpuPositions target(out, "out", rows);
  target.require_writable();
  return target;
}

/// The contact point of an impact, from the positions of its four vertices alone. Needs no GIL.
Vec3 contact_point_on_gpu(Impact impact, const DeviceStep& x) {
  std::array<Vec3, 4> x_t0;
  std::array<Vec3, 4> x_t1;
  for (VertexId i = 0; i < 4; ++i) {
    const VertexId vertex = std::exchange(impact.pair.vertices[i], i);
    x_t0[i] = copy_to_host(DevicePositions{x.x_t0 + vertex, 1, x.stream}).front();
    x_t1[i] = copy_to_host(DevicePositions{x.x_t1 + vertex, 1, x.stream}).front();
  }
  return contact_point(impact, x_t0, x_t1);
}

/// The impacts of a result have contact points, which are those of the positions before the query. Needs no GIL.
class ContactPositions {
 public:
  /// `changes`: the query writes to the positions, which are copied before.
  ContactPositions(const DeviceStep& x, bool changes) : x_(x), copied_(changes) {
    if (!changes) return;
    x_t0_ = copy_to_host(DevicePositions{x.x_t0, x.count, x.stream});
    x_t1_ = copy_to_host(DevicePositions{x.x_t1, x.count, x.stream});
  }

  /// The row of an impact, if there is one.
  [[nodiscard]] std::optional<ImpactRow> row_of(const std::optional<Impact>& impact,
                                                const ContextPointer& context) const {
    if (!impact) return std::nullopt;
    const Vec3 point = copied_ ? contact_point(*impact, x_t0_, x_t1_) : contact_point_on_gpu(*impact, x_);
    return ImpactRow{*impact, point, context};
  }

 private:
  DeviceStep x_;
  bool copied_;
  std::vector<Vec3> x_t0_;
  std::vector<Vec3> x_t1_;
};

/// Positions of one instant that a query has copied to the host, as an array for its result.
py::array array_of(std::vector<Vec3>&& x) {
  return read_only(positions_array(std::move(x)));
}

}  // namespace

void require_on_gpu(const QueryRunner& self, const char* name) {
  const DetectorOptions& options = self.options;
  if (options.device == Device::Cuda) return;
  if (options.device == Device::Auto && options.method == Method::Auto && why_no_cuda().empty()) return;
  throw InputError(fmt::format(
      "{} is in GPU memory, {} runs on the CPU: make it with device=\"cuda\", or pass arrays in host memory", name,
      self.what));
}

std::shared_ptr<GpuImpactRows> gpu_impacts(const std::shared_ptr<NamedDetector>& self, py::handle x_t0,
                                           py::handle x_t1) {
  auto x = std::make_shared<const GpuStep>(step_of(*self, x_t0, x_t1));
  DeviceImpacts found = self->run([&] { return self->detector.impacts(x->view()); });
  return std::make_shared<GpuImpactRows>(
      GpuImpactRows{std::make_shared<const GpuImpacts>(self, found.impacts, found.count), found.stats, std::move(x),
                    context_of(*self)});
}

std::shared_ptr<FirstRow> gpu_first_impact(NamedDetector& self, py::handle x_t0, py::handle x_t1) {
  const GpuStep x = step_of(self, x_t0, x_t1);
  const ContextPointer context = context_of(self);
  auto row = std::make_shared<FirstRow>();
  row->context = context;
  self.run([&] {
    const DeviceStep step = x.view();
    const FirstImpact first = self.detector.first_impact(step);
    row->toi = first.toi;
    row->stats = first.stats;
    row->impact = ContactPositions(step, false).row_of(first.impact, context);
  });
  return row;
}

std::shared_ptr<SafeRow> gpu_safe_step(NamedDetector& self, py::handle x_t0, py::handle x_t1,
                                       const SafeStepOptions& options, const py::object& out) {
  const GpuStep x = step_of(self, x_t0, x_t1);
  const std::optional<GpuPositions> target = target_of(out, x.x_t0.count());
  const bool in_place = target && (target->overlaps(x.x_t0) || target->overlaps(x.x_t1));
  const ContextPointer context = context_of(self);
  auto row = std::make_shared<SafeRow>();
  row->context = context;
  std::vector<Vec3> positions;
  self.run([&] {
    const DeviceStep step = x.view(target ? &*target : nullptr);
    const ContactPositions before(step, in_place);
    SafeStep safe = self.detector.safe_step(step, target ? target->data() : nullptr, options);
    row->step = safe.step;
    row->stats = safe.stats;
    row->limit = before.row_of(safe.limit, context);
    positions = std::move(safe.positions);
  });
  row->positions = target ? out : positions_array(std::move(positions));
  return row;
}

std::shared_ptr<IntersectionRows> gpu_intersections(NamedDetector& self, py::handle given,
                                                    const IntersectionOptions& options) {
  const GpuPositions x = instant_argument(self, given);
  std::vector<Vec3> copied;
  Intersections found = self.run([&] {
    Intersections all = self.detector.intersections(instant_of(x), options);
    copied = copy_to_host(instant_of(x));
    return all;
  });
  return std::make_shared<IntersectionRows>(
      IntersectionRows{std::move(found), options.overlaps, context_of(self, array_of(std::move(copied)))});
}

std::shared_ptr<ProximityRows> gpu_proximities(NamedDetector& self, py::handle given, double d) {
  const GpuPositions x = instant_argument(self, given);
  std::vector<Vec3> copied;
  auto rows = std::make_shared<ProximityRows>(self.run([&] {
    Proximities found = self.detector.proximities(instant_of(x), d);
    copied = copy_to_host(instant_of(x));
    return proximity_rows(std::move(found.proximities), copied, found.stats, nullptr);
  }));
  rows->context = context_of(self, array_of(std::move(copied)));
  return rows;
}

void require_no_sink(py::handle sink) {
  if (!sink.is_none())
    throw InputError("sink: a query of positions in GPU memory does not pass results on in batches");
}

}  // namespace graze::python
