// A cloth that tears while in use: vertices are split between two steps, and the detector follows.
//
// A rectangle of 2 x n cells; the seam between its halves opens from one end. Every edit names the triangles that
// go with the copy of a seam vertex. In the end the halves are separate bodies. Positions grow with the scene:
// SceneEdit::carry gives copies the positions of their originals.
#include <cstdio>
#include <vector>

#include <graze/graze.hpp>

namespace {

constexpr std::uint32_t kCells = 6;  // along the seam

graze::VertexId vertex(std::uint32_t row, std::uint32_t column) {
  return 3 * row + column;
}

}  // namespace

int main() {
  std::vector<graze::Vec3> x;
  std::vector<graze::Triangle> triangles;
  for (std::uint32_t row = 0; row <= kCells; ++row) {
    for (std::uint32_t column = 0; column < 3; ++column) x.push_back({column - 1.0, 1.0 * row, 0.0});
  }
  for (std::uint32_t row = 0; row < kCells; ++row) {
    for (std::uint32_t column = 0; column < 2; ++column) {
      triangles.push_back({vertex(row, column), vertex(row, column + 1), vertex(row + 1, column + 1)});
      triangles.push_back({vertex(row, column), vertex(row + 1, column + 1), vertex(row + 1, column)});
    }
  }
  graze::Scene cloth;
  cloth.add_body({.positions = x, .triangles = triangles});
  graze::Detector detector(cloth);

  for (std::uint32_t row = 0; row <= kCells; ++row) {
    // The triangles right of the seam that use this vertex get a copy of it, slightly to the right.
    graze::SceneEdit edit = detector.begin_edit();
    const graze::VertexId seam = vertex(row, 1);
    std::vector<graze::TriangleId> right;
    for (graze::TriangleId t = 0; t < triangles.size(); ++t) {
      if (t % 4 < 2) continue;
      for (const graze::VertexId v : detector.scene().triangles()[t]) {
        if (v == seam) right.push_back(t);
      }
    }
    const graze::VertexId copy = edit.split_vertex(seam, right);
    x = edit.carry(x);
    detector.apply(edit);
    x[copy].x += 0.125;
    // In a static step the two sides must not touch where the seam is open.
    if (!detector.impacts(x, x).impacts.empty()) return 1;
  }

  // Torn through: two bodies now. The right one moves over the left one and through it.
  graze::SceneEdit edit = detector.begin_edit();
  const std::vector<graze::BodyId> pieces = edit.split_body(0);
  detector.apply(edit);
  if (pieces.size() != 1 || detector.scene().body_count() != 2) return 1;
  std::vector<graze::Vec3> end = x;
  for (std::size_t v = 0; v < x.size(); ++v) {
    if (detector.scene().body_of(static_cast<graze::VertexId>(v)) != pieces[0]) continue;
    end[v].x -= 1.5;
    x[v].z += 0.5;
    end[v].z -= 0.25;
  }
  const graze::Impacts impacts = detector.impacts(x, end);
  std::printf("%zu vertices, %zu impacts\n", x.size(), impacts.impacts.size());
  // The answer equals that of a detector without history.
  return !impacts.impacts.empty() && impacts.hash() == graze::Detector(detector.scene()).impacts(x, end).hash() &&
                 detector.validate().empty()
             ? 0
             : 1;
}
