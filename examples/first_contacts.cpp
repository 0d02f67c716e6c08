// A small cloth falls onto a larger one: all contacts of the step, the time of the first one, and a safe step after
// which nothing intersects. Exits with 1 if an answer is wrong.
#include <graze/graze.hpp>

#include <cstdio>
#include <vector>

namespace {

// An n-by-n sheet of squares, two triangles each, at height z.
void add_sheet(graze::Scene& scene, std::vector<graze::Vec3>& x, std::uint32_t n, double size, double z) {
  std::vector<graze::Vec3> positions;
  std::vector<graze::Triangle> triangles;
  for (std::uint32_t i = 0; i <= n; ++i) {
    for (std::uint32_t j = 0; j <= n; ++j)
      positions.push_back({size * i / n - size / 2, size * j / n - size / 2, z});
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      const std::uint32_t a = i * (n + 1) + j;
      triangles.push_back({a, a + 1, a + n + 2});
      triangles.push_back({a, a + n + 2, a + n + 1});
    }
  }
  scene.add_body({.positions = positions, .triangles = triangles});
  x.insert(x.end(), positions.begin(), positions.end());
}

}  // namespace

int main() {
  graze::Scene scene;
  std::vector<graze::Vec3> x_t0;
  add_sheet(scene, x_t0, 4, 4.0, 0.0);
  add_sheet(scene, x_t0, 3, 1.0, 1.0);

  // The second body falls by 2 and passes through the first half-way.
  std::vector<graze::Vec3> x_t1 = x_t0;
  const auto falling = scene.vertices(1);
  for (graze::VertexId v = falling.first; v < falling.last; ++v) x_t1[v].z -= 2.0;

  graze::Detector detector(scene);
  const graze::Impacts result = detector.impacts(x_t0, x_t1);
  const double step = detector.first_impact(x_t0, x_t1).toi;
  std::printf("%llu vertex-face and %llu edge-edge contacts, first at %.9f\n",
              static_cast<unsigned long long>(result.vf_count()),
              static_cast<unsigned long long>(result.ee_count()), step);
  if (result.impacts.empty() || step > 0.5 || step < 0.5 - 1e-6) return 1;

  // The safe step stops before the contact; a second one gets closer still.
  graze::SafeStep safe = detector.safe_step(x_t0, x_t1);
  safe = detector.safe_step(safe.positions, x_t1);
  const double height = safe.positions[falling.first].z;
  if (!(height > 0.0 && height < 0.2)) return 1;
  return detector.intersections(safe.positions).edge_face.empty() ? 0 : 1;
}
