// Connected components of the vertices of a mesh, by a union-find forest that all threads grow at once.
//
// A root is only ever linked to a lower root, by compare-and-swap; paths are halved on the way (Anderson and Woll
// 1991, Wait-free parallel algorithms for the union-find problem). Whatever the order of the links, the root of a
// component is its lowest vertex: so the result is the same for any number of threads. Cost: nearly O(n), parallel;
// 4 bytes per vertex.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <graze/types.hpp>

#include "core/uninitialized_vector.hpp"
#include "methods/cluster/build/leaf_view.hpp"

namespace graze::methods {

/// By vertex: the lowest vertex of its component. Leaves connect their three vertices; a vertex of no leaf is a
/// component of its own. `numbers` are the leaves to use.
UninitializedVector<VertexId> connected_pieces(const LeafView& leaves, std::span<const std::uint32_t> numbers,
                                               std::size_t vertex_count);

}  // namespace graze::methods
