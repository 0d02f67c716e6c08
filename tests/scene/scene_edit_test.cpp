// Edits of a scene: the effect of every operation on small meshes, and the input it refuses. A refused operation
// leaves the edit unchanged; an edit leaves the scene unchanged until it is applied.
#include <graze/edit.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <graze/detector.hpp>
#include <graze/error.hpp>
#include <graze/methods.hpp>
#include <graze/research.hpp>

#include "mesh/mesh_change.hpp"

namespace graze {

using namespace core;
using namespace geometry;
using namespace mesh;
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Distinct points on a parabola, no three collinear.
std::vector<Vec3> points(std::size_t count) {
  std::vector<Vec3> points(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto t = static_cast<double>(i);
    points[i] = {t, t * t, 0.5 * t};
  }
  return points;
}

Scene scene_of(std::size_t vertex_count, const std::vector<Triangle>& triangles) {
  Scene scene;
  scene.add_body({.positions = points(vertex_count), .triangles = triangles});
  return scene;
}

/// Two triangles with the common edge 1-2; another body of one triangle, 4 to 6.
Scene two_bodies() {
  Scene scene = scene_of(4, {{0, 1, 2}, {2, 1, 3}});
  scene.add_body({.positions = points(3), .triangles = std::vector<Triangle>{{0, 1, 2}}, .motion = Motion::Rigid});
  return scene;
}

std::vector<Triangle> triangles_of(const Scene& scene) {
  return {scene.triangles().begin(), scene.triangles().end()};
}

/// The observable state of a scene.
struct Picture {
  explicit Picture(const Scene& scene)
      : revision(scene.revision()),
        triangles(triangles_of(scene)),
        positions(scene.positions().begin(), scene.positions().end()),
        ignored(scene.ignored_pairs().begin(), scene.ignored_pairs().end()) {
    for (VertexId v = 0; v < scene.vertex_count(); ++v) bodies.push_back(scene.body_of(v));
    for (BodyId body = 0; body < scene.body_count(); ++body) {
      entries.push_back({scene.has_body(body) ? 1U : 0U, static_cast<std::uint32_t>(scene.motion(body)),
                         scene.groups(body), scene.meets(body), scene.vertices(body).first,
                         scene.vertices(body).last});
    }
  }
  std::uint64_t revision;
  std::vector<Triangle> triangles;
  std::vector<Vec3> positions;
  std::vector<std::array<BodyId, 2>> ignored;
  std::vector<BodyId> bodies;
  std::vector<std::array<std::uint32_t, 6>> entries;

  friend bool operator==(const Picture&, const Picture&) = default;
};

/// The message of an operation that must be refused, after checking that the edit is unchanged.
std::string refusal(SceneEdit& edit, const std::function<void(SceneEdit&)>& operation) {
  const std::array before = {edit.vertex_count(), edit.triangle_count(), edit.body_count(), edit.copies().size()};
  const bool empty = edit.empty();
  std::string message = "not refused";
  try {
    operation(edit);
  } catch (const InputError& error) {
    message = error.what();
  }
  EXPECT_EQ((std::array{edit.vertex_count(), edit.triangle_count(), edit.body_count(), edit.copies().size()}),
            before);
  EXPECT_EQ(edit.empty(), empty);
  return message;
}

TEST(SceneEdit, ChangesNothingUntilItIsApplied) {
  Scene scene = two_bodies();
  SceneEdit edit = scene.begin_edit();
  const Picture before(scene);
  EXPECT_TRUE(edit.empty());
  const VertexId v = edit.add_vertex(0, {9, 9, 9});
  edit.add_triangle({v, 1, 2});
  edit.remove_triangle(0);
  edit.remove_body(1);
  EXPECT_FALSE(edit.empty());
  EXPECT_EQ(Picture(scene), before);
  scene.apply(edit);
  EXPECT_EQ(scene.revision(), before.revision + 1);
  EXPECT_EQ(triangles_of(scene), (std::vector<Triangle>{kRemovedTriangle, {2, 1, 3}, kRemovedTriangle, {v, 1, 2}}));
  EXPECT_FALSE(scene.has_triangle(0));
  EXPECT_TRUE(scene.has_triangle(3));
  EXPECT_FALSE(scene.has_triangle(4));
  EXPECT_FALSE(scene.has_body(1));
  EXPECT_FALSE(scene.has_body(2));
  EXPECT_FALSE(scene.has_vertex(4));
  EXPECT_TRUE(scene.has_vertex(v));
  EXPECT_EQ(scene.body_of(5), kNoBody);
  EXPECT_EQ(scene.body_of(v), 0U);
  EXPECT_EQ(scene.positions()[v], (Vec3{9, 9, 9}));
}

TEST(SceneEdit, RemovingAVertexRemovesItsTriangles) {
  Scene scene = scene_of(5, {{0, 1, 2}, {2, 3, 4}, {2, 2, 0}, {0, 1, 1}});
  SceneEdit edit = scene.begin_edit();
  edit.remove_vertex(2);
  scene.apply(edit);
  EXPECT_EQ(triangles_of(scene),
            (std::vector<Triangle>{kRemovedTriangle, kRemovedTriangle, kRemovedTriangle, {0, 1, 1}}));
  EXPECT_FALSE(scene.has_vertex(2));
  EXPECT_TRUE(scene.has_vertex(3));
}

TEST(SceneEdit, SplitVertexGivesTheTrianglesACopy) {
  Scene scene = scene_of(4, {{0, 1, 2}, {0, 2, 3}, {0, 0, 3}});
  SceneEdit edit = scene.begin_edit();
  EXPECT_EQ(edit.split_vertex(0, std::vector<TriangleId>{2, 1}), 4U);
  ASSERT_EQ(edit.copies().size(), 1U);
  EXPECT_EQ(edit.copies()[0].copy, 4U);
  EXPECT_EQ(edit.copies()[0].original, 0U);
  scene.apply(edit);
  EXPECT_EQ(triangles_of(scene), (std::vector<Triangle>{{0, 1, 2}, {4, 2, 3}, {4, 4, 3}}));
  EXPECT_EQ(scene.positions()[4], scene.positions()[0]);
}

TEST(SceneEdit, CarriesPositionsThroughCopiesOfCopies) {
  Scene scene = scene_of(3, {{0, 1, 2}, {0, 1, 2}, {0, 1, 2}});
  SceneEdit edit = scene.begin_edit();
  const VertexId added = edit.add_vertex(0, {7, 7, 7});
  const VertexId copy = edit.split_vertex(1, std::vector<TriangleId>{1, 2});
  const VertexId again = edit.split_vertex(copy, std::vector<TriangleId>{2});
  const VertexId of_added = edit.split_vertex(added, {});
  edit.remove_vertex(1);
  const std::vector<Vec3> x = {{0, 0, 1}, {0, 0, 2}, {0, 0, 3}};
  const std::vector<Vec3> expected = {x[0], x[1], x[2], {7, 7, 7}, x[1], x[1], {7, 7, 7}};
  EXPECT_EQ(again, 5U);
  EXPECT_EQ(of_added, 6U);
  EXPECT_EQ(edit.carry(x), expected);
  scene.apply(edit);
  EXPECT_EQ(edit.carry(x), expected);  // also after it was applied
  EXPECT_EQ(scene.triangles()[2], (Triangle{0, again, 2}));
  EXPECT_THROW(static_cast<void>(edit.carry(expected)), InputError);
}

TEST(SceneEdit, TearsAnEdgeThatEndsTwiceOnTheBoundary) {
  Scene scene = scene_of(4, {{0, 1, 2}, {2, 1, 3}});
  SceneEdit edit = scene.begin_edit();
  EXPECT_EQ(edit.tear_edge(1, 2), (std::vector<VertexId>{4, 5}));
  scene.apply(edit);
  EXPECT_EQ(triangles_of(scene), (std::vector<Triangle>{{0, 1, 2}, {5, 4, 3}}));
}

/// A closed fan of six triangles around 0 with rim 1 to 6; triangle i has the rim vertices i + 1 and i + 2.
std::vector<Triangle> closed_fan() {
  std::vector<Triangle> fan;
  for (VertexId i = 0; i < 6; ++i) fan.push_back({0, i + 1, (i + 1) % 6 + 1});
  return fan;
}

TEST(SceneEdit, TearsTheRimEndOnlyOfASpokeInAClosedFan) {
  Scene scene = scene_of(7, closed_fan());
  SceneEdit edit = scene.begin_edit();
  EXPECT_EQ(edit.tear_edge(0, 2), (std::vector<VertexId>{7}));
  // The fan is open at 0-2 now: tearing the next spoke detaches triangle 1 completely.
  EXPECT_EQ(edit.tear_edge(3, 0), (std::vector<VertexId>{8, 9}));
  scene.apply(edit);
  EXPECT_EQ(triangles_of(scene),
            (std::vector<Triangle>{{0, 1, 2}, {9, 7, 3}, {0, 8, 4}, {0, 4, 5}, {0, 5, 6}, {0, 6, 1}}));
}

TEST(SceneEdit, TearsAnEdgeOfManyTrianglesIntoAsManyParts) {
  Scene scene = scene_of(6, {{0, 1, 2}, {0, 1, 3}, {1, 0, 4}, {0, 2, 3}, {0, 1, 4}, {0, 0, 1}, {0, 5, 5}});
  SceneEdit edit = scene.begin_edit();
  // At vertex 0: {0, 1, 3} are connected through 2 and 3, {2, 4} through 4, {5} is alone; 6 does not have the edge.
  // At vertex 1: {0}, {1}, {2, 4}, {5}.
  EXPECT_EQ(edit.tear_edge(0, 1), (std::vector<VertexId>{6, 7, 8, 9, 10}));
  scene.apply(edit);
  EXPECT_EQ(triangles_of(scene),
            (std::vector<Triangle>{{0, 1, 2}, {0, 8, 3}, {9, 6, 4}, {0, 2, 3}, {6, 9, 4}, {7, 7, 10}, {0, 5, 5}}));
}

TEST(SceneEdit, SplitsAnEdgeInAllItsTriangles) {
  Scene scene = scene_of(5, {{0, 1, 2}, {2, 1, 3}, {1, 4, 2}, {0, 3, 4}});
  SceneEdit edit = scene.begin_edit();
  EXPECT_EQ(edit.split_edge(2, 1, {5, 6, 7}), 5U);
  scene.apply(edit);
  EXPECT_EQ(triangles_of(scene),
            (std::vector<Triangle>{{0, 1, 5}, {5, 1, 3}, {1, 4, 5}, {0, 3, 4}, {0, 5, 2}, {2, 5, 3}, {5, 4, 2}}));
  EXPECT_EQ(scene.positions()[5], (Vec3{5, 6, 7}));
}

TEST(SceneEdit, AddsABodyThatTheSameEditMayChange) {
  Scene scene = two_bodies();
  SceneEdit edit = scene.begin_edit();
  const std::vector<Triangle> two = {{0, 1, 2}, {2, 1, 0}};
  EXPECT_EQ(edit.add_body({.positions = points(3), .triangles = two, .motion = Motion::Static, .groups = 4}), 2U);
  edit.remove_triangle(3);
  edit.add_vertex(2, {1, 2, 3});
  scene.apply(edit);
  EXPECT_EQ(scene.triangles()[4], (Triangle{9, 8, 7}));
  EXPECT_FALSE(scene.has_triangle(3));
  EXPECT_EQ(scene.body_of(10), 2U);
  EXPECT_EQ(scene.vertices(2).first, 7U);
  EXPECT_EQ(scene.vertices(2).last, 10U);
  EXPECT_EQ(scene.motion(2), Motion::Static);
  EXPECT_EQ(scene.groups(2), 4U);
}

TEST(SceneEdit, SplitsABodyByGroupsAndCopiesWhatBothNeed) {
  Scene scene = two_bodies();
  scene.add_body({.positions = points(7),
                  .triangles = std::vector<Triangle>{{0, 1, 2}, {2, 1, 3}, {3, 2, 4}, {4, 2, 5}},
                  .motion = Motion::Rigid,
                  .groups = 2,
                  .meets = 3});  // vertices 7 to 13, the last without triangles; triangles 3 to 6
  scene.ignore_pair(2, 0);
  SceneEdit edit = scene.begin_edit();
  const std::vector<std::vector<TriangleId>> groups = {{6, 5}, {3}};
  EXPECT_EQ(edit.split_body(2, groups), (std::vector<BodyId>{3, 4}));
  scene.apply(edit);
  // Vertex 7 belongs to triangle 3 alone, 8 to 3 and the old body's 4, 9 to all, 10 to 4 and 5, 11 to 5 and 6, 12
  // to 6.
  const std::vector<BodyId> owners = {0, 0, 0, 0, 1, 1, 1, 4, 2, 2, 2, 3, 3, 2, 4, 3, 4, 3};
  for (VertexId v = 0; v < owners.size(); ++v) EXPECT_EQ(scene.body_of(v), owners[v]) << v;
  EXPECT_EQ(scene.triangles()[3], (Triangle{7, 14, 16}));
  EXPECT_EQ(scene.triangles()[4], (Triangle{9, 8, 10}));
  EXPECT_EQ(scene.triangles()[5], (Triangle{17, 15, 11}));
  EXPECT_EQ(scene.triangles()[6], (Triangle{11, 15, 12}));
  for (const BodyId piece : {3U, 4U}) {
    EXPECT_EQ(scene.motion(piece), Motion::Rigid);
    EXPECT_EQ(scene.groups(piece), 2U);
    EXPECT_EQ(scene.meets(piece), 3U);
    EXPECT_EQ(scene.vertices(piece).first, scene.vertices(piece).last);
    EXPECT_FALSE(scene.tests_pair(piece, 0));
    EXPECT_TRUE(scene.tests_pair(piece, 2));
    EXPECT_TRUE(scene.tests_pair(piece, piece));
  }
}

TEST(SceneEdit, PiecesOfABodyThatIgnoresItselfIgnoreEachOther) {
  Scene scene = scene_of(9, {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}});
  scene.ignore_pair(0, 0);
  SceneEdit edit = scene.begin_edit();
  EXPECT_EQ(edit.split_body(0), (std::vector<BodyId>{1, 2}));
  scene.apply(edit);
  for (BodyId a = 0; a < 3; ++a) {
    for (BodyId b = 0; b < 3; ++b) EXPECT_FALSE(scene.tests_pair(a, b));
  }
  EXPECT_TRUE(std::is_sorted(scene.ignored_pairs().begin(), scene.ignored_pairs().end()));
  EXPECT_EQ(scene.ignored_pairs().size(), 6U);
  EXPECT_FALSE(scene.tests_all_pairs());
  SceneEdit removal = scene.begin_edit();
  for (BodyId body = 0; body < 3; ++body) removal.remove_body(body);
  scene.apply(removal);
  EXPECT_TRUE(scene.tests_all_pairs());
}

TEST(SceneEdit, SplitsABodyIntoItsConnectedPieces) {
  Scene scene = scene_of(10, {{5, 6, 7}, {0, 1, 2}, {7, 8, 8}, {2, 3, 4}});
  SceneEdit edit = scene.begin_edit();
  EXPECT_EQ(edit.split_body(0), (std::vector<BodyId>{1}));
  EXPECT_TRUE(edit.split_body(0).empty());
  EXPECT_TRUE(edit.split_body(1).empty());
  EXPECT_TRUE(edit.copies().empty());
  scene.apply(edit);
  for (VertexId v = 0; v < 5; ++v) EXPECT_EQ(scene.body_of(v), 1U);
  for (VertexId v = 5; v < 10; ++v) EXPECT_EQ(scene.body_of(v), 0U);
  SceneEdit next = scene.begin_edit();
  next.remove_body(1);
  scene.apply(next);
  EXPECT_FALSE(scene.has_triangle(1));
  EXPECT_FALSE(scene.has_triangle(3));
  EXPECT_TRUE(scene.has_triangle(2));
  EXPECT_FALSE(scene.has_vertex(4));
}

TEST(SceneEdit, WhatIsUndoneInTheSameEditIsNoChange) {
  Scene scene = two_bodies();
  SceneEdit edit = scene.begin_edit();
  edit.set_triangle(0, {0, 1, 3});
  edit.set_triangle(0, {0, 1, 2});
  EXPECT_TRUE(edit.empty());
  edit.set_triangle(0, {0, 1, 3});
  edit.remove_vertex(0);
  scene.apply(edit);
  EXPECT_FALSE(scene.has_triangle(0));
  EXPECT_EQ(scene.triangles()[1], (Triangle{2, 1, 3}));
}

TEST(SceneEdit, RefusesWhatIsNotThere) {
  Scene scene = two_bodies();
  SceneEdit first = scene.begin_edit();
  first.add_body({.positions = points(3)});  // body 2, vertices 7 to 9
  first.remove_body(2);
  first.remove_triangle(0);
  scene.apply(first);
  SceneEdit edit = scene.begin_edit();
  const auto says = [&](const std::string& message, const std::function<void(SceneEdit&)>& operation) {
    EXPECT_EQ(refusal(edit, operation), message);
  };
  says("add_vertex: there is no body 3, the scene has 3", [](auto& e) { e.add_vertex(3, {}); });
  says("add_vertex: body 2 was removed", [](auto& e) { e.add_vertex(2, {}); });
  says("add_vertex: y is nan, not a finite number", [](auto& e) { e.add_vertex(0, {0, kNan, 0}); });
  says("remove_vertex: there is no vertex 10, the scene has 10", [](auto& e) { e.remove_vertex(10); });
  says("remove_vertex: vertex 8 was removed", [](auto& e) { e.remove_vertex(8); });
  says("remove_vertex: there is no vertex 4294967295, the scene has 10",
       [](auto& e) { e.remove_vertex(kNoVertex); });
  says("add_triangle: vertex 9 was removed", [](auto& e) { e.add_triangle({0, 1, 9}); });
  says("add_triangle: there is no vertex 11, the scene has 10", [](auto& e) { e.add_triangle({0, 11, 1}); });
  says("add_triangle: vertex 0 is of body 0, but vertex 4 is of body 1", [](auto& e) {
    e.add_triangle({0, 1, 4});
  });
  says("set_triangle: there is no triangle 3, the scene has 3", [](auto& e) { e.set_triangle(3, {0, 1, 2}); });
  says("set_triangle: triangle 0 was removed", [](auto& e) { e.set_triangle(0, {0, 1, 2}); });
  says("set_triangle: vertex 7 was removed", [](auto& e) { e.set_triangle(1, {0, 1, 7}); });
  says("set_triangle: vertex 4 is of body 1, but vertex 0 is of body 0", [](auto& e) {
    e.set_triangle(1, {4, 5, 0});
  });
  says("set_triangle: triangle 1 is of body 0, but vertex 4 is of body 1", [](auto& e) {
    e.set_triangle(1, {4, 5, 6});
  });
  says("remove_triangle: triangle 0 was removed", [](auto& e) { e.remove_triangle(0); });
  says("remove_triangle: there is no triangle 7, the scene has 3", [](auto& e) { e.remove_triangle(7); });
  const std::vector<TriangleId> one = {1};
  says("split_vertex: triangle 1 does not have vertex 0", [&](auto& e) { e.split_vertex(0, one); });
  says("split_vertex: vertex 7 was removed", [&](auto& e) { e.split_vertex(7, one); });
  says("split_vertex: triangle 0 was removed", [](auto& e) { e.split_vertex(1, std::vector<TriangleId>{1, 0}); });
  says("split_vertex: triangle 1 is named twice", [](auto& e) {
    e.split_vertex(1, std::vector<TriangleId>{1, 1});
  });
  says("tear_edge: there is no edge from vertex 0 to vertex 1", [](auto& e) { e.tear_edge(0, 1); });
  says("tear_edge: there is no edge from vertex 1 to vertex 1", [](auto& e) { e.tear_edge(1, 1); });
  says("tear_edge: vertex 7 was removed", [](auto& e) { e.tear_edge(1, 7); });
  says("tear_edge: the edge from vertex 1 to vertex 2 cannot be torn: its triangles stay connected at both ends",
       [](auto& e) { e.tear_edge(1, 2); });
  says("split_edge: there is no edge from vertex 0 to vertex 3", [](auto& e) { e.split_edge(0, 3, {}); });
  says("split_edge: z is inf, not a finite number", [](auto& e) {
    e.split_edge(1, 3, {0, 0, std::numeric_limits<double>::infinity()});
  });
  says("remove_body: body 2 was removed", [](auto& e) { e.remove_body(2); });
  says("remove_body: there is no body 4294967295, the scene has 3", [](auto& e) { e.remove_body(kNoBody); });
  using Groups = std::vector<std::vector<TriangleId>>;
  says("split_body: there is no body 5, the scene has 3", [](auto& e) { e.split_body(5); });
  says("split_body: triangle 2 is of body 1, not of body 0", [](auto& e) { e.split_body(0, Groups{{1}, {2}}); });
  says("split_body: triangle 1 is named twice", [](auto& e) { e.split_body(0, Groups{{1}, {1}}); });
  says("split_body: triangle 0 was removed", [](auto& e) { e.split_body(0, Groups{{0}}); });
  says("split_body: group 1 has no triangle", [](auto& e) { e.split_body(0, Groups{{1}, {}}); });
  const std::vector<Triangle> beyond = {{0, 1, 3}};
  says("body 3: triangle 0: vertex id 3 is out of range, the body has 3 vertices",
       [&](auto& e) { e.add_body({.positions = points(3), .triangles = beyond}); });
  const std::vector<Vec3> not_finite = {{0, 0, kNan}};
  says("body 3: vertex 0: z is nan, not a finite number", [&](auto& e) { e.add_body({.positions = not_finite}); });
  EXPECT_TRUE(edit.empty());
  EXPECT_THROW(scene.ignore_pair(0, 2), InputError);
  edit.add_triangle({1, 2, 2});
  says("split_edge: triangle 3 at the edge from vertex 1 to vertex 2 repeats a vertex id",
       [](auto& e) { e.split_edge(1, 2, {}); });
}

TEST(SceneEdit, RefusesAScenesOtherState) {
  Scene scene = two_bodies();
  Scene copy = scene;
  SceneEdit edit = scene.begin_edit();
  SceneEdit other = scene.begin_edit();
  edit.remove_triangle(0);
  other.remove_triangle(1);
  scene.apply(edit);
  const Picture before(scene);
  EXPECT_THROW(scene.apply(edit), InputError);   // applied already
  EXPECT_THROW(scene.apply(other), InputError);  // made for the previous revision
  EXPECT_EQ(Picture(scene), before);
  EXPECT_EQ(refusal(other, [](auto& e) { e.remove_triangle(0); }),
            "remove_triangle: the edit was begun at revision 2 of its scene, which is at 3 now");
  copy.apply(edit);
  EXPECT_EQ(Picture(copy), before);

  Scene different = scene_of(4, {{0, 1, 3}, {2, 1, 3}});  // the same counts and revision
  different.add_body({.positions = points(3), .triangles = std::vector<Triangle>{{0, 1, 2}}});
  EXPECT_THROW(different.apply(edit), InputError);
  EXPECT_TRUE(different.has_triangle(0));
}

TEST(SceneEdit, AppliedToACopyWithTheSameHistoryMakesTheSameScene) {
  Scene scene = two_bodies();
  SceneEdit first = scene.begin_edit();
  first.tear_edge(1, 2);
  Scene copy = scene;
  scene.apply(first);
  SceneEdit second = scene.begin_edit();
  second.split_body(0);
  second.remove_body(1);
  scene.apply(second);
  copy.apply(first);  // the scene it was made for has another revision by now
  copy.apply(second);
  EXPECT_EQ(Picture(copy), Picture(scene));
  SceneEdit third = copy.begin_edit();  // a copy makes its own lists
  third.remove_body(2);
  copy.apply(third);
  EXPECT_FALSE(copy.has_triangle(1));
  EXPECT_TRUE(scene.has_triangle(1));
}

TEST(SceneEdit, KnowsBodiesAddedAfterAnEarlierEdit) {
  Scene scene = two_bodies();
  SceneEdit edit = scene.begin_edit();
  edit.remove_triangle(0);
  scene.apply(edit);
  scene.add_body({.positions = points(3), .triangles = std::vector<Triangle>{{0, 1, 2}}});
  SceneEdit next = scene.begin_edit();
  next.remove_vertex(8);
  scene.apply(next);
  EXPECT_FALSE(scene.has_triangle(3));
  EXPECT_TRUE(scene.has_triangle(2));
}

/// The existing triangles as one body, whose contacts a detector of the edited scene must find.
Scene alive_part(const Scene& scene) {
  std::vector<Triangle> alive;
  std::copy_if(scene.triangles().begin(), scene.triangles().end(), std::back_inserter(alive),
               [](const Triangle& t) { return t != kRemovedTriangle; });
  Scene part;
  part.add_body({.positions = scene.positions(), .triangles = alive});
  return part;
}

TEST(SceneEdit, DetectorsFindTheContactsOfTheEditedScene) {
  // A static floor of squares and a strip above it that falls; edits tear and thin out both.
  std::vector<Vec3> grid(25);
  for (std::size_t i = 0; i < 25; ++i) {
    const std::size_t row = i / 5;
    grid[i] = {static_cast<double>(i % 5), static_cast<double>(row), 0.1 * static_cast<double>(i % 3)};
  }
  std::vector<Triangle> cells;
  for (VertexId row = 0; row < 4; ++row) {
    for (VertexId column = 0; column < 4; ++column) {
      const VertexId v = 5 * row + column;
      cells.push_back({v, v + 1, v + 5});
      cells.push_back({v + 6, v + 5, v + 1});
    }
  }
  std::vector<Vec3> above = grid;
  for (Vec3& p : above) p = {1.05 * p.x + 0.3, p.y - 0.2, 2.0 - p.z};
  Scene scene;
  scene.add_body({.positions = grid, .triangles = cells, .motion = Motion::Static});
  scene.add_body({.positions = above, .triangles = cells});
  for (const Method method : research::all_methods()) {
    Detector detector(scene, {.method = method});
    std::vector<Vec3> x_t0(scene.positions().begin(), scene.positions().end());
    for (int round = 0; round < 3; ++round) {
      SceneEdit edit = detector.begin_edit();
      if (round == 0) {
        edit.tear_edge(5, 6);
        edit.remove_vertex(42);
        edit.split_body(1, std::vector<std::vector<TriangleId>>{{32, 33, 34}, {62, 63}});
      } else if (round == 1) {
        const std::vector<Vec3> tent = {{1, 1, 1}, {3, 1, 1}, {2, 3, 1.5}};
        edit.add_body({.positions = tent, .triangles = std::vector<Triangle>{{0, 1, 2}}});
        edit.split_edge(12, 13, {2.5, 2, 0.3});
      } else {
        edit.remove_body(0);
      }
      x_t0 = edit.carry(x_t0);
      detector.apply(edit);
      const Scene& now = detector.scene();
      std::vector<Vec3> x_t1 = x_t0;
      for (VertexId v = 0; v < x_t1.size(); ++v) {
        if (!now.has_vertex(v) || now.motion(now.body_of(v)) == Motion::Static) continue;
        x_t1[v].z -= 1.5 + 0.01 * (v % 7);
      }
      Detector expected(alive_part(now), {.method = Method::Brute});
      const Impacts answer = expected.impacts(x_t0, x_t1);
      std::vector<Vec3> nan_t0 = x_t0;
      for (VertexId v = 0; v < x_t1.size(); ++v) {
        if (!now.has_vertex(v)) nan_t0[v] = x_t1[v] = {kNan, -kNan, std::numeric_limits<double>::infinity()};
      }
      const Impacts found = detector.impacts(nan_t0, x_t1);
      EXPECT_GT(answer.impacts.size(), 5U);
      EXPECT_EQ(found.hash(), answer.hash()) << name_of(method) << ", round " << round;
      EXPECT_EQ(found.toi_hash(), answer.toi_hash()) << name_of(method) << ", round " << round;
      EXPECT_EQ(Detector(now, {.method = method}).impacts(nan_t0, x_t1).hash(), answer.hash());
      EXPECT_EQ(detector.validate(), "");
    }
  }
}

TEST(SceneEdit, StaticBodiesStayStaticInTheirNewVertices) {
  Scene scene;
  scene.add_body({.positions = points(3), .triangles = std::vector<Triangle>{{0, 1, 2}, {0, 2, 1}}});
  scene.add_body({.positions = points(3), .triangles = std::vector<Triangle>{{0, 1, 2}}, .motion = Motion::Static});
  Detector detector(scene);
  SceneEdit edit = detector.begin_edit();
  edit.add_vertex(1, {5, 5, 5});
  edit.split_body(0, std::vector<std::vector<TriangleId>>{{1}});
  const std::vector<Vec3> x = edit.carry(scene.positions());
  detector.apply(edit);
  const auto message = [&](VertexId v, const Vec3& p) {
    std::vector<Vec3> moved = x;
    moved[v] = p;
    try {
      static_cast<void>(detector.impacts(x, moved));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(6, {5, 6, 5}), "body 1 is static, but its scene vertex 6 moves: y from 5 to 6");
  EXPECT_EQ(message(3, {5, 0, 0}), "body 1 is static, but its vertex 0 (scene vertex 3) moves: x from 0 to 5");
  EXPECT_EQ(message(7, {5, 6, 5}), "");
  EXPECT_EQ(message(7, {kNan, 6, 5}), "x_t1: vertex 7 (body 2): x is nan, not a finite number");
}

}  // namespace
}  // namespace graze
