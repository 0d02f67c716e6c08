// graze/version.hpp in Python: __version__.
#include <string>

#include <graze/version.hpp>

#include "bind.hpp"

namespace graze::python {

void bind_version(pybind11::module_& module) {
  module.attr("__version__") = std::string(version());
}

}  // namespace graze::python
