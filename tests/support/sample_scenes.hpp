// Small steps for the tests of methods and api: made by hand, with known impacts, and random soups.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

#include <graze/scene.hpp>
#include <graze/types.hpp>

namespace graze::testing {

/// A scene with its positions at both ends of a step.
struct Step {
  Scene scene;
  std::vector<Vec3> x_t0;
  std::vector<Vec3> x_t1;

  void add(const std::vector<Vec3>& start, const Vec3& move, const std::vector<Triangle>& triangles,
           Motion motion = Motion::Deforming) {
    scene.add_body({.positions = start, .triangles = triangles, .motion = motion});
    for (const Vec3& p : start) {
      x_t0.push_back(p);
      x_t1.push_back({p.x + move.x, p.y + move.y, p.z + move.z});
    }
  }
};

/// A triangle falls, tip first, on a static one: one impact, vertex 3 on face 0 1 2, at t = height / 2.
inline Step falling_tip(double height = 1.0) {
  Step step;
  step.add({{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, {0, 0, 0}, {{0, 1, 2}}, Motion::Static);
  step.add({{1, 1, height}, {1, 1.5, height + 2}, {1.5, 1, height + 2}}, {0, 0, -2}, {{0, 1, 2}}, Motion::Rigid);
  return step;
}

/// Two upright triangles whose edges cross at the origin at t = 0.5: one impact, edges 0 1 and 3 4.
inline Step crossing_edges() {
  Step step;
  step.add({{-1, 0, 0}, {1, 0, 0}, {0, 0, -5}}, {0, 0, 0}, {{0, 1, 2}}, Motion::Static);
  step.add({{0, -1, 1}, {0, 1, 1}, {0, 0, 6}}, {0, 0, -2}, {{0, 1, 2}});
  return step;
}

/// Triangles of about `size` in the unit cube, each vertex on its own path; some share vertices, some repeat ids.
inline Step random_soup(unsigned seed, std::size_t triangle_count, double size) {
  std::mt19937_64 random(seed);
  const auto number = [&](double scale) { return scale * (static_cast<double>(random() >> 11U) * 0x1p-53 - 0.5); };
  Step step;
  std::vector<Vec3> start;
  std::vector<Triangle> triangles;
  for (std::size_t t = 0; t < triangle_count; ++t) {
    const Vec3 centre{number(1.0), number(1.0), number(1.0)};
    const Vec3 move{number(size), number(size), number(size)};
    for (int k = 0; k < 3; ++k) {
      start.push_back({centre.x + number(size), centre.y + number(size), centre.z + number(size)});
      const Vec3& p = start.back();
      step.x_t1.push_back({p.x + move.x + number(size), p.y + move.y + number(size), p.z + move.z + number(size)});
    }
    const auto first = static_cast<VertexId>(3 * t);
    triangles.push_back({first + 2, first, first + 1});
    if (t % 4 == 1) triangles.push_back({first, first - 1, first + 1});
    if (t % 16 == 2) triangles.push_back({first, first, first + 1});
    if (t % 16 == 3) triangles.push_back({first, first + 1, first + 2});  // a duplicate, rotated
  }
  step.x_t0 = start;
  step.scene.add_body({.positions = start, .triangles = triangles});
  return step;
}

}  // namespace graze::testing
