// Part of a tree edit (edit_tree.hpp): splits components that became disconnected.
//
// A component can break only around a patch of removed leaves, so the leaves around each patch are searched
// separately: searches that start around one hole meet soon, while searches from two distant holes would have to
// cross the mesh. A piece that is split off acts like a removed patch: it may have connected the patches that it
// reached, so the leaves around those patches form one group from then on. Cost: that of the pieces that are split
// off (mesh/detached_pieces.hpp).
#pragma once

#include "bvh/edit/edit_tree.hpp"
#include "bvh/edit/editable_bvh.hpp"

namespace graze::bvh::detail {

/// Gives each connected piece of the mesh its own tree. Precondition: all leaves are inserted, in trees that hold
/// whole pieces.
void split_components(EditableBvh& lower, const TreeEdit& edit, const EditedLeaves& leaves);

}  // namespace graze::bvh::detail
