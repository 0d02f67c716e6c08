// Bounds around reference positions and the pairs of some leaves (methods/bvh/hierarchy.hpp), against naive
// references that test all pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <graze/edit.hpp>
#include <graze/research.hpp>

#include "core/tasks.hpp"
#include "geometry/vec.hpp"
#include "mesh/mesh_change.hpp"
#include "methods/bvh/hierarchy.hpp"

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

constexpr std::array kVolumes = {research::BoundingVolume::Aabb, research::BoundingVolume::Kdop18,
                                 research::BoundingVolume::Kdop26};
constexpr std::array kBuilders = {research::TreeBuilder::Midpoint, research::TreeBuilder::Sah,
                                  research::TreeBuilder::Lbvh, research::TreeBuilder::Connected};

class Random {
 public:
  explicit Random(std::uint64_t seed) : random_(seed) {}
  double number(double from, double to) {
    return from + (to - from) * (static_cast<double>(random_() >> 11U) * 0x1p-53);
  }
  Vec3 point(double size) {
    const double x = number(-size, size);
    const double y = number(-size, size);
    return {x, y, number(-size, size)};
  }
  std::size_t below(std::size_t count) { return random_() % count; }

 private:
  std::mt19937_64 random_;
};

/// Adds a crumpled sheet of side x side squares.
void add_sheet(Scene& scene, std::size_t side, const Vec3& corner, Motion motion, Random& random) {
  std::vector<Vec3> x;
  std::vector<Triangle> triangles;
  const double step = 1.0 / static_cast<double>(side);
  for (std::size_t i = 0; i <= side; ++i) {
    for (std::size_t j = 0; j <= side; ++j) {
      const Vec3 at{step * static_cast<double>(i), step * static_cast<double>(j), 0.0};
      x.push_back(corner + at + random.point(0.4 * step));
    }
  }
  const auto at = [&](std::size_t i, std::size_t j) { return static_cast<VertexId>(i * (side + 1) + j); };
  for (std::size_t i = 0; i < side; ++i) {
    for (std::size_t j = 0; j < side; ++j) {
      triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  scene.add_body({.positions = x, .triangles = triangles, .motion = motion});
}

/// Two sheets and disconnected triangles that move, and optionally a static sheet.
Scene make_scene(std::uint64_t seed, bool with_static) {
  Random random(seed);
  Scene scene;
  add_sheet(scene, 8, {0, 0, 0}, Motion::Deforming, random);
  if (with_static) add_sheet(scene, 6, {0.1, 0.2, 0.1}, Motion::Static, random);
  std::vector<Vec3> x;
  std::vector<Triangle> triangles;
  for (VertexId t = 0; t < 20; ++t) {
    const Vec3 centre = Vec3{0.5, 0.5, 0.1} + random.point(0.5);
    for (int k = 0; k < 3; ++k) x.push_back(centre + random.point(0.1));
    triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  scene.add_body({.positions = x, .triangles = triangles, .motion = Motion::Rigid});
  add_sheet(scene, 5, {-0.2, 0.1, 0.15}, Motion::Deforming, random);
  return scene;
}

bool is_static(const Scene& scene, VertexId v) {
  return scene.body_of(v) != kNoBody && scene.motion(scene.body_of(v)) == Motion::Static;
}

std::vector<ReferencePoint> make_references(const Scene& scene, Random& random, double most) {
  std::vector<ReferencePoint> reference_points(scene.vertex_count());
  for (VertexId v = 0; v < reference_points.size(); ++v) {
    reference_points[v].x = scene.positions()[v];
    if (is_static(scene, v)) continue;
    reference_points[v].x = reference_points[v].x + random.point(most);
    reference_points[v].displacement_bound =
        random.below(5) == 0 ? 0.0F : static_cast<float>(random.number(0.0, most));
  }
  return reference_points;
}

std::vector<std::uint32_t> moving_leaves(const Scene& scene, const Hierarchy& hierarchy) {
  std::vector<std::uint32_t> leaves;
  for (std::uint32_t i = 0; i < hierarchy.leaves().size(); ++i) {
    const Leaf& leaf = hierarchy.leaf(i);
    if (leaf.id != kRepresentsNothing && !is_static(scene, leaf.vertices[0])) leaves.push_back(i);
  }
  return leaves;
}

/// Gives about `share` of the moving vertices another reference position; returns the leaves that have one of these
/// vertices.
std::vector<std::uint32_t> move_some(const Scene& scene, const Hierarchy& hierarchy, double share, Random& random,
                                     std::vector<ReferencePoint>& reference_points) {
  std::vector<bool> moved(reference_points.size());
  for (VertexId v = 0; v < reference_points.size(); ++v) {
    if (is_static(scene, v) || random.number(0.0, 1.0) > share) continue;
    moved[v] = true;
    reference_points[v].x = reference_points[v].x + random.point(0.3);
    reference_points[v].displacement_bound = static_cast<float>(random.number(0.0, 0.1));
  }
  std::vector<std::uint32_t> leaves;
  for (const std::uint32_t i : moving_leaves(scene, hierarchy)) {
    const auto& v = hierarchy.leaf(i).vertices;
    if (moved[v[0]] || moved[v[1]] || moved[v[2]]) leaves.push_back(i);
  }
  return leaves;
}

template <typename Volume>
std::vector<Volume> leaf_volumes(const Hierarchy& hierarchy, std::span<const ReferencePoint> reference_points,
                                 double gap) {
  std::vector<Aabb> points(reference_points.size());
  make_vertex_volumes(reference_points, gap, std::span<Aabb>(points));
  std::vector<Volume> volumes;
  for (const Leaf& leaf : hierarchy.leaves()) {
    const Aabb box = triangle_volume(std::span<const Aabb>(points), leaf.vertices);
    if constexpr (std::is_same_v<Volume, Aabb>) {
      volumes.push_back(box);
    } else {
      volumes.push_back(
          TriangleBounds<Volume>({.reference_points = reference_points, .gap = gap})(leaf.vertices, box));
    }
  }
  return volumes;
}

bool has_test(const Leaf& a, const Leaf& b) {
  return compatible(representative_mask(represented_vertex_count(a.id), represented_edge_count(a.id)),
                    representative_mask(represented_vertex_count(b.id), represented_edge_count(b.id)));
}

/// Pairs of moving leaves with at least one leaf in `some`.
template <typename Volume>
std::vector<LeafPair> twin(const Scene& scene, const Hierarchy& hierarchy,
                           std::span<const ReferencePoint> reference_points, double gap,
                           std::span<const std::uint32_t> some) {
  const std::vector<Volume> volumes = leaf_volumes<Volume>(hierarchy, reference_points, gap);
  const std::vector<std::uint32_t> leaves = moving_leaves(scene, hierarchy);
  const auto is_marked = [&](std::uint32_t i) { return std::binary_search(some.begin(), some.end(), i); };
  std::vector<LeafPair> pairs;
  for (const std::uint32_t a : leaves) {
    for (const std::uint32_t b : leaves) {
      if (a < b && (is_marked(a) || is_marked(b)) && volumes[a].overlaps(volumes[b]) &&
          has_test(hierarchy.leaf(a), hierarchy.leaf(b))) {
        pairs.push_back({a, b});
      }
    }
  }
  return pairs;
}

std::vector<LeafPair> twin(research::BoundingVolume volume, const Scene& scene, const Hierarchy& hierarchy,
                           std::span<const ReferencePoint> reference_points, double gap,
                           std::span<const std::uint32_t> some) {
  switch (volume) {
    case research::BoundingVolume::Aabb:
      return twin<Aabb>(scene, hierarchy, reference_points, gap, some);
    case research::BoundingVolume::Kdop18:
      return twin<Dop18>(scene, hierarchy, reference_points, gap, some);
    default:
      return twin<Dop26>(scene, hierarchy, reference_points, gap, some);
  }
}

struct Pairs {
  std::vector<LeafPair> moving;       ///< both moving or both static; the smaller leaf first
  std::vector<LeafPair> with_static;  ///< a moving leaf and a static one, in this order

  friend bool operator==(const Pairs&, const Pairs&) = default;
};

Pairs sorted(const Scene& scene, const Hierarchy& hierarchy, const std::vector<LeafPair>& all) {
  Pairs pairs;
  const auto in_static_body = [&](std::uint32_t i) { return is_static(scene, hierarchy.leaf(i).vertices[0]); };
  for (const LeafPair& pair : all) {
    if (in_static_body(pair.b) && !in_static_body(pair.a)) {
      pairs.with_static.push_back(pair);
    } else {
      pairs.moving.push_back({std::min(pair.a, pair.b), std::max(pair.a, pair.b)});
    }
  }
  std::sort(pairs.moving.begin(), pairs.moving.end());
  std::sort(pairs.with_static.begin(), pairs.with_static.end());
  return pairs;
}

std::vector<LeafPair> run(const std::vector<BvhTraversal>& traversals, std::uint64_t& tests) {
  std::vector<LeafPair> pairs;
  for (const BvhTraversal& traversal : traversals) {
    for (std::size_t g = 0; g < traversal.group_count(); ++g) {
      tests += traversal.run_group(
          g, [&](std::span<const LeafPair> some) { pairs.insert(pairs.end(), some.begin(), some.end()); });
    }
  }
  return pairs;
}

/// Pairs with static leaves: for boxes by the bounds of the leaves, for k-DOPs by a whole traversal.
std::vector<LeafPair> twin_with_static(const Scene& scene, Hierarchy& hierarchy,
                                       std::span<const std::uint32_t> some) {
  std::uint64_t tests = 0;
  const std::vector<LeafPair> all =
      run(hierarchy.leaf_pairs(Hierarchy::Scope::Moving, PairTests::Continuous, true), tests);
  std::vector<LeafPair> pairs = sorted(scene, hierarchy, all).with_static;
  std::erase_if(pairs, [&](const LeafPair& pair) { return !std::binary_search(some.begin(), some.end(), pair.a); });
  if (hierarchy.choices().volume != research::BoundingVolume::Aabb) return pairs;
  std::vector<LeafPair> boxes;
  for (const std::uint32_t a : some) {
    for (std::uint32_t b = 0; b < hierarchy.leaves().size(); ++b) {
      const Leaf& leaf = hierarchy.leaf(b);
      if (leaf.id != kRepresentsNothing && is_static(scene, leaf.vertices[0]) &&
          hierarchy.leaf(a).box.overlaps(leaf.box) && has_test(hierarchy.leaf(a), leaf)) {
        boxes.push_back({a, b});
      }
    }
  }
  EXPECT_EQ(boxes, pairs);
  return boxes;
}

/// Checks that both queries for the pairs of some leaves agree with the naive references.
void expect_pairs(const Scene& scene, Hierarchy& hierarchy, std::span<const ReferencePoint> reference_points,
                  double gap, std::span<const std::uint32_t> some, const std::string& what) {
  Pairs expected{.moving = twin(hierarchy.choices().volume, scene, hierarchy, reference_points, gap, some),
                 .with_static = {}};
  if (hierarchy.has_static()) expected.with_static = twin_with_static(scene, hierarchy, some);
  std::uint64_t tests = 0;
  EXPECT_EQ(sorted(scene, hierarchy, hierarchy.pairs_of(some, tests)), expected) << what << ", one query a leaf";
  EXPECT_GE(tests, expected.moving.size() + expected.with_static.size());
  EXPECT_EQ(sorted(scene, hierarchy, run(hierarchy.marked_leaf_pairs(some), tests)), expected)
      << what << ", by marks";
}

HierarchyChoices choices_of(research::BoundingVolume volume, research::TreeBuilder builder) {
  HierarchyChoices choices;
  choices.volume = volume;
  choices.builder = builder;
  return choices;
}

/// Calls fn(choices, with static bodies, name) for all combinations of volume and builder.
template <typename Fn>
void for_all_kinds(const Fn& fn) {
  for (const research::BoundingVolume volume : kVolumes) {
    for (const research::TreeBuilder builder : kBuilders) {
      for (const bool with_static : {false, true}) {
        fn(choices_of(volume, builder), with_static,
           std::string(name_of(volume)) + " " + std::string(name_of(builder)) + (with_static ? " static" : ""));
      }
    }
  }
}

TEST(ReferencePositions, BoundsThatOverlapAreThoseOfTheTwinBeforeAndAfterSomeMove) {
  constexpr double kGap = 0.01;
  std::size_t found = 0;
  for_all_kinds([&](const HierarchyChoices& choices, bool with_static, const std::string& name) {
    const Scene scene = make_scene(1, with_static);
    Random random(2);
    std::vector<ReferencePoint> reference_points = make_references(scene, random, 0.05);
    Hierarchy hierarchy(scene, choices);
    hierarchy.update_references(reference_points, kGap, 0.02);
    ASSERT_EQ(hierarchy.validate(), "") << name;
    const std::vector<std::uint32_t> all = moving_leaves(scene, hierarchy);
    expect_pairs(scene, hierarchy, reference_points, kGap, all, name + ", all");
    expect_pairs(scene, hierarchy, reference_points, kGap, {}, name + ", none");
    expect_pairs(scene, hierarchy, reference_points, kGap, std::span(all).subspan(all.size() / 3, 1),
                 name + ", one");
    for (const double share : {0.0, 0.01, 0.1, 0.6, 1.0}) {
      const std::vector<std::uint32_t> some = move_some(scene, hierarchy, share, random, reference_points);
      hierarchy.move_references(reference_points, some);
      ASSERT_EQ(hierarchy.validate(), "") << name;
      expect_pairs(scene, hierarchy, reference_points, kGap, some, name + ", some");
      expect_pairs(scene, hierarchy, reference_points, kGap, all, name + ", all again");
      found += some.size();
    }
    // The boxes of the vertices are also those of the current reference positions.
    std::vector<Aabb> boxes(reference_points.size());
    make_vertex_volumes(std::span<const ReferencePoint>(reference_points), kGap, std::span(boxes));
    for (VertexId v = 0; v < reference_points.size(); ++v) {
      if (is_static(scene, v)) continue;
      ASSERT_EQ(hierarchy.vertex_boxes()[v].box(), boxes[v]) << name << " " << v;
    }
  });
  EXPECT_GT(found, 1000U);
}

TEST(ReferencePositions, APlainUpdateAfterwardsGivesThePairsOfAHierarchyThatHasSeenNoReferencePositions) {
  for_all_kinds([&](const HierarchyChoices& choices, bool with_static, const std::string& name) {
    const Scene scene = make_scene(3, with_static);
    Random random(4);
    std::vector<Vec3> x_t1(scene.positions().begin(), scene.positions().end());
    for (VertexId v = 0; v < x_t1.size(); ++v) {
      if (!is_static(scene, v)) x_t1[v] = x_t1[v] + random.point(0.05);
    }
    Hierarchy plain(scene, choices);
    plain.update(scene.positions(), x_t1, 0.001);
    Hierarchy hierarchy(scene, choices);
    for (int round = 0; round < 3; ++round) {
      hierarchy.update_references(make_references(scene, random, 0.3), 0.001, 0.5);
      EXPECT_TRUE(hierarchy.static_unmoved(scene.positions()));
      hierarchy.update(scene.positions(), x_t1, 0.001);
      ASSERT_EQ(hierarchy.validate(), "") << name;
      for (const auto scope : {Hierarchy::Scope::Moving, Hierarchy::Scope::Static}) {
        std::uint64_t tests = 0;
        const auto pairs_of = [&](Hierarchy& of) {
          return sorted(scene, of, run(of.leaf_pairs(scope, PairTests::Continuous, true), tests));
        };
        ASSERT_EQ(pairs_of(hierarchy), pairs_of(plain)) << name;
      }
      for (std::uint32_t e = 0; e < plain.edge_boxes().size(); ++e) {
        ASSERT_EQ(hierarchy.edge_box(e).box(), plain.edge_box(e).box()) << name << " " << e;
      }
    }
  });
}

/// Removes a triangle, adds another, and updates the hierarchy.
void edit_scene(Scene& scene, Hierarchy& hierarchy, Random& random) {
  const std::vector<Triangle> before(scene.triangles().begin(), scene.triangles().end());
  SceneEdit edit = scene.begin_edit();
  std::vector<TriangleId> there;
  for (TriangleId t = 0; t < before.size(); ++t) {
    if (before[t] != kRemovedTriangle) there.push_back(t);
  }
  const TriangleId gone = there[random.below(there.size())];
  edit.remove_triangle(gone);
  const Triangle like = before[there[random.below(there.size())]];
  const VertexId fresh = edit.add_vertex(scene.body_of(like[0]), scene.positions()[like[0]] + random.point(0.1));
  edit.add_triangle({like[0], like[1], fresh});
  hierarchy.prepare_edit();
  scene.apply(edit);
  MeshChange change;
  change.vertex_count = scene.vertex_count();
  change.triangle_count = scene.triangle_count();
  for (TriangleId t = 0; t < scene.triangle_count(); ++t) {
    const Triangle old = t < before.size() ? before[t] : kRemovedTriangle;
    if (old != scene.triangles()[t]) change.triangles.push_back({t, old, scene.triangles()[t]});
  }
  hierarchy.apply(change);
}

TEST(ReferencePositions, EditsAreTakenInByAnUpdateOfReferencePositions) {
  for_all_kinds([&](const HierarchyChoices& choices, bool with_static, const std::string& name) {
    Scene scene = make_scene(5, with_static);
    Random random(6);
    Hierarchy hierarchy(scene, choices);
    for (int round = 0; round < 6; ++round) {
      std::vector<ReferencePoint> reference_points = make_references(scene, random, 0.04);
      hierarchy.update_references(reference_points, 0.0, 0.0);
      ASSERT_EQ(hierarchy.validate(), "") << name;
      const std::vector<std::uint32_t> some = move_some(scene, hierarchy, 0.05, random, reference_points);
      hierarchy.move_references(reference_points, some);
      ASSERT_EQ(hierarchy.validate(), "") << name;
      expect_pairs(scene, hierarchy, reference_points, 0.0, some, name + ", round " + std::to_string(round));
      EXPECT_TRUE(hierarchy.static_unmoved(scene.positions()));
      edit_scene(scene, hierarchy, random);
      EXPECT_FALSE(hierarchy.static_unmoved(scene.positions()));
    }
  });
}

TEST(ReferencePositions, OneLeafHasNoPairsAndNoLeavesHaveNone) {
  for (const std::size_t count : {0U, 1U}) {
    for (const research::TreeBuilder builder : kBuilders) {
      Scene scene;
      const std::vector<Vec3> x{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
      scene.add_body({.positions = x, .triangles = std::vector<Triangle>(count, Triangle{0, 1, 2})});
      Hierarchy hierarchy(scene, choices_of(research::BoundingVolume::Kdop18, builder));
      std::vector<ReferencePoint> reference_points(3);
      for (std::size_t v = 0; v < 3; ++v) reference_points[v] = {.x = x[v], .displacement_bound = 1.0F};
      hierarchy.update_references(reference_points, 0.0, 0.0);
      const std::vector<std::uint32_t> leaves(count, 0U);
      hierarchy.move_references(reference_points, leaves);
      std::uint64_t tests = 0;
      EXPECT_TRUE(hierarchy.pairs_of(leaves, tests).empty());
      EXPECT_TRUE(run(hierarchy.marked_leaf_pairs(leaves), tests).empty());
    }
  }
}

TEST(ReferencePositions, PairsOfComeInOneOrderAtAnyNumberOfThreads) {
  const Scene scene = make_scene(7, true);
  Random random(8);
  const std::vector<ReferencePoint> reference_points = make_references(scene, random, 0.1);
  std::vector<std::vector<LeafPair>> pairs;
  std::vector<std::uint64_t> tests(3, 0);
  for (const unsigned threads : {1U, 2U, 7U}) {
    with_threads(threads, [&] {
      Hierarchy hierarchy(scene, choices_of(research::BoundingVolume::Aabb, research::TreeBuilder::Sah));
      hierarchy.update_references(reference_points, 0.0, 0.01);
      pairs.push_back(hierarchy.pairs_of(moving_leaves(scene, hierarchy), tests[pairs.size()]));
    });
  }
  EXPECT_GT(pairs[0].size(), 1000U);
  EXPECT_EQ(pairs[1], pairs[0]);
  EXPECT_EQ(pairs[2], pairs[0]);
  EXPECT_EQ(tests[1], tests[0]);
  EXPECT_EQ(tests[2], tests[0]);
}

TEST(ReferencePositions, MarksOfFewLeavesLeaveMostOfTheTreeAlone) {
  Random random(9);
  Scene scene;
  add_sheet(scene, 60, {0, 0, 0}, Motion::Deforming, random);
  const std::vector<ReferencePoint> reference_points = make_references(scene, random, 0.005);
  Hierarchy hierarchy(scene, choices_of(research::BoundingVolume::Aabb, research::TreeBuilder::Sah));
  hierarchy.update_references(reference_points, 0.0, 0.0);
  std::uint64_t whole = 0;
  (void)run(hierarchy.leaf_pairs(Hierarchy::Scope::Moving, PairTests::Continuous, true), whole);
  const std::vector<std::uint32_t> some{17, 18, 3500};
  std::uint64_t marked = 0;
  (void)run(hierarchy.marked_leaf_pairs(some), marked);
  EXPECT_LT(20 * marked, whole);
}

TEST(ReferencePositions, StaticBoundsAreWidenedByTheDrift) {
  // One triangle at distance 1 above a static one; the drift of the first may take half of the distance.
  Scene scene;
  const std::vector<Vec3> below{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const std::vector<Vec3> round_up_with_error{{0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  scene.add_body({.positions = below, .triangles = std::vector<Triangle>{{0, 1, 2}}, .motion = Motion::Static});
  scene.add_body({.positions = round_up_with_error, .triangles = std::vector<Triangle>{{0, 1, 2}}});
  std::vector<ReferencePoint> reference_points(6);
  for (std::size_t v = 0; v < 6; ++v) reference_points[v].x = scene.positions()[v];
  const std::vector<std::uint32_t> leaves{1};
  for (const research::BoundingVolume volume : kVolumes) {
    Hierarchy hierarchy(scene, choices_of(volume, research::TreeBuilder::Sah));
    const auto count = [&](double gap, double drift, float displacement_bound) {
      for (std::size_t v = 3; v < 6; ++v) reference_points[v].displacement_bound = displacement_bound;
      hierarchy.update_references(reference_points, gap, drift);
      std::uint64_t tests = 0;
      return hierarchy.pairs_of(leaves, tests).size();
    };
    EXPECT_EQ(count(0.0, 0.0, 0.0F), 0U);
    EXPECT_EQ(count(0.0, 1.0, 0.0F), 1U);
    EXPECT_EQ(count(0.0, 0.25, 0.5F), 0U);
    EXPECT_EQ(count(0.0, 0.5, 0.5F), 1U);
    EXPECT_EQ(count(0.25, 0.5, 0.25F), 1U);
    EXPECT_EQ(count(0.0, 0.0, 0.5F), 0U) << "too wide by far for this: made again";
    reference_points[0].x.x = -0.5;
    EXPECT_EQ(count(0.0, 0.0, 1.0F), 1U);
    EXPECT_FALSE(hierarchy.static_unmoved(scene.positions()));
    reference_points[0].x.x = 0.0;
  }
}

TEST(ReferencePositions, StepsOfBothKindsByTurnsDoNotBuildTheTreeAgain) {
  const Scene scene = make_scene(10, false);
  Random random(11);
  std::vector<ReferencePoint> reference_points = make_references(scene, random, 0.0);
  for (ReferencePoint& reference : reference_points) reference.displacement_bound = 0.3F;
  for (const bool references_first : {false, true}) {
    Hierarchy hierarchy(scene, choices_of(research::BoundingVolume::Aabb, research::TreeBuilder::Sah));
    if (references_first) hierarchy.update_references(reference_points, 0.0, 0.0);
    for (int round = 0; round < 5; ++round) {
      hierarchy.update(scene.positions(), scene.positions(), 0.0);
      hierarchy.update_references(reference_points, 0.0, 0.0);
    }
    EXPECT_EQ(hierarchy.moving_part().version(), 1U);
    // A tree whose quality has degraded is still rebuilt.
    for (ReferencePoint& reference : reference_points) reference.x = reference.x + random.point(3.0);
    for (ReferencePoint& reference : reference_points) reference.displacement_bound = 0.0F;
    hierarchy.update_references(reference_points, 0.0, 0.0);
    EXPECT_EQ(hierarchy.moving_part().version(), 2U);
    for (VertexId v = 0; v < reference_points.size(); ++v)
      reference_points[v] = {.x = scene.positions()[v], .displacement_bound = 0.3F};
  }
}

TEST(ReferencePositions, OfEnormousCoordinatesReachesAndGapsGiveBoundsThatAreNeverNaN) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const research::BoundingVolume volume : kVolumes) {
    for (const research::TreeBuilder builder : kBuilders) {
      for (const double size : {1e300, 1.7e308}) {
        for (const float displacement_bound : {0.0F, 1.0F, 3e38F, infinity}) {
          for (const double gap : {0.0, 1e-3, 1e300}) {
            const Scene scene = make_scene(13, true);
            Random random(14);
            std::vector<ReferencePoint> reference_points(scene.vertex_count());
            for (ReferencePoint& reference : reference_points)
              reference = {.x = random.point(1.0), .displacement_bound = displacement_bound};
            for (VertexId v = 0; v < reference_points.size(); v += 7)
              reference_points[v].x = {size, -size, random.number(-size, size)};
            for (VertexId v = 0; v < reference_points.size(); ++v) {
              if (is_static(scene, v)) reference_points[v] = {.x = scene.positions()[v]};
            }
            Hierarchy hierarchy(scene, choices_of(volume, builder));
            hierarchy.update_references(reference_points, gap, gap);
            const std::vector<std::uint32_t> all = moving_leaves(scene, hierarchy);
            hierarchy.move_references(reference_points, all);
            ASSERT_EQ(hierarchy.validate(), "");
            for (const std::uint32_t i : all) {
              const Aabb box = hierarchy.leaf(i).box.box();
              for (std::size_t k = 0; k < 3; ++k) ASSERT_LE(box.lo[k], box.hi[k]);
              const Leaf& leaf = hierarchy.leaf(i);
              const auto expect_whole = [&](const auto& bounds) {
                const auto dop = bounds(leaf.vertices, box);
                for (std::size_t k = 0; k < dop.lo.size(); ++k) ASSERT_LE(dop.lo[k], dop.hi[k]);
              };
              const MotionBounds at{.reference_points = reference_points, .gap = gap};
              expect_whole(TriangleBounds<Dop26>(at));
            }
            if (size < 1e301 && builder == research::TreeBuilder::Sah) {
              expect_pairs(scene, hierarchy, reference_points, gap, std::span(all).first(5), "enormous");
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace graze
