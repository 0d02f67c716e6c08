// Grids, capsules and assembly of shapes (scenes/shapes/build.hpp). Cost: linear in triangles; O(n log n) for the
// manifold check, which sorts.
#include "scenes/shapes/build.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace graze::scenes::shaping {

void append(Shape& whole, const Shape& part) {
  const auto offset = static_cast<VertexId>(whole.positions.size());
  whole.positions.insert(whole.positions.end(), part.positions.begin(), part.positions.end());
  for (const Triangle& t : part.triangles) {
    whole.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
  }
}

void transform(Shape& shape, const std::function<Vec3(const Vec3&)>& map) {
  for (Vec3& p : shape.positions) p = map(p);
}

void flip(Shape& shape) {
  for (Triangle& t : shape.triangles) std::swap(t[1], t[2]);
}

bool is_closed_manifold(const Shape& shape) {
  // Store each corner as (vertex, next, opposite): the fan of a vertex is one cycle if following next -> opposite
  // from any of its corners visits all of them.
  std::vector<std::array<VertexId, 3>> corners;
  corners.reserve(3 * shape.triangles.size());
  for (const Triangle& t : shape.triangles) {
    for (std::size_t k = 0; k < 3; ++k) corners.push_back({t[k], t[(k + 1) % 3], t[(k + 2) % 3]});
  }
  std::sort(corners.begin(), corners.end());
  for (std::size_t first = 0; first < corners.size();) {
    const VertexId vertex = corners[first][0];
    std::size_t last = first;
    while (last < corners.size() && corners[last][0] == vertex) ++last;
    VertexId at = corners[first][1];
    std::size_t visited = 0;
    do {
      const auto corner = std::lower_bound(corners.begin() + static_cast<std::ptrdiff_t>(first),
                                           corners.begin() + static_cast<std::ptrdiff_t>(last),
                                           std::array<VertexId, 3>{vertex, at, 0});
      if (corner == corners.begin() + static_cast<std::ptrdiff_t>(last) || (*corner)[1] != at) return false;
      at = (*corner)[2];
      ++visited;
    } while (at != corners[first][1] && visited <= last - first);
    if (visited != last - first) return false;
    first = last;
  }
  return true;
}

Shape make_patch(const GridSize& size, const std::function<Vec3(double u, double v)>& position) {
  Shape patch;
  const std::size_t columns = size.columns + (size.wrap_u ? 0 : 1);
  const std::size_t rows = size.rows + (size.wrap_v ? 0 : 1);
  if (columns == 0 || rows == 0) return patch;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      patch.positions.push_back(position(static_cast<double>(column) / static_cast<double>(size.columns),
                                         static_cast<double>(row) / static_cast<double>(size.rows)));
    }
  }
  for (std::size_t row = 0; row < size.rows; ++row) {
    for (std::size_t column = 0; column < size.columns; ++column) {
      const std::size_t right = (column + 1) % columns;
      const std::size_t up = (row + 1) % rows;
      const auto a = static_cast<VertexId>(row * columns + column);
      const auto b = static_cast<VertexId>(row * columns + right);
      const auto c = static_cast<VertexId>(up * columns + column);
      const auto d = static_cast<VertexId>(up * columns + right);
      if ((row + column) % 2 == 0) {
        patch.triangles.push_back({a, b, d});
        patch.triangles.push_back({a, d, c});
      } else {
        patch.triangles.push_back({a, b, c});
        patch.triangles.push_back({b, d, c});
      }
    }
  }
  return patch;
}

Shape make_capsule_surface(std::size_t rings, std::size_t bands,
                           const std::function<Vec3(double w, double turns)>& position) {
  Shape shape;
  // Ring j of a dome has 4 j vertices: a quarter of it is a side of the octahedron's face, divided into j edges.
  const auto add_ring = [&](std::size_t j, double w) {
    const auto first = static_cast<VertexId>(shape.positions.size());
    const std::size_t count = j == 0 ? 1 : 4 * j;
    for (std::size_t i = 0; i < count; ++i) {
      shape.positions.push_back(position(w, static_cast<double>(i) / static_cast<double>(count)));
    }
    return first;
  };
  const auto at = [](VertexId ring, std::size_t j, std::size_t i) {
    return static_cast<VertexId>(ring + (j == 0 ? 0 : i % (4 * j)));
  };
  // Adds the faces between ring j and the next smaller ring, each starting at its own first vertex.
  const auto close_dome = [&](VertexId large, VertexId small, std::size_t j, bool is_upper) {
    const auto triangle = [&](VertexId a, VertexId b, VertexId c) {
      shape.triangles.push_back(is_upper ? Triangle{a, b, c} : Triangle{a, c, b});
    };
    for (std::size_t quarter = 0; quarter < 4; ++quarter) {
      for (std::size_t i = 0; i < j; ++i) {
        const std::size_t outer = quarter * j + i;
        const std::size_t inner = quarter * (j - 1) + i;
        triangle(at(large, j, outer), at(large, j, outer + 1), at(small, j - 1, inner));
        if (i + 1 < j) triangle(at(small, j - 1, inner), at(large, j, outer + 1), at(small, j - 1, inner + 1));
      }
    }
  };
  const auto n = static_cast<double>(rings);
  VertexId previous = add_ring(0, 0.0);
  for (std::size_t j = 1; j <= rings; ++j) {
    const VertexId ring = add_ring(j, static_cast<double>(j) / n);
    close_dome(ring, previous, j, false);
    previous = ring;
  }
  for (std::size_t k = 1; k <= bands; ++k) {
    const VertexId ring = add_ring(rings, 1.0 + static_cast<double>(k) / static_cast<double>(bands));
    for (std::size_t i = 0; i < 4 * rings; ++i) {
      const VertexId a = at(previous, rings, i);
      const VertexId b = at(previous, rings, i + 1);
      const VertexId c = at(ring, rings, i);
      const VertexId d = at(ring, rings, i + 1);
      if ((i + k) % 2 == 0) {
        shape.triangles.push_back({a, b, d});
        shape.triangles.push_back({a, d, c});
      } else {
        shape.triangles.push_back({a, b, c});
        shape.triangles.push_back({b, d, c});
      }
    }
    previous = ring;
  }
  for (std::size_t j = rings; j >= 1; --j) {
    const VertexId ring = add_ring(j - 1, 3.0 - static_cast<double>(j - 1) / n);
    close_dome(previous, ring, j, true);
    previous = ring;
  }
  return shape;
}

Shape fit_spacing(double first_spacing, std::size_t triangles, const std::function<Shape(double spacing)>& make) {
  constexpr int kTries = 8;
  constexpr double kNearEnough = 0.04;
  Shape best;
  double least_error = 0.0;
  double spacing = first_spacing;
  const auto target = static_cast<double>(triangles);
  for (int i = 0; i < kTries; ++i) {
    Shape shape = make(spacing);
    const auto count = static_cast<double>(shape.triangles.size());
    const double error = std::abs(count - target);
    if (i == 0 || error < least_error) {
      best = std::move(shape);
      least_error = error;
    }
    if (error <= kNearEnough * target) break;
    // No triangles at all: the spacing is far too coarse.
    spacing *= count > 0.0 ? std::sqrt(count / target) : 0.5;
  }
  return best;
}

}  // namespace graze::scenes::shaping
