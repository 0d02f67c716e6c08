// Vertex welding: merges vertices with bitwise equal positions and removes unused vertices. Reduces the memory of a
// soup of separate triangles from 84 bytes per triangle to that of a mesh. Cost: linear.
#pragma once

#include <vector>

#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::mesh {

/// Renumbers vertices in the order in which triangles use them. Triangles keep their indices and, bit for bit, the
/// positions of their corners. Precondition: vertex ids are in range.
void weld(std::vector<Vec3>& positions, std::vector<Triangle>& triangles);

}  // namespace graze::mesh
