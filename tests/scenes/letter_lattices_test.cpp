// Lattices of letters: about as many cells as in the paper; they contain the letters and move with them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <graze/error.hpp>

#include "geometry/vec.hpp"
#include "scenes/letter_lattices.hpp"
#include "scenes/pile_scenes.hpp"
#include "scenes/shapes/letters.hpp"

namespace graze::scenes {

using namespace core;
using namespace geometry;
namespace {

/// Distance of a point outside a box-shaped cell in any pose, as a share of its sides; <= 0 inside.
double outside(const LatticeCell& cell, std::span<const Vec3> x, const Vec3& p) {
  const Vec3 from = p - x[cell[0]];
  double most = -1.0;
  for (const std::size_t c : {1U, 2U, 4U}) {
    const Vec3 side = x[cell[c]] - x[cell[0]];
    const double share = dot(from, side) / dot(side, side);
    most = std::max({most, -share, share - 1.0});
  }
  return most;
}

double outside_all(std::span<const LatticeCell> cells, std::span<const Vec3> x, const Vec3& p) {
  double least = 1e30;
  for (const LatticeCell& cell : cells) least = std::min(least, outside(cell, x, p));
  return least;
}

TEST(LetterLattices, HaveAboutElevenCells) {
  SceneRequest request;
  request.size = 23400;
  std::vector<BodyRange> bodies(1);
  std::size_t first = 0;
  for (const Shape& letter : alphabet_letters(request)) {
    bodies.push_back({first, first + letter.positions.size(), 0, 0, Motion::Rigid});
    first += letter.positions.size();
  }
  const RigidLattices lattices = alphabet_lattices(request, bodies);
  ASSERT_EQ(lattices.lattice_count(), 26U);
  EXPECT_GE(lattices.cells().size(), 26U * 10U);
  EXPECT_LE(lattices.cells().size(), 26U * 12U);
  bodies[3].last_vertex += 1;
  EXPECT_THROW((void)alphabet_lattices(request, bodies), InputError);
}

TEST(LetterLattices, HoldTheSurfaceInTheirCellsAndLeaveOutTheOthers) {
  for (const char c : {'A', 'I', 'O', 'W'}) {
    const Shape letter = make_letter(c);
    const ShapeLattice lattice = make_lattice(letter, 0.45);
    for (const Triangle& t : letter.triangles) {
      const std::array p = {letter.positions[t[0]], letter.positions[t[1]], letter.positions[t[2]]};
      for (const Vec3& point : {p[0], p[1], p[2], (1.0 / 3.0) * (p[0] + p[1] + p[2])}) {
        ASSERT_LE(outside_all(lattice.cells, lattice.vertices, point), 1e-12) << c;
      }
    }
    for (const LatticeCell& cell : lattice.cells) {
      // Samples of the triangles: every cell contains at least one.
      bool any = false;
      for (const Triangle& t : letter.triangles) {
        for (int i = 0; i <= 8 && !any; ++i) {
          for (int j = 0; i + j <= 8 && !any; ++j) {
            const Vec3 point = (i / 8.0) * letter.positions[t[0]] + (j / 8.0) * letter.positions[t[1]] +
                               ((8 - i - j) / 8.0) * letter.positions[t[2]];
            any = outside(cell, lattice.vertices, point) <= 1e-3;
          }
        }
      }
      EXPECT_TRUE(any) << c;
    }
  }
  const ShapeLattice corner = make_lattice(make_letter('L'), 0.45);
  EXPECT_GT(outside_all(corner.cells, corner.vertices, {0.4, 0.7, 0.0}), 0.1) << "there is nothing above the foot";
  const ShapeLattice ring = make_lattice(make_letter('O'), 0.25);
  EXPECT_GT(outside_all(ring.cells, ring.vertices, {0.0, 0.1, 0.0}), 0.1) << "the hole is not in the lattice";
}

TEST(LetterLattices, MoveWithTheLettersOfTheAlphabet) {
  SceneRequest request;
  request.size = 3600;
  const std::unique_ptr<SceneStream> stream = open_scene("alphabet", request);
  const std::vector<BodyRange> bodies = stream->bodies();
  const RigidLattices lattices = alphabet_lattices(request, bodies);
  ASSERT_EQ(lattices.lattice_count(), 4U);
  std::vector<Vec3> before;
  for (int frame = 0; frame < 4; ++frame) {
    if (frame > 0) stream->advance();
    const std::span<const Vec3> x = stream->positions();
    const std::vector<Vec3> lattice = lattices.positions(x);
    ASSERT_EQ(lattice.size(), lattices.vertex_count());
    EXPECT_NE(lattice, before);
    before = lattice;
    for (std::uint32_t letter = 0; letter < 4; ++letter) {
      std::vector<LatticeCell> cells;
      for (std::size_t c = 0; c < lattices.cells().size(); ++c) {
        if (lattices.groups()[c] == letter) cells.push_back(lattices.cells()[c]);
      }
      const BodyRange& body = bodies[letter + 1];
      double most = -1.0;
      for (std::size_t v = body.first_vertex; v < body.last_vertex; ++v) {
        most = std::max(most, outside_all(cells, lattice, x[v]));
      }
      EXPECT_LE(most, 1e-7) << "letter " << letter << ", frame " << frame;
    }
  }
}

TEST(LetterLattices, HaveBoxesNoFartherApartThanTheLetters) {
  SceneRequest request;
  request.size = 3600;
  const std::unique_ptr<SceneStream> stream = open_scene("alphabet", request);
  const std::vector<BodyRange> bodies = stream->bodies();
  const RigidLattices lattices = alphabet_lattices(request, bodies);
  const std::vector<Vec3> x_t0(stream->positions().begin(), stream->positions().end());
  stream->advance();
  const std::span<const Vec3> x_t1 = stream->positions();
  const std::vector<Box> boxes =
      lattice_boxes(lattices.cells(), lattices.positions(x_t0), lattices.positions(x_t1));
  std::array<std::array<double, 4>, 4> apart{};
  for (auto& row : apart) row.fill(std::numeric_limits<double>::infinity());
  for (const BoxPair& pair : close_boxes(boxes, lattices.groups(), 100.0).pairs) {
    const std::uint32_t a = lattices.groups()[pair.a];
    const std::uint32_t b = lattices.groups()[pair.b];
    ASSERT_NE(a, b);
    apart[std::min(a, b)][std::max(a, b)] = std::min(apart[std::min(a, b)][std::max(a, b)], pair.distance);
  }
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = a + 1; b < 4; ++b) {
      double least = 1e30;
      for (std::size_t v = bodies[a + 1].first_vertex; v < bodies[a + 1].last_vertex; ++v) {
        for (std::size_t w = bodies[b + 1].first_vertex; w < bodies[b + 1].last_vertex; ++w) {
          least = std::min({least, length(x_t0[v] - x_t0[w]), length(x_t1[v] - x_t1[w])});
        }
      }
      EXPECT_LE(apart[a][b], least + 1e-6);
      EXPECT_GT(apart[a][b], least - 1.5) << "a letter's cells are about half as large as it";
    }
  }
}

}  // namespace
}  // namespace graze::scenes
