// graze/scene.hpp in Python: a scene whose bodies have names.
#include "objects.hpp"

#include <pybind11/stl.h>

#include "bind.hpp"
#include "body_arguments.hpp"

namespace graze::python {

namespace {

BodyId add_body(NamedScene& self, py::handle positions, py::handle faces, const BodyArguments& arguments) {
  if (arguments.name) self.names.require_free(*arguments.name, static_cast<BodyId>(self.scene.body_count()));
  const BodyMesh mesh(positions, faces);
  const BodyId body = self.scene.add_body(mesh.body(arguments));
  if (arguments.name) self.names.add(body, *arguments.name);
  return body;
}

/// A view of arrays of the scene that keeps them alive: a copy of a scene shares its arrays.
template <typename T, typename Row>
py::array scene_view(const Scene& scene, std::span<const Row> (Scene::*rows)() const) {
  auto* held = new Scene(scene);
  const py::capsule owner(held, [](void* pointer) { delete static_cast<Scene*>(pointer); });
  const std::span<const Row> span = (held->*rows)();
  const auto* first = reinterpret_cast<const T*>(span.data());
  return view_of<T>(first, {static_cast<py::ssize_t>(span.size()), 3}, sizeof(Row), owner);
}

py::array vertex_bodies(const Scene& scene) {
  std::vector<BodyId> bodies(scene.vertex_count());
  for (VertexId v = 0; v < bodies.size(); ++v) bodies[v] = scene.body_of(v);
  return read_only(owning_array<BodyId>(std::move(bodies), 0));
}

py::array ignored_pairs(const Scene& scene) {
  const auto pairs = scene.ignored_pairs();
  return read_only(owning_array<BodyId>(std::vector<std::array<BodyId, 2>>(pairs.begin(), pairs.end()), 2));
}

std::uint32_t any_id(py::handle given, const char* name) {
  return static_cast<std::uint32_t>(count_of(given, name, std::numeric_limits<std::uint32_t>::max()));
}

void bind_arrays(py::class_<NamedScene, std::shared_ptr<NamedScene>>& scene) {
  scene
      .def_property_readonly(
          "positions", [](const NamedScene& self) { return scene_view<double>(self.scene, &Scene::positions); },
          "Positions with which the vertices were added, n x 3.")
      .def_property_readonly(
          "triangles", [](const NamedScene& self) { return scene_view<VertexId>(self.scene, &Scene::triangles); },
          "Vertex ids of all triangles, m x 3; removed triangles have 4294967295 three times.")
      .def_property_readonly(
          "vertex_body", [](const NamedScene& self) { return vertex_bodies(self.scene); },
          "The body of each vertex; 4294967295 for a removed vertex.")
      .def_property_readonly(
          "ignored_pairs", [](const NamedScene& self) { return ignored_pairs(self.scene); },
          "Pairs of bodies that queries leave out, k x 2.");
}

void bind_counts(py::class_<NamedScene, std::shared_ptr<NamedScene>>& scene) {
  scene
      .def_property_readonly(
          "body_count", [](const NamedScene& self) { return self.scene.body_count(); },
          "Number of body ids, those of removed bodies included.")
      .def_property_readonly(
          "vertex_count", [](const NamedScene& self) { return self.scene.vertex_count(); },
          "Number of vertex ids, those of removed vertices included.")
      .def_property_readonly(
          "triangle_count", [](const NamedScene& self) { return self.scene.triangle_count(); },
          "Number of triangle ids, those of removed triangles included.")
      .def_property_readonly(
          "revision", [](const NamedScene& self) { return self.scene.revision(); },
          "Number of changes since the scene was empty.")
      .def(
          "has_body", [](const NamedScene& self, py::handle id) { return self.scene.has_body(any_id(id, "body")); },
          "Whether this body exists; False for a number out of range or of a removed body.")
      .def(
          "has_vertex",
          [](const NamedScene& self, py::handle id) { return self.scene.has_vertex(any_id(id, "vertex")); },
          "Whether this vertex exists; False for an id out of range or of a removed vertex.")
      .def(
          "has_triangle",
          [](const NamedScene& self, py::handle id) { return self.scene.has_triangle(any_id(id, "triangle")); },
          "Whether this triangle exists; False for an id out of range or of a removed triangle.")
      .def("__repr__", [](const NamedScene& self) {
        return "Scene(" + std::to_string(self.scene.body_count()) + " bodies, " +
               std::to_string(self.scene.vertex_count()) + " vertices, " +
               std::to_string(self.scene.triangle_count()) + " triangles)";
      });
}

void bind_bodies(py::class_<NamedScene, std::shared_ptr<NamedScene>>& scene) {
  scene
      .def(
          "body", [](const NamedScene& self, const py::str& name) { return body_of(name, self.scene, self.names); },
          py::arg("name"), "The number of the body with this name.")
      .def(
          "name",
          [](const NamedScene& self, py::handle body) {
            return self.names.of(body_of(body, self.scene, self.names));
          },
          py::arg("body"), "The name of a body: its own, or \"body N\".")
      .def(
          "vertices",
          [](const NamedScene& self, py::handle body) {
            const Scene::VertexRange range = self.scene.vertices(body_of(body, self.scene, self.names));
            return py::slice(range.first, range.last, 1);
          },
          py::arg("body"), "The rows of the vertices that a body was added with, as a slice.")
      .def(
          "motion",
          [](const NamedScene& self, py::handle body) {
            return motion_name(self.scene.motion(body_of(body, self.scene, self.names)));
          },
          py::arg("body"), "How a body moves: \"deforming\", \"rigid\" or \"static\".")
      .def(
          "groups",
          [](const NamedScene& self, py::handle body) {
            return self.scene.groups(body_of(body, self.scene, self.names));
          },
          py::arg("body"), "The bit mask of the collision groups of a body.")
      .def(
          "meets",
          [](const NamedScene& self, py::handle body) {
            return self.scene.meets(body_of(body, self.scene, self.names));
          },
          py::arg("body"), "The bit mask of the collision groups that a body is tested against.");
}

/// A scene of one mesh, for functions that have no scene; `name` is what they call the positions.
std::shared_ptr<NamedScene> soup(py::handle x, py::handle faces, const std::string& name) {
  auto scene = std::make_shared<NamedScene>();
  scene->scene.add_body(BodyMesh(x, faces, name).body({}));
  return scene;
}

}  // namespace

void bind_scene(py::module_& module) {
  py::class_<NamedScene, std::shared_ptr<NamedScene>> scene(module, "Scene",
                                                            "Bodies with common vertex and triangle ids.");
  scene.def(py::init<>());
  def_add_body(scene, &add_body);
  scene
      .def(
          "ignore_pair",
          [](NamedScene& self, py::handle a, py::handle b) {
            self.scene.ignore_pair(body_of(a, self.scene, self.names), body_of(b, self.scene, self.names));
          },
          py::arg("a"), py::arg("b"), "Leaves a pair of bodies out of all queries; a = b: self-contacts of a body.")
      .def(
          "tests_pair",
          [](const NamedScene& self, py::handle a, py::handle b) {
            return self.scene.tests_pair(body_of(a, self.scene, self.names), body_of(b, self.scene, self.names));
          },
          py::arg("a"), py::arg("b"), "Whether queries test a pair of bodies.")
      .def(
          "begin_edit",
          [](NamedScene& self) { return std::make_shared<NamedEdit>(self.scene.begin_edit(), self.names); },
          py::keep_alive<0, 1>(), "Begins a batch of changes of the meshes, which apply() makes.")
      .def(
          "apply",
          [](NamedScene& self, const NamedEdit& edit) {
            require_free(edit, self.names);
            self.scene.apply(edit.edit);
            add_names(edit, self.names);
          },
          py::arg("edit"), "Makes all changes of an edit, or none.")
      .def(
          "copy", [](const NamedScene& self) { return std::make_shared<NamedScene>(self); },
          "An independent copy; it shares memory until one of them changes.")
      .def("__copy__", [](const NamedScene& self) { return std::make_shared<NamedScene>(self); })
      .def(
          "__deepcopy__",
          [](const NamedScene& self, const py::dict&) { return std::make_shared<NamedScene>(self); },
          py::arg("memo"));
  bind_bodies(scene);
  bind_counts(scene);
  bind_arrays(scene);
  module.def("_soup", &soup, py::arg("x"), py::arg("faces"), py::arg("name"));
}

}  // namespace graze::python
