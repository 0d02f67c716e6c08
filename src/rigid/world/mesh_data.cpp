// Bounds and tree for rays of a mesh, made once. See the header.
#include "rigid/world/mesh_data.hpp"

#include <mutex>

#include "rigid/object.hpp"

namespace graze::rigid {

struct MeshData::Data {
  std::once_flag bounds_made;
  std::once_flag tree_made;
  LocalBounds bounds;
  RayTree tree;
};

MeshData::MeshData() : data_(std::make_shared<Data>()) {}

const LocalBounds& MeshData::bounds(const ObjectState& object) const {
  std::call_once(data_->bounds_made, [&] { data_->bounds = local_bounds(object.positions, object.triangles); });
  return data_->bounds;
}

const RayTree& MeshData::ray_tree(const ObjectState& object) const {
  const LocalBounds& known = bounds(object);
  std::call_once(data_->tree_made,
                 [&] { data_->tree = build_ray_tree(object.positions, object.triangles, known); });
  return data_->tree;
}

}  // namespace graze::rigid
