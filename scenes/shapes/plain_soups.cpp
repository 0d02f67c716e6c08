// Torus and sphere as polygon soups: the closed mesh, cut along the seams of random patches. Cost: linear in
// triangles.
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <utility>

#include "scenes/random.hpp"
#include "scenes/shapes/build.hpp"
#include "scenes/shapes/solids.hpp"
#include "scenes/shapes/soups.hpp"

namespace graze::scenes {
namespace {

// Assigns each triangle to the nearest of a few random points, its patch; patches share no vertex.
Shape cut_apart(const Shape& whole, std::uint64_t seed) {
  constexpr std::uint32_t kPatches = 12;
  Random random(seed);
  std::vector<Vec3> seats(kPatches);
  for (Vec3& seat : seats) {
    seat.x = random.uniform(-1.0, 1.0);
    seat.y = random.uniform(-1.0, 1.0);
    seat.z = random.uniform(-1.0, 1.0);
  }
  Shape soup;
  std::unordered_map<std::uint64_t, VertexId> ids;  // for each (patch, vertex); used for look-up only
  for (const Triangle& t : whole.triangles) {
    const Vec3 middle = whole.positions[t[0]] + whole.positions[t[1]] + whole.positions[t[2]];
    std::uint64_t patch = 0;
    double nearest = std::numeric_limits<double>::max();
    for (std::uint64_t i = 0; i < kPatches; ++i) {
      const Vec3 away = (1.0 / 3.0) * middle - seats[i];
      if (dot(away, away) < nearest) {
        nearest = dot(away, away);
        patch = i;
      }
    }
    Triangle cut{};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [at, is_new] = ids.try_emplace(patch << 32U | t[k], static_cast<VertexId>(soup.positions.size()));
      // Moved slightly towards the patch's point, so that the seams are open instead of touching everywhere.
      if (is_new) soup.positions.push_back(whole.positions[t[k]] + 1e-4 * (seats[patch] - whole.positions[t[k]]));
      cut[k] = at->second;
    }
    soup.triangles.push_back(cut);
  }
  return soup;
}

}  // namespace

Shape make_torus_soup(std::size_t triangles, std::uint64_t seed) {
  return cut_apart(make_torus(1.0, 0.4, triangles), seed);
}

Shape make_sphere_soup(std::size_t triangles, std::uint64_t seed) {
  return cut_apart(make_capsule(1.0, 0.0, triangles), seed);
}

}  // namespace graze::scenes
