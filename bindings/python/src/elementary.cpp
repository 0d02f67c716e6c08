// graze/elementary.hpp in Python: the points of a pair are the rows of an array.
#include <graze/elementary.hpp>

#include <array>
#include <optional>

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bind.hpp"

namespace graze::python {

namespace {

/// Defines a continuous test.
void def_impact(py::module_& module, const char* name, const char* text,
                std::optional<ElementaryImpact> (*test)(const PairStep&, const ElementaryOptions&, TierCounts*)) {
  module.def(
      name,
      [test](py::handle t0, py::handle t1, py::handle tolerance, py::handle thickness) {
        const PairStep step{points_of<4>(t0, "t0"), points_of<4>(t1, "t1")};
        return test(
            step, {.tolerance = number_of(tolerance, "tolerance"), .thickness = number_of(thickness, "thickness")},
            nullptr);
      },
      py::arg("t0"), py::arg("t1"), py::kw_only(), py::arg("tolerance") = 1e-6, py::arg("thickness") = 0.0, text);
}

/// Defines an intersection test of so many points.
template <std::size_t kPoints>
void def_intersect(py::module_& module, const char* name, const char* text,
                   bool (*test)(const std::array<Vec3, kPoints>&, TierCounts*)) {
  module.def(
      name, [test](py::handle points) { return test(points_of<kPoints>(points, "points"), nullptr); },
      py::arg("points"), text);
}

void def_distance(py::module_& module, const char* name, const char* text,
                  ElementaryDistance (*distance)(const std::array<Vec3, 4>&)) {
  module.def(
      name, [distance](py::handle points) { return distance(points_of<4>(points, "points")); }, py::arg("points"),
      text);
}

void def_within(py::module_& module, const char* name, const char* text,
                bool (*test)(const std::array<Vec3, 4>&, double, TierCounts*)) {
  module.def(
      name,
      [test](py::handle points, py::handle d) {
        return test(points_of<4>(points, "points"), number_of(d, "d"), nullptr);
      },
      py::arg("points"), py::arg("d"), text);
}

template <typename Result>
py::array_t<double> weights_of(const Result& self) {
  return py::array_t<double>(4, self.weights.data());
}

void bind_classes(py::module_& module) {
  py::class_<ElementaryImpact>(module, "ElementaryImpact", "The first contact of a pair.")
      .def_readonly("toi", &ElementaryImpact::toi_lo,
                    "Lower end of the interval that contains the exact time: no contact before it.")
      .def_readonly("toi_hi", &ElementaryImpact::toi_hi, "Upper end of this interval.")
      .def_property_readonly("weights", &weights_of<ElementaryImpact>, "Barycentric weights of the four points.")
      .def_property_readonly(
          "normal", [](const ElementaryImpact& self) { return point_array(self.normal); },
          "Unit normal towards the first feature; zero where there is none.")
      .def_readonly("side", &ElementaryImpact::side, "Side of the first feature before the contact: 1, -1, or 0.")
      .def("__repr__",
           [](const ElementaryImpact& self) { return fmt::format("ElementaryImpact(toi {:.17g})", self.toi_lo); });
  py::class_<ElementaryDistance>(module, "ElementaryDistance", "Distance of a pair at one instant.")
      .def_readonly("distance", &ElementaryDistance::distance, "The distance, to two units in the last place.")
      .def_property_readonly("weights", &weights_of<ElementaryDistance>,
                             "Barycentric weights of the closest points.")
      .def_property_readonly(
          "normal", [](const ElementaryDistance& self) { return point_array(self.normal); },
          "Unit normal towards the first feature; zero where there is none.")
      .def("__repr__", [](const ElementaryDistance& self) {
        return fmt::format("ElementaryDistance(distance {:.17g})", self.distance);
      });
}

}  // namespace

void bind_elementary(py::module_& module) {
  bind_classes(module);
  def_impact(module, "impact_vertex_face", "First contact of a vertex and a face (v, f0, f1, f2), or None.",
             &graze::impact_vertex_face);
  def_impact(module, "impact_edge_edge", "First contact of two edges (a0, a1, b0, b1), or None.",
             &graze::impact_edge_edge);
  def_intersect<5>(module, "intersect_edge_face", "Whether the edge p, q and the face a, b, c share a point.",
                   &graze::intersect_edge_face);
  def_intersect<6>(module, "intersect_triangle_triangle", "Whether two triangles share a point.",
                   &graze::intersect_triangle_triangle);
  def_distance(module, "distance_vertex_face", "Distance of a vertex and a face (v, f0, f1, f2).",
               &graze::distance_vertex_face);
  def_distance(module, "distance_edge_edge", "Distance of two edges (a0, a1, b0, b1).", &graze::distance_edge_edge);
  def_within(module, "within_vertex_face", "Whether the distance of a vertex and a face is at most d, exactly.",
             &graze::within_vertex_face);
  def_within(module, "within_edge_edge", "Whether the distance of two edges is at most d, exactly.",
             &graze::within_edge_edge);
}

}  // namespace graze::python
