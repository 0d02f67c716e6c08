// Paths of the motions, and the search for near misses. See the header.
#include "rigid_motion_cases.hpp"

#include <cmath>

#include "scenes/random.hpp"

namespace graze::benchmarks {
namespace {

Vec3 plus(const Vec3& a, double f, const Vec3& b) {
  return {a.x + f * b.x, a.y + f * b.y, a.z + f * b.z};
}
Vec3 unit(const Vec3& a) {
  const double size = std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
  return {a.x / size, a.y / size, a.z / size};
}
Vec3 product(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Vec3 random_direction(scenes::Random& random) {
  while (true) {
    const Vec3 d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const double square = d.x * d.x + d.y * d.y + d.z * d.z;
    if (square <= 1.0 && square > 1e-2) return unit(d);
  }
}

/// Normal of the floor, which passes through the origin.
const Vec3 kUp = unit({0.2, 0.3, 1.0});

/// A path whose distance from the partner grows with `offset`.
class Path {
 public:
  Path(const MotionKind& kind, std::uint64_t seed) : kind_(kind) {
    scenes::Random random(seed);
    along_ = random_direction(random);
    axis_ = random_direction(random);
    other_axis_ = random_direction(random);
    tilt_ = random.uniform(0.0, 2.0);
    side_ = unit(product(along_, random_direction(random)));
    if (kind.partner == MotionPartner::Floor) {
      side_ = kUp;
      along_ = unit(product(kUp, along_));
    }
  }

  [[nodiscard]] MotionCase at(double offset) const {
    MotionCase motion;
    Vec3 from = plus(plus({}, -2.8, along_), offset, side_);
    Vec3 to = plus(plus({}, 2.8, along_), offset, side_);
    if (kind_.partner == MotionPartner::Floor && kind_.clearance < 0.0) {
      from = plus(from, 3.0, kUp);
      to = plus(to, -0.5, kUp);
    }
    if (kind_.partner == MotionPartner::Room) {
      // From the middle of the room; the wall is 10 away.
      from = {};
      to = plus({}, kind_.clearance < 0.0 ? 18.0 : 12.0 - offset, along_);
    }
    const Pose tilt = pose_from_axis_angle(other_axis_, tilt_);
    motion.a.start = tilt;
    motion.a.start.translation = from;
    motion.a.end = compose(pose_from_axis_angle(axis_, kind_.turn), tilt);
    motion.a.end.translation = to;
    if (kind_.both) motion.b.end = pose_from_axis_angle(other_axis_, 1.0, {0.3, 0.2, -0.1});
    return motion;
  }

 private:
  MotionKind kind_;
  Vec3 along_;
  Vec3 side_;
  Vec3 axis_;
  Vec3 other_axis_;
  double tilt_ = 0.0;
};

bool sampled_hit(Collider& collider, const MotionCase& motion) {
  for (std::size_t i = 0; i < kSamples; ++i) {
    const double t = static_cast<double>(i) / (kSamples - 1);
    if (collider.first_hit(pose_at(motion.a, t), pose_at(motion.b, t)).hit()) return true;
  }
  return false;
}

}  // namespace

const std::vector<MotionKind>& motion_kinds() {
  static const std::vector<MotionKind> kinds{
      {.name = "hit", .turn = 2.0},
      {.name = "hit-slide", .turn = 0.0},
      {.name = "hit-both", .both = true, .turn = 1.0},
      {.name = "near", .clearance = 0.01, .turn = 2.0},
      {.name = "near-slide", .clearance = 0.01, .turn = 0.0},
      {.name = "near-both", .clearance = 0.01, .both = true, .turn = 1.0},
      {.name = "miss", .clearance = 0.2, .turn = 2.0},
      {.name = "floor-hit", .partner = MotionPartner::Floor, .turn = 1.0},
      {.name = "floor-near", .partner = MotionPartner::Floor, .clearance = 0.01, .turn = 1.0},
      {.name = "room-hit", .partner = MotionPartner::Room, .turn = 3.0},
      {.name = "room-miss", .partner = MotionPartner::Room, .clearance = 0.1, .turn = 3.0},
  };
  return kinds;
}

scenes::Shape partner_shape(MotionPartner partner, const scenes::Shape& object) {
  if (partner == MotionPartner::Copy) return object;
  if (partner == MotionPartner::Floor) {
    const Vec3 u = unit(product(kUp, {1, 0, 0}));
    const Vec3 v = product(kUp, u);
    const auto at = [&](double x, double y) { return plus(plus({}, x, u), y, v); };
    return {{at(-10, -10), at(10, -10), at(10, 10), at(-10, 10)}, {{0, 1, 2}, {0, 2, 3}}};
  }
  // A cube, turned so that no wall is aligned with an axis.
  const Pose turn = pose_from_axis_angle({1, 2, 3}, 0.7);
  scenes::Shape room;
  for (unsigned i = 0; i < 8; ++i) {
    room.positions.push_back(
        posed(turn, {(i & 1U) != 0 ? 10.0 : -10.0, (i & 2U) != 0 ? 10.0 : -10.0, (i & 4U) != 0 ? 10.0 : -10.0}));
  }
  room.triangles = {{0, 1, 3}, {0, 3, 2}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 3, 7}, {1, 7, 5}};
  return room;
}

std::vector<MotionCase> motion_cases(const MotionKind& kind, const RigidObject& object, const RigidObject& partner,
                                     std::size_t count) {
  Collider collider(object, partner);
  std::vector<MotionCase> motions;
  for (std::uint64_t seed = 0; motions.size() < count && seed < 20 * count; ++seed) {
    const Path path(kind, 1 + 1000 * seed);
    MotionCase motion = path.at(kind.clearance < 0.0 ? 0.2 : 4.0);
    if (kind.clearance >= 0.0) {
      double lo = 0.0;
      double hi = 4.0;
      if (sampled_hit(collider, motion)) continue;
      for (int i = 0; i < 16; ++i) {
        const double middle = 0.5 * (lo + hi);
        (sampled_hit(collider, path.at(middle)) ? lo : hi) = middle;
      }
      motion = path.at(hi + kind.clearance);
    }
    if (collider.first_hit(motion.a.start, motion.b.start).hit()) continue;
    if (kind.clearance < 0.0 && !sampled_hit(collider, motion)) continue;
    motions.push_back(motion);
  }
  return motions;
}

}  // namespace graze::benchmarks
