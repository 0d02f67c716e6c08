// Approximate node boxes of a tree during an edit (edit/edit_tree.hpp), sampled from a few leaves, and the place
// where a new node fits by its box.
//
// An edit knows the boxes of leaves, not of nodes, and to compute all unions would cost more than the rest of the
// edit. A few leaves spread over a node's range approximate its box well enough; small nodes, where precision
// matters, use all of their leaves. A node's range is that of the layout before the edit. Only the quality of the
// tree depends on these boxes. Cost: O(depth) boxes per place; less on average for many places, because boxes are
// cached.
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
  /// Keeps references to all arguments. Precondition: no edit has been made yet. `cut` says that pieces may be
  /// split off the lower level, so that the range of a dirty block no longer belongs to its node.
  SampledBoxes(const EditableBvh& lower, const EditableBvh& upper, const EditedLeaves& leaves, bool cut)
      : lower_{&lower, lower.counts, {}, {}, cut}, upper_{&upper, upper.counts, {}, {}, false}, leaves_(leaves) {}

  /// Returns the approximate box of a component.
  Aabb component_box(std::uint32_t component);
  /// Descends from this place of the lower level, always to the child whose box grows less, while the node there
  /// has more leaves than `count`, the number of leaves of the node to insert. Returns the place where the descent
  /// ends.
  std::uint32_t fitting_place(std::uint32_t place, const Aabb& box, std::uint32_t count);
  /// Returns the place for a new component: descends in the same way from the root of the upper level.
  std::uint32_t fitting_upper_place(const Aabb& box);

 private:
  struct Level {
    const EditableBvh* forest;
    std::vector<std::uint32_t> counts;  ///< items below each block before the edit: its range has counts - 1 blocks
    std::vector<std::uint32_t> index;   ///< for each block, the index of its box in `boxes`, or kNoNode
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
