// Boxes of features and the test of one box against a run of boxes (methods/brute/feature_boxes.hpp).
#include "methods/brute/feature_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/assert.hpp"
#include "core/tasks.hpp"

namespace graze::methods {

namespace {

constexpr std::size_t kGrain = 4096;

struct Range {
  double lo;
  double hi;
};

/// The range of a coordinate that moves from x0 to x1, for t in [0, until].
Range sweep(double x0, double x1, double until) {
  const Range whole{std::min(x0, x1), std::max(x0, x1)};
  if (until >= 1.0) return whole;
  // Three roundings of relative size 2^-53 on terms no larger than |x0| + |x1|, and underflow: 2^-50 of the sum and
  // the smallest double cover them with a margin.
  const double at = (1.0 - until) * x0 + until * x1;
  const double error = 0x1p-50 * (std::abs(x0) + std::abs(x1)) + std::numeric_limits<double>::min();
  const Range part{std::min(x0, at - error), std::max(x0, at + error)};
  if (!std::isfinite(part.lo) || !std::isfinite(part.hi)) return whole;
  return {std::max(whole.lo, part.lo), std::min(whole.hi, part.hi)};
}

Box sweep(const Vec3& a, const Vec3& b, double until) {
  const Range x = sweep(a.x, b.x, until);
  const Range y = sweep(a.y, b.y, until);
  const Range z = sweep(a.z, b.z, until);
  return {{x.lo, y.lo, z.lo}, {x.hi, y.hi, z.hi}};
}

/// Computes one box per feature: vertices_of(i) gives the vertex ids of feature i.
template <typename VerticesOf>
Boxes make_boxes(std::size_t count, std::span<const Box> swept, const VerticesOf& vertices_of) {
  Boxes boxes;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    boxes.lo[axis].resize(count);
    boxes.hi[axis].resize(count);
  }
  parallel_for(0, count, kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const auto ids = vertices_of(i);
      Box box = swept[ids[0]];
      for (const VertexId v : ids) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          box.lo[axis] = std::min(box.lo[axis], swept[v].lo[axis]);
          box.hi[axis] = std::max(box.hi[axis], swept[v].hi[axis]);
        }
      }
      for (std::size_t axis = 0; axis < 3; ++axis) {
        boxes.lo[axis][i] = box.lo[axis];
        boxes.hi[axis][i] = box.hi[axis];
      }
    }
  });
  return boxes;
}

}  // namespace

FeatureBoxes make_feature_boxes(const Features& features, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                                double until) {
  GRAZE_ASSERT(x_t0.size() == x_t1.size());
  std::vector<Box> swept(x_t0.size());
  parallel_for(0, swept.size(), kGrain, [&](std::size_t first, std::size_t last) {
    for (std::size_t v = first; v < last; ++v) swept[v] = sweep(x_t0[v], x_t1[v], until);
  });
  const auto vertex = [&](std::size_t i) { return std::array{features.vertices[i]}; };
  const auto edge = [&](std::size_t i) { return features.edges[i]; };
  const auto face = [&](std::size_t i) { return features.faces[i]; };
  return {make_boxes(features.vertices.size(), swept, vertex), make_boxes(features.edges.size(), swept, edge),
          make_boxes(features.faces.size(), swept, face)};
}

std::size_t boxes_within(const Boxes& boxes, const Box& box, std::size_t first, std::size_t last, double gap,
                         std::uint32_t* found) {
  GRAZE_ASSERT(first <= last && last - first <= kBoxRun && last <= boxes.size());
  const std::size_t count = last - first;
  const double* lo_x = boxes.lo[0].data() + first;
  const double* lo_y = boxes.lo[1].data() + first;
  const double* lo_z = boxes.lo[2].data() + first;
  const double* hi_x = boxes.hi[0].data() + first;
  const double* hi_y = boxes.hi[1].data() + first;
  const double* hi_z = boxes.hi[2].data() + first;
  const auto [lx, ly, lz] = box.lo;
  const auto [hx, hy, hz] = box.hi;
  // By value, unlike std::max, so that compilers vectorize the first loop, which has no branch.
  const auto larger = [](double a, double b) { return a < b ? b : a; };
  std::array<double, kBoxRun> distance;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = larger(lo_x[i] - hx, lx - hi_x[i]);
    const double y = larger(lo_y[i] - hy, ly - hi_y[i]);
    const double z = larger(lo_z[i] - hz, lz - hi_z[i]);
    distance[i] = larger(x, larger(y, z));
  }
  std::size_t found_count = 0;
  for (std::size_t i = 0; i < count; ++i) {
    found[found_count] = static_cast<std::uint32_t>(first + i);
    found_count += static_cast<std::size_t>(distance[i] <= gap);
  }
  return found_count;
}

}  // namespace graze::methods
