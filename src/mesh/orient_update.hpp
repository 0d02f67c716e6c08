// One orientation for each piece of mesh (mesh/orient_faces.hpp), kept while leaves come and go.
//
// A leaf that stays keeps its side up, even where the order of its vertices changed. One that came begins with the
// winding of its triangle. Then, wherever an edge of the edit has two faces that run along it in the same
// direction, the smaller of the two parts that meet there is turned: both grow in step, across edges where faces
// agree, until one is exhausted; all its other disagreements then are gone as well. If they meet, there is no
// agreement (a Moebius strip), and the edge stays as it is. A later edit does not look for it again. Cost: the
// parts turned.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "mesh/incidence.hpp"
#include "mesh/leaf.hpp"
#include "mesh/mesh_editor.hpp"

namespace graze::mesh {

/// Whether two orders of the same three ids are rotations of each other. With an id twice it does not matter.
bool same_sense(const Triangle& a, const Triangle& b);

/// Sets Leaf::turned. `leaves` are as after the edit, but for `turned` of leaves that stayed, which is as before;
/// `incidence` is up to date. Returns the leaves that stayed and have the other side up now, ascending.
std::vector<std::uint32_t> update_orientation(std::span<Leaf> leaves, const Incidence& incidence,
                                              const MeshEditor& editor, const LeafChanges& changes,
                                              std::span<const Triangle> triangles);

}  // namespace graze::mesh
