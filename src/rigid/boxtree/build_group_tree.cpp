// Builds and checks group trees. See the header.
//
// Topology: the children of a block are found by opening nodes of the boxtree, the one with most leaves first,
// until there are 16 or only leaf groups. Orientation of a box: principal axes of its surface, these turned about
// the axis of least spread by multiples of 15 degrees, or the axes of the local frame, whichever has the least
// surface area for a sample of the triangles; quantised. Extents: all triangles of the subtree along the decoded
// axes.
//
// Why a box contains its triangles: corners are rounded to floats, within 2^-25, and projected with five roundings
// of numbers up to 1.8, within 2^-21 together with the projection of the centre. From |e_i . (u - c)| <= p_i
// follows u - c = sum of x_i e_i with |x_i| <= p_i + 4 kAxisError (p_1 + p_2 + p_3), because (E E^T)^-1 differs
// from the identity by less than 1.1 kAxisError in each entry. kShare of the sum covers this, kSlack the rounding.
#include "rigid/boxtree/group_tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/tasks.hpp"
#include "rigid/boxtree/box_rows.hpp"

namespace graze::rigid {

namespace {

constexpr std::size_t kGrain = 64;
constexpr std::size_t kSampledTriangles = 32;
constexpr float kSlack = 0x1p-20F;
constexpr float kShare = 0x1p-16F;
/// Cosines of 0 to 75 degrees in steps of 15; sines are those of the complements.
constexpr double kCosines[] = {
    1.0, 0.9659258262890683, 0.8660254037844387, 0.7071067811865476, 0.5, 0.25881904510252074, 0.0};
constexpr std::size_t kAngles = 6;

using Axes = std::array<std::array<float, 3>, 3>;
using Matrix = std::array<std::array<double, 3>, 3>;

/// Subtrees of a boxtree: numbers of leaves, and triangles in leaf order.
struct LeafOrder {
  std::vector<std::uint32_t> leaves;  ///< by node
  std::vector<std::uint32_t> begin;   ///< by node: its first triangle in leaf order
  std::vector<float> corners;         ///< nine relative coordinates a triangle, in leaf order

  LeafOrder(const Boxtree& tree, std::span<const Vec3> positions, std::span<const Triangle> triangles)
      : leaves(tree.nodes.size(), 1), begin(tree.nodes.size(), 0), corners(9 * triangles.size()) {
    for (std::size_t i = tree.nodes.size(); i-- > 0;) {
      const BoxNode& node = tree.nodes[i];
      if (!node.leaf()) leaves[i] = leaves[node.place()] + leaves[node.place() + 1];
    }
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      const BoxNode& node = tree.nodes[i];
      if (!node.leaf()) {
        begin[node.place()] = begin[i];
        begin[node.place() + 1] = begin[i] + leaves[node.place()];
        continue;
      }
      float* out = corners.data() + 9 * std::size_t{begin[i]};
      for (const VertexId v : triangles[node.place()]) {
        for (const double u : tree.local_frame.relative(positions[v])) *out++ = static_cast<float>(u);
      }
    }
  }
};

struct Extents {
  Row4 lo;
  Row4 hi;

  [[nodiscard]] float half_area() const {
    const Row4 side = hi - lo;
    return side[0] * side[1] + side[1] * side[2] + side[2] * side[0];
  }
};

/// The extents of triangles along axes, every `step`-th triangle.
Extents extents(std::span<const float> corners, const Axes& axes, std::size_t step) {
  const Row4 x(axes[0][0], axes[1][0], axes[2][0], 0.0F);
  const Row4 y(axes[0][1], axes[1][1], axes[2][1], 0.0F);
  const Row4 z(axes[0][2], axes[1][2], axes[2][2], 0.0F);
  Extents result{Row4(RowBox::kEmpty), Row4(-RowBox::kEmpty)};
  for (std::size_t t = 0; t < corners.size(); t += 9 * step) {
    for (std::size_t c = 0; c < 9; c += 3) {
      const float* const p = corners.data() + t + c;
      const Row4 at = Row4(p[0]) * x + Row4(p[1]) * y + Row4(p[2]) * z;
      result.lo = min(result.lo, at);
      result.hi = max(result.hi, at);
    }
  }
  return result;
}

/// Covariance of a surface about its centroid, of every `step`-th triangle; triangles are weighted by area, and a
/// little for themselves, so that segments count.
Matrix covariance(std::span<const float> corners, std::size_t step) {
  std::array<double, 3> first{};
  Matrix second{};
  double whole = 0.0;
  for (std::size_t t = 0; t < corners.size(); t += 9 * step) {
    std::array<std::array<double, 3>, 3> p;
    for (std::size_t c = 0; c < 9; ++c) p[c / 3][c % 3] = static_cast<double>(corners[t + c]);
    std::array<double, 3> u;
    std::array<double, 3> v;
    std::array<double, 3> sum;
    for (std::size_t k = 0; k < 3; ++k) {
      u[k] = p[1][k] - p[0][k];
      v[k] = p[2][k] - p[0][k];
      sum[k] = p[0][k] + p[1][k] + p[2][k];
    }
    const double nx = u[1] * v[2] - u[2] * v[1];
    const double ny = u[2] * v[0] - u[0] * v[2];
    const double nz = u[0] * v[1] - u[1] * v[0];
    const double weight = std::sqrt(nx * nx + ny * ny + nz * nz) + 0x1p-40;
    whole += weight;
    for (std::size_t k = 0; k < 3; ++k) {
      first[k] += weight * sum[k] / 3.0;
      for (std::size_t l = 0; l <= k; ++l) {
        second[k][l] +=
            weight * (sum[k] * sum[l] + p[0][k] * p[0][l] + p[1][k] * p[1][l] + p[2][k] * p[2][l]) / 12.0;
      }
    }
  }
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t l = 0; l <= k; ++l) {
      second[k][l] = second[k][l] / whole - first[k] / whole * (first[l] / whole);
      second[l][k] = second[k][l];
    }
  }
  return second;
}

/// Eigenvectors of a symmetric matrix as rows, by Jacobi rotations, about as exact as quantised axes are; the one
/// of the smallest eigenvalue last.
Matrix principal_axes(Matrix m) {
  Matrix rows{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const double trace = m[0][0] + m[1][1] + m[2][2];
  for (int sweep = 0; sweep < 6; ++sweep) {
    if (std::abs(m[0][1]) + std::abs(m[0][2]) + std::abs(m[1][2]) <= 1e-7 * trace) break;
    for (std::size_t p = 0; p < 2; ++p) {
      for (std::size_t q = p + 1; q < 3; ++q) {
        if (!(std::abs(m[p][q]) > 1e-12 * trace)) continue;
        const double theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
        const double t = std::copysign(1.0, theta) / (std::abs(theta) + std::sqrt(theta * theta + 1.0));
        const double c = 1.0 / std::sqrt(t * t + 1.0);
        const double s = t * c;
        for (std::size_t k = 0; k < 3; ++k) {
          const double of_p = m[k][p];
          const double of_q = m[k][q];
          m[k][p] = c * of_p - s * of_q;
          m[k][q] = s * of_p + c * of_q;
        }
        for (std::size_t k = 0; k < 3; ++k) {
          const double of_p = m[p][k];
          const double of_q = m[q][k];
          m[p][k] = c * of_p - s * of_q;
          m[q][k] = s * of_p + c * of_q;
          const double row_p = rows[p][k];
          const double row_q = rows[q][k];
          rows[p][k] = c * row_p - s * row_q;
          rows[q][k] = s * row_p + c * row_q;
        }
      }
    }
  }
  std::size_t least = m[1][1] < m[0][0] ? 1 : 0;
  if (m[2][2] < m[least][least]) least = 2;
  std::swap(rows[least], rows[2]);
  return rows;
}

using Quaternion = std::array<std::int16_t, 3>;

/// The quaternion of the box with these axes, the one with the largest real part: rows are put in the order, and
/// given the signs, that make the trace largest.
Quaternion quantised(const Matrix& rows) {
  static constexpr std::size_t kOrders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  double best = -2.0;
  Matrix chosen{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (const auto& order : kOrders) {
    Matrix m;
    double trace = 0.0;
    std::size_t least = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      m[i] = rows[order[i]];
      if (m[i][i] < 0.0) m[i] = {-m[i][0], -m[i][1], -m[i][2]};
      trace += m[i][i];
      if (m[i][i] < m[least][least]) least = i;
    }
    const double volume = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                          m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                          m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    if (volume < 0.0) {
      trace -= 2.0 * m[least][least];
      m[least] = {-m[least][0], -m[least][1], -m[least][2]};
    }
    if (trace > best) {
      best = trace;
      chosen = m;
    }
  }
  const double four_w = 2.0 * std::sqrt(std::max(1.0 + best, 1e-3));
  const auto number = [&](double x) {
    return static_cast<std::int16_t>(std::lround(std::clamp(x / four_w, -0.55, 0.55) * 0x1p15));
  };
  return {number(chosen[2][1] - chosen[1][2]), number(chosen[0][2] - chosen[2][0]),
          number(chosen[1][0] - chosen[0][1])};
}

Axes decoded(const Quaternion& q) {
  return group_axes(static_cast<float>(q[0]) * GroupTree::kUnit, static_cast<float>(q[1]) * GroupTree::kUnit,
                    static_cast<float>(q[2]) * GroupTree::kUnit);
}

bool is_orthonormal(const Axes& axes) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double product = i == j ? -1.0 : 0.0;
      for (std::size_t k = 0; k < 3; ++k)
        product += static_cast<double>(axes[i][k]) * static_cast<double>(axes[j][k]);
      if (!(std::abs(product) <= GroupTree::kAxisError)) return false;
    }
  }
  return true;
}

/// The orientation of least surface area among the candidates.
Quaternion orientation(std::span<const float> corners) {
  const std::size_t step = (corners.size() / 9 + kSampledTriangles - 1) / kSampledTriangles;
  Quaternion best{};
  float least = extents(corners, decoded(best), step).half_area();
  const Matrix principal = principal_axes(covariance(corners, step));
  for (std::size_t k = 0; k < kAngles; ++k) {
    const double c = kCosines[k];
    const double s = kCosines[kAngles - k];
    Matrix rows = principal;
    for (std::size_t i = 0; i < 3; ++i) {
      rows[0][i] = c * principal[0][i] + s * principal[1][i];
      rows[1][i] = c * principal[1][i] - s * principal[0][i];
    }
    const Quaternion q = quantised(rows);
    const Axes axes = decoded(q);
    const float area = extents(corners, axes, step).half_area();
    if (!(area < 0.98F * least) || !is_orthonormal(axes)) continue;
    least = area;
    best = q;
  }
  return best;
}

std::int16_t upper_bits(float half) {
  return std::bit_cast<std::int16_t>(
      static_cast<std::uint16_t>((std::bit_cast<std::uint32_t>(half) + 0xffffU) >> 16U));
}

/// Writes the numbers of a box to a column of rows.
void fit(std::span<const float> corners, std::int16_t* column, std::size_t stride) {
  const Quaternion q = orientation(corners);
  const Axes axes = decoded(q);
  const Extents all = extents(corners, axes, 1);
  std::array<float, 3> centre{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) centre[k] += 0.5F * (all.lo[i] + all.hi[i]) * axes[i][k];
  }
  std::array<float, 3> half{};
  for (std::size_t k = 0; k < 3; ++k) {
    const float units = std::clamp(centre[k] * 0x1p15F, -32767.0F, 32767.0F);
    column[k * stride] = static_cast<std::int16_t>(std::lround(units));
    centre[k] = static_cast<float>(column[k * stride]) * GroupTree::kUnit;
    column[(3 + k) * stride] = q[k];
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const float at = axes[i][0] * centre[0] + axes[i][1] * centre[1] + axes[i][2] * centre[2];
    half[i] = std::max(all.hi[i] - at, at - all.lo[i]) + kSlack;
  }
  const float more = kShare * (half[0] + half[1] + half[2]);
  for (std::size_t i = 0; i < 3; ++i) column[(6 + i) * stride] = upper_bits(half[i] + more);
}

/// The nodes of the boxes of a block below a node that is no leaf group.
std::vector<std::uint32_t> opened(const Boxtree& tree, const std::vector<std::uint32_t>& leaves,
                                  std::uint32_t node) {
  std::vector<std::uint32_t> nodes{node};
  while (nodes.size() < GroupTree::kWidth) {
    std::size_t largest = nodes.size();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (leaves[nodes[i]] <= kLeafGroupSize) continue;
      if (largest == nodes.size() || leaves[nodes[i]] > leaves[nodes[largest]]) largest = i;
    }
    if (largest == nodes.size()) break;
    const std::uint32_t child = tree.nodes[nodes[largest]].place();
    nodes[largest] = child;
    nodes.insert(nodes.begin() + static_cast<std::ptrdiff_t>(largest) + 1, child + 1);
  }
  return nodes;
}

}  // namespace

GroupTree build_group_tree(const Boxtree& tree, std::span<const Vec3> positions,
                           std::span<const Triangle> triangles) {
  GroupTree groups;
  if (tree.nodes.empty()) return groups;
  const LeafOrder order(tree, positions, triangles);
  struct Place {
    std::uint32_t node;
    std::uint32_t block;
  };
  std::vector<Place> boxes;
  std::vector<std::uint32_t> parents;  // by block: the node above
  const auto add = [&](std::span<const std::uint32_t> nodes) {
    const auto block = static_cast<std::uint32_t>(groups.first.size());
    groups.first.push_back(static_cast<std::uint32_t>(boxes.size()));
    for (const std::uint32_t node : nodes) {
      boxes.push_back({node, block});
      const bool group = order.leaves[node] <= kLeafGroupSize;
      // Blocks are numbered in the order in which their parents' boxes are.
      if (!group) parents.push_back(node);
      groups.children.push_back(group ? node | GroupTree::kGroup : static_cast<std::uint32_t>(parents.size()));
    }
  };
  const std::uint32_t root = 0;
  add({&root, 1});
  for (std::size_t block = 0; block < parents.size(); ++block) add(opened(tree, order.leaves, parents[block]));
  groups.first.push_back(static_cast<std::uint32_t>(boxes.size()));
  groups.first.shrink_to_fit();
  groups.children.shrink_to_fit();
  groups.rows = std::vector<std::int16_t>(GroupTree::kRows * boxes.size() + GroupTree::kWidth, 0);
  core::parallel_for(0, boxes.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto [node, block] = boxes[i];
      const std::uint32_t first = groups.first[block];
      const std::span corners(order.corners.data() + 9 * std::size_t{order.begin[node]},
                              9 * std::size_t{order.leaves[node]});
      fit(corners, groups.rows.data() + GroupTree::kRows * std::size_t{first} + (i - first), groups.count(block));
    }
  });
  groups.root = decode(groups, 0, 0);
  return groups;
}

std::string validate_group_tree(const GroupTree& groups, const Boxtree& tree, std::span<const Vec3> positions,
                                std::span<const Triangle> triangles) {
  std::vector<bool> seen(triangles.size(), false);
  std::string fault;
  /// Checks the box and all above it: the boxes on the path from the root.
  std::vector<GroupBox> path;
  const auto check_triangle = [&](std::uint32_t triangle) {
    if (triangle >= triangles.size() || seen[triangle]) {
      fault = fmt::format("triangle {} does not exist or is in two leaf groups", triangle);
      return;
    }
    seen[triangle] = true;
    for (const VertexId v : triangles[triangle]) {
      const auto u = tree.local_frame.relative(positions[v]);
      for (const GroupBox& box : path) {
        for (std::size_t i = 0; i < 3; ++i) {
          double at = 0.0;
          for (std::size_t k = 0; k < 3; ++k)
            at += static_cast<double>(box.axes[i][k]) * (u[k] - static_cast<double>(box.centre[k]));
          if (!(std::abs(at) <= static_cast<double>(box.half[i])))
            fault = fmt::format("a box does not contain vertex {} of triangle {}", v, triangle);
        }
      }
    }
  };
  const auto check_group = [&](auto& self, std::uint32_t node) -> void {
    if (tree.nodes[node].leaf()) return check_triangle(tree.nodes[node].place());
    self(self, tree.nodes[node].place());
    self(self, tree.nodes[node].place() + 1);
  };
  const auto check_block = [&](auto& self, std::uint32_t block) -> void {
    for (std::uint32_t lane = 0; lane < groups.count(block); ++lane) {
      path.push_back(decode(groups, block, lane));
      if (!is_orthonormal(path.back().axes)) fault = "the axes of a box are not orthonormal";
      const std::uint32_t child = groups.children[groups.first[block] + lane];
      if ((child & GroupTree::kGroup) != 0) {
        check_group(check_group, child & ~GroupTree::kGroup);
      } else {
        self(self, child);
      }
      path.pop_back();
    }
  };
  if (!groups.empty()) check_block(check_block, 0);
  if (fault.empty() && std::find(seen.begin(), seen.end(), false) != seen.end())
    fault = "a triangle is in no leaf group";
  return fault;
}

}  // namespace graze::rigid
