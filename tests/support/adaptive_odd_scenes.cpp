// Sequences of unusual scenes: soups, points, empty scenes, of any size and at any place.
#include "support/adaptive_sequences.hpp"

#include <array>
#include <cmath>

#include "support/random_edits.hpp"
#include "support/sample_scenes.hpp"

namespace graze::testing {

namespace {

using Move = Story::Move;

Vec3 sum(const Vec3& a, const Vec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

Vec3 times(double s, const Vec3& a) {
  return {s * a.x, s * a.y, s * a.z};
}

Move same() {
  return [](const Vec3& x, VertexId, BodyId) { return x; };
}

Move all_by(const Vec3& displacement) {
  return [=](const Vec3& x, VertexId, BodyId) { return sum(x, displacement); };
}

constexpr VertexId kOfSheet = 49;
constexpr VertexId kMiddle = 24;

/// Few triangles, because at the end every pair of features touches.
Sequence falls_into_a_point() {
  Story story(three_triangles(0.5));
  std::vector<Vec3> start;
  for (VertexId v = 0; v < 9; ++v) start.push_back(story.x(v));
  for (int i = 0; i < 4; ++i) story.go([](const Vec3& x, VertexId, BodyId) { return times(0.5, x); });
  story.go([](const Vec3&, VertexId, BodyId) { return Vec3{0.125, 0, 0}; });
  story.go(same());
  story.go(all_by({0.25, 0, 0}));
  story.go([&](const Vec3&, VertexId v, BodyId) { return start[v]; });
  story.go(same());
  return story.end();
}

Sequence some_ignore_each_other() {
  Scene scene = wavy_sheets(0.05, true);
  const Patch third = grid_patch(4, 0.02);
  scene.add_body({.positions = third.points, .triangles = third.triangles, .groups = 2, .meets = 1});
  scene.add_body({.positions = third.points, .triangles = third.triangles, .groups = 4, .meets = 2});
  scene.ignore_pair(0, 1);
  scene.ignore_pair(0, 0);
  Story story(scene);
  for (std::uint64_t i = 0; i < 20; ++i) {
    story.go([&](const Vec3& x, VertexId v, BodyId body) {
      return sum(x, sum({0, 0, -0.004 * body}, noise3(i, v, 0.004)));
    });
  }
  return story.end();
}

Sequence soup_shakes() {
  const Step soup = random_soup(5, 40, 0.3);
  Story story(soup.scene);
  for (std::uint64_t i = 0; i < 20; ++i) {
    const double size = i % 7 == 6 ? 0.1 : 0.004;
    story.go([&](const Vec3& x, VertexId v, BodyId) { return sum(x, noise3(i, v, size)); });
  }
  return story.end();
}

/// Points, segments and copies among a few ordinary triangles.
Sequence no_area() {
  std::vector<Vec3> x;
  for (std::uint64_t v = 0; v < 12; ++v) x.push_back(noise3(v, 77, 0.5));
  std::vector<Triangle> triangles;
  for (VertexId v = 0; v < 12; ++v) {
    triangles.push_back({v, v, v});
    triangles.push_back({v, v, (v + 5) % 12});
    triangles.push_back({v, (v + 1) % 12, (v + 6) % 12});
    if (v % 3 == 0) triangles.push_back({(v + 1) % 12, v, (v + 6) % 12});
  }
  x.push_back(x[3]);  // coincides with another vertex
  triangles.push_back({12, 1, 2});
  Scene scene;
  scene.add_body({.positions = x, .triangles = triangles});
  Story story(scene);
  for (std::uint64_t i = 0; i < 16; ++i) {
    story.go([&](const Vec3& p, VertexId v, BodyId) { return sum(p, noise3(i, v, i % 5 == 4 ? 0.3 : 0.01)); });
  }
  return story.end();
}

/// A soup that moves on a coarse lattice: contacts at t = 0 and 1, coplanar paths, paths without length.
Sequence on_a_lattice() {
  const Step soup = random_soup(9, 12, 0.6);
  Story story(soup.scene);
  const auto snap = [](double value) { return std::round(4.0 * value) / 4.0; };
  story.put([&](const Vec3& p, VertexId, BodyId) { return Vec3{snap(p.x), snap(p.y), snap(p.z)}; });
  for (std::uint64_t i = 0; i < 14; ++i) {
    story.go([&](const Vec3& p, VertexId v, BodyId) {
      const Vec3 displacement = noise3(i, v, 0.16);
      return Vec3{p.x + snap(displacement.x), p.y + snap(displacement.y), p.z + snap(displacement.z)};
    });
  }
  return story.end();
}

Sequence all_static() {
  const Patch patch = grid_patch(3, 0.0);
  Scene scene;
  scene.add_body({.positions = patch.points, .triangles = patch.triangles, .motion = Motion::Static});
  scene.add_body({.positions = patch.points, .triangles = patch.triangles, .motion = Motion::Static});
  Story story(scene);
  for (int i = 0; i < 6; ++i) {
    if (i % 2 == 1)
      story.put([](const Vec3& x, VertexId, BodyId body) { return body == 1 ? sum(x, {0.1, 0, 0}) : x; });
    story.go(same());
  }
  return story.end();
}

Sequence nothing() {
  Story story{Scene()};
  for (int i = 0; i < 4; ++i) story.go(same());
  return story.end();
}

Sequence no_triangles() {
  Scene scene;
  const std::vector<Vec3> x = {{0, 0, 0}, {1, 2, 3}};
  scene.add_body({.positions = x, .triangles = {}});
  Story story(scene);
  for (int i = 0; i < 4; ++i) story.go(all_by({1, 0, i * 1e9}));
  return story.end();
}

Sequence one_triangle() {
  Scene scene;
  const std::vector<Vec3> x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const std::vector<Triangle> triangles = {{0, 1, 2}};
  scene.add_body({.positions = x, .triangles = triangles});
  Story story(scene);
  for (std::uint64_t i = 0; i < 6; ++i)
    story.go([&](const Vec3& p, VertexId v, BodyId) { return sum(p, noise3(i, v, 3)); });
  return story.end();
}

/// Vertices without triangles move anywhere.
Sequence unused_vertices() {
  Scene scene = wavy_sheets(0.1, true);
  const std::vector<Vec3> unused(5);
  scene.add_body({.positions = unused, .triangles = {}});
  Story story(scene);
  for (std::uint64_t i = 0; i < 16; ++i) {
    story.go([&](const Vec3& x, VertexId v, BodyId body) {
      if (body == 3) return noise3(i, v, i % 2 == 0 ? 1e300 : 1e-300);
      return sum(x, sum(noise3(i, v, 0.002), {0, 0, body == 1 ? -0.01 : 0.0}));
    });
  }
  return story.end();
}

/// Crossing, a jump and a drift, at any scale.
Sequence scaled(double scale) {
  const Scene unit = wavy_sheets(0.1, true);
  std::vector<Vec3> x;
  Scene scene;
  for (BodyId body = 0; body < 3; ++body) {
    x.clear();
    const auto [first, last] = unit.vertices(body);
    for (VertexId v = first; v < last; ++v) x.push_back(times(scale, unit.positions()[v]));
    std::vector<Triangle> triangles;
    for (std::size_t t = 0; t < 72; ++t) {
      Triangle ids = unit.triangles()[72 * body + t];
      for (VertexId& id : ids) id -= first;
      triangles.push_back(ids);
    }
    scene.add_body({.positions = x, .triangles = triangles, .motion = unit.motion(body)});
  }
  Story story(scene, scale);
  for (std::uint64_t i = 0; i < 14; ++i) {
    story.go([&](const Vec3& p, VertexId v, BodyId body) {
      const Vec3 displacement = sum(noise3(i, v, 0.002), {i > 8 ? 0.1 : 0.0, 0, body == 1 ? -0.012 : 0.0});
      const Vec3 jump = v == kOfSheet + kMiddle && i % 5 == 3 ? Vec3{0, 0, i % 2 == 0 ? 0.3 : -0.3} : Vec3{};
      return sum(p, times(scale, sum(displacement, jump)));
    });
  }
  return story.end();
}

Sequence as_small_as_doubles_go() {
  return scaled(0x1p-1000);
}
Sequence of_size_1e_30() {
  return scaled(0x1p-100);
}
Sequence below_floats() {
  return scaled(0x1p-150);
}
Sequence of_size_1e10() {
  return scaled(0x1p33);
}
Sequence of_size_1e25() {
  return scaled(0x1p83);
}
Sequence of_size_1e31() {
  return scaled(0x1p103);
}
Sequence at_the_end_of_floats() {
  return scaled(0x1p127);
}
Sequence of_size_1e300() {
  return scaled(0x1p996);
}

/// Bodies of sizes 1, 1e-30, 1e30 and 1e270 around the origin.
Sequence sizes_mixed() {
  const Patch patch = grid_patch(3, 0.0);
  Scene scene;
  for (const double scale : {1.0, 0x1p-100, 0x1p100, 0x1p900}) {
    std::vector<Vec3> x;
    for (std::size_t v = 0; v < patch.points.size(); ++v) {
      x.push_back(times(scale, sum(patch.points[v], noise3(v, 3, 0.05))));
    }
    scene.add_body({.positions = x, .triangles = patch.triangles});
  }
  Story story(scene);
  const std::array<double, 4> sizes = {1.0, 0x1p-100, 0x1p100, 0x1p900};
  for (std::uint64_t i = 0; i < 14; ++i) {
    story.go([&](const Vec3& p, VertexId v, BodyId body) {
      const Vec3 displacement = sum({0, 0, i % 4 < 2 ? 0.05 : -0.05}, noise3(i, v, 0.01));
      return sum(p, times(sizes[body] * (i % 6 == 5 ? 30.0 : 1.0), displacement));
    });
  }
  return story.end();
}

/// Motions of 1e-6 far from the origin: most digits of every coordinate hold the position, few the displacement.
Sequence far_from_origin() {
  const Scene unit = wavy_sheets(0.1, true);
  Story story(unit, 1e-4);
  const Vec3 far{1e8, -3e8, 2e8};
  story.put([&](const Vec3& x, VertexId, BodyId) { return sum(far, times(1e-4, x)); });
  for (std::uint64_t i = 0; i < 20; ++i) {
    story.go([&](const Vec3& x, VertexId v, BodyId body) {
      return sum(x, sum(noise3(i, v, 3e-7), {i > 10 ? 1e-3 : 0.0, 0, body == 1 ? -1e-6 : 0.0}));
    });
  }
  return story.end();
}

/// All displacements and distances are powers of two, so that distances equal displacement bounds and displacements
/// exactly: contact at the very point that the prediction reaches.
Sequence as_far_as_foreseen() {
  Scene scene;
  const std::vector<Triangle> one = {{0, 1, 2}};
  const auto add = [&](double x, double z, double size, Motion motion) {
    const std::vector<Vec3> points = {{x - size, -size, z}, {x + size, -size, z}, {x, size, z}};
    scene.add_body({.positions = points, .triangles = one, .motion = motion});
  };
  // Moving triangles, and walls k steps ahead of them, some static, some farther by a thickness.
  for (int k = 1; k <= 12; ++k) {
    add(8.0 * k, 0.0, 0.5, Motion::Deforming);
    add(8.0 * k, 0.125 * k + (k % 3 == 0 ? 0.015625 : 0.0), 2.0, k % 2 == 0 ? Motion::Static : Motion::Deforming);
  }
  Story story(scene);
  for (int i = 0; i < 12; ++i) {
    story.go([&](const Vec3& x, VertexId, BodyId body) { return body % 2 == 0 ? sum(x, {0, 0, 0.125}) : x; });
  }
  // Back, until they touch the walls from the other side.
  for (int i = 0; i < 12; ++i) {
    story.go([&](const Vec3& x, VertexId, BodyId body) { return body % 2 == 0 ? sum(x, {0, 0, -0.125}) : x; });
  }
  return story.end();
}

/// One large triangle over everything: it is close to all triangles, and its vertices are far away.
Sequence one_large_triangle() {
  Scene scene = wavy_sheets(0.1, true);
  const std::vector<Vec3> x = {{-40, -40, 0.3}, {40, -40, 0.3}, {0, 60, 0.3}};
  const std::vector<Triangle> one = {{0, 1, 2}};
  scene.add_body({.positions = x, .triangles = one});
  Story story(scene);
  for (std::uint64_t i = 0; i < 20; ++i) {
    story.go([&](const Vec3& p, VertexId v, BodyId body) {
      if (body == 3) return sum(p, {0, 0, v % 3 == 2 || i > 10 ? -0.02 : -0.3 * noise(i, v)});
      return sum(p, noise3(i, v, 0.003));
    });
  }
  return story.end();
}

/// A connected sheet of 12 x 4 cells, its vertices at place(v) in the first step.
template <typename Place>
Story strip(const Place& place) {
  Patch patch;
  for (VertexId v = 0; v < 13 * 5; ++v) patch.points.push_back(place(v));
  for (VertexId j = 0; j < 4; ++j) {
    for (VertexId i = 0; i < 12; ++i) {
      const VertexId corner = 13 * j + i;
      patch.triangles.push_back({corner, corner + 1, corner + 13});
      patch.triangles.push_back({corner + 1, corner + 14, corner + 13});
    }
  }
  Scene scene;
  scene.add_body({.positions = patch.points, .triangles = patch.triangles});
  return Story(scene);
}

/// Flat at first, then rolled up by more than one turn: low curvature becomes high, and layers touch.
Sequence rolls_up() {
  const auto place = [](VertexId v, double turns, std::uint64_t step) {
    const double s = 0.25 * (v % 13);
    const double angle = 6.28 * turns * s / 3.0;
    const double y = 0.25 * (v / 13);
    const Vec3 own = noise3(step, v, turns > 0.9 ? 0.004 : 0.001);
    if (turns == 0.0) return Vec3{s, y, own.z};
    const double radius = 3.0 / (6.28 * turns);
    return Vec3{radius * std::sin(angle) + own.x, y, radius * (1.0 - std::cos(angle)) + own.z};
  };
  Story story = strip([&](VertexId v) { return place(v, 0.0, 0); });
  for (std::uint64_t i = 0; i < 24; ++i) {
    const double turns = i < 4 ? 0.0 : 0.08 * static_cast<double>(i - 3);
    story.go([&](const Vec3&, VertexId v, BodyId) { return place(v, turns, i); });
  }
  return story.end();
}

/// Wound around an axis like a spiral staircase with all normals up, then pressed flat: cones do not notice that
/// the layers touch.
Sequence winds_over_itself() {
  const auto place = [](VertexId v, double turn, double rise) {
    const double angle = turn * 0.25 * (v % 13);
    const double radius = 1.0 + 0.25 * (v / 13);
    return Vec3{radius * std::cos(angle), radius * std::sin(angle), rise * angle};
  };
  Story story = strip([&](VertexId v) { return place(v, 0.5, 0.05); });
  for (std::uint64_t i = 0; i < 24; ++i) {
    const double turn = 0.5 + 0.1 * static_cast<double>(i);
    const double rise = i < 18 ? 0.05 : 0.05 - 0.02 * static_cast<double>(i - 17);
    story.go([&](const Vec3&, VertexId v, BodyId) { return sum(place(v, turn, rise), noise3(i, v, 0.002)); });
  }
  return story.end();
}

constexpr std::array kOdd = {
    SequenceEntry{"falls_into_a_point", falls_into_a_point},
    SequenceEntry{"some_ignore_each_other", some_ignore_each_other},
    SequenceEntry{"soup_shakes", soup_shakes},
    SequenceEntry{"no_area", no_area},
    SequenceEntry{"on_a_lattice", on_a_lattice},
    SequenceEntry{"all_static", all_static},
    SequenceEntry{"nothing", nothing, false},
    SequenceEntry{"no_triangles", no_triangles, false},
    SequenceEntry{"one_triangle", one_triangle, false},
    SequenceEntry{"unused_vertices", unused_vertices},
    SequenceEntry{"as_small_as_doubles_go", as_small_as_doubles_go},
    SequenceEntry{"below_floats", below_floats},
    SequenceEntry{"of_size_1e_30", of_size_1e_30},
    SequenceEntry{"of_size_1e10", of_size_1e10},
    SequenceEntry{"of_size_1e25", of_size_1e25},
    SequenceEntry{"of_size_1e31", of_size_1e31},
    SequenceEntry{"at_the_end_of_floats", at_the_end_of_floats},
    SequenceEntry{"of_size_1e300", of_size_1e300},
    SequenceEntry{"sizes_mixed", sizes_mixed},
    SequenceEntry{"far_from_origin", far_from_origin},
    SequenceEntry{"as_far_as_foreseen", as_far_as_foreseen},
    SequenceEntry{"rolls_up", rolls_up},
    SequenceEntry{"winds_over_itself", winds_over_itself},
    SequenceEntry{"one_large_triangle", one_large_triangle},
};

}  // namespace

std::span<const SequenceEntry> odd_sequences() {
  return kOdd;
}

}  // namespace graze::testing
