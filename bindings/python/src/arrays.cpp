// Conversion of arrays (arrays.hpp). numpy does the conversions; this decides which of them keep every value.
#include "arrays.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include <graze/error.hpp>

#include "device_arrays.hpp"

namespace graze::python {

namespace {

constexpr std::size_t kMostRows = std::numeric_limits<std::uint32_t>::max();
constexpr int kInPlace = int{py::array::c_style} | int{py::detail::npy_api::NPY_ARRAY_ALIGNED_};

std::string one_line(std::string text) {
  constexpr std::size_t kMost = 60;
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 32 || c == 127; }, ' ');
  if (text.size() > kMost) text = text.substr(0, kMost - 3) + "...";
  return text;
}

std::string dtype_name(const py::array& array) {
  return text_of(py::str(array.dtype()));
}

std::string shape_text(const py::array& array) {
  return text_of(array.attr("shape"));
}

/// Throws InputError for an array in GPU memory that numpy cannot read.
void require_on_host(py::handle given, const std::string& name) {
  if (!is_on_gpu(given)) return;
  throw InputError(name + " is in GPU memory, must be in host memory here: copy it first");
}

/// The argument as an array of whatever type it has. Nothing is copied if it is an array already.
py::array any_array(py::handle given, const std::string& name) {
  if (given.is_none()) throw InputError(name + " is None, not an array");
  if (py::isinstance(given, py::module_::import("numpy.ma").attr("MaskedArray"))) {
    throw InputError(name + " is a masked array: fill or drop the masked rows first");
  }
  if (py::isinstance<py::array>(given)) return py::reinterpret_borrow<py::array>(given);
  try {
    py::array array = py::module_::import("numpy").attr("asarray")(given);
    if (array.dtype().kind() == 'O') require_on_host(given, name);
    return array;
  } catch (const py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) throw;  // KeyboardInterrupt, SystemExit
    if (error.matches(PyExc_MemoryError)) throw;
    require_on_host(given, name);
    throw InputError(name + " is no array of numbers: " + text_of(error.value()));
  }
}

/// Throws unless the array has two dimensions, with three columns.
void require_three_columns(const py::array& array, const std::string& name, const char* hint_for_four) {
  if (array.ndim() != 2) {
    throw InputError(fmt::format("{} has the shape {}, must be n x 3", name, shape_text(array)));
  }
  if (array.shape(1) == 4 && hint_for_four != nullptr) {
    throw InputError(fmt::format("{} has the shape {}: {}", name, shape_text(array), hint_for_four));
  }
  if (array.shape(1) != 3) {
    throw InputError(fmt::format("{} has the shape {}, must be n x 3", name, shape_text(array)));
  }
  if (static_cast<std::size_t>(array.shape(0)) > kMostRows) {
    throw InputError(fmt::format("{} has {} rows, more than the limit of {}", name, array.shape(0), kMostRows));
  }
}

/// Whether the array is empty however it is shaped: [] has no columns.
bool is_empty_list(const py::array& array) {
  return array.ndim() == 1 && array.shape(0) == 0;
}

/// Throws if an integer of the array is not a double.
void require_exact(const py::array& given, const py::array& converted, const std::string& name) {
  const py::module_ numpy = py::module_::import("numpy");
  // Integers below 2^53 are doubles; the first that is not, 2^53 + 1, is rounded to 2^53. The others are compared
  // with what they were rounded to, as integers of Python, which have no limit.
  const double limit = 9007199254740992.0;
  const py::object large = numpy.attr("argwhere")(numpy.attr("abs")(converted).attr("__ge__")(limit));
  for (const py::handle place : large) {
    const py::tuple index(place.attr("tolist")());
    const py::object integer = given.attr("item")(*index);
    const py::object rounded = py::int_(converted.attr("item")(*index));
    if (!integer.equal(rounded)) {
      throw InputError(fmt::format("{}: row {}: {} is an integer that no double equals", name,
                                   text_of(py::tuple(index)[0]), text_of(integer)));
    }
  }
}

/// The array as contiguous, aligned doubles: itself, or a copy with equal values.
py::array doubles_of(const py::array& array, const std::string& name) {
  const char kind = array.dtype().kind();
  if (kind == 'f' && array.itemsize() > static_cast<py::ssize_t>(sizeof(double))) {
    throw InputError(fmt::format("{} has the dtype {}, whose values a double cannot hold: convert it first", name,
                                 dtype_name(array)));
  }
  if (kind != 'f' && kind != 'i' && kind != 'u') {
    throw InputError(fmt::format("{} has the dtype {}, must be float64", name, dtype_name(array)));
  }
  py::array converted = py::array_t<double, kInPlace | py::array::forcecast>(array);
  if (kind != 'f' && array.itemsize() == 8) require_exact(array, converted, name);
  return converted;
}

/// Reports the first id of m x 3 integers that is no vertex id.
template <typename Integer>
std::vector<Triangle> triangles_of(const py::array& array, const std::string& name) {
  const py::array_t<Integer, kInPlace | py::array::forcecast> ids(array);
  const Integer* data = ids.data();
  std::vector<Triangle> triangles(static_cast<std::size_t>(ids.shape(0)));
  for (std::size_t row = 0; row < triangles.size(); ++row) {
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const Integer id = data[3 * row + corner];
      if (std::cmp_less(id, 0) || std::cmp_greater_equal(id, kNoVertex)) {
        throw InputError(fmt::format("{}: row {}: {} is no vertex id", name, row, id));
      }
      triangles[row][corner] = static_cast<VertexId>(id);
    }
  }
  return triangles;
}

}  // namespace

std::string text_of(py::handle object) {
  return one_line(py::str(object));
}

Positions::Positions(py::handle given, const std::string& name, std::optional<std::size_t> rows) {
  py::array array = any_array(given, name);
  if (!is_empty_list(array)) require_three_columns(array, name, nullptr);
  const auto count = static_cast<std::size_t>(array.shape(0));
  if (rows && count != *rows) throw InputError(fmt::format("{} has {} rows, must have {}", name, count, *rows));
  array_ = doubles_of(array, name);
  span_ = {static_cast<const Vec3*>(array_.data()), count};
}

void require_finite(std::span<const Vec3> x, const std::string& name) {
  for (std::size_t row = 0; row < x.size(); ++row) {
    for (const double value : {x[row].x, x[row].y, x[row].z}) {
      if (!std::isfinite(value)) {
        throw InputError(fmt::format("{}: row {}: {} is not a finite number", name, row, value));
      }
    }
  }
}

void require_ids(std::span<const Triangle> triangles, std::size_t count, const std::string& name) {
  for (std::size_t row = 0; row < triangles.size(); ++row) {
    for (const VertexId id : triangles[row]) {
      if (id >= count) {
        throw InputError(fmt::format("{}: row {}: {} is no vertex, there are {} positions", name, row, id, count));
      }
    }
  }
}

Faces::Faces(py::handle given, const std::string& name) {
  const py::array array = any_array(given, name);
  const char kind = array.dtype().kind();
  if (is_empty_list(array)) return;
  if (kind != 'i' && kind != 'u') {
    throw InputError(fmt::format("{} has the dtype {}, must be an integer type", name, dtype_name(array)));
  }
  require_three_columns(array, name,
                        "these are quads; split them into triangles, for example with "
                        "np.vstack((F[:, [0, 1, 2]], F[:, [0, 2, 3]]))");
  if (kind == 'u' && array.itemsize() == sizeof(VertexId)) {
    array_ = py::array_t<VertexId, kInPlace | py::array::forcecast>(array);
    span_ = {static_cast<const Triangle*>(array_.data()), static_cast<std::size_t>(array_.shape(0))};
    return;
  }
  converted_ = kind == 'u' ? triangles_of<std::uint64_t>(array, name) : triangles_of<std::int64_t>(array, name);
  span_ = converted_;
}

Vec3 point_of(py::handle given, const std::string& name) {
  const py::array array = any_array(given, name);
  if (array.ndim() != 1 || array.shape(0) != 3) {
    throw InputError(fmt::format("{} has the shape {}, must be three numbers", name, shape_text(array)));
  }
  const py::array numbers = doubles_of(array, name);
  const auto* x = static_cast<const double*>(numbers.data());
  return {x[0], x[1], x[2]};
}

namespace {

/// The integers of an array, which must be in [0, 2^32).
std::vector<std::uint32_t> ids_in(const py::array& array, const std::string& name, std::size_t columns) {
  const char kind = array.dtype().kind();
  if (array.size() == 0) return {};
  if (kind != 'i' && kind != 'u') {
    throw InputError(fmt::format("{} has the dtype {}, must be an integer type", name, dtype_name(array)));
  }
  std::vector<std::uint32_t> ids(static_cast<std::size_t>(array.size()));
  const py::array_t<std::int64_t, kInPlace | py::array::forcecast> numbers(array);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::int64_t id = numbers.data()[i];
    if (id < 0 || id > std::int64_t{0xffffffff}) {
      const std::string given =
          kind == 'u' ? fmt::format("{}", static_cast<std::uint64_t>(id)) : fmt::format("{}", id);
      throw InputError(fmt::format("{}: row {}: {} is out of range", name, i / columns, given));
    }
    ids[i] = static_cast<std::uint32_t>(id);
  }
  return ids;
}

}  // namespace

std::vector<std::uint32_t> ids_of(py::handle given, const std::string& name) {
  const py::array array = any_array(given, name);
  if (array.ndim() != 1) {
    throw InputError(fmt::format("{} has the shape {}, must be a list of ids", name, shape_text(array)));
  }
  return ids_in(array, name, 1);
}

std::vector<std::uint32_t> id_table(py::handle given, const std::string& name, std::size_t columns) {
  const py::array array = any_array(given, name);
  if (is_empty_list(array)) return {};
  if (array.ndim() != 2 || static_cast<std::size_t>(array.shape(1)) != columns) {
    throw InputError(fmt::format("{} has the shape {}, must be n x {}", name, shape_text(array), columns));
  }
  return ids_in(array, name, columns);
}

double number_of(py::handle given, const std::string& name) {
  const double number = PyUnicode_Check(given.ptr()) != 0 ? -1.0 : PyFloat_AsDouble(given.ptr());
  if (PyUnicode_Check(given.ptr()) != 0 || (number == -1.0 && PyErr_Occurred() != nullptr)) {
    PyErr_Clear();
    throw InputError(fmt::format("{}: {} is no number", name, text_of(given)));
  }
  return number;
}

std::uint64_t count_of(py::handle given, const std::string& name, std::uint64_t most) {
  if (PyIndex_Check(given.ptr()) == 0) throw InputError(fmt::format("{}: {} is no integer", name, text_of(given)));
  const auto integer = py::reinterpret_steal<py::object>(PyNumber_Index(given.ptr()));
  if (!integer) throw py::error_already_set();
  const std::uint64_t count = PyLong_AsUnsignedLongLong(integer.ptr());
  const bool overflow = PyErr_Occurred() != nullptr;
  if (overflow) PyErr_Clear();
  if (overflow || count > most) {
    throw InputError(fmt::format("{}: {} is out of range, must be in [0, {}]", name, text_of(given), most));
  }
  return count;
}

py::array_t<double> numbers_of(py::handle given, const std::string& name) {
  return doubles_of(any_array(given, name), name);
}

std::size_t row_of(py::handle index, std::size_t count, const char* rows) {
  const auto end = static_cast<py::ssize_t>(count);
  const py::ssize_t row = PyNumber_AsSsize_t(index.ptr(), PyExc_IndexError);
  if (row == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  if (row < -end || row >= end) throw py::index_error(fmt::format("row {} of {} {}", row, count, rows));
  return static_cast<std::size_t>(row < 0 ? row + end : row);
}

std::vector<std::size_t> selected_rows(py::handle rows, std::size_t count) {
  const py::module_ numpy = py::module_::import("numpy");
  if (py::isinstance<py::slice>(rows)) {
    std::size_t start = 0;
    std::size_t stop = 0;
    std::size_t step = 0;
    std::size_t length = 0;
    if (!py::reinterpret_borrow<py::slice>(rows).compute(count, &start, &stop, &step, &length)) {
      throw py::error_already_set();
    }
    std::vector<std::size_t> selected(length);
    for (std::size_t i = 0; i < length; ++i, start += step) selected[i] = start;
    return selected;
  }
  // numpy knows every other way of naming rows, and its errors are those that users know.
  const py::array all = numpy.attr("arange")(count, py::arg("dtype") = "int64");
  const py::array_t<std::int64_t, py::array::c_style | py::array::forcecast> chosen(
      all[py::reinterpret_borrow<py::object>(rows)]);
  if (chosen.ndim() != 1) throw py::index_error("rows are selected by a slice, a mask or a list of indices");
  return {chosen.data(), chosen.data() + chosen.size()};
}

py::array point_array(const Vec3& x) {
  py::array_t<double> result(3);
  double* out = result.mutable_data();
  out[0] = x.x;
  out[1] = x.y;
  out[2] = x.z;
  return result;
}

}  // namespace graze::python
