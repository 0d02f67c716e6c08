// Update of the incidence lists after a local edit (ICCD, Tang et al. 2009, section V-E.1): the result equals lists
// built from scratch, at the cost of the fans that changed.
//
// Rows contain leaf numbers, so a row changes only if its feature lost or gained a leaf. Cost: O(m log m) for a
// total of m leaves in these rows.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/incidence.hpp"
#include "mesh/mesh_editor.hpp"

namespace graze::mesh {

/// Features whose first leaf has another number than before; ascending. If the first leaf has the same number but
/// another face, then no leaf of the feature is older than the edit, for it would represent the feature now. Such a
/// feature need not be listed.
struct NewlyRepresented {
  std::vector<VertexId> vertices;
  std::vector<std::uint32_t> edges;
};

/// Updates the lists. `changes` describes the last edit; call this after every edit.
NewlyRepresented update_incidence(Incidence& incidence, const MeshEditor& editor, const LeafChanges& changes);

}  // namespace graze::mesh
