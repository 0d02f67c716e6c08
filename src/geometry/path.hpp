// The straight path of a vertex over a step, both ends in one cache line. Kernels gather candidates from this
// layout.
//
// The caller's positions are two arrays of 24-byte points; a candidate reads both ends of four vertices at
// arbitrary places in them. With both ends side by side and aligned, the second end needs no additional cache line.
// Cost: O(vertices), 64 bytes per vertex.
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
  std::array<double, 2> unused{};  ///< padding: a kernel loads eight doubles at once
};
static_assert(sizeof(VertexPath) == 64);

/// Makes the paths of all vertices; reuses the memory of `paths`. Precondition: x_t0.size() == x_t1.size().
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

/// The four points of a feature pair at both ends of the step.
inline PairStep pair_step(std::span<const VertexPath> paths, const std::array<VertexId, 4>& vertices) {
  PairStep step;
  for (std::size_t point = 0; point < 4; ++point) {
    step.t0[point] = paths[vertices[point]].t0;
    step.t1[point] = paths[vertices[point]].t1;
  }
  return step;
}

}  // namespace graze::geometry
