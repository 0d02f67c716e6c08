// Edge lengths, placement and pieces for the setups of scenes (scenes/setup.hpp).
#include "scenes/setup.hpp"

#include <algorithm>
#include <cmath>

#include "scenes/sim/vector.hpp"

namespace graze::scenes {

using namespace sim;  // vector arithmetic

double mean_edge(const Shape& shape) {
  double sum = 0.0;
  for (const Triangle& t : shape.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      sum += length(shape.positions[t[(k + 1) % 3]] - shape.positions[t[k]]);
    }
  }
  return sum / (3.0 * static_cast<double>(std::max<std::size_t>(1, shape.triangles.size())));
}

Turn random_turn(Random& random) {
  Turn turn;
  turn.about_x = random.uniform(0.0, 1.0);
  turn.about_y = random.uniform(0.0, 1.0);
  turn.about_z = random.uniform(0.0, 1.0);
  return turn;
}

Shape placed_shape(const Shape& shape, double scale, const Turn& turn, const Vec3& move) {
  Shape result = shape;
  const double cx = cos_turns(turn.about_x);
  const double sx = sin_turns(turn.about_x);
  const double cy = cos_turns(turn.about_y);
  const double sy = sin_turns(turn.about_y);
  const double cz = cos_turns(turn.about_z);
  const double sz = sin_turns(turn.about_z);
  for (Vec3& p : result.positions) {
    p = scale * p;
    p = {p.x, cx * p.y - sx * p.z, sx * p.y + cx * p.z};
    p = {cy * p.x + sy * p.z, p.y, cy * p.z - sy * p.x};
    p = {cz * p.x - sz * p.y, sz * p.x + cz * p.y, p.z};
    p = p + move;
  }
  return result;
}

std::vector<std::uint32_t> make_pieces(const Shape& shape, std::size_t pieces, Random& random) {
  std::vector<Vec3> centres;
  for (const Triangle& t : shape.triangles) {
    centres.push_back((1.0 / 3.0) * (shape.positions[t[0]] + (shape.positions[t[1]] + shape.positions[t[2]])));
  }
  std::vector<Vec3> seeds;
  for (std::size_t k = 0; k < pieces; ++k) seeds.push_back(centres[random.next() % centres.size()]);
  std::vector<std::uint32_t> result;
  for (const Vec3& centre : centres) {
    std::uint32_t nearest = 0;
    double least = 1e300;
    for (std::uint32_t k = 0; k < seeds.size(); ++k) {
      const Vec3 between = seeds[k] - centre;
      const double distance = dot(between, between);
      if (distance < least) {
        least = distance;
        nearest = k;
      }
    }
    result.push_back(nearest);
  }
  return result;
}

}  // namespace graze::scenes
