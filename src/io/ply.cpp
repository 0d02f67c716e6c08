// PLY reader, text and binary of either byte order.
//
// The declared type of a property also applies in text files: a float is rounded to the nearest float, so that the
// text and the binary form of a mesh read alike. Unknown elements and properties are skipped by their types. Counts
// are checked against the remaining bytes before anything is allocated. Data after the last element is an error,
// because then the counts are wrong. Polygons become triangle fans. Cost: O(n) in the bytes. Vertices without lists
// are read one column at a time, so that no value needs a branch on its type.
#include "io/bytes.hpp"
#include "io/input.hpp"
#include "io/ply_header.hpp"
#include "io/readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace graze::io {

namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
constexpr std::array<const char*, 3> kAxisNames = {"x", "y", "z"};

/// Which elements and properties of the file make up the mesh.
struct Layout {
  const PlyElement* vertices = nullptr;
  std::array<std::size_t, 3> axes = {kNone, kNone, kNone};
  const PlyElement* faces = nullptr;
  std::size_t corners = kNone;
};

std::size_t find_property(const PlyElement& element, std::string_view property, const std::string& name) {
  std::size_t found = kNone;
  for (std::size_t i = 0; i < element.properties.size(); ++i) {
    if (element.properties[i].name != property) continue;
    if (found != kNone) {
      fail_line(name, element.line, fmt::format("element {} has two properties {}", element.name, property));
    }
    found = i;
  }
  return found;
}

void lay_out_vertices(Layout& layout, const PlyElement& element, const std::string& name) {
  if (layout.vertices != nullptr) fail_line(name, element.line, "a second element vertex");
  if (element.count > kMaxVertices) {
    fail_line(name, element.line, fmt::format("{} vertices are too many", element.count));
  }
  layout.vertices = &element;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    layout.axes[axis] = find_property(element, kAxisNames[axis], name);
    if (layout.axes[axis] == kNone || element.properties[layout.axes[axis]].is_list) {
      fail_line(name, element.line, fmt::format("element vertex has no scalar property {}", kAxisNames[axis]));
    }
  }
}

void lay_out_faces(Layout& layout, const PlyElement& element, const std::string& name) {
  if (layout.faces != nullptr) fail_line(name, element.line, "a second element face");
  layout.faces = &element;
  const std::size_t plural = find_property(element, "vertex_indices", name);
  const std::size_t singular = find_property(element, "vertex_index", name);
  if (plural != kNone && singular != kNone) {
    fail_line(name, element.line, "element face has both vertex_indices and vertex_index");
  }
  layout.corners = plural != kNone ? plural : singular;
  if (layout.corners == kNone || !element.properties[layout.corners].is_list) {
    fail_line(name, element.line, "element face has no list vertex_indices");
  }
  if (!ply_is_integer(element.properties[layout.corners].type)) {
    fail_line(name, element.line, "vertex_indices must have an integer type");
  }
}

Layout lay_out(const PlyHeader& header, const std::string& name) {
  Layout layout;
  for (const PlyElement& element : header.elements) {
    if (element.name == "vertex") lay_out_vertices(layout, element, name);
    if (element.name == "face") lay_out_faces(layout, element, name);
    if (element.name == "tristrips" && element.count > 0) {
      fail_line(name, element.line, "triangle strips are not read");
    }
  }
  if (layout.vertices == nullptr) fail_line(name, header.line_count, "the header has no element vertex");
  return layout;
}

// Text PLY.

class TextBody {
 public:
  TextBody(std::string_view data, const PlyHeader& header, const Layout& layout, const std::string& name)
      : reader_(data.substr(header.data_start), name, header.line_count), header_(&header), layout_(&layout) {}

  Mesh read() {
    for (const PlyElement& element : header_->elements) {
      if (element.properties.empty()) continue;
      check_row_count(element);
      if (&element == layout_->vertices) mesh_.positions.reserve(element.count);
      if (&element == layout_->faces) mesh_.triangles.reserve(element.count);
      for (std::uint64_t row = 0; row < element.count; ++row) read_row(element, row);
    }
    if (reader_.next_filled_line()) {
      reader_.fail(fmt::format("{} after the last element", in_quotes(reader_.token())));
    }
    return std::move(mesh_);
  }

 private:
  void check_row_count(const PlyElement& element) const {
    // Each value takes at least a digit and a blank or line end (the last of the file may have none), and a face
    // has at least three corners.
    const std::size_t values = element.properties.size() + (&element == layout_->faces ? 3 : 0);
    if (element.count > (reader_.bytes_left() + 1) / (2 * values)) {
      reader_.fail(fmt::format("{} rows of element {} do not fit the {} bytes that follow", element.count,
                               in_quotes(element.name), reader_.bytes_left()));
    }
  }

  void read_row(const PlyElement& element, std::uint64_t row) {
    if (!reader_.next_filled_line()) {
      reader_.fail(fmt::format("the file ends at {} {} of {}", element.name, row, element.count));
    }
    std::array<double, 3> point{};
    for (std::size_t i = 0; i < element.properties.size(); ++i) {
      const PlyProperty& property = element.properties[i];
      if (&element == layout_->faces && i == layout_->corners) {
        read_corners(row);
      } else if (property.is_list) {
        const std::uint64_t length = reader_.unsigned_integer("the length of a list");
        for (std::uint64_t k = 0; k < length; ++k) skip_value();
      } else if (&element == layout_->vertices && axis_of(i) < 3) {
        point[axis_of(i)] = read_coordinate(property.type, kAxisNames[axis_of(i)]);
      } else {
        skip_value();
      }
    }
    if (!reader_.at_line_end()) reader_.fail(fmt::format("{} at the end of the row", in_quotes(reader_.token())));
    if (&element == layout_->vertices) mesh_.positions.push_back({point[0], point[1], point[2]});
  }

  [[nodiscard]] std::size_t axis_of(std::size_t property) const {
    return static_cast<std::size_t>(std::find(layout_->axes.begin(), layout_->axes.end(), property) -
                                    layout_->axes.begin());
  }
  void skip_value() {
    if (reader_.token().empty()) reader_.fail("the row has too few values");
  }
  double read_coordinate(PlyScalar type, const char* what) {
    if (type == PlyScalar::Float32) return static_cast<double>(reader_.real<float>(what));
    return reader_.real<double>(what);
  }
  void read_corners(std::uint64_t row) {
    const std::uint64_t length = reader_.unsigned_integer("the length of a list");
    if (length < 3) reader_.fail(fmt::format("face {} has {} vertices, fewer than 3", row, length));
    FanTriangulator fan(mesh_);
    for (std::uint64_t k = 0; k < length; ++k) fan.add(reader_.vertex_id(layout_->vertices->count));
  }

  TextReader reader_;
  const PlyHeader* header_;
  const Layout* layout_;
  Mesh mesh_;
};

// Binary PLY.

/// Calls use(T{}) with the C++ type T of `type`.
template <class Use>
auto with_type(PlyScalar type, const Use& use) {
  switch (type) {
    case PlyScalar::Int8:
      return use(std::int8_t{});
    case PlyScalar::Uint8:
      return use(std::uint8_t{});
    case PlyScalar::Int16:
      return use(std::int16_t{});
    case PlyScalar::Uint16:
      return use(std::uint16_t{});
    case PlyScalar::Int32:
      return use(std::int32_t{});
    case PlyScalar::Uint32:
      return use(std::uint32_t{});
    case PlyScalar::Float32:
      return use(float{});
    case PlyScalar::Float64:
      break;
  }
  return use(double{});
}

class BinaryBody {
 public:
  BinaryBody(std::string_view data, const PlyHeader& header, const Layout& layout, const std::string& name)
      : data_(data),
        at_(header.data_start),
        order_(header.format == PlyFormat::BigEndian ? std::endian::big : std::endian::little),
        header_(&header),
        layout_(&layout),
        name_(&name) {}

  Mesh read() {
    for (const PlyElement& element : header_->elements) {
      if (element.properties.empty()) continue;
      check_row_count(element);
      const bool has_lists = std::any_of(element.properties.begin(), element.properties.end(),
                                         [](const PlyProperty& property) { return property.is_list; });
      if (&element == layout_->vertices) {
        mesh_.positions.resize(element.count);
        has_lists ? read_vertex_rows(element) : read_vertex_columns(element);
      } else if (&element == layout_->faces) {
        mesh_.triangles.reserve(element.count);
        for (std::uint64_t row = 0; row < element.count; ++row) read_face(element, row);
      } else if (!has_lists) {
        at_ += static_cast<std::size_t>(element.count) * row_size(element);
      } else {
        for (std::uint64_t row = 0; row < element.count; ++row) {
          for (const PlyProperty& property : element.properties) skip(property);
        }
      }
    }
    if (at_ != data_.size()) {
      fail_byte(*name_, at_, fmt::format("{} bytes after the last element", data_.size() - at_));
    }
    return std::move(mesh_);
  }

 private:
  /// Size in bytes of a row whose lists are empty.
  static std::size_t row_size(const PlyElement& element) {
    std::size_t size = 0;
    for (const PlyProperty& property : element.properties) {
      size += ply_size(property.is_list ? property.count_type : property.type);
    }
    return size;
  }
  [[nodiscard]] std::size_t bytes_left() const { return data_.size() - at_; }

  void check_row_count(const PlyElement& element) const {
    // The size is at least 1 anyway, because read() skips elements without properties.
    std::size_t size = std::max<std::size_t>(row_size(element), 1);
    if (&element == layout_->faces) size += 3 * ply_size(element.properties[layout_->corners].type);
    if (element.count > bytes_left() / size) {
      fail_byte(*name_, at_,
                fmt::format("{} rows of element {} need at least {} bytes each, but only {} bytes follow",
                            element.count, in_quotes(element.name), size, bytes_left()));
    }
  }

  void need(std::uint64_t bytes) const {
    if (bytes > bytes_left())
      fail_byte(*name_, at_, fmt::format("the data ends {} bytes early", bytes - bytes_left()));
  }

  std::uint64_t read_length(PlyScalar type) {
    need(ply_size(type));
    const std::int64_t length = with_type(
        type, [&](auto t) { return static_cast<std::int64_t>(load<decltype(t)>(data_.data() + at_, order_)); });
    if (length < 0) fail_byte(*name_, at_, fmt::format("a list has the negative length {}", length));
    at_ += ply_size(type);
    return static_cast<std::uint64_t>(length);
  }

  void skip(const PlyProperty& property) {
    const std::uint64_t length = property.is_list ? read_length(property.count_type) : 1;
    need(length * ply_size(property.type));  // no overflow: a length has at most 32 bits
    at_ += static_cast<std::size_t>(length * ply_size(property.type));
  }

  void read_vertex_columns(const PlyElement& element) {
    const std::size_t stride = row_size(element);
    std::size_t offset = 0;
    for (std::size_t i = 0; i < element.properties.size(); ++i) {
      const PlyScalar type = element.properties[i].type;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (layout_->axes[axis] != i) continue;
        double Vec3::*const member = std::array{&Vec3::x, &Vec3::y, &Vec3::z}[axis];
        with_type(type, [&](auto t) {
          const char* bytes = data_.data() + at_ + offset;
          for (std::size_t row = 0; row < mesh_.positions.size(); ++row) {
            mesh_.positions[row].*member = static_cast<double>(load<decltype(t)>(bytes + row * stride, order_));
          }
        });
      }
      offset += ply_size(type);
    }
    for (std::size_t row = 0; row < mesh_.positions.size(); ++row, at_ += stride) check_finite(row, at_);
  }

  void read_vertex_rows(const PlyElement& element) {
    for (std::size_t row = 0; row < mesh_.positions.size(); ++row) {
      Vec3& position = mesh_.positions[row];
      const std::size_t row_start = at_;
      for (std::size_t i = 0; i < element.properties.size(); ++i) {
        const PlyProperty& property = element.properties[i];
        const std::size_t start = at_;
        skip(property);
        if (property.is_list) continue;
        const double value = with_type(property.type, [&](auto t) {
          return static_cast<double>(load<decltype(t)>(data_.data() + start, order_));
        });
        if (i == layout_->axes[0]) position.x = value;
        if (i == layout_->axes[1]) position.y = value;
        if (i == layout_->axes[2]) position.z = value;
      }
      check_finite(row, row_start);
    }
  }

  void check_finite(std::size_t vertex, std::size_t byte) const {
    const Vec3& p = mesh_.positions[vertex];
    if (std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z)) return;
    fail_byte(*name_, byte, fmt::format("vertex {} is not finite: {}, {}, {}", vertex, p.x, p.y, p.z));
  }

  void read_face(const PlyElement& element, std::uint64_t row) {
    for (std::size_t i = 0; i < element.properties.size(); ++i) {
      const PlyProperty& property = element.properties[i];
      if (i != layout_->corners) {
        skip(property);
        continue;
      }
      const std::size_t start = at_;
      const std::uint64_t length = read_length(property.count_type);
      if (length < 3) fail_byte(*name_, start, fmt::format("face {} has {} vertices, fewer than 3", row, length));
      need(length * ply_size(property.type));
      with_type(property.type, [&](auto t) {
        FanTriangulator fan(mesh_);
        for (std::uint64_t k = 0; k < length; ++k, at_ += sizeof(t)) {
          // A negative index becomes a huge one, so it is out of range too.
          const auto index = load<decltype(t)>(data_.data() + at_, order_);
          if (static_cast<std::uint64_t>(index) >= layout_->vertices->count) fail_index(index);
          fan.add(static_cast<VertexId>(index));
        }
      });
    }
  }
  template <class T>
  [[noreturn]] void fail_index(T index) const {
    fail_byte(
        *name_, at_,
        fmt::format("vertex index {} is out of range: there are {} vertices", index, layout_->vertices->count));
  }

  std::string_view data_;
  std::size_t at_;
  std::endian order_;
  const PlyHeader* header_;
  const Layout* layout_;
  const std::string* name_;
  Mesh mesh_;
};

}  // namespace

Mesh read_ply(std::string_view data, const std::string& name) {
  const PlyHeader header = parse_ply_header(data, name);
  const Layout layout = lay_out(header, name);
  if (header.format == PlyFormat::Ascii) return TextBody(data, header, layout, name).read();
  return BinaryBody(data, header, layout, name).read();
}

}  // namespace graze::io
