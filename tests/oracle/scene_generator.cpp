// The scene families. Coordinates are small integers or halves in most of them, so that exact touching is common.
#include "oracle/scene_generator.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace graze::oracle {

namespace {

Vec3 grid_point(Random& random, int radius) {
  const double x = random.between(-radius, radius);
  const double y = random.between(-radius, radius);
  const double z = random.between(-radius, radius);
  return {x, y, z};
}

Vec3 unit_point(Random& random) {
  const double x = random.symmetric();
  const double y = random.symmetric();
  const double z = random.symmetric();
  return {x, y, z};
}

void rest(SceneStep& scene) {
  scene.x_t1 = scene.x_t0;
}

void shift(std::vector<Vec3>& x, std::size_t from, const Vec3& by) {
  for (std::size_t i = from; i < x.size(); ++i) x[i] = {x[i].x + by.x, x[i].y + by.y, x[i].z + by.z};
}

Triangle random_triangle(Random& random, std::uint32_t vertices) {
  return {random.below(vertices), random.below(vertices), random.below(vertices)};
}

SceneStep soup(Random& random) {
  SceneStep scene;
  const std::uint32_t count = 2 + random.below(8);
  for (std::uint32_t i = 0; i < count; ++i) {
    scene.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    const Vec3 centre = unit_point(random);
    for (int corner = 0; corner < 3; ++corner) {
      const Vec3 p = unit_point(random);
      scene.x_t0.push_back({centre.x + 0.5 * p.x, centre.y + 0.5 * p.y, centre.z + 0.5 * p.z});
      const Vec3 q = unit_point(random);
      scene.x_t1.push_back({centre.x + 0.5 * q.x, centre.y + 0.5 * q.y, centre.z + 0.5 * q.z});
    }
  }
  return scene;
}

// Random ids: repeated ids, repeated triangles, non-manifold edges, vertices without a triangle.
SceneStep tangle(Random& random) {
  SceneStep scene;
  const std::uint32_t vertices = 3 + random.below(9);
  for (std::uint32_t i = 0; i < vertices; ++i) {
    scene.x_t0.push_back(grid_point(random, 2));
    scene.x_t1.push_back(grid_point(random, 2));
  }
  const std::uint32_t count = 1 + random.below(10);
  for (std::uint32_t i = 0; i < count; ++i) scene.triangles.push_back(random_triangle(random, vertices));
  if (random.coin()) scene.triangles.push_back(scene.triangles.front());
  if (random.coin()) std::reverse(scene.triangles.back().begin(), scene.triangles.back().end());
  return scene;
}

void add_octahedron(SceneStep& scene, const Vec3& centre, double radius) {
  const auto first = static_cast<VertexId>(scene.x_t0.size());
  for (const Vec3& d :
       {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{-1, 0, 0}, Vec3{0, -1, 0}, Vec3{0, 0, 1}, Vec3{0, 0, -1}}) {
    scene.x_t0.push_back({centre.x + radius * d.x, centre.y + radius * d.y, centre.z + radius * d.z});
  }
  for (VertexId i = 0; i < 4; ++i) {
    scene.triangles.push_back({first + i, first + (i + 1) % 4, first + 4});
    scene.triangles.push_back({first + (i + 1) % 4, first + i, first + 5});
  }
}

// Two closed meshes, one thrown at or through the other, or touching tip to tip at rest.
SceneStep closed_meshes(Random& random) {
  SceneStep scene;
  add_octahedron(scene, {0, 0, 0}, 1.0);
  const Vec3 centre = grid_point(random, 2);
  add_octahedron(scene, centre, random.coin() ? 1.0 : 0.5);
  rest(scene);
  const Vec3 motion = random.coin() ? grid_point(random, 3) : Vec3{-centre.x, -centre.y, -centre.z};
  shift(scene.x_t1, 6, motion);
  return scene;
}

void add_grid(SceneStep& scene, int columns, int rows, const Vec3& origin) {
  const auto first = static_cast<VertexId>(scene.x_t0.size());
  const auto width = static_cast<VertexId>(columns + 1);
  for (int j = 0; j <= rows; ++j) {
    for (int i = 0; i <= columns; ++i) scene.x_t0.push_back({origin.x + i, origin.y + j, origin.z});
  }
  for (VertexId j = 0; j < static_cast<VertexId>(rows); ++j) {
    for (VertexId i = 0; i < static_cast<VertexId>(columns); ++i) {
      const VertexId corner = first + j * width + i;
      scene.triangles.push_back({corner, corner + 1, corner + width});
      scene.triangles.push_back({corner + 1, corner + width + 1, corner + width});
    }
  }
}

// A strip of cloth folded flat onto itself: one half lands in the plane of the other.
SceneStep folded_cloth(Random& random) {
  SceneStep scene;
  const int half = 1 + static_cast<int>(random.below(2));
  add_grid(scene, 2 * half, 2, {0, 0, 0});
  rest(scene);
  const double offset = random.coin() ? 0.0 : 0.25;
  const bool from_flat = random.coin();
  for (std::size_t i = 0; i < scene.x_t0.size(); ++i) {
    const double beyond = scene.x_t0[i].x - half;
    if (beyond <= 0.0) continue;
    scene.x_t1[i].x = half - beyond + offset;
    if (!from_flat) scene.x_t0[i] = {static_cast<double>(half), scene.x_t0[i].y, beyond};
  }
  return scene;
}

// Two sheets that fall flat onto each other, or slide in one plane.
SceneStep sheets(Random& random) {
  SceneStep scene;
  add_grid(scene, 2, 1, {0, 0, 0});
  const std::size_t second = scene.x_t0.size();
  const double slide = random.between(-2, 2) / 2.0;
  const bool in_plane = random.coin();
  add_grid(scene, 2, 1, {in_plane ? 3.0 : slide, slide, in_plane ? 0.0 : 1.0});
  rest(scene);
  shift(scene.x_t1, second,
        {in_plane ? -3.0 : 0.5, 0.0, in_plane ? 0.0 : -static_cast<double>(random.between(0, 2))});
  return scene;
}

SceneStep moebius(Random& random) {
  SceneStep scene;
  const std::uint32_t count = 5 + random.below(4);
  for (int end = 0; end < 2; ++end) {
    std::vector<Vec3>& x = end == 0 ? scene.x_t0 : scene.x_t1;
    const double squeeze = end == 0 ? 1.0 : 0.25 * random.between(-2, 4);
    for (std::uint32_t i = 0; i < count; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / count;
      for (const double side : {-0.5, 0.5}) {
        const double radius = 1.0 + side * std::cos(0.5 * angle);
        x.push_back({squeeze * radius * std::cos(angle), radius * std::sin(angle), side * std::sin(0.5 * angle)});
      }
    }
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    // The last quad closes the strip with its two sides exchanged.
    const bool last = i + 1 == count;
    const VertexId a = 2 * i;
    const VertexId c = last ? 1 : a + 2;
    const VertexId d = last ? 0 : a + 3;
    scene.triangles.push_back({a, a + 1, c});
    scene.triangles.push_back({a + 1, d, c});
  }
  return scene;
}

SceneStep all_at_one_point(Random& random) {
  SceneStep scene;
  const std::uint32_t vertices = 6 + random.below(4);
  const Vec3 place = grid_point(random, 3);
  scene.x_t0.assign(vertices, place);
  scene.x_t1.assign(vertices, place);
  // In half the cases the vertices coincide only at one end of the step.
  if (random.coin()) {
    for (Vec3& p : scene.x_t1) p = grid_point(random, 2);
  }
  if (random.coin()) std::swap(scene.x_t0, scene.x_t1);
  for (int i = 0; i < 5; ++i) scene.triangles.push_back(random_triangle(random, vertices));
  return scene;
}

// A fan that winds twice round its centre: locally a disc, but it overlaps itself in projection.
SceneStep double_fan(Random& random) {
  SceneStep scene;
  const std::uint32_t count = 7 + random.below(4);
  for (int end = 0; end < 2; ++end) {
    std::vector<Vec3>& x = end == 0 ? scene.x_t0 : scene.x_t1;
    const double lift = end == 0 ? 0.25 : -0.25 * random.between(0, 2);
    x.push_back({0, 0, 0});
    for (std::uint32_t i = 0; i < count; ++i) {
      const double angle = 4.0 * std::numbers::pi * i / count;
      const double radius = i % 2 == 0 ? 1.0 : 0.5;
      x.push_back({radius * std::cos(angle), radius * std::sin(angle), lift * i});
    }
  }
  for (std::uint32_t i = 0; i < count; ++i) scene.triangles.push_back({0, 1 + i, 1 + (i + 1) % count});
  return scene;
}

SceneStep one_triangle(Random& random) {
  SceneStep scene;
  scene.triangles.push_back({0, 1, 2});
  for (int i = 0; i < 3; ++i) {
    scene.x_t0.push_back(grid_point(random, 2));
    scene.x_t1.push_back(grid_point(random, 2));
  }
  return scene;
}

SceneStep no_triangle(Random& random) {
  SceneStep scene = one_triangle(random);
  scene.triangles.clear();
  if (random.coin()) scene = {};
  return scene;
}

// Equal positions under different ids: cubes of a soup that share walls, static or moving together.
SceneStep duplicate_vertices(Random& random) {
  SceneStep scene = soup(random);
  for (Vec3& p : scene.x_t0) p = {std::round(2 * p.x), std::round(2 * p.y), std::round(2 * p.z)};
  rest(scene);
  shift(scene.x_t1, random.coin() ? 0 : 3, grid_point(random, 1));
  return scene;
}

constexpr SceneFamily kFamilies[] = {
    {"soup", "free triangles, random doubles", soup},
    {"tangle", "random ids: repeated ids and triangles, non-manifold", tangle},
    {"closed-meshes", "two octahedra, exact touching", closed_meshes},
    {"folded-cloth", "a strip folded flat on itself", folded_cloth},
    {"sheets", "sheets that fall flat on each other or slide in one plane", sheets},
    {"moebius", "a one-sided strip, squeezed", moebius},
    {"double-fan", "a fan that winds twice round its centre", double_fan},
    {"all-at-one-point", "every vertex in one place, at one end or both", all_at_one_point},
    {"duplicate-vertices", "equal points under different ids", duplicate_vertices},
    {"one-triangle", "one triangle", one_triangle},
    {"no-triangle", "vertices without a triangle, or nothing", no_triangle},
};

}  // namespace

std::span<const SceneFamily> scene_families() {
  return kFamilies;
}

SceneStep make_scene(const SceneFamily& family, std::uint64_t seed, std::uint64_t index) {
  Random random(seed, index);
  return family.make(random);
}

}  // namespace graze::oracle
