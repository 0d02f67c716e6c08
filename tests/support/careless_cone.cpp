// All pairs of contour edges, one after the other. The oracle decides planar questions in space: a vertex touches
// an edge in the plane iff the segment parallel to z through the vertex intersects the edge projected to a plane.
#include "support/careless_cone.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <string_view>
#include <vector>

#include "oracle/continuous.hpp"
#include "oracle/exact.hpp"

namespace graze::testing {

namespace {

using oracle::Rational;
using oracle::SceneStep;

/// The path of a vertex during the step.
struct Path {
  Vec3 t0;
  Vec3 t1;
};
struct ContourEdge {
  std::array<VertexId, 2> ends{};
  Triangle triangle{};
};

// The z coordinate of (b - a) x (d - c).
Rational cross_z(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const auto difference = [](double p, double q) {
    return Rational(oracle::to_rational(p) - oracle::to_rational(q));
  };
  return difference(b.x, a.x) * difference(d.y, c.y) - difference(b.y, a.y) * difference(d.x, c.x);
}

int sign(const Rational& value) {
  return value.sign();
}

// The sign of the turn from c to d to a, in projection.
int side(const Vec3& a, const Vec3& c, const Vec3& d) {
  return sign(cross_z(c, d, c, a));
}

bool normals_point_up(const SceneStep& patch, Omission left_out) {
  const auto good = [&](const Rational& along_axis) {
    if (has(left_out, Omission::Orientation)) return sign(along_axis) != 0;
    return has(left_out, Omission::VanishingTriangles) ? sign(along_axis) >= 0 : sign(along_axis) > 0;
  };
  return std::all_of(patch.triangles.begin(), patch.triangles.end(), [&](const Triangle& t) {
    const auto product = [&](const std::vector<Vec3>& e, const std::vector<Vec3>& f) {
      return cross_z(e[t[0]], e[t[1]], f[t[0]], f[t[2]]);
    };
    if (!good(product(patch.x_t0, patch.x_t0))) return false;
    if (has(left_out, Omission::LaterNormals)) return true;
    if (!good(product(patch.x_t1, patch.x_t1))) return false;
    if (has(left_out, Omission::MiddleNormal)) return true;
    return good(product(patch.x_t0, patch.x_t1) + product(patch.x_t1, patch.x_t0));
  });
}

std::vector<ContourEdge> boundary_of(const SceneStep& patch, Omission left_out) {
  struct Use {
    int directed = 0;
    int count = 0;
    Triangle triangle{};
  };
  std::map<std::array<VertexId, 2>, Use> uses;
  for (const Triangle& t : patch.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const VertexId a = t[k];
      const VertexId b = t[(k + 1) % 3];
      if (a == b) continue;
      Use& use = uses[{std::min(a, b), std::max(a, b)}];
      use.directed += a < b ? 1 : -1;
      ++use.count;
      use.triangle = t;
    }
  }
  std::vector<ContourEdge> boundary;
  for (const auto& [ends, use] : uses) {
    const bool inner = has(left_out, Omission::BoundaryDirections) ? use.count != 1 : use.directed == 0;
    if (inner) continue;
    boundary.push_back({ends, use.triangle});
    // An edge used twice in one direction cannot be part of a loop of distinct vertices: it is listed twice, so
    // that its ends have too many edges.
    if (!has(left_out, Omission::BoundaryDirections) && std::abs(use.directed) > 1) {
      boundary.push_back({ends, use.triangle});
    }
  }
  return boundary;
}

// The connected parts of a set of edges, the longest first.
std::vector<std::vector<ContourEdge>> parts_of(const std::vector<ContourEdge>& edges) {
  std::map<VertexId, VertexId> leader;
  for (const ContourEdge& e : edges) {
    for (const VertexId v : e.ends) leader.emplace(v, v);
  }
  const auto find = [&](VertexId v) {
    while (leader[v] != v) v = leader[v];
    return v;
  };
  for (const ContourEdge& e : edges) leader[find(e.ends[0])] = find(e.ends[1]);
  std::map<VertexId, std::vector<ContourEdge>> by_leader;
  for (const ContourEdge& e : edges) by_leader[find(e.ends[0])].push_back(e);
  std::vector<std::vector<ContourEdge>> parts;
  for (auto& [v, part] : by_leader) parts.push_back(std::move(part));
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return parts;
}

// Whether a connected set of edges is a loop.
bool is_loop(const std::vector<ContourEdge>& edges) {
  std::map<VertexId, int> degree;
  for (const ContourEdge& e : edges) {
    for (const VertexId v : e.ends) ++degree[v];
  }
  return std::all_of(degree.begin(), degree.end(), [](const auto& item) { return item.second == 2; });
}

bool touches(const Path& a, const Path& c, const Path& d, Omission left_out) {
  if (has(left_out, Omission::ContourTouching) && side(a.t0, c.t0, d.t0) * side(a.t1, c.t1, d.t1) >= 0)
    return false;
  const auto at = [](const Vec3& p, double z) { return Vec3{p.x, p.y, z}; };
  return oracle::first_contact_edge_edge({{at(a.t0, -1), at(a.t0, 1), at(c.t0, 0), at(d.t0, 0)},
                                          {at(a.t1, -1), at(a.t1, 1), at(c.t1, 0), at(d.t1, 0)}})
      .has_value();
}

bool cross_at_start(const Path& a, const Path& b, const Path& c, const Path& d) {
  return side(a.t0, c.t0, d.t0) * side(b.t0, c.t0, d.t0) < 0 && side(c.t0, a.t0, b.t0) * side(d.t0, a.t0, b.t0) < 0;
}

// Whether the swept segments are strictly separated along one of the first `axes` coordinate axes.
bool boxes_apart(const std::array<Path, 2>& e, const std::array<Path, 2>& f, int axes) {
  constexpr std::array<double Vec3::*, 3> kAxes = {&Vec3::x, &Vec3::y, &Vec3::z};
  for (std::size_t i = 0; i < static_cast<std::size_t>(axes); ++i) {
    const auto range = [&](const std::array<Path, 2>& s) {
      return std::minmax({s[0].t0.*kAxes[i], s[0].t1.*kAxes[i], s[1].t0.*kAxes[i], s[1].t1.*kAxes[i]});
    };
    const auto [e_low, e_high] = range(e);
    const auto [f_low, f_high] = range(f);
    if (e_high < f_low || f_high < e_low) return true;
  }
  return false;
}

bool edges_touch(const ContourEdge& a, const ContourEdge& b, const SceneStep& patch, Omission left_out) {
  const auto paths = [&](const ContourEdge& edge) {
    const auto path = [&](VertexId v) { return Path{patch.x_t0[v], patch.x_t1[v]}; };
    return std::array{path(edge.ends[0]), path(edge.ends[1])};
  };
  std::array<Path, 2> e = paths(a);
  std::array<Path, 2> f = paths(b);
  if (boxes_apart(e, f, has(left_out, Omission::ContourInProjection) ? 3 : 2)) return false;
  if (has(left_out, Omission::ContourNearEdges) &&
      std::find_first_of(a.triangle.begin(), a.triangle.end(), b.triangle.begin(), b.triangle.end()) !=
          a.triangle.end()) {
    return false;
  }
  if (a.ends == b.ends) return true;
  std::array<bool, 2> shared_a{};
  std::array<bool, 2> shared_b{};
  for (const std::size_t i : {0U, 1U}) {
    for (const std::size_t j : {0U, 1U}) {
      if (a.ends[i] == b.ends[j]) shared_a[i] = shared_b[j] = true;
      const bool together = e[i].t0 == f[j].t0 || e[i].t1 == f[j].t1;
      if (has(left_out, Omission::ContourPositions) && together && a.ends[i] != b.ends[j]) return false;
    }
  }
  // Neighbours may touch in their common vertex: only the other ends count.
  const auto touch = [&](const std::array<Path, 2>& g, const std::array<Path, 2>& h) {
    for (const std::size_t i : {0U, 1U}) {
      if (!shared_a[i] && touches(g[i], h[0], h[1], left_out)) return true;
      if (!shared_b[i] && touches(h[i], g[0], g[1], left_out)) return true;
    }
    return cross_at_start(g[0], g[1], h[0], h[1]);
  };
  if (!has(left_out, Omission::ContourBetweenEnds)) return touch(e, f);
  const auto rest = [](const std::array<Path, 2>& s, Vec3 Path::*end) {
    return std::array{Path{s[0].*end, s[0].*end}, Path{s[1].*end, s[1].*end}};
  };
  return touch(rest(e, &Path::t0), rest(f, &Path::t0)) || touch(rest(e, &Path::t1), rest(f, &Path::t1));
}

}  // namespace

std::string to_string(Omission left_out) {
  constexpr std::array<std::string_view, kOmissions> kNames = {"MiddleNormal",
                                                               "LaterNormals",
                                                               "VanishingTriangles",
                                                               "Orientation",
                                                               "BoundaryDirections",
                                                               "OneLoop",
                                                               "Holes",
                                                               "Contour",
                                                               "ContourBetweenEnds",
                                                               "ContourTouching",
                                                               "ContourNearEdges",
                                                               "ContourPositions",
                                                               "ContourInProjection"};
  std::string text;
  for (std::uint32_t i = 0; i < kOmissions; ++i) {
    if (!has(left_out, static_cast<Omission>(1U << i))) continue;
    if (!text.empty()) text += '|';
    text += kNames[i];
  }
  return text.empty() ? "None" : text;
}

bool careless_says_free(const oracle::SceneStep& patch, Omission left_out) {
  if (!normals_point_up(patch, left_out)) return false;
  if (has(left_out, Omission::Contour)) return true;
  std::vector<ContourEdge> contour = boundary_of(patch, left_out);
  if (!has(left_out, Omission::OneLoop)) {
    std::vector<std::vector<ContourEdge>> parts = parts_of(contour);
    if (parts.size() > 1 && !has(left_out, Omission::Holes)) return false;
    if (!parts.empty()) contour = parts.front();
    if (!is_loop(contour)) return false;
  }
  for (std::size_t i = 0; i < contour.size(); ++i) {
    for (std::size_t j = i + 1; j < contour.size(); ++j) {
      if (edges_touch(contour[i], contour[j], patch, left_out)) return false;
    }
  }
  return true;
}

}  // namespace graze::testing
