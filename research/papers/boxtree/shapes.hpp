// Bounding volumes over a given tree shape, so that the shape of a tree (which polygons are below each node) and
// the volumes of its nodes can be compared one at a time: every kind of volume over the paper's splits, ours and
// SAH.
#pragma once

#include <graze/rigid.hpp>

#include "research/namespaces.hpp"
#include "rigid/trees/split_tree.hpp"

namespace graze::papers {

/// The shape of an object's boxtree. O(n).
rigid::SplitTree shape_of(const RigidObject& boxtree);
/// The shape that the library's other trees have, SAH. O(n log n).
rigid::SplitTree sah_shape(const RigidObject& object);

/// An object with the mesh of `object` and volumes of this kind over a shape. Nodes of a boxtree cut the slab off
/// their parent's box that they gain most from, as with the split `free`. O(n log n).
RigidObject fit_to_shape(const RigidObject& object, RigidTree tree, const rigid::SplitTree& shape);

}  // namespace graze::papers
