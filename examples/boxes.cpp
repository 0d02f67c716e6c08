// Boxes as primitives: the cells of two lattices that carry bodies, and which of them come close in a step, as a
// simulator of free-form deformations needs. Exits with 1 if an answer is wrong.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <graze/graze.hpp>

namespace {

/// A row of n unit cells along x, starting at `corner`; `group` is the number of the lattice.
struct Lattices {
  std::vector<graze::Vec3> positions;
  std::vector<graze::LatticeCell> cells;
  std::vector<std::uint32_t> groups;

  void add_row(std::uint32_t n, const graze::Vec3& corner, std::uint32_t group) {
    const auto first = static_cast<graze::VertexId>(positions.size());
    for (std::uint32_t i = 0; i <= n; ++i) {
      for (const double y : {0.0, 1.0}) {
        for (const double z : {0.0, 1.0}) positions.push_back({corner.x + i, corner.y + y, corner.z + z});
      }
    }
    for (std::uint32_t i = 0; i < n; ++i) {
      graze::LatticeCell cell{};
      for (std::uint32_t c = 0; c < 8; ++c) cell[c] = first + 4 * i + c;
      cells.push_back(cell);
      groups.push_back(group);
    }
  }
};

}  // namespace

int main() {
  Lattices lattices;
  lattices.add_row(4, {0, 0, 0}, 0);
  lattices.add_row(4, {6, 0, 3}, 1);

  // The second row moves closer along x and down to 1/2 above the first.
  std::vector<graze::Vec3> x_t1 = lattices.positions;
  for (std::size_t v = 20; v < x_t1.size(); ++v) {
    x_t1[v].x -= 3.0;
    x_t1[v].z -= 1.5;
  }

  // A box for each cell that contains it during the whole step; then all pairs of different lattices within 1/2.
  const std::vector<graze::Box> boxes = graze::lattice_boxes(lattices.cells, lattices.positions, x_t1);
  const graze::BoxPairs close = graze::close_boxes(boxes, lattices.groups, 0.5);
  for (const graze::BoxPair& pair : close.pairs) {
    std::printf("cells %u and %u come within %g of each other\n", pair.a, pair.b, pair.distance);
  }
  std::printf("%llu pairs of boxes were looked at in %llu voxels\n",
              static_cast<unsigned long long>(close.stats.hash.box_pairs),
              static_cast<unsigned long long>(close.stats.hash.voxels));

  // The first two cells of the second row sweep x from 3 and from 4 on: above the last two cells of the first row.
  const std::vector<graze::BoxPair> expected = {{2, 4, 0.5}, {3, 4, 0.5}, {3, 5, 0.5}};
  return close.pairs == expected ? 0 : 1;
}
