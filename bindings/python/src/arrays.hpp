// Arrays between numpy and graze. Input: an n x 3 array of doubles that lies in memory as graze wants it is viewed
// in place; any other is converted once, if no value changes by it. Output: arrays that share the memory of a
// result, read-only, or that own the memory of a vector.
//
// All functions need the GIL. They throw InputError, naming the argument, for anything that is no such array.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <graze/types.hpp>

namespace graze::python {

namespace py = pybind11;

/// Text of a Python object, in one line of at most 60 characters.
std::string text_of(py::handle object);

/// Positions: an argument of n x 3 numbers. Holds the array, so its span stays valid while the GIL is released.
class Positions {
 public:
  /// `rows`, if given, is the number of rows that the array must have; checked before any conversion.
  Positions(py::handle given, const std::string& name, std::optional<std::size_t> rows = std::nullopt);
  [[nodiscard]] std::span<const Vec3> span() const { return span_; }
  /// The array that is viewed: the given one, or the converted one.
  [[nodiscard]] const py::array& array() const { return array_; }

 private:
  py::array array_;
  std::span<const Vec3> span_;
};

/// Throws InputError, naming the array, the row and the value, if a position is not finite.
void require_finite(std::span<const Vec3> x, const std::string& name);

/// Throws InputError, naming the array, the row and the value, if an id is not below `count`.
void require_ids(std::span<const Triangle> triangles, std::size_t count, const std::string& name);

/// Faces: an argument of m x 3 integers.
class Faces {
 public:
  Faces(py::handle given, const std::string& name);
  [[nodiscard]] std::span<const Triangle> span() const { return span_; }

 private:
  py::array array_;
  std::vector<Triangle> converted_;
  std::span<const Triangle> span_;
};

/// An argument of exactly `rows` points.
template <std::size_t kRows>
std::array<Vec3, kRows> points_of(py::handle given, const std::string& name) {
  const Positions points(given, name, kRows);
  std::array<Vec3, kRows> result;
  std::copy(points.span().begin(), points.span().end(), result.begin());
  return result;
}

/// One point: three numbers.
Vec3 point_of(py::handle given, const std::string& name);

/// An argument of n integers in [0, 2^32).
std::vector<std::uint32_t> ids_of(py::handle given, const std::string& name);

/// An argument of rows of `columns` integers in [0, 2^32), one row after the other.
std::vector<std::uint32_t> id_table(py::handle given, const std::string& name, std::size_t columns);

/// One finite number or infinity: whatever has a float.
double number_of(py::handle given, const std::string& name);

/// One integer in [0, most].
std::uint64_t count_of(py::handle given, const std::string& name, std::uint64_t most);

/// An argument of numbers with any shape, as contiguous doubles.
py::array_t<double> numbers_of(py::handle given, const std::string& name);

/// The row that an index means among n rows; negative ones count from the end. Throws IndexError.
std::size_t row_of(py::handle index, std::size_t count, const char* rows);

/// The indices that a slice, a mask or a list of indices selects among n rows. Throws IndexError (py::index_error).
std::vector<std::size_t> selected_rows(py::handle rows, std::size_t count);

/// The array, read-only from now on.
inline py::array read_only(py::array array) {
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

/// A read-only array over memory that `owner` keeps alive. `first` is where row 0 begins; rows are `step` bytes
/// apart.
template <typename T>
py::array view_of(const T* first, std::vector<py::ssize_t> shape, std::size_t step, const py::object& owner) {
  std::vector<py::ssize_t> strides(shape.size());
  py::ssize_t inner = sizeof(T);
  for (std::size_t i = shape.size(); i-- > 1;) {
    strides[i] = inner;
    inner *= shape[i];
  }
  strides[0] = static_cast<py::ssize_t>(step);
  static const T kNone{};  // an array without rows needs an address, too
  return read_only(py::array(py::dtype::of<T>(), std::move(shape), std::move(strides),
                             first != nullptr ? first : &kNone, owner));
}

/// A view of one member of each row: `columns` values of type T that begin at `member` of the first row; 0 columns
/// make an array of one dimension.
template <typename T, typename Row>
py::array column_of(const std::vector<Row>& rows, const T* member, py::ssize_t columns, const py::object& owner) {
  std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(rows.size())};
  if (columns > 0) shape.push_back(columns);
  return view_of<T>(rows.empty() ? nullptr : member, std::move(shape), sizeof(Row), owner);
}

/// An array of `width` values of type T per row that owns the memory of a vector of rows.
template <typename T, typename Row>
py::array owning_array(std::vector<Row>&& rows, py::ssize_t width) {
  static_assert(sizeof(Row) % sizeof(T) == 0);
  auto* held = new std::vector<Row>(std::move(rows));
  const py::capsule owner(held, [](void* pointer) { delete static_cast<std::vector<Row>*>(pointer); });
  std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(held->size())};
  if (width > 0) shape.push_back(width);
  return py::array(py::dtype::of<T>(), std::move(shape), reinterpret_cast<const T*>(held->data()), owner);
}

/// Positions that own their memory, n x 3, writable.
inline py::array positions_array(std::vector<Vec3>&& x) {
  return owning_array<double>(std::move(x), 3);
}

/// A copy of one point: three doubles.
py::array point_array(const Vec3& x);

}  // namespace graze::python
