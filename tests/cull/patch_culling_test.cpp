// Patches and the proofs about them: contours against a count of edges, disc topology and winding of
// self-collision-free patches against exact arithmetic, a flat sheet that is free as a whole, and shapes that are
// never free.
#include "cull/patch_culling.hpp"

#include <graze/research.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "core/tasks.hpp"
#include "cull/projection.hpp"
#include "geometry/vec.hpp"
#include "methods/bvh/hierarchy.hpp"
#include "oracle/exact.hpp"
#include "support/gallery_mesh.hpp"

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

/// The part of a step's hierarchy that moves, as iccd builds it.
struct Patched {
  Scene scene;
  Topology topology;
  std::vector<Leaf> leaves;
  PatchMesh mesh;
  TwoLevelTree levels;
  PatchCulling culling;
  std::vector<VertexPath> paths;

  explicit Patched(const oracle::SceneStep& step) {
    scene.add_body({.positions = step.x_t0, .triangles = step.triangles});
    topology = build_topology(step.triangles, step.x_t0.size());
    const Representatives representatives = make_representatives(scene.triangles(), topology);
    for (const RepresentativeId id : representatives.active()) {
      Leaf leaf;
      leaf.id = id;
      leaf.vertices = representatives.entries[triangle_of(id)].vertices;
      leaf.edges = representatives.entries[triangle_of(id)].edges;
      leaves.push_back(leaf);
    }
    mesh = make_patch_mesh(scene.triangles(), representatives, leaves, step.x_t0.size(), false);
    std::vector<Aabb> points;
    make_vertex_volumes<Aabb>(step.x_t0, step.x_t1, 0.0, points);
    std::vector<Aabb> boxes;
    for (const Leaf& leaf : leaves) boxes.push_back(triangle_volume(std::span<const Aabb>(points), leaf.vertices));
    const IdRanges all = whole_range(leaves.size());
    const PartMesh part{leaves, all, &mesh, {.x_t0 = step.x_t0, .x_t1 = step.x_t1, .reference_points = {}}, true};
    levels = part.build(part.numbers(), boxes);
    culling = PatchCulling(levels.tree, static_cast<std::uint32_t>(levels.components.size()), leaves);
    make_paths(step.x_t0, step.x_t1, paths);
  }

  CullCounts prove(research::NormalCones kind = research::NormalCones::Tight) {
    CullCounts counts;
    culling.prove(levels.tree, leaves, paths, {kind}, counts);
    return counts;
  }
  [[nodiscard]] std::uint32_t block_count() const { return static_cast<std::uint32_t>(levels.tree.block_count()); }
  [[nodiscard]] std::uint32_t first_block() const { return static_cast<std::uint32_t>(levels.components.size()); }
  /// The oriented triangles below a block.
  [[nodiscard]] std::vector<Triangle> patch(std::uint32_t block) const {
    std::vector<Triangle> faces;
    std::vector<std::uint32_t> todo{block};
    while (!todo.empty()) {
      const std::uint32_t at = todo.back();
      todo.pop_back();
      for (std::size_t child = 0; child < 2; ++child) {
        const std::uint32_t word = levels.tree.words[std::size_t{2} * at + child];
        if ((word & kLeaf) == 0) {
          todo.push_back(word);
        } else {
          faces.push_back(leaves[word & ~kLeaf].oriented());
        }
      }
    }
    return faces;
  }
};

/// Number of triangles of a patch at each edge, by vertex ids.
std::map<Edge, int> edge_uses(const std::vector<Triangle>& faces) {
  std::map<Edge, int> uses;
  for (const Triangle& f : faces) {
    for (std::size_t k = 0; k < 3; ++k) ++uses[{std::min(f[k], f[(k + 1) % 3]), std::max(f[k], f[(k + 1) % 3])}];
  }
  return uses;
}

int euler_number(const std::vector<Triangle>& faces) {
  std::set<VertexId> vertices;
  for (const Triangle& f : faces) vertices.insert(f.begin(), f.end());
  return static_cast<int>(vertices.size()) - static_cast<int>(edge_uses(faces).size()) +
         static_cast<int>(faces.size());
}

TEST(PatchContours, AreTheEdgesThatOneTriangleHas) {
  std::size_t contours = 0;
  for (std::uint64_t index = 0; index < 20; ++index) {
    const Patched patched(testing::random_sheet(3, index, 12));
    for (std::uint32_t b = patched.first_block(); b < patched.block_count(); ++b) {
      const std::vector<Triangle> faces = patched.patch(b);
      ASSERT_EQ(patched.culling.contours().leaf_counts[b], faces.size());
      std::set<Edge> boundary;
      for (const auto& [edge, count] : edge_uses(faces)) {
        if (count == 1) boundary.insert(edge);
      }
      const auto loop = patched.culling.contours().loops[b];
      if (faces.size() < kMinPatchTriangles) {
        EXPECT_TRUE(loop.empty());
        continue;
      }
      if (loop.empty()) {  // the boundary is not one loop: the patch is no disc, or pinched
        std::map<VertexId, int> passes;
        for (const Edge& e : boundary) {
          ++passes[e[0]];
          ++passes[e[1]];
        }
        const bool pinched = std::any_of(passes.begin(), passes.end(), [](const auto& v) { return v.second > 2; });
        EXPECT_TRUE(pinched || euler_number(faces) != 1) << index << ", block " << b;
        continue;
      }
      std::set<Edge> of_loop;
      for (std::size_t i = 0; i < loop.size(); ++i) {
        const VertexId to = loop[(i + 1) % loop.size()];
        of_loop.insert({std::min(loop[i], to), std::max(loop[i], to)});
      }
      EXPECT_EQ(of_loop, boundary);
      EXPECT_EQ(std::set<VertexId>(loop.begin(), loop.end()).size(), loop.size());
      ++contours;
    }
  }
  EXPECT_GT(contours, 300U);
}

/// Winding number of the fan of an interior vertex in projection along +z: 1 if the triangles of the fan turn by
/// one full circle. Counts the triangles that cross a ray from the vertex.
int winding(const std::vector<Triangle>& faces, VertexId centre, const std::vector<Vec2>& x) {
  // Counts exactly how often the directed edges opposite to the centre cross the positive x axis upwards.
  int count = 0;
  for (const Triangle& f : faces) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (f[k] != centre) continue;
      const oracle::Rational ax = oracle::Rational(x[f[(k + 1) % 3]].x) - oracle::Rational(x[centre].x);
      const oracle::Rational ay = oracle::Rational(x[f[(k + 1) % 3]].y) - oracle::Rational(x[centre].y);
      const oracle::Rational bx = oracle::Rational(x[f[(k + 2) % 3]].x) - oracle::Rational(x[centre].x);
      const oracle::Rational by = oracle::Rational(x[f[(k + 2) % 3]].y) - oracle::Rational(x[centre].y);
      const auto sign = [](const oracle::Rational& value) { return value > 0 ? 1 : value < 0 ? -1 : 0; };
      const int side = sign(oracle::Rational(ax * by - ay * bx));
      if (sign(ay) < 0 && sign(by) >= 0 && side > 0) ++count;
      if (sign(ay) >= 0 && sign(by) < 0 && side < 0) --count;
    }
  }
  return count;
}

TEST(PatchCulling, AFreePatchIsADiscAndWindsOnceRoundItsVertices) {
  std::uint64_t patches = 0;
  std::uint64_t vertices = 0;
  for (std::uint64_t index = 0; index < 60; ++index) {
    Patched patched(testing::random_sheet(17, index, 10));
    patches += patched.prove().free_patches;
    for (std::uint32_t b = patched.first_block(); b < patched.block_count(); ++b) {
      if (patched.culling.self_free()[b] == 0) continue;
      const std::vector<Triangle> faces = patched.patch(b);
      EXPECT_EQ(euler_number(faces), 1);
      for (const auto& [edge, count] : edge_uses(faces)) EXPECT_LE(count, 2);
      const NormalCone& cone = patched.culling.cones()[b];
      const auto axis = projection_axis(cone);
      if (!axis) continue;  // free along the axis of an ancestor patch
      // The plane has the orientation of the cone's axis.
      const bool mirrored = cone.axis[axis->dominant] < 0.0F;
      std::vector<Vec2> x(patched.paths.size());
      for (std::size_t v = 0; v < x.size(); ++v) {
        x[v] = project(*axis, patched.paths[v].t0);
        if (mirrored) x[v].y = -x[v].y;
      }
      const auto loop = patched.culling.contours().loops[b];
      const std::set<VertexId> boundary(loop.begin(), loop.end());
      std::set<VertexId> all;
      for (const Triangle& f : faces) all.insert(f.begin(), f.end());
      for (const VertexId v : all) {
        if (boundary.contains(v)) continue;
        EXPECT_EQ(winding(faces, v, x), 1) << index << ", block " << b << ", vertex " << v;
        ++vertices;
      }
    }
  }
  EXPECT_GT(patches, 100U);
  EXPECT_GT(vertices, 500U);
}

oracle::SceneStep flat_sheet(int n) {
  return testing::grid(n, n, testing::flat, [](int i, int j) { return Vec3{1.0 * i, 1.0 * j, 2.0}; }).step;
}

TEST(PatchCulling, AFlatSheetIsFreeAsAWhole) {
  const oracle::SceneStep step = flat_sheet(20);
  Patched patched(step);
  const CullCounts counts = patched.prove();
  EXPECT_EQ(counts.free_patches, 1U);
  EXPECT_EQ(counts.free_triangles, 800U);
  EXPECT_EQ(counts.cone_tests, 1U);

  Detector detector(patched.scene, {.method = Method::Iccd});
  const Impacts impacts = detector.impacts(step.x_t0, step.x_t1);
  EXPECT_EQ(impacts.stats.triangle_pairs, 0U);
  EXPECT_EQ(impacts.stats.vf_tests + impacts.stats.ee_tests, 0U);
  EXPECT_EQ(impacts.stats.culled.orphans, 0U);
  EXPECT_GT(impacts.stats.culled.orphans_free, 0U);
  // With a thickness, contacts are not the only result: no patch is proved free, and earlier proofs are discarded.
  Detector thick(patched.scene, {.method = Method::Iccd, .thickness = 0.5});
  EXPECT_GT(thick.impacts(step.x_t0, step.x_t1).stats.vf_tests, 0U);
  EXPECT_GT(detector.proximities(step.x_t0, 0.5).stats.vf_tests, 0U);
  EXPECT_EQ(detector.impacts(step.x_t0, step.x_t1).stats.triangle_pairs, 0U);
}

TEST(PatchCulling, CanonicalConesProveLess) {
  std::uint64_t tight = 0;
  std::uint64_t canonical = 0;
  for (std::uint64_t index = 0; index < 40; ++index) {
    Patched patched(testing::random_sheet(29, index, 12));
    tight += patched.prove().free_triangles;
    canonical += patched.prove(research::NormalCones::Canonical).free_triangles;
    EXPECT_EQ(patched.prove(research::NormalCones::None).cone_tests, 0U);
  }
  EXPECT_GT(tight, canonical);
  EXPECT_GT(canonical, 0U);
}

TEST(PatchCulling, ProvesTheSameOnAnyNumberOfThreads) {
  const oracle::SceneStep step = testing::random_sheet(41, 3, 40);
  Patched patched(step);
  const CullCounts first = patched.prove();
  const std::vector<std::uint8_t> expected(patched.culling.self_free(),
                                           patched.culling.self_free() + patched.block_count());
  for (const unsigned threads : {1U, 2U, 7U}) {
    with_threads(threads, [&] {
      const CullCounts counts = patched.prove();
      EXPECT_EQ(counts.planar_tests, first.planar_tests);
      EXPECT_EQ(counts.free_triangles, first.free_triangles);
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), patched.culling.self_free()));
    });
  }
}

}  // namespace
}  // namespace graze
