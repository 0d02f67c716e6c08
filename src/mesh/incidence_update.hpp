// Incidence lists brought up to date after an edit (ICCD, Tang et al. 2009, section V-E.1): equal to those made
// from scratch, at the cost of the fans that changed.
//
// Rows name leaves by number, so a row changes only if its feature had a leaf that went, or has one that came.
// Cost: O(m log m) for m leaves in these rows together.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/incidence.hpp"
#include "mesh/mesh_editor.hpp"

namespace graze::mesh {

/// Features with another first leaf than before; ascending. Where the first leaf has the same number but another
/// face, no leaf of the feature stayed, for that would represent it now: then it need not be among them.
struct NewlyRepresented {
  std::vector<VertexId> vertices;
  std::vector<std::uint32_t> edges;
};

/// `changes` is what the last edit did; each edit must be followed.
NewlyRepresented update_incidence(Incidence& incidence, const MeshEditor& editor, const LeafChanges& changes);

}  // namespace graze::mesh
