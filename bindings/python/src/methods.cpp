// graze/methods.hpp in Python: methods are named as on the command line.
#include <string>
#include <vector>

#include <pybind11/stl.h>

#include <graze/methods.hpp>
#include <graze/research.hpp>

#include "bind.hpp"

namespace graze::python {

void bind_methods(pybind11::module_& module) {
  namespace py = pybind11;
  module.def(
      "methods",
      [] {
        std::vector<std::string> names;
        for (const Method method : research::all_methods()) names.emplace_back(name_of(method));
        return names;
      },
      "Names of all methods, those for comparison included.");
  module.def(
      "method_summary",
      [](const std::string& method) { return std::string(summary_of(from_name<Method>(method))); },
      py::arg("method"), "One line that describes a method.");
}

}  // namespace graze::python
