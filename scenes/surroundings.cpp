// See the header. The ground is the plane z = 0 before the tilt, a rotation with rational entries, rounded.
#include "scenes/surroundings.hpp"

#include <array>
#include <string>

#include <graze/error.hpp>

#include "scenes/shapes/build.hpp"
#include "scenes/shapes/solids.hpp"
#include "scenes/tumble.hpp"

namespace graze::scenes {
namespace {

constexpr std::array<std::string_view, 5> kNames{"floor", "ramp", "room", "stairs", "tenth"};

/// The rotation by the quaternion (1, 2, 3, 4) / sqrt(30).
Vec3 tilted(const Vec3& p) {
  return {(-20.0 * p.x + 4.0 * p.y + 22.0 * p.z) / 30.0, (20.0 * p.x - 10.0 * p.y + 20.0 * p.z) / 30.0,
          (10.0 * p.x + 28.0 * p.y + 4.0 * p.z) / 30.0};
}

Shape make_floor() {
  return {{{-10, -10, 0}, {10, -10, 0}, {10, 10, 0}, {-10, 10, 0}}, {{0, 1, 2}, {0, 2, 3}}};
}

/// A wedge under the plane z = 0, 20 long, whose lower side falls away by one in four.
Shape make_ramp() {
  Shape ramp;
  ramp.positions = {{-10, -5, 0}, {10, -5, 0}, {10, 5, 0}, {-10, 5, 0}, {10, -5, -5}, {10, 5, -5}};
  ramp.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 5, 4}, {0, 3, 5}, {1, 4, 5}, {1, 5, 2}, {0, 4, 1}, {3, 2, 5}};
  return ramp;
}

/// Long steps that descend from the middle, where the highest is the ground.
Shape make_stairs() {
  Shape stairs;
  for (int i = -10; i < 10; ++i) {
    const double x = i;
    const double z = i < 0 ? 0.25 * (i + 1) : -0.25 * i;
    const auto id = static_cast<VertexId>(stairs.positions.size());
    for (const Vec3& p : {Vec3{x, -10, z}, Vec3{x + 1, -10, z}, Vec3{x + 1, 10, z}, Vec3{x, 10, z}})
      stairs.positions.push_back(p);
    stairs.triangles.push_back({id, id + 1, id + 2});
    stairs.triangles.push_back({id, id + 2, id + 3});
  }
  return stairs;
}

}  // namespace

std::span<const std::string_view> surrounding_names() {
  return kNames;
}

Shape make_surrounding(std::string_view name, const Shape& object) {
  Shape shape;
  if (name == "floor") {
    shape = make_floor();
  } else if (name == "ramp") {
    shape = make_ramp();
  } else if (name == "room") {
    shape = make_room({10, 10, 10}, 12);
    shaping::transform(shape, [](const Vec3& p) { return Vec3{p.x, p.y, p.z + 10.0}; });
  } else if (name == "stairs") {
    shape = make_stairs();
  } else if (name == "tenth") {
    shape = object;
    shaping::transform(shape, [](const Vec3& p) { return 0.1 * p; });
    return shape;
  } else {
    throw InputError("surroundings '" + std::string(name) + "' are unknown");
  }
  shaping::transform(shape, tilted);
  return shape;
}

std::vector<PosePair> tumble_above(std::string_view name, double distance, std::size_t steps) {
  std::vector<PosePair> poses = tumble(distance, steps);
  if (name == "tenth") return poses;
  const Vec3 ground = tilted({3.0, 4.0, -distance});
  for (PosePair& pair : poses) {
    pair.a = pair.b;
    pair.a.translation = {};
    pair.b = {};
    pair.b.translation = ground;
  }
  return poses;
}

}  // namespace graze::scenes
