// The straight path of a vertex over a step: both ends in one cache line, which is how candidates are gathered.
//
// Positions come as two arrays of 24-byte points; a candidate reads both ends of four vertices, which lie anywhere
// in them. Side by side and aligned, an end costs no second line. Linear to make, 64 bytes a vertex.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <graze/elementary.hpp>
#include <graze/types.hpp>

#include "core/tasks.hpp"

namespace graze::geometry {

struct alignas(64) VertexPath {
  Vec3 t0;
  Vec3 t1;
  std::array<double, 2> unused{};  ///< so that eight doubles can be loaded at once
};
static_assert(sizeof(VertexPath) == 64);

/// The paths of all vertices; reuses what `paths` has allocated. Precondition: as many positions at both ends.
inline void make_paths(std::span<const Vec3> x_t0, std::span<const Vec3> x_t1, std::vector<VertexPath>& paths) {
  constexpr std::size_t kGrain = 8192;
  paths.resize(x_t0.size());
  parallel_for(0, paths.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t v = first; v < last; ++v) {
      paths[v].t0 = x_t0[v];
      paths[v].t1 = x_t1[v];
    }
  });
}

/// The points of a pair at both ends.
inline PairStep pair_step(std::span<const VertexPath> paths, const std::array<VertexId, 4>& vertices) {
  PairStep step;
  for (std::size_t point = 0; point < 4; ++point) {
    step.t0[point] = paths[vertices[point]].t0;
    step.t1[point] = paths[vertices[point]].t1;
  }
  return step;
}

}  // namespace graze::geometry
