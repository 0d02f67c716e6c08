// VTK XML files (vtk_file.hpp): the XML first, with the place of each array in the bytes after it.
#include "io/vtk_file.hpp"

#include <fmt/format.h>

#include <array>

#include "io/extension.hpp"
#include "io/input.hpp"
#include "io/output.hpp"

namespace graze::io {

namespace {

constexpr std::string_view kHead = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// A name as the value of an attribute. Other control characters cannot be written in XML.
std::string escaped(std::string_view name) {
  std::string result;
  for (const char c : name) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\n':
        result += "&#10;";
        break;
      case '\t':
        result += "&#9;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

/// The XML of a file, and the arrays that it names in the order of their bytes.
class Document {
 public:
  void line(std::string_view text) {
    xml_ += text;
    xml_ += '\n';
  }

  void add(const VtkArray& array) {
    xml_ += fmt::format(
        "        <DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
        "offset=\"{}\"/>\n",
        array.type, array.name, array.components, offset_);
    offset_ += sizeof(std::uint64_t) + array.bytes.size();
    arrays_.push_back(&array);
  }

  void add(std::string_view section, const VtkCells& cells) {
    line(fmt::format("      <{}>", section));
    add(cells.connectivity.array());
    add(cells.offsets.array());
    line(fmt::format("      </{}>", section));
  }

  void add(std::string_view section, const VtkData& data) {
    const auto attribute = [](std::string_view name, const std::string& value) {
      return value.empty() ? std::string() : fmt::format(" {}=\"{}\"", name, value);
    };
    line(fmt::format("      <{}{}{}>", section, attribute("Scalars", data.scalars),
                     attribute("Vectors", data.vectors)));
    for (const VtkArray& array : data.arrays) add(array);
    line(fmt::format("      </{}>", section));
  }

  void write(OutputFile& out) const {
    out.write(xml_);
    out.write("  <AppendedData encoding=\"raw\">\n   _");
    for (const VtkArray* array : arrays_) {
      append(out.buffer(), std::uint64_t{array->bytes.size()}, std::endian::little);
      out.write(array->bytes);
    }
    out.write("\n  </AppendedData>\n</VTKFile>\n");
  }

 private:
  std::string xml_{kHead};
  std::vector<const VtkArray*> arrays_;
  std::uint64_t offset_ = 0;
};

}  // namespace

void require_extension(const std::filesystem::path& file, std::string_view extension, std::string_view what) {
  if (lower_extension(file) == extension) return;
  fail(file.string(), fmt::format("{} goes to a file whose name ends in {}", what, extension));
}

void VtkCells::add(std::initializer_list<std::size_t> points) {
  for (const std::size_t point : points) connectivity.add(static_cast<std::int64_t>(point));
  offsets.add(static_cast<std::int64_t>(connectivity.size()));
}

void write_poly_data(const std::filesystem::path& file, const VtkPolyData& data) {
  const VtkCells strips;
  Document document;
  document.line("<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">");
  document.line("  <PolyData>");
  document.line(
      fmt::format("    <Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" "
                  "NumberOfStrips=\"0\" NumberOfPolys=\"{}\">",
                  data.points.size() / 3, data.verts.count(), data.lines.count(), data.polys.count()));
  document.add("PointData", data.point_data);
  document.add("CellData", data.cell_data);
  document.line("      <Points>");
  document.add(data.points.array());
  document.line("      </Points>");
  document.add("Verts", data.verts);
  document.add("Lines", data.lines);
  document.add("Strips", strips);
  document.add("Polys", data.polys);
  document.line("    </Piece>");
  document.line("  </PolyData>");
  OutputFile out(file);
  document.write(out);
  out.finish();
}

void write_collection(const std::filesystem::path& file, const std::vector<VtkTimedFile>& members) {
  OutputFile out(file);
  out.write(kHead);
  out.write("<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n  <Collection>\n");
  for (const VtkTimedFile& member : members) {
    const std::u8string name = member.file.generic_u8string();
    out.write("    <DataSet timestep=\"");
    out.write(member.time);
    out.write("\" part=\"0\" file=\"");
    out.write(escaped(std::string(name.begin(), name.end())));
    out.write("\"/>\n");
  }
  out.write("  </Collection>\n</VTKFile>\n");
  out.finish();
}

}  // namespace graze::io
