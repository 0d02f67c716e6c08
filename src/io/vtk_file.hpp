// VTK XML files: PolyData with arrays in binary form, and collections of such files by time.
//
// Arrays are appended to the XML as raw little-endian bytes, not compressed, each after its length in bytes
// (header_type UInt64): a third smaller than base64, exact for every double, and the format that VTK itself writes
// by default. Ids of cells are Int64, the type that VTK keeps them in. All four sections of cells are written, also
// empty ones, because some readers ask for them. Memory: the bytes of the arrays.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <graze/types.hpp>

#include "core/namespaces.hpp"
#include "io/bytes.hpp"

namespace graze::io {

/// VTK's name of a number type.
template <class T>
constexpr std::string_view vtk_type() {
  if constexpr (std::is_same_v<T, double>) return "Float64";
  if constexpr (std::is_same_v<T, std::int32_t>) return "Int32";
  if constexpr (std::is_same_v<T, std::int64_t>) return "Int64";
  if constexpr (std::is_same_v<T, std::uint8_t>) return "UInt8";
  if constexpr (std::is_same_v<T, std::uint32_t>) return "UInt32";
}

/// An array of a file, as its bytes.
struct VtkArray {
  std::string name;
  std::string_view type;
  std::size_t components = 1;
  std::string bytes{};
};

/// An array of numbers of one type.
template <class T>
class VtkColumn {
 public:
  explicit VtkColumn(std::string name, std::size_t components = 1)
      : array_{std::move(name), vtk_type<T>(), components} {}

  void add(T value) { append(array_.bytes, value, std::endian::little); }
  void add(const Vec3& value) {
    for (const double x : {value.x, value.y, value.z}) add(x);
  }
  template <class Values>
  void add_all(const Values& values) {
    for (const auto& value : values) add(value);
  }
  /// Number of values; a vector has one for each component.
  [[nodiscard]] std::size_t size() const { return array_.bytes.size() / sizeof(T); }
  [[nodiscard]] const VtkArray& array() const { return array_; }
  [[nodiscard]] VtkArray take() { return std::move(array_); }

 private:
  VtkArray array_;
};

/// Cells of one section, such as all triangles, by the points of each.
struct VtkCells {
  VtkColumn<std::int64_t> connectivity{"connectivity"};
  VtkColumn<std::int64_t> offsets{"offsets"};

  void add(std::initializer_list<std::size_t> points);
  [[nodiscard]] std::size_t count() const { return offsets.size(); }
};

/// The arrays of points or cells, and which of them filters take unless another is chosen.
struct VtkData {
  std::vector<VtkArray> arrays{};
  std::string scalars{};  ///< empty: none
  std::string vectors{};  ///< empty: none

  template <class T>
  void add(VtkColumn<T>&& column) {
    arrays.push_back(column.take());
  }
};

struct VtkPolyData {
  VtkColumn<double> points{"Points", 3};
  VtkCells verts{};
  VtkCells lines{};
  VtkCells polys{};
  VtkData point_data{};
  VtkData cell_data{};
};

/// Throws InputError, naming `what` is written, unless the name of the file ends so, in upper or lower case.
void require_extension(const std::filesystem::path& file, std::string_view extension, std::string_view what);

/// Writes a .vtp file, which replaces an older one once it is complete. Throws InputError if that fails.
void write_poly_data(const std::filesystem::path& file, const VtkPolyData& data);

/// A file of a collection: its name, relative to the collection, and the time from which it is shown.
struct VtkTimedFile {
  double time = 0.0;
  std::filesystem::path file;
};
/// Writes a .pvd file. Throws InputError if that fails.
void write_collection(const std::filesystem::path& file, const std::vector<VtkTimedFile>& members);

}  // namespace graze::io
