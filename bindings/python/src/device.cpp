// graze/device.hpp in Python: names of devices, and impacts in GPU memory, whose columns are arrays for every
// library that knows __cuda_array_interface__ or DLPack.
#include <graze/device.hpp>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bind.hpp"
#include "device_results.hpp"

namespace graze::python {

const Impact* GpuImpacts::data() const {
  if (owner_->queries != query_) {
    throw Error(
        fmt::format("these impacts were valid until the next query of {}, which has been made: use them, copy "
                    "them or call to_host() before it",
                    owner_->what));
  }
  return impacts_;
}

std::vector<Impact> GpuImpacts::to_host() const {
  const DeviceImpacts impacts{data(), count_, {}};
  const BusyMark busy = owner_->begin();
  const GilReleased released;
  return copy_to_host(impacts);
}

namespace {

/// The stream of the array may have been destroyed since the query, which has waited for it: it is not used again.
py::array copy_of(const GpuPositions& x) {
  std::vector<Vec3> copied = [&x] {
    const GilReleased released;
    return copy_to_host(DevicePositions{x.data(), x.count(), nullptr});
  }();
  return read_only(positions_array(std::move(copied)));
}

}  // namespace

CopiedStep::CopiedStep(const GpuStep& x) : x_t0(copy_of(x.x_t0)), x_t1(copy_of(x.x_t1)) {}

namespace {

py::tuple tuple_of(const std::vector<std::int64_t>& values) {
  py::tuple all(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) all[i] = py::int_(values[i]);
  return all;
}

/// Version 3. Nothing has to be waited for: queries return when their results are there. The array is not marked as
/// read-only, because PyTorch takes no such arrays.
py::dict cuda_array_interface(const GpuColumn& self) {
  const Impact* const impacts = self.impacts->data();
  const std::size_t rows = self.impacts->count();
  const auto address = rows == 0 ? 0 : reinterpret_cast<std::uintptr_t>(self.column->first(impacts));
  py::dict interface;
  interface["shape"] = tuple_of(self.column->shape(rows));
  interface["typestr"] = self.column->type;
  interface["data"] = py::make_tuple(address, false);
  interface["strides"] = tuple_of(self.column->strides());
  interface["stream"] = py::none();
  interface["version"] = 3;
  return interface;
}

/// An array that DLPack hands to another library, and what keeps its memory.
struct Exported {
  explicit Exported(const GpuColumn& given)
      : impacts(given.impacts), shape(given.column->shape(impacts->count())), strides(given.column->strides()) {
    const ImpactColumn& column = *given.column;
    for (std::int64_t& stride : strides) stride /= static_cast<std::int64_t>(column.item);
    const char kind = column.type[1];
    const Impact* const first = impacts->data();
    managed.tensor = {.data = impacts->count() == 0 ? nullptr : const_cast<void*>(column.first(first)),
                      .place = {dlpack::kCuda, impacts->gpu()},
                      .dimensions = static_cast<std::int32_t>(shape.size()),
                      .type = {kind == 'f'   ? dlpack::kFloat
                               : kind == 'i' ? dlpack::kInt
                                             : dlpack::kUnsigned,
                               static_cast<std::uint8_t>(8 * column.item), 1},
                      .shape = shape.data(),
                      .strides = strides.data(),
                      .byte_offset = 0};
    managed.context = this;
    managed.give_back = &give_back;
  }

  /// Libraries call this on any thread, with the GIL or without, and also while the interpreter ends.
  static void give_back(dlpack::ManagedTensor* tensor) {
    if (Py_IsInitialized() == 0) return;
    const GilHeld gil;
    delete static_cast<Exported*>(tensor->context);
  }

  GpuImpactsPointer impacts;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  ///< in values
  dlpack::ManagedTensor managed{};
};

/// Gives back the array of a capsule that nobody took.
void drop_capsule(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, dlpack::kName) == 0) return;
  Exported::give_back(static_cast<dlpack::ManagedTensor*>(PyCapsule_GetPointer(capsule, dlpack::kName)));
}

/// A capsule of the first version of DLPack, which every later one may be answered with.
py::object to_dlpack(const GpuColumn& self, py::handle, py::handle, py::handle device, py::handle copy) {
  const py::tuple own = py::make_tuple(dlpack::kCuda, self.impacts->gpu());
  if (!device.is_none() && !py::tuple(py::reinterpret_borrow<py::object>(device)).equal(own)) {
    throw py::buffer_error("columns of DeviceImpacts do not leave the memory of their GPU: call to_host()");
  }
  if (!copy.is_none() && py::bool_(py::reinterpret_borrow<py::object>(copy))) {
    throw py::buffer_error("columns of DeviceImpacts are not copied: copy the array that they become");
  }
  auto exported = std::make_unique<Exported>(self);
  PyObject* const capsule = PyCapsule_New(&exported->managed, dlpack::kName, &drop_capsule);
  if (capsule == nullptr) throw py::error_already_set();
  static_cast<void>(exported.release());
  return py::reinterpret_steal<py::object>(capsule);
}

void bind_column(py::module_& module) {
  py::class_<GpuColumn>(module, "DeviceColumn", "A column of impacts in GPU memory.")
      .def("__len__", [](const GpuColumn& self) { return self.impacts->count(); })
      .def_property_readonly(
          "shape", [](const GpuColumn& self) { return tuple_of(self.column->shape(self.impacts->count())); })
      .def_property_readonly("dtype", [](const GpuColumn& self) { return py::dtype(self.column->type); })
      .def_property_readonly("__cuda_array_interface__", &cuda_array_interface)
      .def("__dlpack__", &to_dlpack, py::kw_only(), py::arg("stream") = py::none(),
           py::arg("max_version") = py::none(), py::arg("dl_device") = py::none(), py::arg("copy") = py::none())
      .def("__dlpack_device__",
           [](const GpuColumn& self) { return py::make_tuple(dlpack::kCuda, self.impacts->gpu()); })
      .def("__array__",
           [](const GpuColumn& self, const py::args&, const py::kwargs&) -> py::object {
             throw py::type_error(
                 fmt::format("{} is in GPU memory: call to_host() of the result", self.column->name));
           })
      .def("__repr__", [](const GpuColumn& self) {
        return fmt::format("DeviceColumn({}, {} rows)", self.column->name, self.impacts->count());
      });
}

/// The impacts as a result on the host. Contact points are those of the positions that the arrays have now.
std::shared_ptr<ImpactRows> to_host(const GpuImpactRows& self) {
  Impacts impacts{self.impacts->to_host(), self.stats};
  const CopiedStep x(*self.x);
  auto context = std::make_shared<ResultContext>(*self.context);
  context->x_t0 = x.x_t0;
  context->x_t1 = x.x_t1;
  return std::make_shared<ImpactRows>(impact_rows(std::move(impacts), x.t0(), x.t1(), std::move(context)));
}

void bind_impacts(py::module_& module) {
  py::class_<GpuImpactRows, std::shared_ptr<GpuImpactRows>> impacts(
      module, "DeviceImpacts", "All impacts of a step in GPU memory. Valid until the next query of the detector.");
  def_gpu_columns(impacts);
  impacts.def("__len__", [](const GpuImpactRows& self) { return self.impacts->count(); })
      .def_readonly("stats", &GpuImpactRows::stats)
      .def_property_readonly(
          "scene", [](const GpuImpactRows& self) { return std::make_shared<NamedScene>(self.context->scene); })
      .def("to_host", &to_host, "The impacts as Impacts, with contact points, bodies and triangles.")
      .def("__repr__", [](const GpuImpactRows& self) {
        return fmt::format("DeviceImpacts({} impacts)", self.impacts->count());
      });
}

}  // namespace

void bind_device(py::module_& module) {
  module.def(
      "devices",
      [] {
        std::vector<std::string> names;
        for (const Device device : all_values<Device>()) names.emplace_back(name_of(device));
        return names;
      },
      "Names of the devices on which queries run.");
  module.def("why_no_cuda", &why_no_cuda, "Why device \"cuda\" cannot be used, in one line; empty if it can.");
  bind_column(module);
  bind_impacts(module);
}

}  // namespace graze::python
