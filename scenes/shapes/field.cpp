// Surface nets, and the primitives and operations that fields are composed of (scenes/shapes/field.hpp).
#include "scenes/shapes/field.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_set>
#include <utility>
#include <vector>

#include "scenes/random.hpp"
#include "scenes/shapes/build.hpp"

namespace graze::scenes::shaping {
namespace {

constexpr VertexId kNone = std::numeric_limits<VertexId>::max();

struct Lattice {
  Vec3 low;
  double spacing = 1.0;
  std::array<std::size_t, 3> nodes{};

  [[nodiscard]] Vec3 node(double i, double j, double k) const {
    return {low.x + spacing * i, low.y + spacing * j, low.z + spacing * k};
  }
};

Lattice lattice_of(const FieldBounds& bounds, double spacing) {
  const Vec3 size = bounds.high - bounds.low;
  Lattice lattice;
  lattice.spacing = spacing;
  // Add spare cells on each side: a surface net is closed only if its border is outside the solid, including filled
  // cells.
  const double spare = 2.0 * spacing;
  lattice.low = bounds.low - Vec3{spare, spare, spare};
  lattice.nodes = {to_count(std::floor(size.x / spacing)) + 6, to_count(std::floor(size.y / spacing)) + 6,
                   to_count(std::floor(size.z / spacing)) + 6};
  return lattice;
}

// The nodes of a lattice that are inside the solid.
class Nodes {
 public:
  Nodes(const Field& field, const Lattice& lattice)
      : nx_(lattice.nodes[0]), ny_(lattice.nodes[1]), nz_(lattice.nodes[2]), inside_(nx_ * ny_ * nz_) {
    for (std::size_t k = 0; k < nz_; ++k) {
      for (std::size_t j = 0; j < ny_; ++j) {
        for (std::size_t i = 0; i < nx_;) {
          const double value =
              field(lattice.node(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)));
          // All points within |value| / slope are on the same side of the surface.
          const auto same = static_cast<std::size_t>(std::floor(std::abs(value) / (kFieldSlope * lattice.spacing)));
          const std::size_t end = std::min(nx_, i + std::max<std::size_t>(1, same));
          for (; i < end; ++i) inside_[at(i, j, k)] = value < 0.0 ? 1 : 0;
        }
      }
    }
    fill_ambiguous_cells();
  }

  [[nodiscard]] bool inside(std::size_t i, std::size_t j, std::size_t k) const { return inside_[at(i, j, k)] != 0; }

 private:
  [[nodiscard]] std::size_t at(std::size_t i, std::size_t j, std::size_t k) const {
    return (k * ny_ + j) * nx_ + i;
  }

  // Corner c of a cell is at (c & 1, c >> 1 & 1, c >> 2). A single sheet passes through the cell if its inside
  // corners are connected by edges, its outside corners too, and no face has its two diagonals on different sides.
  static bool is_ambiguous(unsigned corners) {
    for (const unsigned side : {corners, ~corners & 0xFFU}) {
      if (side == 0) continue;
      unsigned reached = side & (~side + 1U);
      for (unsigned before = 0; before != reached;) {
        before = reached;
        for (unsigned axis = 0; axis < 3; ++axis) {
          constexpr std::array<unsigned, 3> kLow = {0x55U, 0x33U, 0x0FU};
          const unsigned step = 1U << axis;
          reached |= (((reached & kLow[axis]) << step) | ((reached >> step) & kLow[axis])) & side;
        }
      }
      if (reached != side) return true;
    }
    constexpr std::array<std::array<unsigned, 4>, 6> kFaces = {
        {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}}};
    return std::any_of(kFaces.begin(), kFaces.end(), [&](const std::array<unsigned, 4>& face) {
      const auto bit = [&](std::size_t c) { return (corners >> face[c]) & 1U; };
      return bit(0) == bit(2) && bit(1) == bit(3) && bit(0) != bit(1);
    });
  }

  // If two sheets would pass through one cell (a gap or a bridge thinner than the lattice can resolve), all of its
  // corners are set to inside. This can make the next cell ambiguous; it terminates at the latest when all is
  // inside.
  void fill_ambiguous_cells() {
    std::array<bool, 256> ambiguous{};
    for (unsigned corners = 0; corners < 256; ++corners) ambiguous[corners] = is_ambiguous(corners);
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (std::size_t k = 0; k + 1 < nz_; ++k) {
        for (std::size_t j = 0; j + 1 < ny_; ++j) {
          for (std::size_t i = 0; i + 1 < nx_; ++i) {
            unsigned corners = 0;
            for (unsigned c = 0; c < 8; ++c) {
              corners |= (inside(i + (c & 1U), j + (c >> 1U & 1U), k + (c >> 2U)) ? 1U : 0U) << c;
            }
            if (!ambiguous[corners]) continue;
            for (unsigned c = 0; c < 8; ++c) inside_[at(i + (c & 1U), j + (c >> 1U & 1U), k + (c >> 2U))] = 1;
            is_changed = true;
          }
        }
      }
    }
  }

  std::size_t nx_;
  std::size_t ny_;
  std::size_t nz_;
  std::vector<char> inside_;
};

class SurfaceNet {
 public:
  SurfaceNet(const Nodes& nodes, const Lattice& lattice)
      : nodes_(&nodes), lattice_(lattice), nx_(lattice.nodes[0]), ny_(lattice.nodes[1]) {
    for (auto* layer : {&cells_[0], &cells_[1]}) layer->assign(nx_ * ny_, kNone);
    for (std::size_t k = 0; k + 1 < lattice_.nodes[2]; ++k) {
      place_vertices(k);
      join_layer(k);
      std::swap(cells_[0], cells_[1]);
    }
  }

  Shape shape;

 private:
  // cells_[1] is the layer in progress, cells_[0] the layer below it.
  [[nodiscard]] VertexId cell(std::size_t layer, std::size_t i, std::size_t j) const {
    return cells_[layer][j * nx_ + i];
  }

  // Places a vertex in each cell with corners on both sides, at the mean of the midpoints of the crossing edges.
  void place_vertices(std::size_t k) {
    for (std::size_t j = 0; j + 1 < ny_; ++j) {
      for (std::size_t i = 0; i + 1 < nx_; ++i) {
        Vec3 sum;
        double count = 0.0;
        const auto edge = [&](std::array<std::size_t, 3> a, std::array<std::size_t, 3> b) {
          if (nodes_->inside(i + a[0], j + a[1], k + a[2]) == nodes_->inside(i + b[0], j + b[1], k + b[2])) return;
          const auto middle = [&](std::size_t axis) { return 0.5 * static_cast<double>(a[axis] + b[axis]); };
          sum = sum + Vec3{middle(0), middle(1), middle(2)};
          count += 1.0;
        };
        for (const std::size_t p : {0U, 1U}) {
          for (const std::size_t q : {0U, 1U}) {
            edge({0, p, q}, {1, p, q});
            edge({p, 0, q}, {p, 1, q});
            edge({p, q, 0}, {p, q, 1});
          }
        }
        VertexId& id = cells_[1][j * nx_ + i];
        id = kNone;
        if (count == 0.0) continue;
        id = static_cast<VertexId>(shape.positions.size());
        shape.positions.push_back(lattice_.node(static_cast<double>(i) + sum.x / count,
                                                static_cast<double>(j) + sum.y / count,
                                                static_cast<double>(k) + sum.z / count));
      }
    }
  }

  // Adds the quads of the edges along z within this layer, and of the edges along x and y on its lower side.
  void join_layer(std::size_t k) {
    for (std::size_t j = 0; j < ny_; ++j) {
      for (std::size_t i = 0; i < nx_; ++i) {
        const bool here = nodes_->inside(i, j, k);
        if (i > 0 && j > 0 && here != nodes_->inside(i, j, k + 1)) {
          quad(cell(1, i - 1, j - 1), cell(1, i, j - 1), cell(1, i, j), cell(1, i - 1, j), here);
        }
        if (k == 0) continue;
        if (j > 0 && i + 1 < nx_ && here != nodes_->inside(i + 1, j, k)) {
          quad(cell(0, i, j - 1), cell(0, i, j), cell(1, i, j), cell(1, i, j - 1), here);
        }
        if (i > 0 && j + 1 < ny_ && here != nodes_->inside(i, j + 1, k)) {
          quad(cell(0, i - 1, j), cell(1, i - 1, j), cell(1, i, j), cell(0, i, j), here);
        }
      }
    }
  }

  // Corners are ordered around the edge's direction; if the edge leaves the solid, the solid is behind the quad.
  // The shorter diagonal is chosen once the vertices are in place.
  void quad(VertexId a, VertexId b, VertexId c, VertexId d, bool leaves) {
    if (leaves) {
      shape.triangles.push_back({a, b, c});
      shape.triangles.push_back({a, c, d});
    } else {
      shape.triangles.push_back({a, c, b});
      shape.triangles.push_back({a, d, c});
    }
  }

  const Nodes* nodes_;
  Lattice lattice_;
  std::size_t nx_;
  std::size_t ny_;
  std::array<std::vector<VertexId>, 2> cells_;
};

Vec3 onto_surface(const Field& field, const Vec3& p, double spacing) {
  const double value = field(p);
  const double h = 0.05 * spacing;
  const Vec3 slope{(field({p.x + h, p.y, p.z}) - field({p.x - h, p.y, p.z})) / (2.0 * h),
                   (field({p.x, p.y + h, p.z}) - field({p.x, p.y - h, p.z})) / (2.0 * h),
                   (field({p.x, p.y, p.z + h}) - field({p.x, p.y, p.z - h})) / (2.0 * h)};
  const double squared = dot(slope, slope);
  if (squared < 1e-6) return p;
  // Newton's step, limited to a fraction of a cell: fields are flat or kinked along their medial lines.
  const double longest = 0.3 * spacing;
  double step = -value / squared;
  const double length = std::abs(step) * std::sqrt(squared);
  if (length > longest) step *= longest / length;
  return p + step * slope;
}

// Returns the corners of the quad whose halves SurfaceNet::quad wrote at i and i + 1, in order, facing outward.
std::array<VertexId, 4> quad_corners(const Shape& shape, std::size_t i) {
  const Triangle& first = shape.triangles[i];
  const Triangle& second = shape.triangles[i + 1];
  if (first[2] == second[1]) return {first[0], first[1], first[2], second[2]};  // abc acd
  return {first[0], second[1], first[1], first[2]};                             // acb adc, in reverse order
}

void relax(Shape& shape, const Field& field, double spacing) {
  constexpr int kRounds = 5;
  std::vector<Vec3> sums(shape.positions.size());
  std::vector<double> counts(shape.positions.size());
  for (int round = 0; round < kRounds; ++round) {
    std::fill(sums.begin(), sums.end(), Vec3{});
    std::fill(counts.begin(), counts.end(), 0.0);
    // Use the edges of quads, not of triangles: diagonals would bias the result.
    for (std::size_t i = 0; i + 1 < shape.triangles.size(); i += 2) {
      const std::array<VertexId, 4> corners = quad_corners(shape, i);
      for (std::size_t c = 0; c < 4; ++c) {
        const VertexId at = corners[c];
        sums[at] = sums[at] + shape.positions[corners[(c + 1) % 4]] + shape.positions[corners[(c + 3) % 4]];
        counts[at] += 2.0;
      }
    }
    for (std::size_t i = 0; i < shape.positions.size(); ++i) {
      Vec3& p = shape.positions[i];
      p = 0.5 * p + (0.5 / counts[i]) * sums[i];
      p = onto_surface(field, p, spacing);
    }
  }
}

// Chooses the shorter diagonal of each quad, unless the mesh has that edge elsewhere: four triangles would then
// share it.
void choose_diagonals(Shape& shape) {
  const auto squared = [&](VertexId a, VertexId b) {
    const Vec3 d = shape.positions[a] - shape.positions[b];
    return dot(d, d);
  };
  const auto key = [](VertexId a, VertexId b) {
    return static_cast<std::uint64_t>(std::min(a, b)) << 32U | std::max(a, b);
  };
  std::unordered_set<std::uint64_t> edges;  // used for membership only: its order does not matter
  for (const Triangle& t : shape.triangles) {
    for (std::size_t k = 0; k < 3; ++k) edges.insert(key(t[k], t[(k + 1) % 3]));
  }
  for (std::size_t i = 0; i + 1 < shape.triangles.size(); i += 2) {
    const auto [a, b, c, d] = quad_corners(shape, i);
    if (!(squared(b, d) < squared(a, c)) || !edges.insert(key(b, d)).second) continue;
    edges.erase(key(a, c));
    shape.triangles[i] = {a, b, d};
    shape.triangles[i + 1] = {b, c, d};
  }
}

Shape net_of(const Field& field, const FieldBounds& bounds, double spacing) {
  const Lattice lattice = lattice_of(bounds, spacing);
  const Nodes nodes(field, lattice);
  return std::move(SurfaceNet(nodes, lattice).shape);
}

}  // namespace

Shape make_skin(const Field& field, const FieldBounds& bounds, std::size_t triangles) {
  const Vec3 size = bounds.high - bounds.low;
  const double largest = std::max(size.x, std::max(size.y, size.z));
  double spacing = 0.0;
  Shape skin = fit_spacing(largest / 24.0, triangles, [&](double h) {
    spacing = h;
    return net_of(field, bounds, h);
  });
  relax(skin, field, spacing);
  choose_diagonals(skin);
  return skin;
}

double stick_distance(const Vec3& p, const Vec3& a, const Vec3& b, double radius_a, double radius_b) {
  const Vec3 along = b - a;
  const double squared = dot(along, along);
  const double t = squared > 0.0 ? std::clamp(dot(p - a, along) / squared, 0.0, 1.0) : 0.0;
  return norm(p - (a + t * along)) - (radius_a + t * (radius_b - radius_a));
}

double smooth_union(double a, double b, double blend) {
  const double overlap = std::max(blend - std::abs(a - b), 0.0) / blend;
  return std::min(a, b) - 0.25 * blend * overlap * overlap;
}

double smooth_noise(const Vec3& p, std::uint64_t seed) {
  const std::array<double, 3> at{p.x, p.y, p.z};
  std::array<double, 3> whole{};
  std::array<double, 3> weight{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    whole[axis] = std::floor(at[axis]);
    weight[axis] = smooth_ramp(at[axis] - whole[axis]);
  }
  double sum = 0.0;
  for (unsigned corner = 0; corner < 8; ++corner) {
    double share = 1.0;
    std::uint64_t key = seed;
    for (unsigned axis = 0; axis < 3; ++axis) {
      const bool is_far = ((corner >> axis) & 1U) != 0;
      share *= is_far ? weight[axis] : 1.0 - weight[axis];
      const auto id = static_cast<std::int64_t>(whole[axis]) + (is_far ? 1 : 0);
      key = Random(key ^ static_cast<std::uint64_t>(id)).next();
    }
    sum += share * Random(key).uniform(-1.0, 1.0);
  }
  return sum;
}

}  // namespace graze::scenes::shaping
