// Positions in GPU memory as arguments (device_arrays.hpp).
#include "device_arrays.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/numpy.h>

#include <graze/error.hpp>

#include "arrays.hpp"

namespace graze::python {

namespace {

constexpr const char* kInterface = "__cuda_array_interface__";
constexpr const char* kType = "float64";

/// The value of an attribute; null if there is none.
py::object attribute(py::handle object, const char* name) {
  PyObject* const value = PyObject_GetAttrString(object.ptr(), name);
  if (value == nullptr) {
    if (PyErr_ExceptionMatches(PyExc_AttributeError) == 0) throw py::error_already_set();
    PyErr_Clear();
  }
  return py::reinterpret_steal<py::object>(value);
}

/// Returns what `ask` returns. What an array raises, when it is asked about itself, becomes an InputError.
template <typename Ask>
auto answer_of(const std::string& name, const char* what, const Ask& ask) {
  try {
    return ask();
  } catch (const py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) throw;  // KeyboardInterrupt, SystemExit
    if (error.matches(PyExc_MemoryError)) throw;
    throw InputError(fmt::format("{}: its {} raised {}: {}", name, what, text_of(error.type().attr("__name__")),
                                 text_of(error.value())));
  }
}

/// The kind of memory that an array names by __dlpack_device__; nothing if it names none.
std::optional<std::int32_t> dlpack_kind(py::handle given) {
  try {
    const py::object ask = attribute(given, "__dlpack_device__");
    if (!ask || !attribute(given, "__dlpack__")) return std::nullopt;
    return py::object(py::tuple(ask())[0]).cast<std::int32_t>();
  } catch (const py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) throw;
    return std::nullopt;  // not every array that has the method can answer
  } catch (const py::cast_error&) {
    return std::nullopt;
  }
}

bool is_cuda(std::int32_t kind) {
  return kind == dlpack::kCuda || kind == dlpack::kCudaManaged;
}

bool has_interface(py::handle given) {
  try {
    return static_cast<bool>(attribute(given, kInterface));
  } catch (const py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) throw;
    return true;  // an array on a GPU that refuses; it is asked again for the reason
  }
}

std::int64_t integer_of(py::handle given, const std::string& name, const char* what) {
  const std::int64_t value =
      PyIndex_Check(given.ptr()) != 0 ? PyNumber_AsSsize_t(given.ptr(), PyExc_ValueError) : -1;
  const bool failed = PyErr_Occurred() != nullptr;
  if (failed) PyErr_Clear();
  if (failed || PyIndex_Check(given.ptr()) == 0) {
    throw InputError(fmt::format("{}: its {} has {} where an integer must be", name, what, text_of(given)));
  }
  return value;
}

std::vector<std::int64_t> integers_of(py::handle given, const std::string& name, const char* what) {
  if (!py::isinstance<py::sequence>(given) || py::isinstance<py::str>(given)) {
    throw InputError(fmt::format("{}: its {} has {} where a tuple must be", name, what, text_of(given)));
  }
  std::vector<std::int64_t> values;
  for (const py::handle value : py::reinterpret_borrow<py::sequence>(given)) {
    values.push_back(integer_of(value, name, what));
  }
  return values;
}

/// A value of __cuda_array_interface__; None if it is not there.
py::object entry(py::handle interface, const char* key) {
  PyObject* const value = PyMapping_GetItemString(interface.ptr(), key);
  if (value == nullptr) {
    if (PyErr_ExceptionMatches(PyExc_KeyError) == 0) throw py::error_already_set();
    PyErr_Clear();
    return py::none();
  }
  return py::reinterpret_steal<py::object>(value);
}

/// The stream of __cuda_array_interface__.
std::optional<void*> stream_of(py::handle given, const std::string& name) {
  if (given.is_none()) return std::nullopt;
  const std::uint64_t stream = count_of(given, name + ": the stream of its __cuda_array_interface__",
                                        std::numeric_limits<std::uint64_t>::max());
  if (stream == 0) {
    throw InputError(
        fmt::format("{}: stream 0 in its __cuda_array_interface__ is ambiguous, must be 1 for the legacy default "
                    "stream, 2 for that of the thread, or the handle of a stream",
                    name));
  }
  if (stream == 1) return nullptr;
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(stream));
}

/// The name of a type in the notation of numpy, "<f4".
std::string type_name(py::handle typestr) {
  try {
    return text_of(py::str(py::module_::import("numpy").attr("dtype")(typestr)));
  } catch (const py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) throw;
    return text_of(typestr);
  }
}

std::string type_name(const dlpack::ValueType& type) {
  constexpr std::array kKinds = {"int", "uint", "float", "opaque", "bfloat", "complex", "bool"};
  const std::string kind =
      type.kind < kKinds.size() ? kKinds[type.kind] : fmt::format("kind {} of bits ", type.kind);
  const std::string lanes = type.lanes == 1 ? "" : fmt::format(" x {}", type.lanes);
  return fmt::format("{}{}{}", kind, type.bits, lanes);
}

bool is_contiguous(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides) {
  if (strides.empty() || shape[0] == 0) return true;
  if (strides.size() != 2 || strides[1] != std::int64_t{sizeof(double)}) return false;
  return shape[0] == 1 || strides[0] == std::int64_t{sizeof(Vec3)};
}

}  // namespace

bool is_on_gpu(py::handle given) {
  if (py::isinstance<py::array>(given) || PyList_Check(given.ptr()) != 0 || PyTuple_Check(given.ptr()) != 0) {
    return false;
  }
  if (const auto kind = dlpack_kind(given)) {
    if (is_cuda(*kind)) return true;
    if (*kind == dlpack::kHost || *kind == dlpack::kPinned) return false;
  }
  return has_interface(given);
}

bool is_step_on_gpu(py::handle x_t0, py::handle x_t1) {
  const bool first = is_on_gpu(x_t0);
  if (first == is_on_gpu(x_t1)) return first;
  throw InputError(fmt::format("{} is in GPU memory, {} is not: pass both from the same side",
                               first ? "x_t0" : "x_t1", first ? "x_t1" : "x_t0"));
}

GpuPositions::GpuPositions(py::handle given, const std::string& name, std::size_t rows) : name_(name) {
  const auto kind = dlpack_kind(given);
  take(kind && is_cuda(*kind) ? take_dlpack(given) : take_interface(given), rows);
}

/// Takes the array over from the capsule, with the duty to give it back. The array is asked to order its work
/// before that of the legacy default stream, for which queries wait.
GpuPositions::Layout GpuPositions::take_dlpack(py::handle given) {
  const py::object capsule =
      answer_of(name_, "__dlpack__", [&] { return given.attr("__dlpack__")(py::arg("stream") = 1); });
  if (PyCapsule_IsValid(capsule.ptr(), dlpack::kName) == 0) {
    const bool used = PyCapsule_IsValid(capsule.ptr(), dlpack::kUsedName) != 0;
    throw InputError(fmt::format("{}: its __dlpack__ returned {}", name_,
                                 used ? "a capsule that has been used already" : "no capsule named dltensor"));
  }
  tensor_.reset(static_cast<dlpack::ManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), dlpack::kName)));
  PyCapsule_SetName(capsule.ptr(), dlpack::kUsedName);
  const dlpack::Tensor& tensor = tensor_->tensor;
  if (!is_cuda(tensor.place.kind)) {
    throw InputError(
        fmt::format("{}: its __dlpack__ returned memory of kind {}, not of CUDA", name_, tensor.place.kind));
  }
  require_current_gpu(tensor.place);
  stream_ = nullptr;
  const auto dimensions = static_cast<std::size_t>(std::max(tensor.dimensions, 0));
  Layout layout{.shape = {tensor.shape, tensor.shape + dimensions},
                .strides = {},
                .type = type_name(tensor.type),
                .address = reinterpret_cast<std::uintptr_t>(tensor.data) + tensor.byte_offset};
  if (tensor.strides != nullptr) {
    for (std::size_t i = 0; i < dimensions; ++i) {
      layout.strides.push_back(tensor.strides[i] * std::int64_t{sizeof(double)});
    }
  }
  return layout;
}

GpuPositions::Layout GpuPositions::take_interface(py::handle given) {
  held_ = py::reinterpret_borrow<py::object>(given);
  return answer_of(name_, kInterface, [&]() -> Layout {
    const py::object interface = given.attr(kInterface);
    const py::object version = entry(interface, "version");
    if (integer_of(version, name_, "version") < 2) {
      throw InputError(
          fmt::format("{}: its {} has version {}, must be 2 or 3", name_, kInterface, text_of(version)));
    }
    if (!entry(interface, "mask").is_none()) {
      throw InputError(name_ + " is a masked array: fill or drop the masked rows first");
    }
    const py::object typestr = entry(interface, "typestr");
    const py::object data = entry(interface, "data");
    if (!py::isinstance<py::tuple>(data) || py::len(data) != 2) {
      throw InputError(
          fmt::format("{}: its data is {}, must be an address and whether it is read-only", name_, text_of(data)));
    }
    const py::tuple address_and_flag(data);
    read_only_ = static_cast<bool>(py::bool_(py::object(address_and_flag[1])));
    stream_ = stream_of(entry(interface, "stream"), name_);
    const py::object strides = entry(interface, "strides");
    return {.shape = integers_of(entry(interface, "shape"), name_, "shape"),
            .strides = strides.is_none() ? std::vector<std::int64_t>() : integers_of(strides, name_, "strides"),
            .type = type_name(typestr),
            .address =
                count_of(address_and_flag[0], name_ + ": its address", std::numeric_limits<std::uint64_t>::max())};
  });
}

void GpuPositions::take(const Layout& layout, std::size_t rows) {
  if (layout.shape.size() != 2 || layout.shape[1] != 3 || layout.shape[0] < 0) {
    throw InputError(fmt::format("{} has the shape ({}), must be n x 3", name_, fmt::join(layout.shape, ", ")));
  }
  count_ = static_cast<std::size_t>(layout.shape[0]);
  if (count_ != rows) throw InputError(fmt::format("{} has {} rows, must have {}", name_, count_, rows));
  if (layout.type != kType) {
    throw InputError(
        fmt::format("{} has the dtype {}, must be float64: in GPU memory convert it yourself, for example with "
                    ".to(torch.float64) or .astype(\"float64\")",
                    name_, layout.type));
  }
  if (!is_contiguous(layout.shape, layout.strides)) {
    throw InputError(
        fmt::format("{} has the strides ({}) in bytes, must be contiguous: pass a copy, for example .contiguous() "
                    "or cupy.ascontiguousarray(...)",
                    name_, fmt::join(layout.strides, ", ")));
  }
  if (layout.address % alignof(double) != 0) {
    throw InputError(fmt::format("{} begins at the address {:#x}, must be a multiple of 8", name_, layout.address));
  }
  data_ = reinterpret_cast<Vec3*>(static_cast<std::uintptr_t>(layout.address));
}

/// Pointers of another GPU than the one that queries use would be read as addresses of this one.
void GpuPositions::require_current_gpu(const dlpack::Place& place) const {
  if (place.kind != dlpack::kCuda) return;
  const int current = current_gpu();
  if (place.number == current) return;
  throw InputError(fmt::format("{} is on GPU {}, queries use GPU {}, the current one of this thread", name_,
                               place.number, current));
}

void GpuPositions::require_writable() const {
  if (read_only_) throw InputError(name_ + " is read-only");
}

bool GpuPositions::overlaps(const GpuPositions& other) const {
  const std::less<> before;
  return before(data_, other.data_ + other.count_) && before(other.data_, data_ + count_);
}

namespace {

/// Waits for the work of the stream of an array, by a copy of a few bytes.
void wait_for(const GpuPositions& x) {
  if (x.count() == 0) return;
  static_cast<void>(copy_to_host(DevicePositions{x.data(), 1, *x.stream()}));
}

}  // namespace

GpuStep::GpuStep(py::handle given_t0, py::handle given_t1, std::size_t rows)
    : x_t0(given_t0, "x_t0", rows), x_t1(given_t1, "x_t1", rows) {}

DeviceStep GpuStep::view(const GpuPositions* out) const {
  std::optional<void*> stream;
  for (const GpuPositions* const array : {&x_t0, &x_t1, out}) {
    if (array == nullptr || !array->stream()) continue;
    if (!stream) stream = array->stream();
    if (*array->stream() != *stream) wait_for(*array);
  }
  return {.x_t0 = x_t0.data(), .x_t1 = x_t1.data(), .count = x_t0.count(), .stream = stream.value_or(nullptr)};
}

}  // namespace graze::python
