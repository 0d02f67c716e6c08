// Random discs: grown face by face at their contour, so that they may overlap themselves in projection, then bent,
// rotated and moved.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "methods/cluster/cluster.hpp"
#include "oracle/brute_scene.hpp"
#include "oracle/random.hpp"

namespace graze::cluster_samples {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
using namespace bvh;
using namespace hash;
using namespace cull;
using namespace query;
using namespace methods;

using oracle::Random;
using oracle::SceneStep;

/// A random rotation, as its rows.
inline std::array<Vec3, 3> random_turn(Random& random) {
  double w = random.symmetric();
  double x = random.symmetric();
  double y = random.symmetric();
  double z = random.symmetric();
  const double length = std::sqrt(w * w + x * x + y * y + z * z) + 1e-9;
  w /= length, x /= length, y /= length, z /= length;
  return {Vec3{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
          Vec3{2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
          Vec3{2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
}

inline Vec3 turned(const std::array<Vec3, 3>& rows, const Vec3& p) {
  const auto along = [&](const Vec3& row) { return row.x * p.x + row.y * p.y + row.z * p.z; };
  return {along(rows[0]), along(rows[1]), along(rows[2])};
}

/// A static disc of `faces` faces, or fewer if the vertices run out.
inline SceneStep grown_disc(std::size_t faces, double folds, Random& random) {
  SceneStep step;
  auto& x = step.x_t0;
  x = {{0, 0, 0}, {1, 0, 0}, {0.5, 0.75 + 0.25 * random.symmetric(), 0}};
  step.triangles = {{0, 1, 2}};
  std::vector<VertexId> contour{0, 1, 2};
  const double ears = 0.3 + 0.6 * random.unit();
  const auto is_edge = [&](VertexId a, VertexId b) {
    return std::any_of(step.triangles.begin(), step.triangles.end(), [&](const Triangle& t) {
      return std::find(t.begin(), t.end(), a) != t.end() && std::find(t.begin(), t.end(), b) != t.end();
    });
  };
  std::size_t at = 0;
  for (int tries = 0; step.triangles.size() < faces && tries < 1000; ++tries) {
    // Often continues at the last place, so that arms grow.
    if (random.below(3) == 0) at = random.below(static_cast<std::uint32_t>(contour.size()));
    at %= contour.size();
    const std::size_t next = (at + 1) % contour.size();
    const std::size_t after = (at + 2) % contour.size();
    const VertexId a = contour[at];
    const VertexId b = contour[next];
    const VertexId c = contour[after];
    if (random.unit() < ears) {
      if (x.size() == kClusterVertices) break;
      const double dx = x[b].x - x[a].x;
      const double dy = x[b].y - x[a].y;
      const double out = (0.2 + random.unit()) * (random.unit() < folds ? -1.0 : 1.0);
      const double side = 0.5 + 0.8 * random.symmetric();
      x.push_back({x[a].x + side * dx + out * dy, x[a].y + side * dy - out * dx, 0});
      const auto v = static_cast<VertexId>(x.size() - 1);
      step.triangles.push_back({b, a, v});
      contour.insert(contour.begin() + static_cast<std::ptrdiff_t>(at) + 1, v);
      at += random.below(2);
    } else if (contour.size() > 3 && !is_edge(a, c)) {
      const double area = (x[a].x - x[b].x) * (x[c].y - x[b].y) - (x[a].y - x[b].y) * (x[c].x - x[b].x);
      if (area < 0.01 && random.unit() >= folds) continue;
      step.triangles.push_back({b, a, c});
      contour.erase(contour.begin() + static_cast<std::ptrdiff_t>(next));
    }
  }
  step.x_t1 = x;
  return step;
}

/// A moving disc of 1 to 32 faces, with motion from small to large.
inline SceneStep random_disc(Random& random) {
  SceneStep step = grown_disc(1 + random.below(32), random.below(4) == 0 ? 0.05 : 0.0, random);
  const auto size = [&](int from, int to) { return std::pow(10.0, from + (to - from) * random.unit()); };
  const double bumps = random.coin() ? 0.0 : size(-4, 0);
  const double rise = random.coin() ? 0.0 : size(-3, 0);
  const double jitter = random.below(4) == 0 ? 0.0 : size(-6, 0);
  const double far = random.coin() ? 0.0 : size(-1, 4);
  const auto before = random_turn(random);
  const auto after = random.below(4) == 0 ? random_turn(random) : before;
  const double stretch = random.coin() ? 1.0 : 1.0 + 0.7 * random.symmetric();
  const Vec3 at{far * random.symmetric(), far * random.symmetric(), far * random.symmetric()};
  const Vec3 displacement{random.symmetric(), random.symmetric(), random.symmetric()};
  for (std::size_t v = 0; v < step.x_t0.size(); ++v) {
    Vec3& p = step.x_t0[v];
    p.z = rise * static_cast<double>(v) / 8 + bumps * random.symmetric();
    const Vec3 moved{stretch * p.x + jitter * random.symmetric(), p.y + jitter * random.symmetric(),
                     p.z + jitter * random.symmetric()};
    p = turned(before, p);
    p = {p.x + at.x, p.y + at.y, p.z + at.z};
    const Vec3 q = turned(after, moved);
    step.x_t1[v] = {q.x + at.x + displacement.x, q.y + at.y + displacement.y, q.z + at.z + displacement.z};
  }
  for (Triangle& t : step.triangles) {
    std::rotate(t.begin(), t.begin() + random.below(3), t.end());
    if (random.below(8) == 0) std::swap(t[0], t[1]);
  }
  for (std::size_t i = step.triangles.size(); i > 1; --i) {
    std::swap(step.triangles[i - 1], step.triangles[random.below(static_cast<std::uint32_t>(i))]);
  }
  return step;
}

}  // namespace graze::cluster_samples
