// Several bodies, one of them static, and impacts streamed in batches, as in a simulator's inner loop.
#include <cstddef>
#include <cstdio>
#include <span>
#include <vector>

#include <graze/graze.hpp>

int main() {
  using graze::Triangle;
  using graze::Vec3;

  // A floor, and two kites above it that fall through it while one passes through the other.
  const std::vector<Vec3> floor = {{-4, -4, 0}, {4, -4, 0}, {4, 4, 0}, {-4, 4, 0}};
  const std::vector<Triangle> quad = {{0, 1, 2}, {0, 2, 3}};
  const std::vector<Vec3> kite = {{0, 0, 1}, {1, 0.5, 2}, {0, 1, 3}};
  const std::vector<Triangle> one = {{0, 1, 2}};

  graze::Scene scene;
  const graze::BodyId ground =
      scene.add_body({.positions = floor, .triangles = quad, .motion = graze::Motion::Static});
  const graze::BodyId left = scene.add_body({.positions = kite, .triangles = one});
  scene.add_body({.positions = kite, .triangles = one});
  scene.ignore_pair(ground, left);  // the first kite may pass through the floor

  std::vector<Vec3> x_t0(scene.positions().begin(), scene.positions().end());
  std::vector<Vec3> x_t1 = x_t0;
  for (std::size_t v = 7; v < 10; ++v) x_t0[v].x += 0.25;  // the second kite starts beside the first
  for (std::size_t v = 4; v < 10; ++v) x_t1[v].z -= 2.0;

  std::size_t on_floor = 0;
  std::size_t other = 0;
  graze::Detector detector(scene);
  (void)detector.impacts(x_t0, x_t1, [&](std::span<const graze::Impact> some) {
    for (const graze::Impact& impact : some) {
      const graze::BodyId a = scene.body_of(impact.pair.vertices[0]);
      const graze::BodyId b = scene.body_of(impact.pair.vertices[2]);
      ++((a == ground || b == ground) ? on_floor : other);
    }
    return true;
  });
  std::printf("%zu impacts with the floor, %zu between the kites\n", on_floor, other);

  // The tip of the second kite touches the floor, and so do its two edges, on the floor's diagonal.
  const bool as_expected = on_floor == 3 && other > 0;
  return as_expected ? 0 : 1;
}
