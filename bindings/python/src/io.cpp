// graze/io.hpp in Python: files.
#include <graze/io.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <graze/error.hpp>

#include "bind.hpp"
#include "gil.hpp"
#include "objects.hpp"

namespace graze::python {

namespace {

using Path = std::filesystem::path;

Mesh mesh_of(py::handle given_positions, py::handle given_faces) {
  const Positions positions(given_positions, "positions");
  const Faces faces(given_faces, "faces");
  require_finite(positions.span(), "positions");
  require_ids(faces.span(), positions.span().size(), "faces");
  return {{positions.span().begin(), positions.span().end()}, {faces.span().begin(), faces.span().end()}};
}

void bind_meshes(py::module_& module) {
  module.def(
      "read_mesh",
      [](const Path& file) {
        Mesh mesh;
        {
          const GilReleased released;
          mesh = graze::read_mesh(file);
        }
        return py::make_tuple(positions_array(std::move(mesh.positions)),
                              owning_array<VertexId>(std::move(mesh.triangles), 3));
      },
      py::arg("file"), "Reads a .ply, .obj, .stl or .off file: positions and faces.");
  module.def(
      "write_mesh",
      [](const Path& file, py::handle positions, py::handle faces, bool ascii) {
        MeshFormat format = mesh_format(file);
        if (ascii && format == MeshFormat::PlyBinary) format = MeshFormat::PlyAscii;
        const Mesh mesh = mesh_of(positions, faces);
        const GilReleased released;
        graze::write_mesh(file, mesh, format);
      },
      py::arg("file"), py::arg("positions"), py::arg("faces"), py::kw_only(), py::arg("ascii") = false,
      "Writes a .ply file (binary, or text with ascii=True) or an .obj file.");
  module.def(
      "list_frames",
      [](const Path& folder_or_glob) {
        std::vector<std::string> frames;
        for (const Path& frame : graze::list_frames(folder_or_glob.string())) frames.push_back(frame.string());
        return frames;
      },
      py::arg("folder_or_glob"), "The mesh files of a sequence, in natural order of their names.");
}

/// Frames of equal length, for a point cache.
std::vector<std::vector<Vec3>> frames_of(const py::sequence& given) {
  std::vector<std::vector<Vec3>> frames;
  for (const py::handle frame : given) {
    const std::string name = fmt::format("frames[{}]", frames.size());
    const Positions x(frame, name);
    require_finite(x.span(), name);
    frames.emplace_back(x.span().begin(), x.span().end());
  }
  return frames;
}

py::array cached_frame(const PointCache& self, py::handle index) {
  return positions_array(self.read_frame(row_of(index, self.frame_count(), "frames")));
}

void bind_caches(py::module_& module) {
  py::class_<PointCache, std::shared_ptr<PointCache>>(module, "PointCache", "Frames of a .pc2 or .mdd file.")
      .def(py::init<const Path&>(), py::arg("file"))
      .def("__len__", &PointCache::frame_count)
      .def("__getitem__", &cached_frame, py::arg("frame"), "The positions of one frame.")
      .def_property_readonly("vertex_count", &PointCache::vertex_count, "Number of positions in each frame.");
  module.def(
      "write_pc2", [](const Path& file, const py::sequence& frames) { graze::write_pc2(file, frames_of(frames)); },
      py::arg("file"), py::arg("frames"), "Writes a PC2 point cache, rounded to floats.");
  module.def(
      "write_mdd",
      [](const Path& file, const py::sequence& frames, py::handle rate) {
        graze::write_mdd(file, frames_of(frames), number_of(rate, "frames_per_second"));
      },
      py::arg("file"), py::arg("frames"), py::kw_only(), py::arg("frames_per_second") = 24.0,
      "Writes an MDD point cache, rounded to floats.");
}

/// graze.Queries.
struct QueryFile {
  FeatureKind kind;
  std::vector<Query> queries;
};

/// The points at one end of all queries, n x 4 x 3.
py::array query_points(const py::object& self, std::array<Vec3, 4> PairStep::*end) {
  const auto& queries = self.cast<const QueryFile&>().queries;
  return view_of<double>(queries.empty() ? nullptr : &(queries.front().step.*end)[0].x,
                         {static_cast<py::ssize_t>(queries.size()), 4, 3}, sizeof(Query), self);
}

void bind_queries(py::module_& module) {
  py::class_<QueryFile, std::shared_ptr<QueryFile>>(module, "Queries", "Queries of a data set, with their answers.")
      .def("__len__", [](const QueryFile& self) { return self.queries.size(); })
      .def_property_readonly(
          "kind",
          [](const QueryFile& self) { return self.kind == FeatureKind::VertexFace ? "vertex-face" : "edge-edge"; },
          "\"vertex-face\" or \"edge-edge\".")
      .def_property_readonly(
          "t0", [](const py::object& self) { return query_points(self, &PairStep::t0); },
          "Points of each query at the start of the step, n x 4 x 3.")
      .def_property_readonly(
          "t1", [](const py::object& self) { return query_points(self, &PairStep::t1); },
          "Points of each query at the end of the step, n x 4 x 3.")
      .def_property_readonly(
          "truth",
          [](const py::object& self) {
            const auto& queries = self.cast<const QueryFile&>().queries;
            return column_of<bool>(queries, queries.empty() ? nullptr : &queries.front().truth, 0, self);
          },
          "Whether the two features touch, n.");
  module.def(
      "read_queries",
      [](const Path& file) {
        const FeatureKind kind = query_kind(file);
        const GilReleased released;
        return std::make_shared<QueryFile>(QueryFile{kind, graze::read_queries(file)});
      },
      py::arg("file"), "Reads a query file; the name of its folder says which kind of pair it has.");
}

/// graze.Capture: a capture, and the names of its bodies, which files do not keep.
struct NamedCapture {
  Capture capture;
  BodyNames names;
};

std::shared_ptr<NamedCapture> make_capture_of(const NamedScene& scene, py::handle given_t0, py::handle given_t1,
                                              const ImpactRows& impacts, py::handle thickness,
                                              py::handle tolerance) {
  const Positions x_t0(given_t0, "x_t0", scene.scene.vertex_count());
  const Positions x_t1(given_t1, "x_t1", scene.scene.vertex_count());
  DetectorOptions options;
  options.thickness = number_of(thickness, "thickness");
  options.tolerance = number_of(tolerance, "tolerance");
  return std::make_shared<NamedCapture>(
      NamedCapture{make_capture(scene.scene, x_t0.span(), x_t1.span(), options, impacts.rows), scene.names});
}

py::array capture_positions(const py::object& self, std::vector<Vec3> Capture::*end) {
  const auto& x = self.cast<const NamedCapture&>().capture.*end;
  return column_of<double>(x, x.empty() ? nullptr : &x.front().x, 3, self);
}

template <typename Member>
auto capture_field(Member Capture::*member) {
  return [member](const NamedCapture& self) { return self.capture.*member; };
}

void bind_captures(py::module_& module) {
  py::class_<NamedCapture, std::shared_ptr<NamedCapture>>(module, "Capture", "A recorded step with its answer.")
      .def(py::init(&make_capture_of), py::arg("scene"), py::arg("x_t0"), py::arg("x_t1"), py::arg("impacts"),
           py::kw_only(), py::arg("thickness") = 0.0, py::arg("tolerance") = 1e-6)
      .def_property_readonly(
          "scene",
          [](const NamedCapture& self) {
            return std::make_shared<NamedScene>(NamedScene{self.capture.scene, self.names});
          },
          "The scene of the step.")
      .def_property_readonly(
          "x_t0", [](const py::object& self) { return capture_positions(self, &Capture::x_t0); },
          "Positions at the start of the step, n x 3.")
      .def_property_readonly(
          "x_t1", [](const py::object& self) { return capture_positions(self, &Capture::x_t1); },
          "Positions at the end of the step, n x 3.")
      .def_property_readonly("thickness", capture_field(&Capture::thickness), "Thickness of the query.")
      .def_property_readonly("tolerance", capture_field(&Capture::tolerance), "Tolerance of the query.")
      .def_property_readonly("vf_count", capture_field(&Capture::vf_count),
                             "Number of vertex-face impacts of the answer.")
      .def_property_readonly("ee_count", capture_field(&Capture::ee_count),
                             "Number of edge-edge impacts of the answer.")
      .def_property_readonly("hash", capture_field(&Capture::hash), "Impacts.hash() of the answer.")
      .def_property_readonly("toi_hash", capture_field(&Capture::toi_hash), "Impacts.toi_hash() of the answer.");
  module.def(
      "read_capture",
      [](const Path& file) {
        const GilReleased released;
        return std::make_shared<NamedCapture>(NamedCapture{graze::read_capture(file), {}});
      },
      py::arg("file"), "Reads a .graze file.");
  module.def(
      "write_capture",
      [](const Path& file, const NamedCapture& capture) { graze::write_capture(file, capture.capture); },
      py::arg("file"), py::arg("capture"), "Writes a .graze file.");
}

}  // namespace

void bind_io(py::module_& module) {
  bind_meshes(module);
  bind_caches(module);
  bind_queries(module);
  bind_captures(module);
}

}  // namespace graze::python
