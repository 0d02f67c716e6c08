// The starting scenes of random edits (support/random_edits.hpp): smooth, closed, broken, degenerate, empty.
#include <array>
#include <cmath>
#include <numbers>

#include "support/random_edits.hpp"

namespace graze::testing {

namespace {

using oracle::Random;

Vec3 any_point(Random& random, double scale) {
  const double x = random.symmetric();
  const double y = random.symmetric();
  const double z = random.symmetric();
  return {scale * x, scale * y, scale * z};
}

/// A sphere: an octahedron whose faces are cut into levels^2 triangles, vertices shared.
Patch sphere_patch(std::uint32_t levels, double radius) {
  Patch patch;
  const auto vertex = [&](const Vec3& p) {
    const double scale = radius / std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
    const Vec3 q{scale * p.x, scale * p.y, scale * p.z};
    for (std::size_t i = 0; i < patch.points.size(); ++i) {
      if (patch.points[i] == q) return static_cast<VertexId>(i);
    }
    patch.points.push_back(q);
    return static_cast<VertexId>(patch.points.size() - 1);
  };
  for (unsigned octant = 0; octant < 8; ++octant) {
    const std::array<double, 3> sign = {(octant & 1U) != 0 ? -1.0 : 1.0, (octant & 2U) != 0 ? -1.0 : 1.0,
                                        (octant & 4U) != 0 ? -1.0 : 1.0};
    const auto at = [&](std::uint32_t i, std::uint32_t j) {
      return vertex({sign[0] * i, sign[1] * j, sign[2] * (levels - i - j)});
    };
    for (std::uint32_t i = 0; i < levels; ++i) {
      for (std::uint32_t j = 0; i + j < levels; ++j) {
        patch.triangles.push_back({at(i, j), at(i + 1, j), at(i, j + 1)});
        if (i + j + 1 < levels) patch.triangles.push_back({at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
      }
    }
  }
  return patch;
}

Patch soup_patch(Random& random, std::uint32_t count, double size) {
  Patch patch;
  for (std::uint32_t t = 0; t < count; ++t) {
    const Vec3 c = any_point(random, 1.0);
    for (int k = 0; k < 3; ++k) {
      const Vec3 d = any_point(random, size);
      patch.points.push_back({c.x + d.x, c.y + d.y, c.z + d.z});
    }
    patch.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  return patch;
}

/// Random ids: repeated ids, common edges, duplicate triangles.
Patch tangle_patch(Random& random, std::uint32_t vertices, std::uint32_t count) {
  Patch patch;
  for (std::uint32_t v = 0; v < vertices; ++v) patch.points.push_back(any_point(random, 0.6));
  for (std::uint32_t t = 0; t < count; ++t) {
    const VertexId a = random.below(vertices);
    const VertexId b = random.below(vertices);
    patch.triangles.push_back({a, b, random.below(vertices)});
    if (random.below(6) == 0) patch.triangles.push_back({b, a, patch.triangles.back()[2]});
  }
  return patch;
}

void add(Scene& scene, const Patch& patch, Motion motion = Motion::Deforming, std::uint32_t groups = 1,
         std::uint32_t meets = 0xffffffffU) {
  scene.add_body({.positions = patch.points,
                  .triangles = patch.triangles,
                  .motion = motion,
                  .groups = groups,
                  .meets = meets});
}

Scene one_grid(Random& /*random*/) {
  Scene scene;
  add(scene, grid_patch(6, 0.0));
  return scene;
}

Scene layers(Random& /*random*/) {
  Scene scene;
  for (int i = 0; i < 3; ++i) add(scene, grid_patch(4, 0.05 * i));
  return scene;
}

Scene spheres(Random& /*random*/) {
  Scene scene;
  add(scene, sphere_patch(2, 0.8));
  add(scene, sphere_patch(2, 0.5), Motion::Rigid);
  return scene;
}

/// Sheets of one body, side by side, that face up and down alternately.
Scene facing(Random& /*random*/) {
  Patch all;
  for (int i = 0; i < 3; ++i) {
    const Patch one = grid_patch(3, 0.0);
    const auto first = static_cast<VertexId>(all.points.size());
    for (const Vec3& p : one.points) all.points.push_back({p.x + 0.9 * i - 0.9, p.y, p.z});
    for (const Triangle& t : one.triangles) {
      all.triangles.push_back({first + t[0], first + t[i % 2 == 0 ? 1 : 2], first + t[i % 2 == 0 ? 2 : 1]});
    }
  }
  Scene scene;
  add(scene, all);
  return scene;
}

Scene soup(Random& random) {
  Scene scene;
  add(scene, soup_patch(random, 40, 0.3));
  return scene;
}

Scene tangle(Random& random) {
  Scene scene;
  add(scene, tangle_patch(random, 14, 20));
  return scene;
}

/// Only faces without area, and copies of them.
Scene degenerate(Random& random) {
  Scene scene;
  Patch patch;
  for (int i = 0; i < 8; ++i) patch.points.push_back(any_point(random, 0.5));
  for (VertexId v = 0; v < 8; ++v) {
    patch.triangles.push_back({v, v, v});
    patch.triangles.push_back({v, v, random.below(8)});
    patch.triangles.push_back({random.below(8), v, v});
  }
  add(scene, patch);
  return scene;
}

/// A wheel of 40 triangles around one vertex, and a pile of triangles at one edge.
Scene hubs(Random& random) {
  Patch patch;
  constexpr std::uint32_t kSpokes = 40;
  patch.points.push_back({0, 0, 0.2});
  for (std::uint32_t i = 0; i < kSpokes; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / kSpokes;
    patch.points.push_back({std::cos(angle), std::sin(angle), 0.0});
    patch.triangles.push_back({0, 1 + i, 1 + (i + 1) % kSpokes});
  }
  for (std::uint32_t i = 3; i < 30; i += 3) patch.triangles.push_back({0, 1, i});
  Scene scene;
  add(scene, patch);
  add(scene, soup_patch(random, 6, 0.5));
  return scene;
}

/// Tetrahedra in groups, some static, some pairs ignored.
Scene many_bodies(Random& random) {
  Scene scene;
  for (std::uint32_t i = 0; i < 10; ++i) {
    const Vec3 c = any_point(random, 0.7);
    Patch patch;
    for (int k = 0; k < 4; ++k) {
      const Vec3 d = any_point(random, 0.5);
      patch.points.push_back({c.x + d.x, c.y + d.y, c.z + d.z});
    }
    patch.triangles = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    const Motion motion = i % 3 == 0 ? Motion::Static : i % 3 == 1 ? Motion::Rigid : Motion::Deforming;
    add(scene, patch, motion, 1U << (i % 3), i % 4 == 0 ? 5U : 0xffffffffU);
  }
  for (int i = 0; i < 5; ++i) scene.ignore_pair(random.below(10), random.below(10));
  return scene;
}

/// Two static bodies that intersect, and a sphere that passes by.
Scene static_bodies(Random& random) {
  Scene scene;
  add(scene, grid_patch(4, 0.0), Motion::Static);
  add(scene, soup_patch(random, 12, 0.6), Motion::Static);
  add(scene, sphere_patch(2, 0.6));
  return scene;
}

Scene all_static(Random& random) {
  Scene scene;
  add(scene, grid_patch(3, 0.0), Motion::Static);
  add(scene, soup_patch(random, 10, 0.6), Motion::Static);
  return scene;
}

Scene moebius(Random& /*random*/) {
  Patch patch;
  constexpr std::uint32_t kQuads = 12;
  for (std::uint32_t i = 0; i < kQuads; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / kQuads;
    for (const double side : {-0.25, 0.25}) {
      const double radius = 0.8 + side * std::cos(0.5 * angle);
      patch.points.push_back({radius * std::cos(angle), radius * std::sin(angle), side * std::sin(0.5 * angle)});
    }
    const bool last = i + 1 == kQuads;  // the sides are exchanged where the strip closes
    const VertexId a = 2 * i;
    const VertexId c = last ? 1 : a + 2;
    const VertexId d = last ? 0 : a + 3;
    patch.triangles.push_back({a, a + 1, c});
    patch.triangles.push_back({a + 1, d, c});
  }
  Scene scene;
  add(scene, patch);
  return scene;
}

Scene one_triangle(Random& /*random*/) {
  Scene scene;
  add(scene, {.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, .triangles = {{0, 1, 2}}});
  return scene;
}

Scene empty(Random& /*random*/) {
  return {};
}

constexpr std::array kStarts = {
    EditStart{"grid", one_grid, 90},
    EditStart{"layers", layers, 80},
    EditStart{"spheres", spheres, 70},
    EditStart{"facing", facing, 90},
    EditStart{"soup", soup, 70},
    EditStart{"tangle", tangle, 30},
    EditStart{"degenerate", degenerate, 40},
    EditStart{"hubs", hubs, 60},
    EditStart{"many_bodies", many_bodies, 60},
    EditStart{"static_bodies", static_bodies, 70},
    EditStart{"all_static", all_static, 50},
    EditStart{"moebius", moebius, 60},
    EditStart{"one_triangle", one_triangle, 16},
    EditStart{"empty", empty, 40},
};

}  // namespace

Patch grid_patch(std::uint32_t side, double height) {
  Patch patch;
  for (std::uint32_t j = 0; j <= side; ++j) {
    for (std::uint32_t i = 0; i <= side; ++i) {
      patch.points.push_back({0.25 * i - 0.125 * side, 0.25 * j - 0.125 * side, height});
    }
  }
  for (std::uint32_t j = 0; j < side; ++j) {
    for (std::uint32_t i = 0; i < side; ++i) {
      const VertexId corner = j * (side + 1) + i;
      patch.triangles.push_back({corner, corner + 1, corner + side + 1});
      patch.triangles.push_back({corner + 1, corner + side + 2, corner + side + 1});
    }
  }
  return patch;
}

std::span<const EditStart> edit_starts() {
  return kStarts;
}

Scene make_start(const EditStart& start, std::uint64_t seed) {
  Random random(seed, 0);
  return start.make(random);
}

}  // namespace graze::testing
