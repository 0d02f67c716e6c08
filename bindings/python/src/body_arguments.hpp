// add_body of scenes and edits: its arguments in Python, and the body that they describe.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <graze/scene.hpp>

#include "arrays.hpp"
#include "objects.hpp"

namespace graze::python {

/// Arguments of add_body after the positions and faces.
struct BodyArguments {
  std::optional<std::string> name;
  Motion motion = Motion::Deforming;
  std::uint32_t groups = 1;
  std::uint32_t meets = 0xffffffffU;
};

/// Positions and faces of a body, as given to add_body. They are checked here, so that messages name the argument.
class BodyMesh {
 public:
  BodyMesh(py::handle positions, py::handle faces, const std::string& name = "positions")
      : positions_(positions, name), faces_(faces, "faces") {
    require_finite(positions_.span(), name);
    require_ids(faces_.span(), positions_.span().size(), "faces");
  }
  [[nodiscard]] Body body(const BodyArguments& arguments) const {
    return {.positions = positions_.span(),
            .triangles = faces_.span(),
            .motion = arguments.motion,
            .groups = arguments.groups,
            .meets = arguments.meets};
  }

 private:
  Positions positions_;
  Faces faces_;
};

/// Defines add_body of a class: add(self, positions, faces, arguments) returns the id of the body.
template <typename Class, typename Self>
void def_add_body(Class& bound, BodyId (*add)(Self&, py::handle, py::handle, const BodyArguments&)) {
  constexpr std::uint64_t kAll = std::numeric_limits<std::uint32_t>::max();
  bound.def(
      "add_body",
      [add](Self& self, py::handle positions, py::handle faces, const std::optional<std::string>& name,
            bool is_static, const std::optional<std::string>& motion, py::handle groups, py::handle meets) {
        const BodyArguments arguments{name, motion_of(motion, is_static),
                                      static_cast<std::uint32_t>(count_of(groups, "groups", kAll)),
                                      static_cast<std::uint32_t>(count_of(meets, "meets", kAll))};
        return add(self, positions, faces, arguments);
      },
      py::arg("positions"), py::arg("faces"), py::kw_only(), py::arg("name") = py::none(),
      py::arg("static") = false, py::arg("motion") = py::none(), py::arg("groups") = 1, py::arg("meets") = kAll,
      "Adds a mesh: n x 3 positions, m x 3 faces in rows of the positions. Returns the number of the body.");
}

}  // namespace graze::python
