// Checks that the tests of shapes share: closed, connected, facing outward, free of self-intersections, of the
// requested size, every bit as recorded.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include <graze/detector.hpp>
#include <graze/scene.hpp>

#include "core/hash.hpp"
#include "mesh/topology.hpp"
#include "research/mesh_counts.hpp"
#include "scenes/shapes.hpp"

namespace graze::scenes {

using namespace core;
using namespace geometry;
using namespace mesh;

inline std::size_t intersection_count(const Shape& shape) {
  Scene scene;
  scene.add_body({.positions = shape.positions, .triangles = shape.triangles});
  return Detector(scene).intersections(shape.positions).edge_face.size();
}

/// Number of intersections between the two shapes and within each.
inline std::size_t intersection_count(const Shape& a, const Shape& b) {
  Scene scene;
  scene.add_body({.positions = a.positions, .triangles = a.triangles});
  scene.add_body({.positions = b.positions, .triangles = b.triangles});
  return Detector(scene).intersections(scene.positions()).edge_face.size();
}

inline double enclosed_volume(const Shape& shape) {
  double volume = 0.0;
  for (const Triangle& t : shape.triangles) {
    const Vec3& a = shape.positions[t[0]];
    const Vec3& b = shape.positions[t[1]];
    const Vec3& c = shape.positions[t[2]];
    volume += (a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x)) / 6;
  }
  return volume;
}

inline void expect_sound(const Shape& shape) {
  ASSERT_FALSE(shape.triangles.empty());
  for (const Vec3& p : shape.positions) ASSERT_TRUE(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z));
  for (const Triangle& t : shape.triangles) {
    for (const VertexId id : t) ASSERT_LT(id, shape.positions.size());
  }
}

inline void expect_closed(const Shape& shape, std::uint32_t components = 1) {
  expect_sound(shape);
  const Topology topology = build_topology(shape.triangles, shape.positions.size());
  EXPECT_EQ(papers::boundary_edges(topology).size(), 0U);
  EXPECT_EQ(papers::nonmanifold_edges(topology).size(), 0U);
  EXPECT_EQ(papers::connected_components(shape.triangles, shape.positions.size()).count, components);
  for (std::size_t i = 0; i < shape.positions.size(); ++i) {
    EXPECT_GT(topology.vertex_triangles.length(i), 2U) << "vertex " << i << " is in no closed fan";
  }
}

/// Genus by Euler's formula, for a closed connected shape.
inline std::int64_t genus(const Shape& shape) {
  const Topology topology = build_topology(shape.triangles, shape.positions.size());
  const auto euler = static_cast<std::int64_t>(shape.positions.size()) +
                     static_cast<std::int64_t>(shape.triangles.size()) -
                     static_cast<std::int64_t>(topology.features.edges.size());
  return (2 - euler) / 2;
}

inline void expect_size(const Shape& shape, std::size_t triangles) {
  const auto count = static_cast<double>(shape.triangles.size());
  const auto asked = static_cast<double>(triangles);
  EXPECT_GE(count, 0.75 * asked);
  EXPECT_LE(count, 1.25 * asked);
}

/// Quality of the worst triangle, its height over its longest edge: small for slivers.
inline double worst_triangle(const Shape& shape) {
  double worst = 1.0;
  for (const Triangle& t : shape.triangles) {
    double longest = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3& a = shape.positions[t[k]];
      const Vec3& b = shape.positions[t[(k + 1) % 3]];
      longest = std::max(longest, std::hypot(a.x - b.x, a.y - b.y, a.z - b.z));
    }
    const Vec3& a = shape.positions[t[0]];
    const Vec3& b = shape.positions[t[1]];
    const Vec3& c = shape.positions[t[2]];
    const double ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z, vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
    const double area = std::hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
    worst = std::min(worst, area / (longest * longest));
  }
  return worst;
}

inline std::uint64_t fingerprint(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
  Hash64 hash;
  for (const Triangle& t : triangles) {
    for (const VertexId id : t) hash.add(std::uint64_t{id});
  }
  for (const Vec3& p : positions) {
    for (const double value : {p.x, p.y, p.z}) hash.add(value);
  }
  return hash.value();
}
inline std::uint64_t fingerprint(const Shape& shape) {
  return fingerprint(shape.positions, shape.triangles);
}

}  // namespace graze::scenes
