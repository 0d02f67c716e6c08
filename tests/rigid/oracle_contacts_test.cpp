// Contacts: the pairs of triangle_pairs, with points in both triangles at the ends of their intersection. Also the
// properties that an object reports.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <graze/elementary.hpp>
#include <graze/error.hpp>

#include "geometry/vec.hpp"
#include "rigid/rigid_oracle.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;
namespace {

double distance_to_triangle(const Vec3& p, const std::array<Vec3, 3>& t) {
  return distance_vertex_face({p, t[0], t[1], t[2]}).distance;
}
double distance_to_border(const Vec3& p, const std::array<Vec3, 3>& t) {
  return std::min({distance_edge_edge({p, p, t[0], t[1]}).distance, distance_edge_edge({p, p, t[1], t[2]}).distance,
                   distance_edge_edge({p, p, t[2], t[0]}).distance});
}
double largest(const std::array<Vec3, 3>& t) {
  return std::max({max_abs(t[0]), max_abs(t[1]), max_abs(t[2])});
}

/// "Within a few units in the last place of the largest coordinate" holds for each coordinate: twice that in
/// length.
constexpr double kRoundings = 8.0;

void expect_good(const RigidContact& contact, const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
  const double size = std::max(largest(a), largest(b));
  const double few = kRoundings * 0x1p-52 * size + 4.0 * std::numeric_limits<double>::denorm_min();
  for (const Vec3& end : {contact.p, contact.q}) {
    ASSERT_LE(distance_to_triangle(end, a), few);
    ASSERT_LE(distance_to_triangle(end, b), few);
    // An end of the intersection is on the boundary of one of the triangles.
    ASSERT_LE(std::min(distance_to_border(end, a), distance_to_border(end, b)), few);
  }
  if (contact.shape == ContactShape::Point) {
    ASSERT_EQ(contact.p, contact.q);
  }
}

TEST(RigidContacts, EndsLieInBothTriangles) {
  Random random = seeded(951);
  const std::vector<Soup> gallery = soup_gallery(random, kIsSlow ? 5 : 12);
  std::array<std::size_t, 3> shapes{};
  for (std::size_t i = 0; i < gallery.size(); ++i) {
    for (const std::size_t j : {i, (i + 3) % gallery.size()}) {
      const Soup& a = gallery[i];
      const Soup& b = gallery[j];
      const RigidObject object_a(a.positions, a.triangles);
      const RigidObject object_b(b.positions, b.triangles);
      Collider collider(object_a, object_b);
      Collider swapped(object_b, object_a);
      for (const double share : {-1.0, 0.0, 0.3}) {
        PosePair poses = near_poses(a, b, share, {}, random);
        if (share < 0.0) poses = {};
        const auto expected = intersecting_pairs(a, poses.a, b, poses.b);
        const RigidContacts contacts = collider.contacts(poses.a, poses.b);
        const RigidContacts others = swapped.contacts(poses.b, poses.a);
        ASSERT_EQ(contacts.contacts.size(), expected.size());
        ASSERT_EQ(others.contacts.size(), expected.size());
        for (std::size_t k = 0; k < expected.size(); ++k) {
          const RigidContact& contact = contacts.contacts[k];
          ASSERT_EQ(contact.pair, expected[k]);
          ++shapes[static_cast<std::size_t>(contact.shape)];
          expect_good(contact, posed_triangle(a, poses.a, contact.pair.a),
                      posed_triangle(b, poses.b, contact.pair.b));
          const auto other =
              std::find_if(others.contacts.begin(), others.contacts.end(), [&](const RigidContact& c) {
                return c.pair == TrianglePair{contact.pair.b, contact.pair.a};
              });
          ASSERT_NE(other, others.contacts.end());
          ASSERT_EQ(other->shape, contact.shape);
          ASSERT_EQ(other->p, contact.p);
          ASSERT_EQ(other->q, contact.q);
          if (HasFatalFailure()) {
            ADD_FAILURE() << a.name << " and " << b.name << ", pair " << contact.pair.a << " " << contact.pair.b
                          << " in " << described(poses.a) << " and " << described(poses.b);
            return;
          }
        }
      }
    }
  }
  for (const std::size_t count : shapes) EXPECT_GT(count, 20U);
}

TEST(RigidContacts, KnownShapesOfTwoCubes) {
  const Soup cube = unit_cube();
  const RigidObject object(cube.positions, cube.triangles);
  Collider collider(object, object);
  // Corner to corner: the intersection is a point.
  for (const RigidContact& contact : collider.contacts({}, {.translation = {1, 1, 1}}).contacts) {
    EXPECT_EQ(contact.shape, ContactShape::Point);
    EXPECT_EQ(contact.p, (Vec3{1, 1, 1}));
  }
  // Edge to edge: segments and points of the edge x = y = 1, and at least one is the whole edge.
  bool whole = false;
  for (const RigidContact& contact : collider.contacts({}, {.translation = {1, 1, 0}}).contacts) {
    EXPECT_NE(contact.shape, ContactShape::Area);
    EXPECT_EQ(contact.p.x, 1.0);
    EXPECT_EQ(contact.q.y, 1.0);
    whole = whole || (contact.p == Vec3{1, 1, 0} && contact.q == Vec3{1, 1, 1});
  }
  EXPECT_TRUE(whole);
  // Face to face: areas in the plane x = 1.
  std::size_t areas = 0;
  for (const RigidContact& contact : collider.contacts({}, {.translation = {1, 0, 0}}).contacts) {
    EXPECT_EQ(contact.p.x, 1.0);
    EXPECT_EQ(contact.q.x, 1.0);
    areas += contact.shape == ContactShape::Area ? 1U : 0U;
  }
  EXPECT_GE(areas, 2U);
}

TEST(RigidObjects, ABoxtreeIsNineBytesANodeAndValid) {
  Random random = seeded(961);
  for (const std::size_t count : {1U, 2U, 3U, 40U, 500U}) {
    for (const Soup& soup : soup_gallery(random, count)) {
      for (const BoxtreeSplit split : all_values<BoxtreeSplit>()) {
        const RigidObject object(soup.positions, soup.triangles, {.split = split, .threads = 1});
        const std::size_t n = soup.triangles.size();
        const RigidMemory memory = object.memory();
        EXPECT_EQ(memory.bytes_per_node, 9U);
        EXPECT_EQ(memory.nodes, n == 0 ? 0 : 2 * n - 1);
        EXPECT_LE(memory.tree_bytes, 9 * memory.nodes + 256) << soup.name << " of " << n;
        EXPECT_LE(memory.depth, n == 0 ? 0 : n - 1);
        EXPECT_LE(memory.depth, 120U) << soup.name << " of " << n;
        EXPECT_EQ(object.validate(), "") << soup.name << " of " << n << ", " << name_of(split);
      }
    }
  }
}

TEST(RigidObjects, EveryTreeIsValidOnEverySoup) {
  Random random = seeded(962);
  for (const int exponent : {-1060, 0, 1018}) {
    for (const Soup& base : soup_gallery(random, 20)) {
      const Soup soup = scaled(base, exponent);
      for (const Choice& choice : few_choices()) {
        if (choice.tree == RigidTree::Boxtree && choice.options.overlap != BoxOverlap::Sat) continue;
        const RigidObject object(soup.positions, soup.triangles, {.tree = choice.tree, .threads = 1});
        const std::size_t n = soup.triangles.size();
        EXPECT_EQ(object.memory().nodes, n == 0 ? 0 : 2 * n - 1) << described(choice);
        EXPECT_EQ(object.validate(), "") << soup.name << ", " << described(choice);
      }
    }
  }
}

TEST(RigidObjects, BadMeshesAreRefusedByName) {
  const std::vector<Vec3> good{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const std::vector<Triangle> triangle{{0, 1, 2}};
  for (const Choice& choice : few_choices()) {
    const RigidObjectOptions options{.tree = choice.tree};
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      std::vector<Vec3> positions = good;
      positions[1].y = bad;
      EXPECT_THROW(RigidObject(positions, triangle, options), InputError);
    }
    const std::vector<Triangle> beyond{{0, 1, 3}};
    EXPECT_THROW(RigidObject(good, beyond, options), InputError);
    EXPECT_THROW(RigidObject(std::span<const Vec3>{}, triangle, options), InputError);
    EXPECT_NO_THROW(RigidObject(good, std::span<const Triangle>{}, options));
    EXPECT_NO_THROW(RigidObject(std::span<const Vec3>{}, std::span<const Triangle>{}, options));
  }
}

}  // namespace
}  // namespace graze::testing
