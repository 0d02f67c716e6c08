// What distance queries keep with an object. See the header.
#include "rigid/distance/distance_data.hpp"

#include "rigid/distance/proximity_tree.hpp"
#include "rigid/distance/solid_topology.hpp"
#include "rigid/object.hpp"

namespace graze::rigid {

const ProximityTree& DistanceData::tree(const ObjectState& object) const {
  std::call_once(tree_once_, [&] {
    tree_ = std::make_shared<const ProximityTree>(build_proximity_tree(object.positions, object.triangles));
    bytes_ += tree_->bytes();
  });
  return *tree_;
}

const SolidTopology& DistanceData::topology(const ObjectState& object) const {
  std::call_once(topology_once_, [&] {
    topology_ = std::make_shared<const SolidTopology>(solid_topology(object.positions, object.triangles));
    bytes_ += topology_->bytes();
  });
  return *topology_;
}

}  // namespace graze::rigid
