// A wavy sheet that is edited while it is in use: torn along lines, holed and mended, cut into blocks that drift
// apart, grown at its side.
//
// It knows where its vertices are in the grid, so an edit of k triangles is collected in O(k).
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <graze/detector.hpp>

namespace graze::benchmarks {

class EditSheet {
 public:
  /// About this many triangles. With `blocks` > 0 it can be cut into blocks x blocks pieces.
  explicit EditSheet(std::size_t triangle_count, std::uint32_t blocks = 0);

  [[nodiscard]] const Scene& scene() const { return scene_; }
  [[nodiscard]] std::size_t block_count() const { return std::size_t{blocks_} * blocks_; }

  /// The same positions for the same frame and the same edits so far; the step goes to the next half frame.
  struct Step {
    std::vector<Vec3> x_t0;
    std::vector<Vec3> x_t1;
  };
  [[nodiscard]] Step step(double frame) const;

  // Edits. Each is collected into `edit`, which must then be applied; returns how many triangles change.

  /// Splits vertices in a row, those above from those below, until k triangles have a copy.
  std::size_t tear(SceneEdit& edit, std::size_t k);
  /// Removes k / 2 triangles (at least one) here and there, and adds back those that the last call removed.
  std::size_t exchange(SceneEdit& edit, std::size_t k);
  /// Cuts the next `count` blocks out; they drift from `frame` on.
  std::size_t cut_blocks(SceneEdit& edit, std::size_t count, double frame);
  /// A column of triangles more on the right.
  std::size_t grow(SceneEdit& edit);

 private:
  struct VertexState {
    double u = 0.0;  ///< place in the sheet
    double v = 0.0;
    std::uint32_t block = 0;       ///< that it drifts with, once that is cut out; kNone: with none
    std::uint8_t blocks_left = 0;  ///< not cut out yet, and using it
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
  std::size_t next_triangle_;        ///< the id that the next new one gets
  std::vector<std::uint32_t> rows_;  ///< not torn yet, shuffled
  std::uint32_t column_ = 1;         ///< where the tear in the last row stands
  std::vector<TriangleId> living_;   ///< for exchange
  std::vector<Triangle> triangles_;  ///< by id, for exchange
  std::vector<Triangle> removed_;    ///< by the last exchange
  std::vector<std::uint32_t> block_order_;
  std::size_t blocks_cut_ = 0;
  std::vector<double> cut_frame_;     ///< by block; < 0: not cut
  std::vector<Vec3> velocity_;        ///< by block
  std::vector<VertexId> right_side_;  ///< the boundary that grows
};

}  // namespace graze::benchmarks
