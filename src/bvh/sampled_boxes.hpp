// Boxes of the nodes of a tree under edit, from a few of their leaves, and where by these a new node fits.
//
// An edit knows the boxes of leaves, not of nodes, and to unite them all would cost more than the rest of it. A few
// leaves spread over a node's range tell well enough where it is; near the leaves, where it matters, all are taken.
// Nodes are remembered as they were in the layout before the edit. Only quality depends on it. Cost: O(depth) boxes
// for a place, fewer when many are asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bvh/edit/edit_tree.hpp"
#include "bvh/edit/editable_bvh.hpp"
#include "geometry/volume.hpp"

namespace graze::bvh::detail {

inline double half_area(const Aabb& box) {
  const double x = static_cast<double>(box.hi[0]) - static_cast<double>(box.lo[0]);
  const double y = static_cast<double>(box.hi[1]) - static_cast<double>(box.lo[1]);
  const double z = static_cast<double>(box.hi[2]) - static_cast<double>(box.lo[2]);
  return x < 0.0 ? 0.0 : x * (y + z) + y * z;
}

class SampledBoxes {
 public:
  /// Refers to all of them; nothing may have been edited yet. `cut`: pieces may be split off, and a range is no
  /// longer a node's where something has happened.
  SampledBoxes(const EditableBvh& lower, const EditableBvh& upper, const EditedLeaves& leaves, bool cut)
      : lower_{&lower, lower.counts, {}, {}, cut}, upper_{&upper, upper.counts, {}, {}, false}, leaves_(leaves) {}

  /// Roughly.
  Aabb component_box(std::uint32_t component);
  /// From this place of the lower level down, always to the child whose box grows less, as long as that has more
  /// leaves than the node that is to hang there.
  std::uint32_t fitting_place(std::uint32_t place, const Aabb& box, std::uint32_t count);
  /// The same for a component, from the root of the upper level.
  std::uint32_t fitting_upper_place(const Aabb& box);

 private:
  struct Level {
    const EditableBvh* forest;
    std::vector<std::uint32_t> counts;  ///< of the blocks before the edit: how long their ranges are
    std::vector<std::uint32_t> index;   ///< by block: where its box is in `boxes`, or kNoNode
    std::vector<Aabb> boxes;
    bool cut;
  };

  Aabb box_of(Level& level, std::uint32_t word);
  Aabb sample(Level& level, std::uint32_t block);
  std::uint32_t fit(Level& level, std::uint32_t place, const Aabb& box, std::uint32_t count);

  Level lower_;
  Level upper_;
  const EditedLeaves& leaves_;
};

}  // namespace graze::bvh::detail
