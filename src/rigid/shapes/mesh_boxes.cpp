// Boxes of nodes at a pose. See the header.
#include "rigid/shapes/mesh_boxes.hpp"

#include <cmath>
#include <cstddef>

namespace graze::rigid {

MeshBoxes::MeshBoxes(const ObjectState& mesh, const Pose& pose, const Vec3& origin, int exponent) : mesh_(mesh) {
  const Boxtree& tree = mesh.boxtree;
  const PowerOfTwo scale(exponent);
  centre_ = relative<double>(posed(pose, tree.local_frame.origin), origin, scale);
  const PowerOfTwo unit(exponent - tree.local_frame.exponent);
  const auto& r = pose.rotation;
  columns_ = {narrow::Vec<double>{unit(r[0].x), unit(r[1].x), unit(r[2].x)},
              narrow::Vec<double>{unit(r[0].y), unit(r[1].y), unit(r[2].y)},
              narrow::Vec<double>{unit(r[0].z), unit(r[1].z), unit(r[2].z)}};
  constexpr double kUnit = 0x1p-53;
  const double size = unit(1.0);
  const double far = 3.1 * mesh.max_coordinate + geometry::max_abs(pose.translation);
  const double posing = scale(12.0 * kUnit * (far + geometry::max_abs(origin)) + 0x1p-1066);
  error_ = 1.75 * (posing + 8.0 * kUnit * (max_abs(centre_) + 4.0 * size) + 2.0 * boxtree_slack(tree) * size) +
           0x1p-1000;
}

NodeRange MeshBoxes::root() const {
  NodeRange range;
  for (std::size_t k = 0; k < 3; ++k) {
    range.lo[k] = static_cast<double>(mesh_.boxtree.lo[k]);
    range.hi[k] = static_cast<double>(mesh_.boxtree.hi[k]);
  }
  return range;
}

NodeRange MeshBoxes::child(const BoxNode& node, const NodeRange& parent) {
  NodeRange range = parent;
  const auto cut = static_cast<double>(node.cut());
  if (node.upper()) {
    range.lo[node.axis()] += cut;
  } else {
    range.hi[node.axis()] -= cut;
  }
  return range;
}

void MeshBoxes::corners(const NodeRange& range, Body<double>& body) const {
  std::array<narrow::Vec<double>, 8> corners;
  for (std::size_t i = 0; i < 8; ++i) {
    const double x = (i & 1U) != 0 ? range.hi[0] : range.lo[0];
    const double y = (i & 2U) != 0 ? range.hi[1] : range.lo[1];
    const double z = (i & 4U) != 0 ? range.hi[2] : range.lo[2];
    corners[i] = centre_ + (x * columns_[0] + (y * columns_[1] + z * columns_[2]));
  }
  body.set_few(corners);
}

}  // namespace graze::rigid
