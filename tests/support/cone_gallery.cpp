// The gallery cases, one function each. Coordinates are small dyadic numbers wherever a contact must be exact.
#include "support/cone_gallery.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <tuple>
#include <utility>

#include "support/gallery_mesh.hpp"

namespace graze::testing {

namespace {

using oracle::SceneStep;
using Mesh = GalleryMesh;

// --- More than one turn ---------------------------------------------------------------------------------------

// A closed fan that winds twice round its centre; the layers exchange places.
SceneStep double_fan(int count) {
  Mesh mesh;
  mesh.vertex({0, 0, 0});
  for (int i = 0; i < count; ++i) {
    const double radius = i % 2 == 0 ? 1.0 : 1.25;
    mesh.vertex(polar(radius, 720.0 * i / count, i), polar(radius, 720.0 * i / count, count - i));
  }
  const auto n = static_cast<VertexId>(count);
  for (VertexId i = 0; i < n; ++i) mesh.up(0, 1 + i, 1 + (i + 1) % n);
  return mesh.step;
}

// An open fan of 450 degrees: a spiral staircase whose top falls through its bottom.
SceneStep open_fan() {
  Mesh mesh;
  mesh.vertex({0, 0, 0});
  for (int i = 0; i <= 10; ++i) {
    const double radius = i > 7 ? 0.75 : 1.0;
    mesh.vertex(polar(radius, 45.0 * i, 0.25 * i), polar(radius, 45.0 * i, -0.25 * i));
  }
  for (VertexId i = 1; i <= 10; ++i) mesh.up(0, i, i + 1);
  return mesh.step;
}

// An open fan in the plane that closes exactly at t = 1: its first and last edge coincide.
SceneStep closing_mouth() {
  Mesh mesh;
  mesh.vertex({0, 0, 0});
  for (int i = 0; i <= 8; ++i) mesh.vertex(polar(1, 36.0 * i, 0), polar(1, 45.0 * (i % 8), 0));
  for (VertexId i = 1; i <= 8; ++i) mesh.up(0, i, i + 1);
  return mesh.step;
}

// A helical ramp of 450 degrees. It falls through itself, or (end = 0) lands flat on itself at t = 1.
SceneStep ramp(int count, double end) {
  const auto at = [&](double rise) {
    return [=](int i, int j) { return polar(2.0 - j, 450.0 * i / count, rise * i / count); };
  };
  return grid(count, 1, at(2.0), at(end)).step;
}

// A spiral in the plane that overlaps itself at all times while it expands.
SceneStep flat_spiral() {
  const auto at = [](double scale) {
    return [=](int i, int j) { return polar(scale * (2.0 - j + 0.01 * i), 30.0 * i, 0); };
  };
  return grid(14, 1, at(1.0), at(1.25)).step;
}

// A ramp of 420 degrees, two cells wide, whose contour is far from itself in space; a bump of the upper layer moves
// down through the lower one, or to exactly one vertex of it at t = 1.
SceneStep bump(bool lands) {
  const auto at = [](int i, int j) { return polar(3.0 - j, 30.0 * i, 0.25 * i); };
  SceneStep step = grid(14, 2, at, at).step;
  const std::size_t above = 15 + 13;
  const std::size_t below = 15 + 1;
  step.x_t0[above] = {step.x_t0[below].x, step.x_t0[below].y, step.x_t0[above].z};
  step.x_t1[above] = step.x_t1[below];
  if (!lands) step.x_t1[above].z = -1;
  return step;
}

// --- Contours -------------------------------------------------------------------------------------------------

// A ribbon bent like a C with its ends at x in [-1/4, 1/4], y = 0 and y = 3, `reach` wide. Ends: vertices 0, 6
// below, 5, 11 above.
Mesh clasp(double reach) {
  Mesh mesh;
  const double x = -3 * reach;
  for (const Vec3& p :
       {Vec3{-0.25, 0, 0}, Vec3{-0.5, -1, 0}, Vec3{x, -1, 0}, Vec3{x, 4, 0}, Vec3{-0.5, 4, 0}, Vec3{-0.25, 3, 0}}) {
    mesh.vertex(p);
  }
  for (const Vec3& p : {Vec3{0.25, 0, 0}, Vec3{0.5, -2, 0}, Vec3{x - reach, -2, 0}, Vec3{x - reach, 5, 0},
                        Vec3{0.5, 5, 0}, Vec3{0.25, 3, 0}}) {
    mesh.vertex(p);
  }
  for (VertexId i = 0; i < 5; ++i) mesh.quad(i, i + 1, i + 7, i + 6);
  return mesh;
}

// Prongs at both ends that pass through each other during the step and are separated at its ends.
SceneStep passing_prongs(double reach, double height) {
  Mesh mesh = clasp(reach);
  const VertexId low = mesh.vertex({-reach, 2, -height}, {reach, 2, height});
  const VertexId high = mesh.vertex({reach, 1, height}, {-reach, 1, -height});
  mesh.up(0, 6, low);
  mesh.up(5, 11, high);
  return mesh.step;
}

// A prong from below whose tip moves from t0 to t1, and optionally one from above whose tip is static.
SceneStep prong(const Vec3& t0, const Vec3& t1, bool second, const Vec3& tip) {
  Mesh mesh = clasp(1);
  const VertexId low = mesh.vertex(t0, t1);
  mesh.up(0, 6, low);
  if (second) {
    const VertexId high = mesh.vertex(tip);
    mesh.up(5, 11, high);
  }
  return mesh.step;
}

// A ring cut open along one radius; the two sides of the cut coincide for the whole step.
SceneStep slit_ring() {
  const auto at = [](double scale) {
    return [=](int i, int j) { return polar(scale * (3.0 - j), 30.0 * (i % 12), 0); };
  };
  return grid(12, 2, at(1.0), at(1.25)).step;
}

// A triangle upright on an edge of a strip's contour: one contour edge is parallel to z for the whole step.
SceneStep upright_contour_edge() {
  Mesh mesh = grid(4, 1, flat, flat);
  const VertexId top = mesh.vertex({2, 0, 1}, {2, 0, -1});
  mesh.step.triangles.push_back({1, 2, top});
  // The winding continues that of the strip: the common edge has opposite directions in the two triangles.
  std::swap(mesh.step.triangles.back()[0], mesh.step.triangles.back()[1]);
  return mesh.step;
}

// --- Not discs ------------------------------------------------------------------------------------------------

// A sheet with `holes` holes; in each, prongs from both sides cross in projection and exchange heights.
SceneStep holes(int count) {
  std::vector<std::array<int, 2>> cells;
  for (int hole = 0; hole < count; ++hole) {
    for (int k = 1; k <= 3; ++k) cells.push_back({4 * hole + k, 1});
  }
  const int columns = 4 * count + 1;
  Mesh mesh = grid(columns, 3, flat, flat, cells);
  const auto row = static_cast<VertexId>(columns + 1);
  for (int hole = 0; hole < count; ++hole) {
    const double x = 4.0 * hole;
    const VertexId left = row + 1 + 4 * static_cast<VertexId>(hole);
    const VertexId right = left + 3;
    mesh.up(left, left + row, mesh.vertex({x + 3.5, 1.5, 0.5}, {x + 3.5, 1.5, -0.5}));
    mesh.up(right, right + row, mesh.vertex({x + 1.5, 1.5, -0.5}, {x + 1.5, 1.5, 0.75}));
  }
  return mesh.step;
}

// Two discs, a small one above a large one, joined crosswise along a cut: an annulus, manifold, with all normals
// up, that winds twice round both ends p, q of the cut. Its two contours are nested convex polygons.
SceneStep annulus_of_two_layers() {
  Mesh mesh;
  const VertexId p = mesh.vertex({-1, 0, 0.5});
  const VertexId q = mesh.vertex({1, 0, 0.5});
  const VertexId m1 = mesh.vertex({0, 0, 0.25}, {0, 0, 0.75});
  const VertexId m2 = mesh.vertex({0, 0, 0.75}, {0, 0, 0.25});
  for (const auto& [size, z, top, bottom] : {std::tuple{3.0, 0.0, m1, m2}, std::tuple{2.0, 1.0, m2, m1}}) {
    const VertexId left = mesh.vertex({-size, 0, z});
    const VertexId right = mesh.vertex({size, 0, z});
    for (const auto& [y, middle] : {std::pair{size, top}, std::pair{-size, bottom}}) {
      const VertexId end = mesh.vertex({0, y, z});
      mesh.up(p, middle, end);
      mesh.up(middle, q, end);
      mesh.up(q, right, end);
      mesh.up(left, p, end);
    }
  }
  return mesh.step;
}

// A small sheet above a 3 x 3 sheet falls through it; both are one mesh, disconnected or joined in one corner.
SceneStep two_layers(bool joined) {
  Mesh mesh = grid(3, 3, flat, flat);
  const auto falling = [&](double x, double y) { return mesh.vertex({x, y, 1}, {x, y, -1}); };
  const VertexId a = joined ? 0 : falling(0.5, 0.5);
  const VertexId b = falling(2.5, 0.75);
  const VertexId c = falling(2.25, 2.25);
  const VertexId d = falling(0.75, 2.5);
  mesh.quad(a, b, c, d);
  return mesh.step;
}

// A flap above a sheet, joined to it in one edge, falls through it. The edge is on the sheet's rim, with the flap
// facing up or down, or inside, where it then has three triangles; the flap is given once or twice.
enum class Flap : std::uint8_t { RimUp, RimDown, Inside, InsideTwice };
SceneStep flap(Flap kind) {
  Mesh mesh = grid(3, 3, flat, flat);
  const bool rim = kind == Flap::RimUp || kind == Flap::RimDown;
  const double y = rim ? 0.0 : 1.0;
  const VertexId a = rim ? 1 : 5;
  const VertexId b = a + 1;
  const VertexId c = mesh.vertex({1.75, y + 1.25, 1}, {1.75, y + 1.25, -1});
  const VertexId d = mesh.vertex({1.25, y + 1.5, 1}, {1.25, y + 1.5, -1});
  if (kind == Flap::RimDown) {
    mesh.down(a, b, c);
    mesh.down(a, c, d);
  } else {
    mesh.quad(a, b, c, d);
  }
  if (kind == Flap::InsideTwice) {
    mesh.step.triangles.push_back({c, a, b});
    mesh.step.triangles.push_back({d, a, c});
  }
  return mesh.step;
}

// --- Orientation ----------------------------------------------------------------------------------------------

// A disc with a knob whose head overhangs its neck; the rim of the head sinks through the disc. The overhang faces
// down, or is wound to face up like the rest.
SceneStep knob(int count, bool rewound) {
  struct Ring {
    double radius, z_t0, z_t1;
  };
  constexpr std::array<Ring, 4> kRings = {{{4, 0, 0}, {1, 0.25, 0.25}, {2, 1, -1}, {0.5, 1.5, 1.5}}};
  Mesh mesh;
  for (const Ring& ring : kRings) {
    for (int i = 0; i < count; ++i) {
      const double degrees = 360.0 * i / count;
      mesh.vertex(polar(ring.radius, degrees, ring.z_t0), polar(ring.radius, degrees, ring.z_t1));
    }
  }
  const VertexId top = mesh.vertex({0, 0, 1.75});
  const auto n = static_cast<VertexId>(count);
  for (VertexId k = 0; k < 3; ++k) {
    for (VertexId i = 0; i < n; ++i) {
      const VertexId a = k * n + i;
      const VertexId b = k * n + (i + 1) % n;
      if (k == 1 && !rewound) {
        mesh.down(a, b, a + n);
        mesh.down(b, b + n, a + n);
      } else {
        mesh.up(a, b, a + n);
        mesh.up(b, b + n, a + n);
      }
    }
  }
  for (VertexId i = 0; i < n; ++i) mesh.up(3 * n + i, 3 * n + (i + 1) % n, top);
  return mesh.step;
}

// A closed ball, wound outwards, without a triangle parallel to z; its upper pole is pushed out at the bottom.
SceneStep ball(int count) {
  Mesh mesh;
  const VertexId north = mesh.vertex({0, 0, 2}, {0, 0, -3});
  const VertexId south = mesh.vertex({0.125, 0.25, -2});
  constexpr std::array<std::array<double, 2>, 3> kRings = {{{1.5, 1.25}, {2, 0}, {1.5, -1.25}}};
  for (const auto& [radius, z] : kRings) {
    for (int i = 0; i < count; ++i) mesh.vertex(polar(radius, 360.0 * i / count, z));
  }
  const auto n = static_cast<VertexId>(count);
  for (VertexId i = 0; i < n; ++i) {
    const VertexId next = (i + 1) % n;
    mesh.up(north, 2 + i, 2 + next);
    mesh.up(2 + i, 2 + next, 2 + n + i);
    mesh.up(2 + next, 2 + n + next, 2 + n + i);
    mesh.down(2 + n + i, 2 + n + next, 2 + 2 * n + i);
    mesh.down(2 + n + next, 2 + 2 * n + next, 2 + 2 * n + i);
    mesh.down(south, 2 + 2 * n + i, 2 + 2 * n + next);
  }
  return mesh.step;
}

// Five triangles i, i + 1, i + 2 of five vertices: a Moebius strip. Its single contour 0 2 4 1 3 is a convex
// pentagon in projection, and every triangle by itself is wound to face up. The heights are exchanged.
SceneStep pentagon_moebius() {
  Mesh mesh;
  constexpr std::array<VertexId, 5> kPlace = {0, 3, 1, 4, 2};  // of vertex i along the pentagon
  constexpr std::array<double, 5> kHeight = {0, 2, 1, 3, 0.5};
  for (std::size_t i = 0; i < 5; ++i) {
    const double degrees = 72.0 * kPlace[i];
    mesh.vertex(polar(2, degrees, kHeight[i]), polar(2, degrees, -kHeight[i]));
  }
  for (VertexId i = 0; i < 5; ++i) mesh.up(i, (i + 1) % 5, (i + 2) % 5);
  return refined(mesh.step);
}

// The projective plane of six vertices without one triangle: a Moebius strip whose contour is that triangle, 0 1 2,
// which can never cross itself. Every triangle is wound to face up.
SceneStep triangle_moebius() {
  Mesh mesh;
  for (const Vec3& p : {Vec3{-8, -6, 0}, Vec3{8, -6, 0}, Vec3{0, 9, 0}}) mesh.vertex(p);
  mesh.vertex({1, 2, 3}, {1, 2, -2});
  mesh.vertex({-2, -1, 1}, {-2, -1, 2});
  mesh.vertex({1.5, -2, -1}, {1.5, -2, 1});
  // Ten triangles, no two with complementary vertices, such that every two vertices share two of them; without 0 1
  // 2.
  for (const Triangle& t :
       {Triangle{0, 1, 3}, Triangle{0, 2, 4}, Triangle{1, 2, 5}, Triangle{0, 3, 5}, Triangle{0, 4, 5},
        Triangle{1, 3, 4}, Triangle{1, 4, 5}, Triangle{2, 3, 4}, Triangle{2, 3, 5}}) {
    mesh.up(t[0], t[1], t[2]);
  }
  return mesh.step;
}

// A Moebius strip as made of paper, pressed flat and slightly beyond along x.
SceneStep paper_moebius(int count) {
  Mesh mesh;
  for (int i = 0; i < count; ++i) {
    const double degrees = 360.0 * i / count;
    for (const double side : {-0.5, 0.5}) {
      const double half = degrees * std::numbers::pi / 360.0 + 0.2;
      const Vec3 p = polar(2 + side * std::cos(half), degrees, side * std::sin(half));
      mesh.vertex(p, {-0.5 * p.x, p.y, p.z});
    }
  }
  const auto n = static_cast<VertexId>(2 * count);
  for (VertexId a = 0; a < n; a += 2) {
    const bool last = a + 2 == n;
    const VertexId c = last ? 1 : a + 2;
    const VertexId d = last ? 0 : a + 3;
    mesh.step.triangles.push_back({a, a + 1, c});
    mesh.step.triangles.push_back({a + 1, d, c});
  }
  return mesh.step;
}

// --- Triangles that vanish or flip ----------------------------------------------------------------------------

// A disc whose inner rings turn by linear motion, the innermost by 180 degrees: it shrinks to a point and opens
// again. At both ends of the step the disc is correctly wound, and its contour is static. Flat, or a bowl of some
// depth.
SceneStep twist(int count, double depth) {
  constexpr std::array<std::array<double, 2>, 3> kRings = {{{4, 0}, {1, 45}, {0.25, 90}}};
  Mesh mesh;
  for (const auto& [radius, turn] : kRings) {
    for (int i = 0; i < count; ++i) {
      const double degrees = 360.0 * i / count;
      const double z = depth * radius;
      const Vec3 t0 = polar(radius, degrees - turn, z);
      mesh.vertex(t0, turn == 90 ? Vec3{-t0.x, -t0.y, z} : polar(radius, degrees + turn, z));
    }
  }
  const auto n = static_cast<VertexId>(count);
  for (VertexId k = 0; k < 2; ++k) {
    for (VertexId i = 0; i < n; ++i) {
      const VertexId a = k * n + i;
      const VertexId b = k * n + (i + 1) % n;
      mesh.step.triangles.push_back({a, b, a + n});
      mesh.step.triangles.push_back({b, b + n, a + n});
    }
  }
  for (VertexId i = 1; i + 1 < n; ++i) mesh.step.triangles.push_back({2 * n, 2 * n + i, 2 * n + i + 1});
  return mesh.step;
}

// A sheet, static except for one inner vertex, which moves onto or beyond the opposite edge of one of its
// triangles.
SceneStep inner_vertex(const Vec3& end) {
  SceneStep step = grid(4, 4, flat, flat).step;
  step.x_t1[2 * 5 + 2] = end;
  return step;
}

// A sheet whose inner vertices rise through a string across it: a triangle that is an edge, without area at any
// time.
SceneStep string_across() {
  const auto at = [](double z) {
    return [=](int i, int j) { return Vec3{1.0 * i, 1.0 * j, i % 3 != 0 && j % 3 != 0 ? z : 0.0}; };
  };
  Mesh mesh = grid(3, 3, at(-1), at(1));
  mesh.step.triangles.push_back({1, 14, 14});
  return mesh.step;
}

// A sheet folded within its plane: the part left of x = 0 moves over to the right, inside the contour there. It is
// flat at all times, and its contour stays simple.
SceneStep fold_in_plane() {
  const auto at = [](double to) {
    return [=](int i, int j) {
      const double x = i - 2;
      const double y = j - 2;
      return x < 0 ? Vec3{to * x, y * (1 + 0.25 * x), 0} : Vec3{2 * x, 2 * y * (x > 0 ? 1 : 0.5), 0};
    };
  };
  return grid(4, 4, at(1.0), at(-0.75)).step;
}

// A bowl turned by 180 degrees about z by linear motion, through a line.
SceneStep half_turn(int n) {
  const auto at = [&](double sign) {
    return [=](int i, int j) {
      const double x = 2.0 * i - n;
      const double y = 2.0 * j - n;
      return Vec3{sign * x, sign * y, 0.125 * (x * x + y * y)};
    };
  };
  return grid(n, n, at(1), at(-1)).step;
}

SceneStep reversed(SceneStep step) {
  std::swap(step.x_t0, step.x_t1);
  return step;
}

}  // namespace

std::vector<GalleryCase> cone_gallery() {
  using enum Omission;
  std::vector<GalleryCase> gallery = {
      {"fan_twice_round_its_centre", double_fan(9), {ContourNearEdges, Contour}},
      {"fan_of_450_degrees", open_fan(), {ContourNearEdges, Contour}},
      {"fan_that_closes_at_the_end",
       closing_mouth(),
       {ContourTouching, ContourNearEdges, ContourPositions, Contour}},
      {"ramp_that_falls_through_itself", ramp(20, -2.0), {Contour}},
      {"fine_ramp", refined(ramp(30, -2.0)), {Contour}},
      {"ramp_that_lands_on_itself", ramp(20, 0.0), {Contour}},
      {"spiral_in_the_plane", flat_spiral(), {Contour}},
      {"bump_through_the_layer_below", bump(false), {ContourInProjection, Contour}},
      {"bump_that_lands_on_a_vertex", bump(true), {ContourInProjection, Contour}},
      {"prongs_that_pass_in_the_plane", passing_prongs(1, 0), {ContourBetweenEnds, Contour}},
      {"prongs_that_pass_in_space", passing_prongs(1, 1), {ContourBetweenEnds, Contour}},
      {"prongs_that_pass_from_afar", passing_prongs(1000, 0), {ContourBetweenEnds, Contour}},
      {"tip_on_an_edge_at_the_end", prong({0, 2, 0}, {0, 3, 0}, false, {}), {ContourTouching, Contour}},
      {"tip_on_an_edge_at_the_start", reversed(prong({0, 2, 0}, {0, 3, 0}, false, {})), {ContourTouching, Contour}},
      {"tip_along_an_edge", prong({-0.125, 3, 0}, {0.125, 3, 0}, false, {}), {ContourTouching, Contour}},
      {"tip_on_a_tip_at_the_end",
       prong({0, 1, 0}, {0, 2, 0}, true, {0, 2, 0}),
       {ContourTouching, ContourPositions, Contour}},
      {"ring_with_a_slit", slit_ring(), {ContourTouching, ContourPositions, Contour}},
      {"contour_edge_along_the_axis", upright_contour_edge(), {VanishingTriangles | ContourTouching}},
      {"annulus_with_prongs", holes(1), {Holes, Contour}},
      {"two_holes", holes(2), {Holes, Contour}},
      {"fine_holes", refined(holes(2)), {Holes, Contour}},
      {"annulus_of_two_layers", annulus_of_two_layers(), {OneLoop, Holes, Contour}},
      {"two_components", two_layers(false), {OneLoop, Holes, Contour}},
      {"layers_joined_in_a_vertex", two_layers(true), {OneLoop, Contour}},
      {"flap_wound_up", flap(Flap::RimUp), {BoundaryDirections, Contour}},
      {"flap_wound_down", flap(Flap::RimDown), {Orientation}},
      {"edge_with_three_triangles", flap(Flap::Inside), {OneLoop, Holes, Contour}},
      {"flap_given_twice", flap(Flap::InsideTwice), {BoundaryDirections, Holes, Contour}},
      {"knob", knob(8, false), {Orientation}},
      {"fine_knob", refined(knob(10, false)), {Orientation}},
      {"knob_with_flipped_neighbours", knob(8, true), {BoundaryDirections, Contour}},
      {"closed_ball", ball(8), {Orientation}},
      {"moebius_over_a_pentagon", pentagon_moebius(), {BoundaryDirections, Contour}},
      {"moebius_over_a_triangle", triangle_moebius(), {BoundaryDirections, Contour}},
      {"moebius_of_paper", paper_moebius(12), {Orientation | Contour}},
      {"twist_by_180_degrees", twist(6, 0), {MiddleNormal, LaterNormals, Orientation}},
      {"twist_of_a_bowl", twist(6, 1), {MiddleNormal, LaterNormals, Orientation}},
      {"vertex_that_lands_on_an_edge", inner_vertex({3, 1.5, 0}), {LaterNormals, VanishingTriangles}},
      {"vertex_that_starts_on_an_edge", reversed(inner_vertex({3, 1.5, 0})), {VanishingTriangles}},
      {"triangle_that_flips", inner_vertex({3.25, 1.5, 0}), {LaterNormals, Orientation}},
      {"string_across_a_sheet", string_across(), {VanishingTriangles}},
      {"fold_in_the_plane", fold_in_plane(), {LaterNormals, Orientation}},
      {"half_turn_of_a_bowl", half_turn(2), {MiddleNormal | ContourBetweenEnds}},
  };
  // An exact affine map flattens the meshes and keeps all contacts: every cone about z is narrow, so that a
  // careless test has no reason to refine.
  for (GalleryCase& item : gallery) {
    for (std::vector<Vec3>* x : {&item.step.x_t0, &item.step.x_t1}) {
      for (Vec3& p : *x) p.z = std::ldexp(p.z, -5);
    }
  }
  return gallery;
}

}  // namespace graze::testing
