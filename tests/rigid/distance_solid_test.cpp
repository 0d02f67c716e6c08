// Solids: points against another exact algorithm, relations of unions of cubes against sets of cells, in all exact
// poses; open meshes are refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <graze/error.hpp>
#include <graze/rigid_distance.hpp>

#include "geometry/vec.hpp"
#include "oracle/discrete.hpp"
#include "rigid/rigid_oracle.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;
namespace {

using oracle::Rational;

RigidObject object_of(const Soup& soup) {
  return {soup.positions, soup.triangles, {.threads = 1}};
}

// ---- points, by rays in general position
// -------------------------------------------------------------------------

using Exact = std::array<Rational, 3>;

Exact exact(const Vec3& p) {
  return {oracle::to_rational(p.x), oracle::to_rational(p.y), oracle::to_rational(p.z)};
}
Rational determinant(const Exact& a, const Exact& b, const Exact& c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}
Exact minus(const Exact& a, const Exact& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

/// Where p lies: counts the triangles that a ray in a random direction crosses; draws again where it meets an edge.
PointSide side_of_point(const Soup& soup, const Pose& pose, const Vec3& p, Random& random) {
  for (TriangleId t = 0; t < soup.triangles.size(); ++t) {
    const auto c = posed_triangle(soup, pose, t);
    if (oracle::intersect_edge_face({p, p, c[0], c[1], c[2]})) return PointSide::Boundary;
  }
  while (true) {
    const Exact d{Rational(random.between(-1000000, 1000000)), Rational(random.between(-1000000, 1000000)),
                  Rational(random.between(-1000000, 1000000))};
    bool odd = false;
    bool general = true;
    for (TriangleId t = 0; t < soup.triangles.size() && general; ++t) {
      const auto c = posed_triangle(soup, pose, t);
      const std::array<Exact, 3> r{minus(exact(c[0]), exact(p)), minus(exact(c[1]), exact(p)),
                                   minus(exact(c[2]), exact(p))};
      const std::array<int, 3> signs{determinant(d, r[0], r[1]).sign(), determinant(d, r[1], r[2]).sign(),
                                     determinant(d, r[2], r[0]).sign()};
      const bool zero = signs[0] == 0 || signs[1] == 0 || signs[2] == 0;
      const bool mixed =
          std::min({signs[0], signs[1], signs[2]}) < 0 && std::max({signs[0], signs[1], signs[2]}) > 0;
      if (mixed) continue;
      if (zero) {
        general = false;
        break;
      }
      // The line crosses the triangle; the ray does if the volume has the sign of the sides.
      if (determinant(r[0], r[1], r[2]).sign() == signs[0]) odd = !odd;
    }
    if (general) return odd ? PointSide::Inside : PointSide::Outside;
  }
}

TEST(RigidSolids, PointsAreWhereRaysInOtherDirectionsSay) {
  Random random = seeded(1221);
  std::vector<Soup> shapes = solids(40);
  shapes.push_back(unit_cube());
  std::set<PointSide> seen;
  for (const Soup& soup : shapes) {
    const RigidObject object = object_of(soup);
    for (int round = 0; round < (kIsSlow ? 2 : 6); ++round) {
      const Pose pose = round == 0 ? Pose{} : near_poses(soup, soup, 0.0, random_vec(random), random).a;
      std::vector<Vec3> points;
      for (int i = 0; i < 10; ++i) points.push_back(posed(pose, 1.2 * random_vec(random)));
      for (int i = 0; i < 4; ++i) {
        const auto c = posed_triangle(soup, pose, random.below(static_cast<std::uint32_t>(soup.triangles.size())));
        points.push_back(c[0]);                                // a vertex
        points.push_back(0.5 * (c[0] + c[1]));                 // on an edge or near it
        points.push_back((1.0 / 3.0) * (c[0] + c[1] + c[2]));  // near a face
        points.push_back({c[0].x - 0.75, c[0].y, c[0].z});     // behind a vertex along the ray
        points.push_back({0.5 * (c[0].x + c[1].x) - 0.3, c[0].y, c[0].z});
      }
      for (const Vec3& p : points) {
        const PointSide found = locate({&object, pose}, p);
        seen.insert(found);
        ASSERT_EQ(found, side_of_point(soup, pose, p, random))
            << soup.name << " " << p.x << " " << p.y << " " << p.z;
      }
    }
  }
  EXPECT_EQ(seen.size(), 3U);
}

// ---- unions of cells
// -----------------------------------------------------------------------------------------------

using Cell = std::array<int, 3>;
using Cells = std::set<Cell>;

/// The boundary of a union of cells of side `size`; diagonals by chance.
Soup boundary_of(const Cells& cells, int size, Random& random) {
  Soup soup;
  soup.name = "cells";
  std::map<Cell, VertexId> ids;
  const auto vertex = [&](const Cell& at) {
    const auto [place, added] = ids.emplace(at, static_cast<VertexId>(soup.positions.size()));
    if (added)
      soup.positions.push_back({static_cast<double>(size * at[0]), static_cast<double>(size * at[1]),
                                static_cast<double>(size * at[2])});
    return place->second;
  };
  for (const Cell& cell : cells) {
    for (std::size_t k = 0; k < 3; ++k) {
      for (const int side : {0, 1}) {
        Cell beside = cell;
        beside[k] += 2 * side - 1;
        if (cells.contains(beside)) continue;
        std::array<VertexId, 4> corners{};
        for (unsigned i = 0; i < 4; ++i) {
          Cell at = cell;
          at[k] += side;
          at[(k + 1) % 3] += i == 1 || i == 2 ? 1 : 0;
          at[(k + 2) % 3] += i >= 2 ? 1 : 0;
          corners[i] = vertex(at);
        }
        const unsigned turn = random.coin() ? 1U : 0U;
        soup.triangles.push_back({corners[turn], corners[1 + turn], corners[2 + turn]});
        soup.triangles.push_back({corners[turn], corners[2 + turn], corners[(3 + turn) % 4]});
      }
    }
  }
  return soup;
}

/// Each cell as cells of half or more its size.
Cells refined(const Cells& cells, int size, const Cell& by) {
  Cells fine;
  for (const Cell& cell : cells) {
    for (int x = 0; x < size; ++x) {
      for (int y = 0; y < size; ++y) {
        for (int z = 0; z < size; ++z)
          fine.insert({size * cell[0] + x + by[0], size * cell[1] + y + by[1], size * cell[2] + z + by[2]});
      }
    }
  }
  return fine;
}

/// Corners of the grid on the boundary: those whose eight cells differ.
std::set<Cell> boundary_corners(const Cells& cells) {
  std::set<Cell> corners;
  for (const Cell& cell : cells) {
    for (unsigned corner = 0; corner < 8; ++corner) {
      const Cell at{cell[0] + static_cast<int>(corner & 1U), cell[1] + static_cast<int>((corner >> 1U) & 1U),
                    cell[2] + static_cast<int>(corner >> 2U)};
      unsigned full = 0;
      for (unsigned i = 0; i < 8; ++i) {
        full += cells.contains({at[0] - static_cast<int>(i & 1U), at[1] - static_cast<int>((i >> 1U) & 1U),
                                at[2] - static_cast<int>(i >> 2U)})
                    ? 1U
                    : 0U;
      }
      if (full < 8) corners.insert(at);
    }
  }
  return corners;
}

template <class Set>
bool share(const Set& a, const Set& b) {
  return std::any_of(a.begin(), a.end(), [&](const auto& x) { return b.contains(x); });
}

SolidRelation relation_of(const Cells& a, const Cells& b) {
  const bool overlap = share(a, b);
  if (share(boundary_corners(a), boundary_corners(b)))
    return overlap ? SolidRelation::Overlapping : SolidRelation::Touching;
  if (!overlap) return SolidRelation::Apart;
  if (std::includes(b.begin(), b.end(), a.begin(), a.end())) return SolidRelation::AInB;
  if (std::includes(a.begin(), a.end(), b.begin(), b.end())) return SolidRelation::BInA;
  return SolidRelation::Overlapping;
}

SolidRelation swapped(SolidRelation relation) {
  if (relation == SolidRelation::AInB) return SolidRelation::BInA;
  if (relation == SolidRelation::BInA) return SolidRelation::AInB;
  return relation;
}

Cells block(const Cell& from, const Cell& to) {
  Cells cells;
  for (int x = from[0]; x < to[0]; ++x) {
    for (int y = from[1]; y < to[1]; ++y) {
      for (int z = from[2]; z < to[2]; ++z) cells.insert({x, y, z});
    }
  }
  return cells;
}
Cells without(Cells cells, const Cells& others) {
  for (const Cell& cell : others) cells.erase(cell);
  return cells;
}
Cells joined(Cells cells, const Cells& others) {
  cells.insert(others.begin(), others.end());
  return cells;
}

/// Compares with the cells, both ways round, in poses that move the corners exactly.
void check_cells(const Cells& a, int size_a, const Cells& b, int size_b, const Cell& shift, Random& random,
                 std::set<SolidRelation>& seen) {
  const SolidRelation expected = relation_of(refined(a, size_a, {0, 0, 0}), refined(b, size_b, shift));
  seen.insert({expected, swapped(expected)});
  const RigidObject object_a = object_of(boundary_of(a, size_a, random));
  const RigidObject object_b = object_of(boundary_of(b, size_b, random));
  static const std::vector<Pose> kPoses = axis_permutations();
  Pose pose_a = kPoses[random.below(static_cast<std::uint32_t>(kPoses.size()))];
  Pose pose_b = pose_a;
  pose_b.translation =
      posed(pose_a, {static_cast<double>(shift[0]), static_cast<double>(shift[1]), static_cast<double>(shift[2])});
  const Vec3 both{static_cast<double>(random.between(-9, 9)), 0.5, -1024.0};
  pose_a.translation = pose_a.translation + both;
  pose_b.translation = pose_b.translation + both;
  EXPECT_EQ(name_of(relate({&object_a, pose_a}, {&object_b, pose_b}).relation), name_of(expected));
  EXPECT_EQ(name_of(relate({&object_b, pose_b}, {&object_a, pose_a}).relation), name_of(swapped(expected)));
}

TEST(RigidSolids, KnownRelations) {
  Random random = seeded(1222);
  std::set<SolidRelation> seen;
  const Cells cube = block({0, 0, 0}, {2, 2, 2});
  for (const Cell& shift : {Cell{2, 0, 0},
                            {2, 1, 0},
                            {2, 2, 0},
                            {2, 2, 2},
                            {2, 2, 1},
                            {1, 0, 0},
                            {1, 1, 1},
                            {0, 0, 0},
                            {3, 0, 0},
                            {0, 0, 1},
                            {2, 1, 1}}) {
    check_cells(cube, 1, cube, 1, shift, random, seen);
    check_cells({{0, 0, 0}}, 2, cube, 1, shift, random, seen);
  }
  const Cells large = block({0, 0, 0}, {5, 5, 5});
  const Cells hollow = without(large, block({1, 1, 1}, {4, 4, 4}));
  const Cells shell = without(large, {{2, 2, 2}});
  const Cells one{{0, 0, 0}};
  for (const Cell& shift : {Cell{2, 2, 2}, {1, 1, 1}, {0, 2, 2}, {1, 2, 2}, {4, 4, 4}, {-1, 2, 2}, {5, 5, 5}}) {
    for (const Cells& other : {large, hollow, shell}) check_cells(other, 1, one, 1, shift, random, seen);
  }
  // A hollow box that just holds a block, a ring with a rod through it, two parts of which one is inside.
  check_cells(hollow, 1, block({0, 0, 0}, {3, 3, 3}), 1, {1, 1, 1}, random, seen);
  const Cells ring = without(block({0, 0, 0}, {3, 3, 1}), {{1, 1, 0}});
  check_cells(ring, 1, block({0, 0, 0}, {1, 1, 5}), 1, {1, 1, -2}, random, seen);
  check_cells(ring, 3, block({0, 0, 0}, {1, 1, 9}), 1, {4, 4, -3}, random, seen);
  check_cells(large, 1, joined(one, {{9, 0, 0}}), 1, {2, 2, 2}, random, seen);
  EXPECT_EQ(seen.size(), 5U);
}

TEST(RigidSolids, RandomUnionsOfCellsRelateAsTheirCells) {
  Random random = seeded(1223);
  std::set<SolidRelation> seen;
  const auto some = [&](int extent, std::uint32_t share) {
    Cells cells;
    for (const Cell& cell : block({0, 0, 0}, {extent, extent, extent})) {
      if (random.below(10) < share) cells.insert(cell);
    }
    cells.insert({0, 0, 0});
    return cells;
  };
  for (int round = 0; round < (kIsSlow ? 15 : 120); ++round) {
    const int size_a = random.between(1, 2);
    const int size_b = random.between(1, 2);
    const Cell shift{random.between(-3, 3), random.between(-3, 3), random.between(-3, 3)};
    check_cells(some(2, 1 + random.below(5)), size_a, some(2, 1 + random.below(5)), size_b, shift, random, seen);
  }
  EXPECT_TRUE(seen.contains(SolidRelation::Touching));
  EXPECT_TRUE(seen.contains(SolidRelation::Overlapping));
  EXPECT_TRUE(seen.contains(SolidRelation::Apart));
}

TEST(RigidSolids, RelationsOfRoundSolidsFollowFromRadii) {
  const std::vector<Soup> shapes = solids(kIsSlow ? 60 : 300);
  const RigidObject sphere = object_of(shapes[1]);
  const RigidObject small = object_of(scaled(shapes[1], -3));
  const RigidObject torus = object_of(shapes[2]);
  Random random = seeded(1224);
  for (int round = 0; round < 10; ++round) {
    Pose pose = random_rotation(random);
    Pose there = random_rotation(random);
    there.translation = 0.3 * random_vec(random);
    EXPECT_EQ(relate({&small, there}, {&sphere, pose}).relation, SolidRelation::AInB);
    EXPECT_EQ(relate({&sphere, pose}, {&small, there}).relation, SolidRelation::BInA);
    EXPECT_EQ(relate({&sphere, pose}, {&sphere, there}).relation, SolidRelation::Overlapping);
    // A small sphere in the hole of the torus, and in its tube.
    EXPECT_EQ(relate({&torus, pose}, {&small, {}}).relation, SolidRelation::Apart);
    there.translation = {9.0, 0.0, 0.0};
    EXPECT_EQ(relate({&sphere, pose}, {&sphere, there}).relation, SolidRelation::Apart);
  }
  // The same doubles: every triangle in contact, all insides in common.
  EXPECT_EQ(relate({&torus, {}}, {&torus, {}}).relation, SolidRelation::Overlapping);
}

TEST(RigidSolids, SegmentsAndPointsBoundNothing) {
  // A cube with a whisker through its wall and a point of its own, as degenerate triangles.
  Soup whiskered = unit_cube();
  whiskered.positions.insert(whiskered.positions.end(), {{0.5, 0.25, 0.5}, {5.0, 0.25, 0.5}, {2.25, 0.5, 0.5}});
  whiskered.triangles.push_back({8, 9, 9});
  whiskered.triangles.push_back({10, 10, 10});
  const RigidObject object = object_of(whiskered);
  const RigidObject cube = object_of(unit_cube());
  const auto relation_at = [&](double x) {
    return relate({&cube, {.translation = {x, 0.0, 0.0}}}, {&object, {}}).relation;
  };
  EXPECT_EQ(relation_at(2.0), SolidRelation::Apart);
  EXPECT_EQ(relation_at(1.0), SolidRelation::Touching);
  EXPECT_EQ(relation_at(0.5), SolidRelation::Overlapping);
  EXPECT_EQ(relation_at(0.0), SolidRelation::Overlapping);
}

TEST(RigidSolids, MeshesThatBoundNoSolidAreRefused) {
  const Soup cube = unit_cube();
  const RigidObject object = object_of(cube);
  Soup open = cube;
  open.triangles.pop_back();
  Soup doubled = cube;
  doubled.triangles.insert(doubled.triangles.end(), cube.triangles.begin(), cube.triangles.end());
  for (const Soup& soup : {open, doubled}) {
    const RigidObject bad = object_of(soup);
    EXPECT_THROW((void)relate({&object, {}}, {&bad, {}}), InputError);
    EXPECT_THROW((void)relate({&bad, {}}, {&object, {}}), InputError);
    EXPECT_THROW((void)locate({&bad, {}}, {}), InputError);
  }
  EXPECT_THROW((void)relate({nullptr, {}}, {&object, {}}), InputError);
  EXPECT_THROW((void)locate({&object, {}}, {std::numeric_limits<double>::infinity(), 0, 0}), InputError);
  Pose skewed;
  skewed.rotation[1].z = 0.1;
  EXPECT_THROW((void)relate({&object, skewed}, {&object, {}}), InputError);
  // A soup of the same cube, with its own corners in each triangle, is closed; so is no mesh at all.
  Soup soup;
  for (TriangleId t = 0; t < cube.triangles.size(); ++t) {
    const auto c = posed_triangle(cube, {}, t);
    soup.add(c[0], c[1], c[2]);
  }
  const RigidObject split = object_of(soup);
  EXPECT_EQ(locate({&split, {}}, {0.5, 0.25, 0.5}), PointSide::Inside);
  const RigidObject none({}, {});
  EXPECT_EQ(relate({&none, {}}, {&object, {}}).relation, SolidRelation::Apart);
  EXPECT_EQ(locate({&none, {}}, {}), PointSide::Outside);
}

}  // namespace
}  // namespace graze::testing
