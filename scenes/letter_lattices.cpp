// Implementation of lattices around letters (scenes/letter_lattices.hpp).
#include "scenes/letter_lattices.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <graze/error.hpp>

#include "scenes/pile_scenes.hpp"
#include "scenes/sim/vector.hpp"

namespace graze::scenes {

using namespace sim;  // vector arithmetic

namespace {

constexpr std::array kAxes = {&Vec3::x, &Vec3::y, &Vec3::z};

/// Clips a polygon by a plane across an axis: keeps the part above `limit`, or below it if `below`.
std::vector<Vec3> clipped(const std::vector<Vec3>& polygon, double Vec3::*axis, double limit, bool below) {
  const auto beyond = [&](const Vec3& p) { return below ? p.*axis - limit : limit - p.*axis; };
  std::vector<Vec3> result;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3& p = polygon[i];
    const Vec3& q = polygon[(i + 1) % polygon.size()];
    const double at_p = beyond(p);
    const double at_q = beyond(q);
    if (at_p <= 0.0) result.push_back(p);
    if ((at_p < 0.0 && at_q > 0.0) || (at_p > 0.0 && at_q < 0.0)) {
      Vec3 cut = p + (at_p / (at_p - at_q)) * (q - p);
      cut.*axis = limit;
      result.push_back(cut);
    }
  }
  return result;
}

bool intersects(const Shape& shape, const Triangle& triangle, const Vec3& lo, const Vec3& hi) {
  std::vector<Vec3> polygon;
  for (const VertexId v : triangle) polygon.push_back(shape.positions[v]);
  for (double Vec3::*axis : kAxes) {
    polygon = clipped(polygon, axis, lo.*axis, false);
    polygon = clipped(polygon, axis, hi.*axis, true);
  }
  return !polygon.empty();
}

/// Regular grid over the bounding box of a shape.
struct Grid {
  Vec3 lo;
  Vec3 hi;
  std::array<std::size_t, 3> counts{};  ///< number of cells along each axis

  Grid(const Shape& shape, double cell) : lo(shape.positions.at(0)), hi(lo) {
    for (std::size_t k = 0; k < 3; ++k) {
      double Vec3::*axis = kAxes[k];
      for (const Vec3& p : shape.positions) {
        lo.*axis = std::min(lo.*axis, p.*axis);
        hi.*axis = std::max(hi.*axis, p.*axis);
      }
      counts[k] = static_cast<std::size_t>(std::max(1.0, std::floor((hi.*axis - lo.*axis) / cell + 0.5)));
    }
  }

  [[nodiscard]] Vec3 vertex(const std::array<std::size_t, 3>& at) const {
    Vec3 p;
    for (std::size_t k = 0; k < 3; ++k) {
      double Vec3::*axis = kAxes[k];
      const double share = static_cast<double>(at[k]) / static_cast<double>(counts[k]);
      p.*axis = at[k] == counts[k] ? hi.*axis : lo.*axis + share * (hi.*axis - lo.*axis);
    }
    return p;
  }
  [[nodiscard]] std::size_t number(const std::array<std::size_t, 3>& at) const {
    return (at[2] * (counts[1] + 1) + at[1]) * (counts[0] + 1) + at[0];
  }
};

/// Returns four vertices far from each other: the farthest from the first vertex, the farthest from that one, then
/// the farthest from the line through both, then the farthest from the plane of the three.
std::array<std::size_t, 4> far_vertices(std::span<const Vec3> x) {
  const auto farthest = [&](const auto& measure) {
    std::size_t best = 0;
    for (std::size_t v = 1; v < x.size(); ++v) best = measure(x[v]) > measure(x[best]) ? v : best;
    return best;
  };
  std::array<std::size_t, 4> far{};
  const auto squared = [](const Vec3& p) { return dot(p, p); };
  far[0] = farthest([&](const Vec3& p) { return squared(p - x[0]); });
  const Vec3 origin = x[far[0]];
  far[1] = farthest([&](const Vec3& p) { return squared(p - origin); });
  const Vec3 line = x[far[1]] - origin;
  far[2] = farthest([&](const Vec3& p) { return squared(cross(p - origin, line)); });
  const Vec3 normal = cross(line, x[far[2]] - origin);
  far[3] = farthest([&](const Vec3& p) { return std::abs(dot(p - origin, normal)); });
  return far;
}

}  // namespace

ShapeLattice make_lattice(const Shape& shape, double cell) {
  const Grid grid(shape, cell);
  constexpr VertexId kUnused = std::numeric_limits<VertexId>::max();
  std::vector<VertexId> ids(grid.number(grid.counts) + 1, kUnused);
  ShapeLattice lattice;
  std::array<std::size_t, 3> at{};
  for (at[2] = 0; at[2] < grid.counts[2]; ++at[2]) {
    for (at[1] = 0; at[1] < grid.counts[1]; ++at[1]) {
      for (at[0] = 0; at[0] < grid.counts[0]; ++at[0]) {
        const Vec3 lo = grid.vertex(at);
        const Vec3 hi = grid.vertex({at[0] + 1, at[1] + 1, at[2] + 1});
        const auto in_cell = [&](const Triangle& triangle) { return intersects(shape, triangle, lo, hi); };
        if (std::none_of(shape.triangles.begin(), shape.triangles.end(), in_cell)) continue;
        LatticeCell& corners = lattice.cells.emplace_back();
        for (std::size_t c = 0; c < 8; ++c) {
          const std::array corner = {at[0] + (c & 1U), at[1] + ((c >> 1U) & 1U), at[2] + ((c >> 2U) & 1U)};
          VertexId& id = ids[grid.number(corner)];
          if (id == kUnused) {
            id = static_cast<VertexId>(lattice.vertices.size());
            lattice.vertices.push_back(grid.vertex(corner));
          }
          corners[c] = id;
        }
      }
    }
  }
  return lattice;
}

void RigidLattices::add(const ShapeLattice& lattice, const Shape& shape, std::size_t first_vertex) {
  std::array<std::size_t, 4> anchors = far_vertices(shape.positions);
  const Vec3 origin = shape.positions[anchors[0]];
  const Vec3 p = shape.positions[anchors[1]] - origin;
  const Vec3 q = shape.positions[anchors[2]] - origin;
  const Vec3 r = shape.positions[anchors[3]] - origin;
  const double volume = dot(p, cross(q, r));
  for (std::size_t& anchor : anchors) anchor += first_vertex;

  const auto base = static_cast<VertexId>(vertices_.size());
  for (const Vec3& vertex : lattice.vertices) {
    const Vec3 x = vertex - origin;
    const Vec3 shares = {dot(x, cross(q, r)) / volume, dot(p, cross(x, r)) / volume, dot(p, cross(q, x)) / volume};
    vertices_.push_back({anchors, shares});
  }
  for (LatticeCell cell : lattice.cells) {
    for (VertexId& corner : cell) corner += base;
    cells_.push_back(cell);
    groups_.push_back(static_cast<std::uint32_t>(lattices_));
  }
  ++lattices_;
}

std::vector<Vec3> RigidLattices::positions(std::span<const Vec3> frame) const {
  std::vector<Vec3> result;
  result.reserve(vertices_.size());
  for (const Follower& vertex : vertices_) {
    const Vec3& origin = frame[vertex.anchors[0]];
    result.push_back(origin + (vertex.shares.x * (frame[vertex.anchors[1]] - origin) +
                               (vertex.shares.y * (frame[vertex.anchors[2]] - origin) +
                                vertex.shares.z * (frame[vertex.anchors[3]] - origin))));
  }
  return result;
}

RigidLattices alphabet_lattices(const SceneRequest& request, std::span<const BodyRange> bodies) {
  constexpr double kCell = 0.45;  // letters are about 2 tall: gives about eleven cells
  SceneRequest full = request;
  (void)find_scene("alphabet", full);
  const std::vector<Shape> letters = alphabet_letters(full);
  std::vector<ShapeLattice> lattices;
  lattices.reserve(letters.size());
  for (const Shape& letter : letters) lattices.push_back(make_lattice(letter, kCell));
  RigidLattices all;
  for (std::size_t k = 1; k < bodies.size(); ++k) {  // the first body is the box that the letters fall into
    const std::size_t which = (k - 1) % letters.size();
    if (bodies[k].last_vertex - bodies[k].first_vertex != letters[which].positions.size()) {
      throw InputError("body " + std::to_string(k) + " is not the letter that the request makes");
    }
    all.add(lattices[which], letters[which], bodies[k].first_vertex);
  }
  return all;
}

}  // namespace graze::scenes
