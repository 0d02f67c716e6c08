// A user's program: a triangle falls, tip first, on another; exits with 0 if graze finds that one impact, at t =
// 0.5.
#include <cstdio>
#include <vector>

#include <graze/graze.hpp>

int main() {
  const std::vector<graze::Vec3> floor = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  const std::vector<graze::Vec3> tip = {{1, 1, 1}, {1, 1.5, 3}, {1.5, 1, 3}};
  const std::vector<graze::Triangle> one = {{0, 1, 2}};
  graze::Scene scene;
  scene.add_body({.positions = floor, .triangles = one, .motion = graze::Motion::Static});
  const graze::BodyId falling = scene.add_body({.positions = tip, .triangles = one});

  const std::vector<graze::Vec3> start(scene.positions().begin(), scene.positions().end());
  std::vector<graze::Vec3> end = start;
  for (graze::VertexId v = scene.vertices(falling).first; v < scene.vertices(falling).last; ++v) end[v].z -= 2.0;

  graze::Detector detector(scene);
  const graze::Impacts result = detector.impacts(start, end);
  const graze::FirstImpact first = detector.first_impact(start, end);
  std::printf("graze %s: %zu impact, toi %.9g\n", graze::version().data(), result.impacts.size(), first.toi);
  const bool right = result.vf_count() == 1 && result.ee_count() == 0 && first.toi <= 0.5 && first.toi > 0.499;
  return right ? 0 : 1;
}
