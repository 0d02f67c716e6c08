// graze/types.hpp in Python: the numbers in `kind` arrays. Vertices, triangles and pairs are rows of arrays.
#include <graze/types.hpp>

#include "bind.hpp"

namespace graze::python {

void bind_types(pybind11::module_& module) {
  module.attr("VERTEX_FACE") = static_cast<int>(FeatureKind::VertexFace);
  module.attr("EDGE_EDGE") = static_cast<int>(FeatureKind::EdgeEdge);
}

}  // namespace graze::python
