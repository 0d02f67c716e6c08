// The triangles of each vertex of a scene, ascending, each once. Cost: O(vertices + triangles); 4 bytes per vertex
// and 12 per triangle, and 4 more per vertex while it is built.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/types.hpp>

#include "mesh/features.hpp"

namespace graze::mesh {

class VertexStars {
 public:
  /// Removed triangles are in no star. Precondition: ids of the others are below vertex_count.
  VertexStars(std::span<const Triangle> triangles, std::size_t vertex_count);

  [[nodiscard]] std::span<const TriangleId> operator[](VertexId v) const {
    return std::span(triangles_).subspan(begin_[v], begin_[v + 1] - begin_[v]);
  }
  [[nodiscard]] std::size_t size() const { return begin_.size() - 1; }

  [[nodiscard]] static std::size_t planned_bytes(std::size_t vertices, std::size_t triangles) {
    return 2 * vertices * sizeof(std::uint32_t) + 3 * triangles * sizeof(TriangleId);
  }

 private:
  std::vector<std::uint32_t> begin_;
  std::vector<TriangleId> triangles_;
};

}  // namespace graze::mesh
