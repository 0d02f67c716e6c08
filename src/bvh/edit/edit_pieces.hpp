// The part of a tree edit (edit_tree.hpp) that splits components that came apart.
//
// What came apart did so round a patch of leaves that were taken out, so the leaves round each patch are looked at
// by themselves: searches from one hole meet soon, those from two holes far apart would have to cross the mesh. A
// piece that is split off is like a patch that went: patches it reached were held together by it, perhaps, and the
// leaves round them are looked at together from then on. Cost: that of the pieces (mesh/detached_pieces.hpp).
#pragma once

#include "bvh/edit/edit_tree.hpp"
#include "bvh/edit/editable_bvh.hpp"

namespace graze::bvh::detail {

/// Makes each piece of mesh a tree of its own. Precondition: all leaves are in, in trees that hold whole pieces.
void split_components(EditableBvh& lower, const TreeEdit& edit, const EditedLeaves& leaves);

}  // namespace graze::bvh::detail
