// Lattices around the letters of the scene "alphabet": the third benchmark of HASH (section 6.1), whose primitives
// are the boxes of the cells of such lattices, some eleven a letter, instead of triangles.
//
// A letter's lattice is a regular grid over its box at rest; cells that hold no part of its surface are left out.
// It moves with the letter: each lattice vertex is a fixed affine combination of four of the letter's vertices that
// lie far from each other. The letters are rigid, so the combination of where these are in a frame is where the
// lattice is, up to roundings and to how far a simulated body is off rigid. Cost: linear in cells a frame.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <graze/boxes.hpp>
#include <graze/types.hpp>

#include "scenes/animation.hpp"
#include "scenes/catalogue.hpp"
#include "scenes/shapes.hpp"

namespace graze::scenes {

/// Cells of a grid over the box of a shape, and the grid's vertices that they use.
struct ShapeLattice {
  std::vector<Vec3> vertices;
  std::vector<LatticeCell> cells;  ///< corner c is at the upper end of axis k where bit k of c is set
};

/// The cells, of about this size along each axis, that hold a part of a triangle.
ShapeLattice make_lattice(const Shape& shape, double cell);

/// Lattices that move with rigid bodies.
class RigidLattices {
 public:
  /// Adds a lattice for a body: `shape` is what it is at rest, its vertices come from `first_vertex` on.
  void add(const ShapeLattice& lattice, const Shape& shape, std::size_t first_vertex);

  [[nodiscard]] std::span<const LatticeCell> cells() const { return cells_; }
  /// For each cell the number of its lattice, as close_boxes takes them.
  [[nodiscard]] std::span<const std::uint32_t> groups() const { return groups_; }
  [[nodiscard]] std::size_t lattice_count() const { return lattices_; }
  [[nodiscard]] std::size_t vertex_count() const { return vertices_.size(); }
  /// Where the lattice vertices are, from where the vertices of the scene are.
  [[nodiscard]] std::vector<Vec3> positions(std::span<const Vec3> frame) const;

 private:
  /// Vertex anchor[0] and, from there, shares of the ways to the other three.
  struct Follower {
    std::array<std::size_t, 4> anchors{};
    Vec3 shares;
  };
  std::vector<Follower> vertices_;
  std::vector<LatticeCell> cells_;
  std::vector<std::uint32_t> groups_;
  std::size_t lattices_ = 0;
};

/// The lattices of all letters of the scene "alphabet", about eleven cells each. `bodies` are those of the scene
/// that the same request makes.
RigidLattices alphabet_lattices(const SceneRequest& request, std::span<const BodyRange> bodies);

}  // namespace graze::scenes
