// Orients faces by a depth-first search across manifold edges (orient_faces.hpp).
#include "mesh/orient_faces.hpp"

#include <utility>
#include <vector>

namespace graze::mesh {

bool runs_forward(const Triangle& face, const Edge& edge) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (face[k] == edge[0] && face[(k + 1) % 3] == edge[1]) return true;
  }
  return false;
}

void orient_faces(std::span<Triangle> faces, std::span<const std::array<std::uint32_t, 3>> face_edges,
                  const RowPool& edge_faces, std::span<const Edge> edges) {
  std::vector<std::uint8_t> reached(faces.size(), 0);
  std::vector<std::uint32_t> todo;
  for (std::uint32_t start = 0; start < faces.size(); ++start) {
    if (reached[start] != 0) continue;
    reached[start] = 1;
    todo.assign(1, start);
    while (!todo.empty()) {
      const std::uint32_t from = todo.back();
      todo.pop_back();
      for (const std::uint32_t e : face_edges[from]) {
        if (e == kNoEdge || edge_faces.length(e) != 2) continue;
        const auto both = edge_faces[e];
        const std::uint32_t to = both[0] == from ? both[1] : both[0];
        if (reached[to] != 0) continue;
        reached[to] = 1;
        if (runs_forward(faces[from], edges[e]) == runs_forward(faces[to], edges[e])) {
          std::swap(faces[to][1], faces[to][2]);
        }
        todo.push_back(to);
      }
    }
  }
}

}  // namespace graze::mesh
