// graze/results.hpp in Python: results as read-only arrays that share the memory of the C++ results.
#include <graze/results.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "bind.hpp"
#include "objects.hpp"

namespace graze::python {

namespace {

const std::vector<Impact>& list_of(const ImpactRows& result) {
  return result.rows.impacts;
}
const std::vector<Proximity>& list_of(const ProximityRows& result) {
  return result.rows;
}
std::vector<Impact>& list_of(ImpactRows& result) {
  return result.rows.impacts;
}
std::vector<Proximity>& list_of(ProximityRows& result) {
  return result.rows;
}

const char* kind_name(FeatureKind kind) {
  return kind == FeatureKind::VertexFace ? "vertex-face" : "edge-edge";
}

template <typename Row>
std::size_t count_of_kind(const std::vector<Row>& rows, FeatureKind kind) {
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [kind](const Row& row) { return row.pair.kind == kind; }));
}

ContextPointer part_of(const ContextPointer& context) {
  auto part = std::make_shared<ResultContext>(*context);
  part->is_part = true;
  return part;
}

/// The positions of a whole result; None of a part, which does not stand for its step.
py::object whole_positions(const ImpactRows& result, py::object ResultContext::*positions) {
  return result.context->is_part ? py::object(py::none()) : (*result.context).*positions;
}

/// Rows of a result that a slice, a mask or a list of indices selects, as a result of the same class.
template <typename Rows>
std::shared_ptr<Rows> select_rows(const Rows& result, py::handle chosen) {
  auto part = std::make_shared<Rows>();
  for (const std::size_t row : selected_rows(chosen, list_of(result).size())) {
    list_of(*part).push_back(list_of(result)[row]);
    part->points.push_back(result.points[row]);
  }
  part->context = part_of(result.context);
  return part;
}

/// The bodies of both features of each pair.
template <typename Rows>
py::object body_column(const py::object& self) {
  auto& result = self.cast<Rows&>();
  if (!result.columns.body) {
    std::vector<std::array<BodyId, 2>> bodies;
    bodies.reserve(list_of(result).size());
    for (const auto& row : list_of(result)) bodies.push_back(bodies_of(result.context->scene.scene, row.pair));
    result.columns.body = read_only(owning_array<BodyId>(std::move(bodies), 2));
  }
  return result.columns.body;
}

/// A triangle of each of the two features of each pair.
template <typename Rows>
py::object triangle_column(const py::object& self) {
  auto& result = self.cast<Rows&>();
  if (!result.columns.triangle) {
    const FeatureTriangles triangles(result.context->scene.scene);
    std::vector<std::array<TriangleId, 2>> ids;
    ids.reserve(list_of(result).size());
    for (const auto& row : list_of(result)) ids.push_back(triangles.of(row.pair));
    result.columns.triangle = read_only(owning_array<TriangleId>(std::move(ids), 2));
  }
  return result.columns.triangle;
}

template <typename Rows>
using RowClass = py::class_<Rows, std::shared_ptr<Rows>>;

/// Defines a column: an array of `columns` values that begin at a member of each row (0: one value).
template <typename T, typename Rows, typename Get>
void def_column(RowClass<Rows>& bound, const char* name, py::ssize_t columns, const char* text, Get get) {
  bound.def_property_readonly(
      name,
      [columns, get](const py::object& self) {
        const auto& rows = list_of(self.cast<const Rows&>());
        return column_of<T>(rows, rows.empty() ? nullptr : reinterpret_cast<const T*>(get(rows.front())), columns,
                            self);
      },
      text);
}

/// What impacts and proximities have in common: the columns of their pairs, lengths and selections.
template <typename Rows>
void bind_pairs(RowClass<Rows>& bound) {
  def_column<std::uint8_t>(bound, "kind", 0, "VERTEX_FACE or EDGE_EDGE.",
                           [](const auto& row) { return &row.pair.kind; });
  def_column<VertexId>(bound, "vertices", 4,
                       "Vertex ids of each pair, n x 4: the vertex and the face, or two edges.",
                       [](const auto& row) { return row.pair.vertices.data(); });
  def_column<double>(bound, "weights", 4, "Barycentric weights of the contact points, in the order of `vertices`.",
                     [](const auto& row) { return row.weights.data(); });
  def_column<double>(bound, "normal", 3, "Unit normals towards the first feature; zero where undefined.",
                     [](const auto& row) { return &row.normal.x; });
  bound.def("__len__", [](const Rows& self) { return list_of(self).size(); })
      .def("__iter__",
           [](const py::object& self) { return py::reinterpret_steal<py::object>(PySeqIter_New(self.ptr())); })
      .def_property_readonly("body", &body_column<Rows>, "Bodies of the two features, n x 2.")
      .def_property_readonly("triangle", &triangle_column<Rows>,
                             "For each feature the triangle with the lowest id that contains it, n x 2.")
      .def_property_readonly("scene",
                             [](const Rows& self) { return std::make_shared<NamedScene>(self.context->scene); })
      .def_property_readonly("vf_count",
                             [](const Rows& self) { return count_of_kind(list_of(self), FeatureKind::VertexFace); })
      .def_property_readonly("ee_count",
                             [](const Rows& self) { return count_of_kind(list_of(self), FeatureKind::EdgeEdge); });
}

std::string summary(const char* name, std::size_t vertex_face, std::size_t edge_edge) {
  return fmt::format("{}({} vertex-face, {} edge-edge)", name, vertex_face, edge_edge);
}

template <typename Rows>
std::string summary_of_rows(const char* name, const Rows& rows) {
  return summary(name, count_of_kind(list_of(rows), FeatureKind::VertexFace),
                 count_of_kind(list_of(rows), FeatureKind::EdgeEdge));
}

/// Calls a function of graze/_pandas.py.
template <const char* kName>
py::object to_pandas(const py::object& self) {
  return py::module_::import("graze._pandas").attr(kName)(self);
}
constexpr const char* kToVtk =
    "Writes a .vtp file for ParaView, and the mesh beside it: FILE.vtp and FILE_mesh.vtp.";
constexpr char kImpactTable[] = "impact_table";
constexpr char kProximityTable[] = "proximity_table";
constexpr char kIntersectionTable[] = "intersection_table";

/// The row that one index selects; nothing for a slice, a mask or a list of indices.
template <typename Rows>
std::optional<std::size_t> single_row(const Rows& self, py::handle rows, const char* name) {
  if (PyIndex_Check(rows.ptr()) == 0 || py::isinstance<py::array>(rows)) return std::nullopt;
  return row_of(rows, list_of(self).size(), name);
}

/// One impact for an index; impacts for a slice, a mask or a list of indices.
py::object impacts_at(const ImpactRows& self, py::handle rows) {
  if (const auto row = single_row(self, rows, "impacts")) {
    return py::cast(std::make_shared<ImpactRow>(ImpactRow{list_of(self)[*row], self.points[*row], self.context}));
  }
  const auto part = select_rows(self, rows);
  part->rows.stats = self.rows.stats;
  return py::cast(part);
}

/// One pair for an index; proximities for a slice, a mask or a list of indices.
py::object proximities_at(const ProximityRows& self, py::handle rows) {
  if (const auto row = single_row(self, rows, "proximities")) {
    return py::cast(
        std::make_shared<ProximityRow>(ProximityRow{list_of(self)[*row], self.points[*row], self.context}));
  }
  const auto part = select_rows(self, rows);
  part->stats = self.stats;
  return py::cast(part);
}

/// What an impact and a proximity have in common.
template <typename Row>
void bind_pair(py::class_<Row, std::shared_ptr<Row>>& bound) {
  bound.def_property_readonly("kind", [](const Row& self) { return kind_name(self.row.pair.kind); })
      .def_property_readonly("vertices",
                             [](const Row& self) { return py::tuple(py::cast(self.row.pair.vertices)); })
      .def_property_readonly("weights",
                             [](const Row& self) { return py::array_t<double>(4, self.row.weights.data()); })
      .def_property_readonly("normal", [](const Row& self) { return point_array(self.row.normal); })
      .def_property_readonly(
          "body",
          [](const Row& self) { return py::tuple(py::cast(bodies_of(self.context->scene.scene, self.row.pair))); })
      .def_property_readonly("triangle", [](const Row& self) {
        const FeatureTriangles triangles(self.context->scene.scene);
        return py::tuple(py::cast(triangles.of(self.row.pair)));
      });
}

/// "vertex-face (0, 1, 2, 3)", as the text of a row shows its pair.
std::string pair_text(const FeaturePair& pair) {
  return fmt::format("{} {}", kind_name(pair.kind), text_of(py::tuple(py::cast(pair.vertices))));
}

void bind_impact(py::module_& module) {
  py::class_<ImpactRow, std::shared_ptr<ImpactRow>> impact(module, "Impact", "One contact of a step.");
  bind_pair(impact);
  impact.def_property_readonly("toi", [](const ImpactRow& self) { return self.row.toi_lo; })
      .def_property_readonly("toi_hi", [](const ImpactRow& self) { return self.row.toi_hi; })
      .def_property_readonly("point", [](const ImpactRow& self) { return point_array(self.point); })
      .def_property_readonly("side", [](const ImpactRow& self) { return self.row.side; })
      .def_property_readonly("remembered_side", [](const ImpactRow& self) { return self.row.remembered_side; })
      .def("__repr__", [](const ImpactRow& self) {
        return fmt::format("Impact({}, toi {:.17g})", pair_text(self.row.pair), self.row.toi_lo);
      });
}

void bind_proximity(py::module_& module) {
  py::class_<ProximityRow, std::shared_ptr<ProximityRow>> proximity(module, "Proximity",
                                                                    "Two features within a distance.");
  bind_pair(proximity);
  proximity.def_property_readonly("distance", [](const ProximityRow& self) { return self.row.distance; })
      .def_property_readonly("points",
                             [](const ProximityRow& self) {
                               py::array_t<double> points({2, 3});
                               std::copy_n(&self.points[0].x, 6, points.mutable_data());
                               return points;
                             })
      .def("__repr__", [](const ProximityRow& self) {
        return fmt::format("Proximity({}, distance {:.17g})", pair_text(self.row.pair), self.row.distance);
      });
}

void bind_impacts(py::module_& module) {
  RowClass<ImpactRows> impacts(module, "Impacts", "All impacts of a step, sorted by pair: arrays with a row each.");
  bind_pairs(impacts);
  def_column<double>(impacts, "toi", 0, "Times of impact: no contact of the pair before it.",
                     [](const Impact& row) { return &row.toi_lo; });
  def_column<double>(impacts, "toi_hi", 0, "Upper ends of the time-of-impact intervals.",
                     [](const Impact& row) { return &row.toi_hi; });
  def_column<std::int32_t>(impacts, "side", 0, "Side of the first feature before the contact: 1, -1, or 0.",
                           [](const Impact& row) { return &row.side; });
  def_column<std::int32_t>(impacts, "remembered_side", 0, "The side before the contact began, in an earlier step.",
                           [](const Impact& row) { return &row.remembered_side; });
  impacts
      .def_property_readonly(
          "point",
          [](const py::object& self) {
            const auto& points = self.cast<const ImpactRows&>().points;
            return column_of<double>(points, points.empty() ? nullptr : &points.front().x, 3, self);
          },
          "Contact points: the middle of the closest points of both features at `toi_hi`, n x 3.")
      .def("__getitem__", &impacts_at, py::arg("rows"))
      .def_property_readonly("stats", [](const ImpactRows& self) { return self.rows.stats; })
      .def_property_readonly("x_t0",
                             [](const ImpactRows& self) { return whole_positions(self, &ResultContext::x_t0); })
      .def_property_readonly("x_t1",
                             [](const ImpactRows& self) { return whole_positions(self, &ResultContext::x_t1); })
      .def_property_readonly("thickness", [](const ImpactRows& self) { return self.context->thickness; })
      .def_property_readonly("tolerance", [](const ImpactRows& self) { return self.context->tolerance; })
      .def(
          "hash", [](const ImpactRows& self) { return self.rows.hash(); }, "Hash of the pairs.")
      .def(
          "toi_hash", [](const ImpactRows& self) { return self.rows.toi_hash(); },
          "Hash of the pairs and their time-of-impact intervals.")
      .def("to_pandas", &to_pandas<kImpactTable>, "The impacts as a pandas.DataFrame.")
      .def("to_vtk", py::overload_cast<const ImpactRows&, const std::filesystem::path&>(&to_vtk), py::arg("file"),
           kToVtk)
      .def("__repr__", [](const ImpactRows& self) { return summary_of_rows("Impacts", self); });
}

void bind_proximities(py::module_& module) {
  RowClass<ProximityRows> proximities(module, "Proximities", "All pairs within a distance, sorted by pair.");
  bind_pairs(proximities);
  def_column<double>(proximities, "distance", 0, "Distances of the pairs.",
                     [](const Proximity& row) { return &row.distance; });
  proximities
      .def_property_readonly(
          "points",
          [](const py::object& self) {
            const auto& points = self.cast<const ProximityRows&>().points;
            return view_of<double>(points.empty() ? nullptr : &points.front()[0].x,
                                   {static_cast<py::ssize_t>(points.size()), 2, 3}, sizeof(points.front()), self);
          },
          "Closest points of the two features, n x 2 x 3.")
      .def("__getitem__", &proximities_at, py::arg("rows"))
      .def_property_readonly("stats", [](const ProximityRows& self) { return self.stats; })
      .def("to_pandas", &to_pandas<kProximityTable>, "The pairs as a pandas.DataFrame.")
      .def("to_vtk", py::overload_cast<const ProximityRows&, const std::filesystem::path&>(&to_vtk),
           py::arg("file"), kToVtk)
      .def("__repr__", [](const ProximityRows& self) { return summary_of_rows("Proximities", self); });
}

/// The first or second end of what each pair of triangles has in common: an n x 2 x 3 view.
py::object overlap_ends(const py::object& self) {
  const auto& result = self.cast<const IntersectionRows&>();
  if (!result.with_overlaps) return py::none();
  const auto& rows = result.rows.overlaps;
  static_assert(offsetof(TriangleOverlap, q) == offsetof(TriangleOverlap, p) + sizeof(Vec3));
  return view_of<double>(rows.empty() ? nullptr : &rows.front().p.x, {static_cast<py::ssize_t>(rows.size()), 2, 3},
                         sizeof(TriangleOverlap), self);
}

py::object overlap_shapes(const py::object& self) {
  const auto& result = self.cast<const IntersectionRows&>();
  if (!result.with_overlaps) return py::none();
  const auto& rows = result.rows.overlaps;
  return column_of<std::uint8_t>(
      rows, rows.empty() ? nullptr : reinterpret_cast<const std::uint8_t*>(&rows[0].shape), 0, self);
}

/// The bodies of both triangles of each pair.
py::array triangle_bodies(const IntersectionRows& self) {
  const Scene& scene = self.context->scene.scene;
  const auto body = [&scene](TriangleId triangle) { return scene.body_of(scene.triangles()[triangle][0]); };
  std::vector<std::array<BodyId, 2>> bodies;
  bodies.reserve(self.rows.triangle_pairs.size());
  for (const TrianglePair& pair : self.rows.triangle_pairs) bodies.push_back({body(pair.a), body(pair.b)});
  return read_only(owning_array<BodyId>(std::move(bodies), 2));
}

void bind_intersections(py::module_& module) {
  using Rows = IntersectionRows;
  py::class_<Rows, std::shared_ptr<Rows>>(module, "Intersections", "What intersects at one instant.")
      .def("__len__", [](const Rows& self) { return self.rows.triangle_pairs.size(); })
      .def_property_readonly(
          "edges",
          [](const py::object& self) {
            const auto& rows = self.cast<const Rows&>().rows.edge_face;
            return column_of<VertexId>(rows, rows.empty() ? nullptr : rows.front().edge.data(), 2, self);
          },
          "Vertex ids of the edges that meet a face, n x 2.")
      .def_property_readonly(
          "faces",
          [](const py::object& self) {
            const auto& rows = self.cast<const Rows&>().rows.edge_face;
            return column_of<VertexId>(rows, rows.empty() ? nullptr : rows.front().face.data(), 3, self);
          },
          "Vertex ids of the faces that these edges meet, n x 3.")
      .def_property_readonly(
          "triangle_pairs",
          [](const py::object& self) {
            const auto& rows = self.cast<const Rows&>().rows.triangle_pairs;
            return column_of<TriangleId>(rows, rows.empty() ? nullptr : &rows.front().a, 2, self);
          },
          "Pairs of triangles that intersect, m x 2.")
      .def_property_readonly("body", &triangle_bodies, "Bodies of the two triangles of each pair, m x 2.")
      .def_property_readonly("shape", &overlap_shapes,
                             "Shapes of the overlaps: SEGMENT, POINT or AREA; None unless asked for.")
      .def_property_readonly("segment", &overlap_ends,
                             "Ends of what each pair of triangles has in common, m x 2 x 3; None unless asked for.")
      .def_property_readonly("scene",
                             [](const Rows& self) { return std::make_shared<NamedScene>(self.context->scene); })
      .def_property_readonly("stats", [](const Rows& self) { return self.rows.stats; })
      .def("to_pandas", &to_pandas<kIntersectionTable>, "The pairs of triangles as a pandas.DataFrame.")
      .def("to_vtk", py::overload_cast<const IntersectionRows&, const std::filesystem::path&>(&to_vtk),
           py::arg("file"), kToVtk)
      .def("__repr__", [](const Rows& self) {
        return fmt::format("Intersections({} edge-face, {} triangle pairs)", self.rows.edge_face.size(),
                           self.rows.triangle_pairs.size());
      });
}

void bind_steps(py::module_& module) {
  py::class_<FirstRow, std::shared_ptr<FirstRow>>(module, "FirstImpact", "The earliest impact of a step.")
      .def_readonly("toi", &FirstRow::toi, "No contact before this time; 1 if there is none.")
      .def_readonly("impact", &FirstRow::impact, "The impact, or None.")
      .def_readonly("stats", &FirstRow::stats)
      .def_property_readonly("scene",
                             [](const FirstRow& self) { return std::make_shared<NamedScene>(self.context->scene); })
      .def("__repr__", [](const FirstRow& self) { return fmt::format("FirstImpact(toi {:.17g})", self.toi); });
  py::class_<SafeRow, std::shared_ptr<SafeRow>>(module, "SafeStep", "A step that is free of contact.")
      .def_readonly("step", &SafeRow::step, "Share of the way that can be taken.")
      .def_readonly("positions", &SafeRow::positions, "The end of the way that is proved free, n x 3.")
      .def_readonly("limit", &SafeRow::limit, "The impact that limits the step, or None.")
      .def_readonly("stats", &SafeRow::stats)
      .def_property_readonly("scene",
                             [](const SafeRow& self) { return std::make_shared<NamedScene>(self.context->scene); })
      .def("__repr__", [](const SafeRow& self) { return fmt::format("SafeStep(step {:.17g})", self.step); });
}

}  // namespace

void bind_results(py::module_& module) {
  module.attr("SEGMENT") = static_cast<int>(ContactShape::Segment);
  module.attr("POINT") = static_cast<int>(ContactShape::Point);
  module.attr("AREA") = static_cast<int>(ContactShape::Area);
  bind_impact(module);
  bind_proximity(module);
  bind_impacts(module);
  bind_proximities(module);
  bind_intersections(module);
  bind_steps(module);
}

}  // namespace graze::python
