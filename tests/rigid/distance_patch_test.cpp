// Contact patches: groups against a search over all pairs of contacts, and what normal and depth promise, in
// rational arithmetic.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <graze/error.hpp>
#include <graze/rigid_distance.hpp>

#include "geometry/vec.hpp"
#include "oracle/exact.hpp"
#include "rigid/rigid_oracle.hpp"

namespace graze::testing {

using namespace core;
using namespace geometry;
namespace {

using oracle::Rational;
using oracle::to_rational;

RigidObject object_of(const Soup& soup) {
  return {soup.positions, soup.triangles, {.threads = 1}};
}

bool share_vertex(const Triangle& t, const Triangle& s) {
  return std::any_of(t.begin(), t.end(), [&](VertexId v) { return std::find(s.begin(), s.end(), v) != s.end(); });
}

/// The patch of each contact, by repeated comparison of all pairs.
std::vector<std::size_t> patches_twin(const RigidObject& a, const RigidObject& b, const RigidContacts& contacts) {
  const auto& all = contacts.contacts;
  std::vector<std::size_t> label(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) label[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (label[i] == label[j]) continue;
        if (!share_vertex(a.triangles()[all[i].pair.a], a.triangles()[all[j].pair.a]) ||
            !share_vertex(b.triangles()[all[i].pair.b], b.triangles()[all[j].pair.b]))
          continue;
        label[i] = label[j] = std::min(label[i], label[j]);
        changed = true;
      }
    }
  }
  return label;
}

Rational along(const Vec3& n, const Vec3& p) {
  return to_rational(n.x) * to_rational(p.x) + to_rational(n.y) * to_rational(p.y) +
         to_rational(n.z) * to_rational(p.z);
}

void check(const Soup& soup_a, const Soup& soup_b, const PosePair& poses, std::size_t& total) {
  const RigidObject a = object_of(soup_a);
  const RigidObject b = object_of(soup_b);
  const RigidContacts contacts = Collider(a, b).contacts(poses.a, poses.b);
  const std::vector<ContactPatch> patches = contact_patches({&a, poses.a}, {&b, poses.b}, contacts);
  total += patches.size();
  const std::vector<std::size_t> labels = patches_twin(a, b, contacts);
  std::size_t members = 0;
  std::size_t last_first = 0;
  for (const ContactPatch& patch : patches) {
    ASSERT_FALSE(patch.contacts.empty());
    EXPECT_TRUE(members == 0 || patch.contacts.front() > last_first);
    last_first = patch.contacts.front();
    members += patch.contacts.size();
    for (const std::uint32_t i : patch.contacts) EXPECT_EQ(labels[i], labels[patch.contacts.front()]);
    EXPECT_EQ(static_cast<std::size_t>(std::count(labels.begin(), labels.end(), labels[patch.contacts.front()])),
              patch.contacts.size());
    if (patch.normal == Vec3{}) {
      EXPECT_EQ(patch.depth, 0.0);
      continue;
    }
    EXPECT_NEAR(length(patch.normal), 1.0, 1e-15);
    // After the move every corner of b is beyond every corner of a along the normal.
    const Rational moved = to_rational(patch.depth) * along(patch.normal, patch.normal);
    for (const std::uint32_t i : patch.contacts) {
      for (const std::uint32_t j : patch.contacts) {
        for (const Vec3& p : posed_triangle(soup_a, poses.a, contacts.contacts[i].pair.a)) {
          for (const Vec3& q : posed_triangle(soup_b, poses.b, contacts.contacts[j].pair.b))
            ASSERT_LE(along(patch.normal, p), along(patch.normal, q) + moved);
        }
      }
      if (patch.contacts.size() > 12) break;  // all pairs of a large patch take long
    }
  }
  EXPECT_EQ(members, contacts.contacts.size());
}

TEST(RigidPatches, GroupsAreConnectedAndDepthsSeparate) {
  Random random = seeded(1231);
  std::vector<Soup> shapes = solids(60);
  shapes.push_back(unit_cube());
  shapes.push_back(random_soup(random, 20, 0.6));
  std::size_t total = 0;
  for (const Soup& a : shapes) {
    for (const Soup& b : shapes) {
      for (int round = 0; round < (kIsSlow ? 1 : 3); ++round)
        check(a, b, near_poses(a, b, 0.3 + 0.5 * random.unit(), 5.0 * random_vec(random), random), total);
    }
    check(a, a, {}, total);
  }
  EXPECT_GT(total, 20U);
}

TEST(RigidPatches, ACubeThatSinksIntoAFloorHasOnePatchWithItsDepth) {
  const RigidObject cube = object_of(unit_cube());
  Soup floor{"floor", {{-9, -9, 0}, {9, -9, 0}, {9, 9, 0}, {-9, 9, 0}}, {{0, 1, 2}, {0, 2, 3}}};
  const RigidObject ground = object_of(floor);
  Collider collider(ground, cube);
  for (const double depth : {0.25, 0.0625, 0.0}) {
    const Pose pose{.translation = {0.125, 0.25, -depth}};
    const auto patches = contact_patches({&ground, {}}, {&cube, pose}, collider.contacts({}, pose));
    ASSERT_EQ(patches.size(), 1U);
    EXPECT_GT(patches[0].normal.z, 0.5) << depth;
    EXPECT_NEAR(patches[0].centre.x, 0.625, 0.3);
    EXPECT_NEAR(patches[0].centre.z, 0.0, 1e-12);
    if (depth > 0.0) {
      // The sides of the cube are vertical, so the normal is the floor's, and the depth the cube's.
      EXPECT_NEAR(patches[0].normal.z, 1.0, 1e-12);
      EXPECT_NEAR(patches[0].depth, depth, 1e-12);
    }
  }
}

TEST(RigidPatches, TwoLegsAreTwoPatches) {
  Soup legs = unit_cube();
  const Soup other = moved(unit_cube(), {3.0, 0.0, 0.0});
  for (const Triangle& t : other.triangles) legs.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
  legs.positions.insert(legs.positions.end(), other.positions.begin(), other.positions.end());
  Soup floor{"floor", {{-9, -9, 0}, {9, -9, 0}, {9, 9, 0}, {-9, 9, 0}}, {{0, 1, 2}, {0, 2, 3}}};
  const RigidObject a = object_of(floor);
  const RigidObject b = object_of(legs);
  const Pose pose{.translation = {0.0, 0.0, -0.5}};
  Collider collider(a, b);
  EXPECT_EQ(contact_patches({&a, {}}, {&b, pose}, collider.contacts({}, pose)).size(), 2U);
  EXPECT_TRUE(contact_patches({&a, {}}, {&b, pose}, {}).empty());
}

TEST(RigidPatches, BadInputIsRefused) {
  const RigidObject cube = object_of(unit_cube());
  RigidContacts contacts;
  contacts.contacts.push_back({.pair = {12, 0}});
  EXPECT_THROW((void)contact_patches({&cube, {}}, {&cube, {}}, contacts), InputError);
  EXPECT_THROW((void)contact_patches({nullptr, {}}, {&cube, {}}, {}), InputError);
  Pose bad;
  bad.rotation[0].x = 2.0;
  EXPECT_THROW((void)contact_patches({&cube, bad}, {&cube, {}}, {}), InputError);
}

}  // namespace
}  // namespace graze::testing
