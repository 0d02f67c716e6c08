// A bin of parts: a box open at the top, and parts that fall into it one by one. A part that hits nothing on its
// way down by one step goes there; a part that hits something stays, and the next one comes.
//
// All parts are instances of one object, so the world keeps one mesh and one tree. The question of every step,
// "does the part hit anything where it wants to go?", is asked with a probe before the part moves, so that no part
// is ever in another one. At the end the program counts what is in the bin, and looks into it with rays.
#include <cstdio>
#include <vector>

#include <graze/graze.hpp>

namespace {

/// A box of 12 triangles; without its lid if `open`.
graze::RigidObject box(const graze::Vec3& half, bool open) {
  std::vector<graze::Vec3> corners;
  for (unsigned i = 0; i < 8; ++i)
    corners.push_back(
        {(i & 1U) != 0 ? half.x : -half.x, (i & 2U) != 0 ? half.y : -half.y, (i & 4U) != 0 ? half.z : -half.z});
  std::vector<graze::Triangle> sides = {{0, 2, 1}, {1, 2, 3}, {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                        {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}, {4, 5, 6}, {5, 7, 6}};
  if (open) sides.resize(10);
  return {corners, sides};
}

}  // namespace

int main() {
  constexpr std::uint32_t kWalls = 1;
  constexpr std::uint32_t kParts = 2;
  graze::RigidWorld world;
  const graze::RigidObject bin = box({2.0, 2.0, 2.0}, true);
  const graze::RigidObject part = box({0.5, 0.3, 0.2}, false);
  world.add(bin, {}, {.motion = graze::Motion::Static, .groups = kWalls});

  std::vector<graze::ObjectId> parts;
  std::size_t steps = 0;
  for (int k = 0; k < 60; ++k) {
    // Each part starts above the bin, at a place and angle of its own.
    const double x = 0.45 * (k % 7 - 3);
    const double y = 0.45 * (k * 3 % 7 - 3);
    graze::Pose pose = graze::pose_from_axis_angle({0.2 * (k % 3), 0.3, 1.0}, 0.7 * k, {x, y, 8.0 + k});
    const graze::ObjectId id = world.add(part, pose, {.groups = kParts});
    parts.push_back(id);
    for (; pose.translation.z > -3.0; ++steps) {
      graze::Pose next = pose;
      next.translation.z -= 0.05;
      const graze::WorldProbe probe{.object = &part, .pose = next, .groups = kParts, .instead_of = id};
      const bool blocked = world.first_hit(probe).hit();
      if (blocked) break;
      world.move(id, next);
      pose = next;
    }
  }

  const graze::WorldHits hits = world.hits();
  std::printf("%zu parts in the bin after %zu steps, %zu pairs of objects intersect\n", parts.size(), steps,
              hits.hits.size());
  if (!hits.hits.empty() || world.size() != 61) return 1;
  for (const graze::ObjectId id : parts) {
    if (world.pose(id).translation.z < -2.0) return 1;  // it fell through the floor
  }

  // Straight down on a raster: the heights of the heap. Rays look at parts only, not at the walls.
  std::vector<graze::Ray> rays;
  for (int i = -3; i <= 3; ++i) {
    for (int j = -3; j <= 3; ++j) rays.push_back({{0.5 * i, 0.5 * j, 100.0}, {0.0, 0.0, -1.0}});
  }
  std::size_t covered = 0;
  double highest = -2.0;
  for (const graze::RayFirstHit& hit : world.ray_first_hits(rays, {.groups_b = kParts})) {
    if (!hit.hit()) continue;
    ++covered;
    highest = 100.0 - hit.first->t > highest ? 100.0 - hit.first->t : highest;
  }
  std::printf("%zu of %zu rays from above hit a part, the highest at %.2f\n", covered, rays.size(), highest);
  if (covered == 0 || highest <= -2.0) return 1;

  // The last part is pushed a little into what stopped it: where do they touch?
  graze::Pose lower = world.pose(parts.back());
  lower.translation.z -= 0.05;
  world.move(parts.back(), lower);
  const graze::WorldContacts contacts = world.contacts(parts.back());
  std::printf("the last part, one step lower, shares %zu segments, points or areas with others\n",
              contacts.contacts.size());
  if (contacts.contacts.empty()) return 1;

  // Without the parts the bin is empty, and their ids stay invalid.
  for (const graze::ObjectId id : parts) world.remove(id);
  return world.size() == 1 && !world.has(parts.front()) ? 0 : 1;
}
