// Update of the orientation of connected pieces (mesh/orient_faces.hpp) after an edit.
//
// A leaf that remains keeps its orientation, even if the order of its vertices changed. An added leaf starts with
// the winding of its triangle. Then, at each edge of the edit whose two faces disagree (traverse it in the same
// direction), the smaller of the two parts that meet there is flipped: both parts grow in turn, across edges where
// faces agree, until one is exhausted; the flip also resolves its other disagreements. If the two searches meet, no
// consistent orientation exists (a Moebius strip), and the edge stays inconsistent; later edits do not examine it
// again. Cost: the size of the flipped parts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "mesh/incidence.hpp"
#include "mesh/leaf.hpp"
#include "mesh/mesh_editor.hpp"

namespace graze::mesh {

/// Returns whether two orders of the same three ids are rotations of each other. With a repeated id the result is
/// irrelevant.
bool same_sense(const Triangle& a, const Triangle& b);

/// Sets Leaf::turned. `leaves` describe the mesh after the edit, except that `turned` of remaining leaves is still
/// the old value; `incidence` is up to date. Returns the remaining leaves whose orientation flipped, ascending.
std::vector<std::uint32_t> update_orientation(std::span<Leaf> leaves, const Incidence& incidence,
                                              const MeshEditor& editor, const LeafChanges& changes,
                                              std::span<const Triangle> triangles);

}  // namespace graze::mesh
