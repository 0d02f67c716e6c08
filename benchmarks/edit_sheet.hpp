// A wavy sheet that is edited while in use: torn along lines, perforated and repaired, cut into blocks that drift
// apart, extended at its side.
//
// It stores the position of its vertices in the grid, so that an edit of k triangles is collected in O(k).
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <graze/detector.hpp>

namespace graze::benchmarks {

class EditSheet {
 public:
  /// About `triangle_count` triangles. With `blocks` > 0 it can be cut into blocks x blocks pieces.
  explicit EditSheet(std::size_t triangle_count, std::uint32_t blocks = 0);

  [[nodiscard]] const Scene& scene() const { return scene_; }
  [[nodiscard]] std::size_t block_count() const { return std::size_t{blocks_} * blocks_; }

  /// Equal positions for equal frames and equal edits so far; the step goes to the next half frame.
  struct Step {
    std::vector<Vec3> x_t0;
    std::vector<Vec3> x_t1;
  };
  [[nodiscard]] Step step(double frame) const;

  // Edits. Each is collected into `edit`, which must then be applied; returns the number of changed triangles.

  /// Splits the vertices of a row, upper triangles from lower ones, until k triangles have a copied vertex.
  std::size_t tear(SceneEdit& edit, std::size_t k);
  /// Removes k / 2 random triangles (at least one) and adds those that the last call removed.
  std::size_t exchange(SceneEdit& edit, std::size_t k);
  /// Cuts out the next `count` blocks; they drift from `frame` on.
  std::size_t cut_blocks(SceneEdit& edit, std::size_t count, double frame);
  /// Adds a column of triangles on the right.
  std::size_t grow(SceneEdit& edit);

 private:
  struct VertexState {
    double u = 0.0;  ///< position in the sheet
    double v = 0.0;
    std::uint32_t block = 0;       ///< block that it drifts with once cut out; kNone: no block
    std::uint8_t blocks_left = 0;  ///< blocks that use it and are not cut out yet
  };
  static constexpr std::uint32_t kNone = 0xffffffffU;

  [[nodiscard]] VertexId vertex(std::uint32_t i, std::uint32_t j) const { return j * (side_ + 1) + i; }
  [[nodiscard]] std::uint32_t block_of_cell(std::uint32_t i, std::uint32_t j) const;
  [[nodiscard]] Vec3 place(const VertexState& state, double frame) const;

  std::uint32_t side_;
  std::uint32_t blocks_;
  Scene scene_;  ///< before all edits
  std::vector<VertexState> vertices_;
  std::mt19937_64 random_{1};
  std::vector<std::uint32_t> rows_;  ///< rows not torn yet, shuffled
  std::uint32_t column_ = 1;         ///< column of the tear in the last row
  std::vector<TriangleId> living_;   ///< existing triangles, for exchange
  std::vector<Triangle> triangles_;  ///< by id, for exchange
  std::vector<Triangle> removed_;    ///< triangles that the last exchange removed
  std::vector<std::uint32_t> block_order_;
  std::size_t blocks_cut_ = 0;
  std::vector<double> cut_frame_;     ///< by block; < 0: not cut
  std::vector<Vec3> velocity_;        ///< by block
  std::vector<VertexId> right_side_;  ///< the boundary that grows
};

}  // namespace graze::benchmarks
