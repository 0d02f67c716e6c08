// graze/edit.hpp in Python: changes of the meshes between steps.
#include <graze/edit.hpp>

#include <pybind11/stl.h>

#include "bind.hpp"
#include "body_arguments.hpp"
#include "objects.hpp"

namespace graze::python {

void require_free(const NamedEdit& edit, const BodyNames& names) {
  for (const auto& [body, name] : edit.names) names.require_free(name, body);
}

void add_names(const NamedEdit& edit, BodyNames& names) {
  for (const auto& [body, name] : edit.names) names.add(body, name);
}

namespace {

std::uint32_t id_of(py::handle given, const char* name) {
  return static_cast<std::uint32_t>(count_of(given, name, std::numeric_limits<std::uint32_t>::max()));
}

/// A body of the scene when the edit began, or one that the edit adds.
BodyId edited_body(const NamedEdit& self, py::handle given) {
  if (!py::isinstance<py::str>(given)) return id_of(given, "body");
  const std::string name = py::str(given);
  for (const auto& [body, added] : self.names) {
    if (added == name) return body;
  }
  if (const auto body = self.known.find(name)) return *body;
  throw InputError("there is no body \"" + text_of(given) + "\" with a name of its own");
}

BodyId add_body(NamedEdit& self, py::handle positions, py::handle faces, const BodyArguments& arguments) {
  if (arguments.name) {
    BodyNames names = self.known;
    add_names(self, names);
    names.require_free(*arguments.name, static_cast<BodyId>(self.edit.body_count()));
  }
  const BodyMesh mesh(positions, faces);
  const BodyId body = self.edit.add_body(mesh.body(arguments));
  if (arguments.name) self.names.emplace_back(body, *arguments.name);
  return body;
}

Triangle triangle_of(py::handle given, const char* name) {
  const std::vector<std::uint32_t> ids = ids_of(given, name);
  if (ids.size() != 3)
    throw InputError(std::string(name) + " has " + std::to_string(ids.size()) + " ids, must have 3");
  return {ids[0], ids[1], ids[2]};
}

std::vector<BodyId> split_body(NamedEdit& self, py::handle body, const std::optional<py::sequence>& groups) {
  if (!groups) return self.edit.split_body(edited_body(self, body));
  std::vector<std::vector<TriangleId>> ids;
  for (const py::handle group : *groups) ids.push_back(ids_of(group, "groups[" + std::to_string(ids.size()) + "]"));
  return self.edit.split_body(edited_body(self, body), ids);
}

py::array copies(const NamedEdit& self) {
  std::vector<std::array<VertexId, 2>> rows;
  for (const SceneEdit::Copy& copy : self.edit.copies()) rows.push_back({copy.copy, copy.original});
  return owning_array<VertexId>(std::move(rows), 2);
}

using Class = py::class_<NamedEdit, std::shared_ptr<NamedEdit>>;

void bind_vertices(Class& edit) {
  edit.def(
          "add_vertex",
          [](NamedEdit& self, py::handle body, py::handle position) {
            return self.edit.add_vertex(edited_body(self, body), point_of(position, "position"));
          },
          py::arg("body"), py::arg("position"), "Adds a vertex to a body and returns its id.")
      .def(
          "remove_vertex", [](NamedEdit& self, py::handle v) { self.edit.remove_vertex(id_of(v, "vertex")); },
          py::arg("vertex"), "Removes a vertex and all triangles that use it.")
      .def(
          "split_vertex",
          [](NamedEdit& self, py::handle v, py::handle triangles) {
            return self.edit.split_vertex(id_of(v, "vertex"), ids_of(triangles, "triangles"));
          },
          py::arg("vertex"), py::arg("triangles"), "Replaces a vertex by a copy in these triangles.")
      .def(
          "tear_edge",
          [](NamedEdit& self, py::handle a, py::handle b) {
            return self.edit.tear_edge(id_of(a, "a"), id_of(b, "b"));
          },
          py::arg("a"), py::arg("b"), "Tears the mesh along an edge; returns the ids of the copies of its ends.")
      .def(
          "split_edge",
          [](NamedEdit& self, py::handle a, py::handle b, py::handle position) {
            return self.edit.split_edge(id_of(a, "a"), id_of(b, "b"), point_of(position, "position"));
          },
          py::arg("a"), py::arg("b"), py::arg("position"), "Inserts a vertex into an edge and returns its id.");
}

void bind_triangles(Class& edit) {
  edit.def(
          "add_triangle",
          [](NamedEdit& self, py::handle vertices) {
            return self.edit.add_triangle(triangle_of(vertices, "vertices"));
          },
          py::arg("vertices"), "Adds a triangle and returns its id.")
      .def(
          "set_triangle",
          [](NamedEdit& self, py::handle triangle, py::handle vertices) {
            self.edit.set_triangle(id_of(triangle, "triangle"), triangle_of(vertices, "vertices"));
          },
          py::arg("triangle"), py::arg("vertices"), "Replaces the vertices of a triangle.")
      .def(
          "remove_triangle",
          [](NamedEdit& self, py::handle triangle) { self.edit.remove_triangle(id_of(triangle, "triangle")); },
          py::arg("triangle"), "Removes a triangle.");
}

void bind_bodies(Class& edit) {
  def_add_body(edit, &add_body);
  edit.def(
          "remove_body", [](NamedEdit& self, py::handle body) { self.edit.remove_body(edited_body(self, body)); },
          py::arg("body"), "Removes a body with its vertices and triangles.")
      .def("split_body", &split_body, py::arg("body"), py::arg("groups") = py::none(),
           "Moves groups of triangles, or all components but one, into new bodies; returns their numbers.");
}

}  // namespace

void bind_edit(py::module_& module) {
  Class edit(module, "SceneEdit", "A batch of changes of the meshes of a scene; Scene.apply or Detector.apply.");
  bind_vertices(edit);
  bind_triangles(edit);
  bind_bodies(edit);
  edit.def(
          "carry",
          [](const NamedEdit& self, py::handle x) {
            return positions_array(self.edit.carry(Positions(x, "x").span()));
          },
          py::arg("x"), "Positions of all vertices after the edit, from those before it.")
      .def_property_readonly("copies", &copies, "Copied vertices, n x 2: the copy, and the vertex that it copies.")
      .def_property_readonly(
          "vertex_count", [](const NamedEdit& self) { return self.edit.vertex_count(); },
          "Number of vertex ids after the edit.")
      .def_property_readonly(
          "triangle_count", [](const NamedEdit& self) { return self.edit.triangle_count(); },
          "Number of triangle ids after the edit.")
      .def_property_readonly(
          "body_count", [](const NamedEdit& self) { return self.edit.body_count(); },
          "Number of body ids after the edit.")
      .def_property_readonly(
          "empty", [](const NamedEdit& self) { return self.edit.empty(); }, "Whether the edit changes nothing.");
}

}  // namespace graze::python
