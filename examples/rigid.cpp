// Two rigid cubes: whether and where they intersect, along many poses at once, and when they first touch between
// two poses.
//
// The objects are built once and never change; poses come with every query. The cubes have sides of 2, so that
// copies whose centres are 2 apart touch face to face, which counts: answers are exact for the posed doubles.
#include <cmath>
#include <cstdio>
#include <vector>

#include <graze/graze.hpp>

namespace {

graze::RigidObject cube() {
  std::vector<graze::Vec3> corners;
  for (unsigned i = 0; i < 8; ++i)
    corners.push_back({(i & 1U) != 0 ? 1.0 : -1.0, (i & 2U) != 0 ? 1.0 : -1.0, (i & 4U) != 0 ? 1.0 : -1.0});
  const std::vector<graze::Triangle> sides = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                              {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return {corners, sides};
}

graze::Pose at(double x) {
  return {.translation = {x, 0.0, 0.0}};
}

}  // namespace

int main() {
  const graze::RigidObject a = cube();
  const graze::RigidObject b = cube();
  if (a.memory().bytes_per_node != 9) return 1;

  graze::Collider collider(a, b);
  const bool touch = collider.first_hit(at(0.0), at(2.0)).hit();
  const bool apart = !collider.first_hit(at(0.0), at(std::nextafter(2.0, 3.0))).hit();
  std::printf("2 apart: %s; one bit farther: %s\n", touch ? "they touch" : "nothing", apart ? "nothing" : "a hit");
  if (!touch || !apart) return 1;

  const graze::RigidContacts contacts = collider.contacts(at(0.0), at(2.0));
  std::size_t areas = 0;
  for (const graze::RigidContact& contact : contacts.contacts) {
    if (contact.shape == graze::ContactShape::Area) ++areas;
  }
  std::printf("%zu pairs of triangles intersect, %zu of them in an area\n", contacts.contacts.size(), areas);
  if (areas == 0) return 1;

  // A rotation about z in 100 poses, on all cores: the edges of the rotated cube extend farther than its sides.
  std::vector<graze::PosePair> poses;
  poses.reserve(100);
  for (int k = 0; k < 100; ++k)
    poses.push_back({at(0.0), graze::pose_from_axis_angle({0, 0, 1}, 0.02 * std::acos(-1.0) * k, {2.2, 0.0, 0.0})});
  std::size_t hits = 0;
  for (const graze::FirstHit& hit : graze::first_hits(a, b, poses)) hits += hit.hit() ? 1U : 0U;
  std::printf("%zu of 100 poses of a turn at distance 2.2 hit\n", hits);
  if (hits == 0 || hits == poses.size()) return 1;

  // From 5 apart towards the centre: it touches at 2, three fifths of the way.
  const graze::RigidImpact impact =
      collider.first_contact(graze::stationary(at(0.0)), {.start = at(5.0), .end = at(0.0)});
  std::printf("on its way from 5 to 0 it touches at t = %.6f\n", impact.toi);
  return impact.pair && impact.toi <= 0.6 && impact.toi > 0.5999 ? 0 : 1;
}
