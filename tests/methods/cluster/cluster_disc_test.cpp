// Which sets of faces are topological discs, against a plain check of the links of vertices; and the properties of
// the contour.
#include "methods/cluster/build/cluster_disc.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "oracle/random.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
using namespace scene;
using namespace narrow;
using namespace bvh;
using namespace hash;
using namespace cull;
using namespace query;
using namespace methods;
namespace {

using oracle::Random;

using Corners = std::array<std::uint32_t, 3>;
using Faces = std::vector<Corners>;
using DirectedEdge = std::pair<std::uint32_t, std::uint32_t>;

/// The definition: every edge has one or two faces; the link of every vertex is one path or one circle; the faces
/// are connected, with a contour; V - E + F = 1. Shares only the last condition with find_contour.
bool is_disc(const Faces& faces) {
  std::map<DirectedEdge, int> edges;
  std::map<std::uint32_t, std::vector<DirectedEdge>> links;
  std::array<std::uint32_t, kClusterVertices> parent{};
  std::iota(parent.begin(), parent.end(), 0U);
  const auto root = [&](std::uint32_t v) {
    while (parent[v] != v) v = parent[v];
    return v;
  };
  for (const Corners& v : faces) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = v[k];
      const std::uint32_t b = v[(k + 1) % 3];
      if (a == b) return false;
      if (++edges[std::minmax(a, b)] > 2) return false;
      links[v[(k + 2) % 3]].emplace_back(a, b);
      parent[root(a)] = root(b);
    }
  }
  bool open = false;
  for (const auto& [edge, count] : edges) open = open || count == 1;
  std::set<std::uint32_t> pieces;
  for (const auto& [v, link] : links) {
    pieces.insert(root(v));
    // The link is connected: all of it is reached from its first vertex.
    std::set<std::uint32_t> all;
    for (const DirectedEdge& edge : link) all.insert({edge.first, edge.second});
    std::set<std::uint32_t> reached{link.front().first};
    for (std::size_t i = 0; i < link.size(); ++i) {
      for (const DirectedEdge& edge : link) {
        if (reached.count(edge.first) + reached.count(edge.second) == 1) reached.insert({edge.first, edge.second});
      }
    }
    if (reached != all) return false;
  }
  return open && pieces.size() == 1 && links.size() + faces.size() == edges.size() + 1;
}

Cluster cluster_of(const Faces& faces) {
  Cluster cluster;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    cluster.faces[f] = faces[f][0] | faces[f][1] << 8U | faces[f][2] << 16U;
  }
  cluster.face_count = static_cast<std::uint8_t>(faces.size());
  return cluster;
}

/// Checks the oriented faces: no directed edge occurs twice, contour edges occur in one direction, all others in
/// both.
void expect_contour_of_oriented_faces(const Cluster& cluster, const Faces& faces) {
  std::set<DirectedEdge> directed_edges;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const std::uint32_t word = cluster.faces[f];
    Corners v{word & 31U, word >> 8U & 31U, word >> 16U & 31U};
    ASSERT_EQ(v, faces[f]) << "corners are others";
    if ((word & kFlippedFace) != 0) std::swap(v[1], v[2]);
    for (std::size_t k = 0; k < 3; ++k) {
      ASSERT_TRUE(directed_edges.emplace(v[k], v[(k + 1) % 3]).second) << "faces turn different ways";
    }
  }
  std::set<DirectedEdge> once;
  for (const DirectedEdge& edge : directed_edges) {
    if (directed_edges.count({edge.second, edge.first}) == 0) once.insert(edge);
  }
  const std::size_t count = cluster.contour_count;
  ASSERT_EQ(count, once.size());
  ASSERT_GE(count, 3U);
  for (std::size_t i = 0; i + 1 < kContourPlaces; ++i) {
    if (i >= count) {
      ASSERT_EQ(cluster.contour[i], cluster.contour[i - count]);
    }
    if (i < count) {
      ASSERT_EQ(once.erase({cluster.contour[i], cluster.contour[i + 1]}), 1U) << "not along the contour";
    }
  }
  ASSERT_TRUE(once.empty());
}

std::string to_string(const Faces& faces) {
  std::string list;
  for (const Corners& v : faces) {
    list += " {" + std::to_string(v[0]) + "," + std::to_string(v[1]) + "," + std::to_string(v[2]) + "}";
  }
  return list;
}

/// Returns whether the faces are a disc, and expects find_contour to agree, also when called again.
bool expect_right(const Faces& faces) {
  const bool expected = is_disc(faces);
  Cluster cluster = cluster_of(faces);
  for (int i = 0; i < 2; ++i) {
    find_contour(cluster);
    EXPECT_EQ(cluster.contour_count > 0, expected) << to_string(faces);
    if (cluster.contour_count > 0 && expected) expect_contour_of_oriented_faces(cluster, faces);
  }
  return expected;
}

/// Permutes the faces and the corners of each.
void shuffle(Faces& faces, Random& random) {
  for (std::size_t i = faces.size(); i > 1; --i) {
    std::swap(faces[i - 1], faces[random.below(static_cast<std::uint32_t>(i))]);
  }
  for (Corners& v : faces) {
    for (std::uint32_t i = 3; i > 1; --i) std::swap(v[i - 1], v[random.below(i)]);
  }
}

/// Checks the faces in their order and shuffled.
bool expect_right_in_any_order(Faces faces) {
  Random random(faces.size());
  const bool expected = expect_right(faces);
  for (int i = 0; i < 4; ++i) {
    shuffle(faces, random);
    EXPECT_EQ(expect_right(faces), expected);
  }
  return expected;
}

/// A strip of faces, each sharing an edge with the next.
Faces strip(std::uint32_t count) {
  Faces faces;
  for (std::uint32_t i = 0; i < count; ++i) faces.push_back({i, i + 1, i + 2});
  return faces;
}
Faces closed_strip(std::uint32_t count) {  // an annulus if count is even, else a Moebius strip
  Faces faces;
  for (std::uint32_t i = 0; i < count; ++i) faces.push_back({i, (i + 1) % count, (i + 2) % count});
  return faces;
}

Faces fan(std::uint32_t count, std::uint32_t centre, std::uint32_t first) {
  Faces faces;
  for (std::uint32_t i = 0; i < count; ++i) faces.push_back({centre, first + i, first + i + 1});
  return faces;
}
Faces closed_fan(std::uint32_t count, std::uint32_t centre, std::uint32_t first) {
  Faces faces = fan(count, centre, first);
  faces.back()[2] = first;
  return faces;
}

Faces grid(std::uint32_t columns, std::uint32_t rows) {
  Faces faces;
  for (std::uint32_t j = 0; j < rows; ++j) {
    for (std::uint32_t i = 0; i < columns; ++i) {
      const std::uint32_t a = j * (columns + 1) + i;
      const std::uint32_t c = a + columns + 1;
      faces.push_back({a, a + 1, c});
      faces.push_back({a + 1, c + 1, c});
    }
  }
  return faces;
}

Faces joined(Faces a, const Faces& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Faces without(Faces faces, std::size_t at) {
  faces.erase(faces.begin() + static_cast<std::ptrdiff_t>(at));
  return faces;
}

const Faces kTetrahedron = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
const Faces kOctahedron = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}, {5, 2, 1}, {5, 3, 2}, {5, 4, 3}, {5, 1, 4}};
const Faces kProjectivePlane = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}, {0, 5, 1},
                                {1, 2, 4}, {2, 3, 5}, {3, 4, 1}, {4, 5, 2}, {5, 1, 3}};
Faces torus() {  // with seven vertices
  Faces faces;
  for (std::uint32_t i = 0; i < 7; ++i) {
    faces.push_back({i, (i + 1) % 7, (i + 3) % 7});
    faces.push_back({i, (i + 2) % 7, (i + 3) % 7});
  }
  return faces;
}
Faces icosahedron() {
  Faces faces = joined(closed_fan(5, 0, 1), closed_fan(5, 11, 6));
  for (std::uint32_t i = 0; i < 5; ++i) {
    faces.push_back({1 + i, 1 + (i + 1) % 5, 6 + i});
    faces.push_back({6 + i, 6 + (i + 1) % 5, 1 + (i + 1) % 5});
  }
  return faces;
}

TEST(ClusterDisc, FacesStripsFansAndGridsAreDiscs) {
  EXPECT_TRUE(expect_right_in_any_order({{0, 1, 2}}));
  EXPECT_TRUE(expect_right_in_any_order({{31, 7, 19}}));
  for (std::uint32_t count = 1; count <= 30; ++count) {
    EXPECT_TRUE(expect_right_in_any_order(strip(count)));
    EXPECT_TRUE(expect_right_in_any_order(fan(count, 31, 0)));
    if (count >= 3) {
      EXPECT_TRUE(expect_right_in_any_order(closed_fan(count, 31, 0)));
    }
  }
  for (std::uint32_t columns = 1; columns <= 4; ++columns) {
    for (std::uint32_t rows = 1; rows <= 4; ++rows) EXPECT_TRUE(expect_right_in_any_order(grid(columns, rows)));
  }
}

TEST(ClusterDisc, NothingIsNoDisc) {
  Cluster cluster;
  cluster.contour_count = 3;
  find_contour(cluster);
  EXPECT_EQ(cluster.contour_count, 0);
}

TEST(ClusterDisc, AnnuliAndMoebiusStripsAreNone) {
  for (std::uint32_t count = 5; count <= 32; ++count) {
    EXPECT_FALSE(expect_right_in_any_order(closed_strip(count)));
    // Without one face the neighbours still share a vertex; without two it is a strip.
    EXPECT_FALSE(expect_right_in_any_order(without(closed_strip(count), count / 2)));
    EXPECT_TRUE(expect_right_in_any_order(without(without(closed_strip(count), count / 2), count / 2)));
  }
  Faces hollow = grid(3, 3);  // without its centre
  hollow.erase(hollow.begin() + 8, hollow.begin() + 10);
  EXPECT_FALSE(expect_right_in_any_order(hollow));
  EXPECT_FALSE(expect_right_in_any_order(without(hollow, 0)));  // a corner face
  EXPECT_TRUE(expect_right_in_any_order(without(without(hollow, 2), 2)));
  EXPECT_FALSE(expect_right_in_any_order(without(grid(3, 3), 8)));  // a hole of one face
}

TEST(ClusterDisc, ClosedSurfacesAreNoneAndWithoutAFaceOnlySpheresAre) {
  for (const Faces& sphere : {kTetrahedron, kOctahedron, icosahedron()}) {
    EXPECT_FALSE(expect_right_in_any_order(sphere));
    for (std::size_t f = 0; f < sphere.size(); ++f) EXPECT_TRUE(expect_right_in_any_order(without(sphere, f)));
  }
  for (const Faces& other : {kProjectivePlane, torus()}) {
    EXPECT_FALSE(expect_right_in_any_order(other));
    for (std::size_t f = 0; f < other.size(); ++f) EXPECT_FALSE(expect_right_in_any_order(without(other, f)));
  }
}

TEST(ClusterDisc, TwoPiecesAreNone) {
  EXPECT_FALSE(expect_right_in_any_order(joined(strip(3), fan(4, 10, 11))));
  // A tetrahedron beside a torus with a hole: V - E + F = 2 - 1.
  Faces holed = without(torus(), 3);
  for (Corners& v : holed) v = {v[0] + 8, v[1] + 8, v[2] + 8};
  EXPECT_FALSE(expect_right_in_any_order(joined(kTetrahedron, holed)));
  EXPECT_FALSE(expect_right_in_any_order(joined(holed, kTetrahedron)));
}

TEST(ClusterDisc, WhatTouchesItselfInAVertexIsNone) {
  // Two fans with a common centre; two faces with a common corner.
  EXPECT_FALSE(expect_right_in_any_order(joined(fan(3, 0, 1), fan(3, 0, 10))));
  EXPECT_FALSE(expect_right_in_any_order(joined(closed_fan(4, 0, 1), fan(3, 0, 10))));
  EXPECT_FALSE(expect_right_in_any_order(joined(closed_fan(4, 0, 1), closed_fan(5, 0, 10))));
  EXPECT_FALSE(expect_right_in_any_order({{0, 1, 2}, {0, 3, 4}}));
  // Connected through edges: a strip whose ends share a vertex, which is on its contour.
  for (std::uint32_t count = 4; count <= 20; ++count) {
    Faces faces = strip(count);
    for (Corners& v : faces) {
      for (std::uint32_t& corner : v) corner = corner == count + 1 ? 0 : corner;
    }
    EXPECT_FALSE(expect_right_in_any_order(faces));
  }
  // Identifies a vertex inside a grid with one on its contour or with another inside.
  for (std::uint32_t other = 0; other < 25; ++other) {
    if (other == 12) continue;
    Faces faces = grid(4, 4);
    for (Corners& v : faces) {
      for (std::uint32_t& corner : v) corner = corner == 12 ? other : corner;
    }
    EXPECT_FALSE(expect_right_in_any_order(faces)) << other;
  }
  // A torus with a hole, and two faces at one of its vertices.
  Faces pinched = without(torus(), 0);
  EXPECT_FALSE(expect_right_in_any_order(joined(pinched, fan(2, 0, 20))));
}

TEST(ClusterDisc, EdgesOfThreeFacesRepeatedFacesAndRepeatedVerticesMakeNone) {
  EXPECT_FALSE(expect_right_in_any_order({{0, 1, 2}, {0, 1, 3}, {0, 1, 4}}));
  EXPECT_FALSE(expect_right_in_any_order(joined(grid(2, 2), {{0, 4, 20}, {4, 20, 21}, {1, 3, 22}})));
  EXPECT_FALSE(expect_right_in_any_order({{0, 1, 2}, {0, 1, 2}}));
  EXPECT_FALSE(expect_right_in_any_order({{0, 1, 2}, {2, 1, 0}, {0, 1, 3}}));
  EXPECT_FALSE(expect_right_in_any_order({{0, 1, 2}, {0, 1, 2}, {0, 1, 2}}));
  EXPECT_FALSE(expect_right_in_any_order({{0, 1, 2}, {3, 4, 5}, {3, 5, 4}}));
  EXPECT_FALSE(expect_right_in_any_order({{0, 0, 0}}));
  for (const Corners& thin : {Corners{0, 0, 1}, Corners{0, 1, 0}, Corners{1, 0, 0}, Corners{2, 2, 2}}) {
    EXPECT_FALSE(expect_right_in_any_order({thin}));
    EXPECT_FALSE(expect_right_in_any_order(joined(strip(3), {thin})));
    EXPECT_FALSE(expect_right_in_any_order(joined({thin}, strip(3))));
  }
}

TEST(ClusterDisc, EverySetOfFacesOnFiveVerticesIsJudgedRight) {
  Faces all;
  for (std::uint32_t a = 0; a < 5; ++a) {
    for (std::uint32_t b = a + 1; b < 5; ++b) {
      for (std::uint32_t c = b + 1; c < 5; ++c) all.push_back({a, b, c});
    }
  }
  ASSERT_EQ(all.size(), 10U);
  std::size_t discs = 0;
  for (std::uint32_t set = 1; set < 1024; ++set) {
    Faces some;
    for (std::size_t f = 0; f < all.size(); ++f) {
      if ((set >> f & 1U) != 0) some.push_back(all[f]);
    }
    discs += expect_right(some) ? 1U : 0U;
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(discs, 100U);
}

/// Random sets of up to 32 faces: grown over neighbours, then some removed. Returns the number of discs.
std::size_t expect_parts_right(const Faces& all, std::size_t count, std::uint64_t seed) {
  std::size_t discs = 0;
  for (std::uint64_t index = 0; index < count; ++index) {
    Random random(seed, index);
    std::vector<bool> in(all.size());
    Faces some;
    const auto take = [&](std::size_t f) {
      if (!in[f]) some.push_back(all[f]);
      in[f] = true;
    };
    const auto any = [&] { return random.below(static_cast<std::uint32_t>(all.size())); };
    take(any());
    const std::size_t size = std::min<std::size_t>(1 + random.below(32), all.size());
    for (int tries = 0; some.size() < size && tries < 4000; ++tries) {
      const std::uint32_t f = any();
      const auto common = [&](const Corners& v) {
        return std::count_if(v.begin(), v.end(), [&](std::uint32_t corner) {
          return std::find(all[f].begin(), all[f].end(), corner) != all[f].end();
        });
      };
      if (std::any_of(some.begin(), some.end(), [&](const Corners& v) { return common(v) >= 2; })) take(f);
    }
    for (std::uint32_t i = random.below(3); i > 0 && some.size() > 1; --i) {
      some = without(some, random.below(static_cast<std::uint32_t>(some.size())));
    }
    shuffle(some, random);
    discs += expect_right(some) ? 1U : 0U;
    if (::testing::Test::HasFailure()) break;
  }
  return discs;
}

TEST(ClusterDisc, RaggedPartsOfGridsSpheresAndOtherSurfacesAreJudgedRight) {
  EXPECT_GT(expect_parts_right(grid(4, 4), 1000, 1), 100U);
  EXPECT_GT(expect_parts_right(grid(7, 3), 1000, 2), 100U);
  EXPECT_GT(expect_parts_right(icosahedron(), 1000, 3), 100U);
  EXPECT_GT(expect_parts_right(torus(), 1000, 4), 50U);
  EXPECT_GT(expect_parts_right(kProjectivePlane, 1000, 5), 50U);
  EXPECT_GT(expect_parts_right(closed_strip(31), 500, 6), 50U);
}

TEST(ClusterDisc, RandomSoupsAreJudgedRight) {
  std::size_t discs = 0;
  for (std::uint64_t index = 0; index < 6000; ++index) {
    Random random(7, index);
    const std::uint32_t vertices = 3 + random.below(8);
    Faces faces(1 + random.below(8));
    for (Corners& v : faces) {
      for (std::uint32_t& corner : v) corner = random.below(vertices);
    }
    discs += expect_right(faces) ? 1U : 0U;
    // Adds faces, each at an edge of an existing one.
    while (faces.size() < 12) {
      const Corners& v = faces[random.below(static_cast<std::uint32_t>(faces.size()))];
      faces.push_back({v[0], v[1 + random.below(2)], random.below(vertices + 4)});
    }
    discs += expect_right(faces) ? 1U : 0U;
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(discs, 50U);
}

}  // namespace
}  // namespace graze
