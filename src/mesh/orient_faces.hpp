// Consistent orientation of each connected piece of a triangle soup, where one exists.
//
// The faces of a patch need a common orientation before their normals can be compared. Starting from the first face
// of each piece, a face is flipped if it traverses the edge shared with its predecessor in the same direction. Only
// edges with exactly two faces count. If no consistent orientation exists (a Moebius strip), the last edge stays
// inconsistent: its two faces do not cancel there, so the edge is in the boundary of every patch that contains both
// (cull/patch_contours.hpp). Cost: linear.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "mesh/row_pool.hpp"

namespace graze::mesh {

/// Flips faces by swapping two of their ids. `faces` have the winding of the soup; face_edges lists their edges in
/// any order, with kNoEdge for a missing edge; edge_faces lists the faces of each edge.
void orient_faces(std::span<Triangle> faces, std::span<const std::array<std::uint32_t, 3>> face_edges,
                  const RowPool& edge_faces, std::span<const Edge> edges);

/// Returns whether a face traverses an edge from its first id to its second. Precondition: the edge is a side of
/// the face.
bool runs_forward(const Triangle& face, const Edge& edge);

}  // namespace graze::mesh
