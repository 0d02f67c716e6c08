// Soups and stress scenes: soups share no vertices, rigid motion is rigid, every scene has the contacts it is made
// for, and all methods find the same ones.
#include <gtest/gtest.h>

#include <graze/research.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/catalogue.hpp"
#include "scenes/shape_checks.hpp"
#include "scenes/shapes/soups.hpp"

namespace graze::scenes {
namespace {

constexpr std::array<std::string_view, 5> kTumbling = {"car-body", "headlight", "lock", "torus", "sphere"};
constexpr std::array<std::string_view, 4> kStress = {"one-cell", "giant-triangle", "needle-field",
                                                     "crumpled-sheet"};

double distance(const Vec3& a, const Vec3& b) {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

std::size_t intersections_between_bodies(const Animation& animation, std::size_t frame) {
  const Scene scene = make_scene(animation);
  std::size_t count = 0;
  for (const Intersection& hit : Detector(scene).intersections(animation.frames[frame]).edge_face) {
    if (scene.body_of(hit.edge[0]) != scene.body_of(hit.face[0])) ++count;
  }
  return count;
}

TEST(Soups, AreOfAnySizeAndInManyPieces) {
  for (const auto make : {make_car_body, make_headlight, make_lock, make_torus_soup, make_sphere_soup}) {
    for (const std::size_t triangles : {1500U, 20000U}) {
      const Shape soup = make(triangles, 1);
      expect_sound(soup);
      expect_size(soup, triangles);
      EXPECT_GT(papers::connected_components(soup.triangles, soup.positions.size()).count, 5U);
      EXPECT_GT(papers::boundary_edges(build_topology(soup.triangles, soup.positions.size())).size(), 50U);
      EXPECT_EQ(fingerprint(make(triangles, 1)), fingerprint(soup));
    }
    EXPECT_NE(fingerprint(make(1500, 2)), fingerprint(make(1500, 1)));
  }
}

TEST(Soups, OfPartsHaveDuplicatesAndTrianglesFacingEitherWay) {
  for (const auto make : {make_car_body, make_headlight, make_lock}) {
    const Shape soup = make(10000, 1);
    const Topology topology = build_topology(soup.triangles, soup.positions.size());
    std::size_t duplicates = 0;
    for (std::size_t face = 0; face < topology.face_triangles.size(); ++face) {
      if (topology.face_triangles.length(face) > 1) ++duplicates;
    }
    EXPECT_GT(duplicates, 10U);
    EXPECT_GT(papers::nonmanifold_edges(topology).size(), 10U);
    std::set<std::array<VertexId, 2>> directed;
    std::size_t against = 0;
    for (const Triangle& t : soup.triangles) {
      for (std::size_t k = 0; k < 3; ++k) against += directed.insert({t[k], t[(k + 1) % 3]}).second ? 0U : 1U;
    }
    EXPECT_GT(against, 500U);
  }
}

TEST(Soups, TumbleRigidlyFromApartThroughEachOther) {
  for (const std::string_view name : kTumbling) {
    SCOPED_TRACE(name);
    const Animation animation = make_animation(name, {.size = 2400, .frames = 5});
    ASSERT_EQ(animation.bodies.size(), 2U);
    EXPECT_EQ(animation.name, name);
    for (const BodyRange& body : animation.bodies) {
      EXPECT_EQ(body.motion, Motion::Rigid);
      for (std::size_t i = body.first_vertex + 7; i < body.last_vertex; i += 97) {
        const double before = distance(animation.frames[0][body.first_vertex], animation.frames[0][i]);
        const double after = distance(animation.frames[3][body.first_vertex], animation.frames[3][i]);
        ASSERT_NEAR(before, after, 1e-7);
      }
    }
    EXPECT_EQ(intersections_between_bodies(animation, 0), 0U);
    EXPECT_GT(intersections_between_bodies(animation, 2), 50U);
    EXPECT_EQ(intersections_between_bodies(animation, 4), 0U);
  }
}

TEST(StressScenes, HaveContactsAndTheSameOnesByAllMethods) {
  std::vector<std::string_view> names(kTumbling.begin(), kTumbling.end());
  names.insert(names.end(), kStress.begin(), kStress.end());
  for (const std::string_view name : names) {
    SCOPED_TRACE(name);
    const Animation animation = make_animation(name, {.size = 400, .frames = 12, .seed = 3});
    const Scene scene = make_scene(animation);
    std::size_t contacts = 0;
    for (const std::size_t step : {5U, 10U}) {
      const Impacts expected = Detector(scene).impacts(animation.frames[step], animation.frames[step + 1]);
      contacts += expected.impacts.size();
      for (const Method method : research::all_methods()) {
        // All pairs of the largest soups would take longer than all other tests together.
        if (method == Method::Brute && animation.triangles.size() > 450) continue;
        const Impacts found =
            Detector(scene, {.method = method}).impacts(animation.frames[step], animation.frames[step + 1]);
        EXPECT_EQ(found.hash(), expected.hash()) << name_of(method);
        EXPECT_EQ(found.toi_hash(), expected.toi_hash()) << name_of(method);
      }
    }
    EXPECT_GT(contacts, 10U);
  }
}

TEST(StressScenes, OneCellIsAThousandthOfTheScene) {
  const Animation animation = make_animation("one-cell", {.size = 500, .frames = 2});
  ASSERT_EQ(animation.triangles.size(), 502U);
  for (const auto& frame : animation.frames) {
    for (std::size_t i = 0; i < 1500; ++i) {
      EXPECT_LT(std::max({std::abs(frame[i].x), std::abs(frame[i].y), std::abs(frame[i].z)}), 0.03);
    }
    for (std::size_t i = 1500; i < frame.size(); ++i) EXPECT_GE(std::abs(frame[i].x), 1000.0);
  }
}

TEST(StressScenes, GiantTriangleCutsTheSheetInTheMiddle) {
  const Animation animation = make_animation("giant-triangle", {.size = 2000, .frames = 3});
  EXPECT_GT(intersections_between_bodies(animation, 1), 40U);
}

TEST(StressScenes, NeedlesAreHundredsOfTimesAsLongAsWide) {
  const Animation animation = make_animation("needle-field", {.size = 300, .frames = 2});
  const std::vector<Vec3>& frame = animation.frames[0];
  for (std::size_t i = 0; i < frame.size(); i += 3) {
    EXPECT_NEAR(distance(frame[i], frame[i + 1]), 1.0, 1e-9);
    EXPECT_LT(distance(frame[i + 1], frame[i + 2]), 0.002);
  }
}

TEST(StressScenes, SheetIsFlatAtFirstAndCrumpledAtLast) {
  const Animation animation = make_animation("crumpled-sheet", {.size = 5000, .frames = 5});
  Detector detector(make_scene(animation));
  for (const Vec3& p : animation.frames[0]) EXPECT_NEAR(p.z, 0.0, 1e-12);
  EXPECT_TRUE(detector.intersections(animation.frames[0]).edge_face.empty());
  // Layers come closer than an edge of the flat sheet, while non-incident features of the flat sheet are farther
  // apart.
  EXPECT_GT(detector.proximities(animation.frames[4], 0.01).proximities.size(),
            10 * detector.proximities(animation.frames[0], 0.01).proximities.size() + 1000);
}

TEST(StressScenes, EveryBitIsTheSameEverywhere) {
  EXPECT_EQ(fingerprint(make_car_body(2000, 1)), 0x2EC7D248FFA51CE2U);
  EXPECT_EQ(fingerprint(make_headlight(2000, 1)), 0x6F3C48BE2F8E11C9U);
  EXPECT_EQ(fingerprint(make_lock(2000, 1)), 0x23A9C306BD47F5DCU);
  EXPECT_EQ(fingerprint(make_torus_soup(800, 1)), 0xC0D885F7F6C19578U);
  EXPECT_EQ(fingerprint(make_sphere_soup(800, 1)), 0xC6385FF92B1068FFU);
  const auto middle_frame = [](std::string_view name) {
    const Animation animation = make_animation(name, {.size = 1200, .frames = 3, .seed = 1});
    return fingerprint(animation.frames[1], animation.triangles);
  };
  EXPECT_EQ(middle_frame("one-cell"), 0xF4E68883EE4E85D1U);
  EXPECT_EQ(middle_frame("giant-triangle"), 0x0DEBC37C50484CD2U);
  EXPECT_EQ(middle_frame("needle-field"), 0xAE9CF627CE1A415AU);
  EXPECT_EQ(middle_frame("crumpled-sheet"), 0xFCBC7AE837855159U);
  EXPECT_EQ(middle_frame("lock"), 0xB782B361E089B3C4U);
}

}  // namespace
}  // namespace graze::scenes
