// One orientation for each connected piece of a soup, as far as there is one.
//
// The faces of a patch must agree on which side is up before their normals can be compared. Starting from the first
// face of each piece, a face is turned if it runs along the edge that it shares with the face before in the same
// direction. Only edges with exactly two faces count. Where there is no agreement (a Moebius strip) the last edge
// stays wrong, and so it stands in the boundary of every patch that crosses it twice (cull/patch_contours.hpp).
// Cost: linear.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "mesh/row_pool.hpp"

namespace graze::mesh {

/// Turns faces by exchanging two of their ids. `faces` in the soup's own orientation; face_edges: their edges, in
/// any order, kNoEdge for none; edge_faces: the faces of each edge.
void orient_faces(std::span<Triangle> faces, std::span<const std::array<std::uint32_t, 3>> face_edges,
                  const RowPool& edge_faces, std::span<const Edge> edges);

/// Whether a face runs along an edge from its first id to its second. Precondition: the edge is one of its sides.
bool runs_forward(const Triangle& face, const Edge& edge);

}  // namespace graze::mesh
