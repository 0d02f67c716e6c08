// Each copy rotates about a random axis by Rodrigues' formula; the second flies along x on a line slightly off the
// first one's centre, from one diameter before it to one after. Cost: linear in vertices times frames.
#include "scenes/rigid_soups.hpp"

#include <algorithm>
#include <cmath>

#include "scenes/random.hpp"
#include "scenes/shapes/build.hpp"

namespace graze::scenes {
namespace {

Vec3 turned(const Vec3& p, const Vec3& axis, double turns) {
  const double c = cos_turns(turns);
  return c * p + sin_turns(turns) * cross(axis, p) + ((1.0 - c) * dot(axis, p)) * axis;
}

}  // namespace

Animation tumbling_pair(const Shape& soup, const TumbleOptions& options) {
  double radius = 0.0;
  for (const Vec3& p : soup.positions) radius = std::max(radius, shaping::norm(p));

  Animation animation;
  animation.name = options.name;
  append_body(animation, soup.positions.size(), soup.triangles, Motion::Rigid);
  append_body(animation, soup.positions.size(), soup.triangles, Motion::Rigid);

  Random random(options.seed);
  const Vec3 axis_a = shaping::random_unit(random);
  const Vec3 axis_b = shaping::random_unit(random);
  const double off_y = random.uniform(-0.3, 0.3) * radius;
  const double off_z = random.uniform(-0.3, 0.3) * radius;
  for (std::size_t frame = 0; frame < options.frames; ++frame) {
    const double s = static_cast<double>(frame) / static_cast<double>(options.frames - 1);
    std::vector<Vec3> positions;
    positions.reserve(2 * soup.positions.size());
    for (const Vec3& p : soup.positions) positions.push_back(turned(p, axis_a, 0.25 * s));
    const Vec3 place{2.02 * radius * (2.0 * s - 1.0), off_y, off_z};
    for (const Vec3& p : soup.positions) positions.push_back(turned(p, axis_b, 0.1 + 0.5 * s) + place);
    animation.frames.push_back(std::move(positions));
  }
  return animation;
}

}  // namespace graze::scenes
