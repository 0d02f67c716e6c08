// Poses and objects of the tumbling protocol (scenes/tumble.hpp). Sine and cosine are normalised to length one
// within a bit or two: sin_turns is accurate to 1e-9 only, and a rotation should not scale by that much.
#include "scenes/tumble.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <system_error>

#include <graze/error.hpp>

#include "scenes/shapes/solids.hpp"
#include "scenes/shapes/soups.hpp"
#include "scenes/shapes/surfaces.hpp"

namespace graze::scenes {
namespace {

constexpr std::size_t kUsualTriangles = 50'000;

struct Entry {
  std::string_view name;
  Shape (*make)(std::size_t triangles);
};

constexpr Entry kShapes[] = {
    {"car-body", [](std::size_t n) { return make_car_body(n); }},
    {"headlight", [](std::size_t n) { return make_headlight(n); }},
    {"lock", [](std::size_t n) { return make_lock(n); }},
    {"torus", [](std::size_t n) { return make_torus(1.0, 0.4, n); }},
    {"torus-soup", [](std::size_t n) { return make_torus_soup(n); }},
    {"sphere", [](std::size_t n) { return make_capsule(1.0, 0.0, n); }},
    {"sphere-soup", [](std::size_t n) { return make_sphere_soup(n); }},
    {"scan", [](std::size_t n) { return make_scan(n); }},
};

}  // namespace

Shape scaled_to_cube(Shape shape) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Vec3 low{kInfinity, kInfinity, kInfinity};
  Vec3 high{-kInfinity, -kInfinity, -kInfinity};
  for (const Triangle& triangle : shape.triangles) {
    for (const VertexId v : triangle) {
      const Vec3& p = shape.positions[v];
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
  }
  if (shape.triangles.empty()) return shape;
  // Halve first: the difference of two large doubles may overflow.
  const Vec3 middle{0.5 * low.x + 0.5 * high.x, 0.5 * low.y + 0.5 * high.y, 0.5 * low.z + 0.5 * high.z};
  const double half =
      std::max({0.5 * high.x - 0.5 * low.x, 0.5 * high.y - 0.5 * low.y, 0.5 * high.z - 0.5 * low.z});
  const double divisor = half > 0.0 ? half : 1.0;
  for (Vec3& p : shape.positions) {
    p = {(p.x - middle.x) / divisor, (p.y - middle.y) / divisor, (p.z - middle.z) / divisor};
  }
  return shape;
}

PosePair tumble_pose(double distance, std::size_t k, std::size_t steps) {
  const double turns = static_cast<double>(k) / static_cast<double>(steps);
  const double rough_c = cos_turns(turns);
  const double rough_s = sin_turns(turns);
  const double norm = std::sqrt(rough_c * rough_c + rough_s * rough_s);
  const double c = rough_c / norm;
  const double s = rough_s / norm;
  // The product Rz Rx.
  PosePair pair;
  pair.b.rotation = {Vec3{c, -s * c, s * s}, Vec3{s, c * c, -c * s}, Vec3{0.0, s, c}};
  pair.b.translation = {distance, 0.0, 0.0};
  return pair;
}

std::vector<PosePair> tumble(double distance, std::size_t steps) {
  std::vector<PosePair> poses;
  poses.reserve(steps);
  for (std::size_t k = 0; k < steps; ++k) poses.push_back(tumble_pose(distance, k, steps));
  return poses;
}

Shape tumble_shape(std::string_view name, std::size_t triangles) {
  const std::string_view whole = name;
  if (const std::size_t colon = name.find(':'); colon != std::string_view::npos) {
    const std::string_view count = name.substr(colon + 1);
    const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), triangles);
    if (error != std::errc() || end != count.data() + count.size() || triangles == 0) {
      throw InputError("object '" + std::string(whole) + "': '" + std::string(count) +
                       "' is no number of triangles");
    }
    name = name.substr(0, colon);
  }
  std::string known;
  for (const Entry& entry : kShapes) {
    if (entry.name == name) return scaled_to_cube(entry.make(triangles == 0 ? kUsualTriangles : triangles));
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw InputError("object '" + std::string(whole) + "' is unknown; there are: " + known);
}

}  // namespace graze::scenes
