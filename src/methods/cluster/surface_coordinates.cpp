// Landmarks and breadth-first distances on a mesh; surface_coordinates.hpp describes their use.
#include "methods/cluster/surface_coordinates.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "core/tasks.hpp"

namespace graze::methods {

namespace {

/// Adjacency lists of the vertices: edges of triangles, some listed twice.
class VertexLinks {
 public:
  VertexLinks(const SurfaceMesh& mesh, std::pmr::memory_resource& memory)
      : begin_(mesh.vertex_count + 1, &memory), to_(&memory) {
    for (const std::uint32_t number : mesh.numbers) {
      for (const VertexId v : mesh.leaves[number].vertices) begin_[v + 1] += 2;
    }
    for (std::size_t v = 0; v < mesh.vertex_count; ++v) begin_[v + 1] += begin_[v];
    to_.resize(begin_.back());
    std::pmr::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1, &memory);
    for (const std::uint32_t number : mesh.numbers) {
      const auto& v = mesh.leaves[number].vertices;
      for (std::size_t k = 0; k < 3; ++k) {
        to_[next[v[k]]++] = v[(k + 1) % 3];
        to_[next[v[k]]++] = v[(k + 2) % 3];
      }
    }
  }
  [[nodiscard]] std::span<const VertexId> of(VertexId v) const {
    return {to_.data() + begin_[v], begin_[v + 1] - begin_[v]};
  }

 private:
  std::pmr::vector<std::uint32_t> begin_;
  std::pmr::vector<VertexId> to_;
};

constexpr std::uint32_t kFar = std::numeric_limits<std::uint32_t>::max();

/// Breadth-first search: computes the distances from a vertex; `reached` receives the vertices in order of
/// distance. Precondition: the distances in the component are kFar.
void search(const VertexLinks& links, VertexId from, std::pmr::vector<std::uint32_t>& distance,
            std::pmr::vector<VertexId>& reached) {
  reached.assign(1, from);
  distance[from] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const VertexId v = reached[i];
    const std::uint32_t next = distance[v] + 1;
    for (const VertexId to : links.of(v)) {
      if (distance[to] != kFar) continue;
      distance[to] = next;
      reached.push_back(to);
    }
  }
}

}  // namespace

void for_landmarks(const SurfaceMesh& mesh, std::span<const PieceSeed> pieces, const LandmarkSink& sink,
                   std::pmr::memory_resource& memory) {
  if (pieces.empty()) return;
  const VertexLinks links(mesh, memory);
  std::pmr::vector<std::uint32_t> nearest(mesh.vertex_count, kFar, &memory);  // distance to the closest landmark
  std::pmr::vector<std::uint32_t> distance(mesh.vertex_count, kFar, &memory);
  std::pmr::vector<VertexId> landmarks(pieces.begin(), pieces.end(), &memory);
  std::pmr::vector<VertexId> reached(&memory);
  reached.reserve(mesh.vertex_count);
  // The farthest vertex from any start is a good first landmark.
  for (VertexId& landmark : landmarks) {
    search(links, landmark, distance, reached);
    landmark = reached.back();
  }
  for (std::size_t l = 0; l < kLandmarks; ++l) {
    std::fill(distance.begin(), distance.end(), kFar);
    for (VertexId& landmark : landmarks) {
      search(links, landmark, distance, reached);
      // The next landmark is the vertex farthest from all landmarks so far.
      for (const VertexId v : reached) {
        nearest[v] = std::min(nearest[v], distance[v]);
        if (nearest[v] > nearest[landmark]) landmark = v;
      }
    }
    parallel_for(0, mesh.numbers.size(), 8192, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const auto& v = mesh.leaves[mesh.numbers[i]].vertices;
        if (distance[v[0]] == kFar) continue;
        sink(l, i, static_cast<float>(distance[v[0]] + distance[v[1]] + distance[v[2]]));
      }
    });
  }
}

std::size_t landmark_bytes(const SurfaceMesh& mesh) {
  constexpr std::size_t kByVertex = 6;  // lists by vertex, landmarks included
  return (kByVertex * (mesh.vertex_count + 1) + 6 * mesh.numbers.size()) * sizeof(std::uint32_t) + 256;
}

}  // namespace graze::methods
