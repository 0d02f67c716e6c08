// A thousand small scenes, one call per step: in each a tetrahedron falls on a floor from a different height.
//
// Each scene keeps a detector; the batch runs them in parallel on all cores and returns the answers in order, as
// single calls would. The tip of the k-th is at height k / 500 and falls by 1: it touches at t = k / 500, if that
// is at most 1.
#include <cmath>
#include <cstdio>
#include <vector>

#include <graze/graze.hpp>

namespace {

struct World {
  graze::Scene scene;
  std::vector<graze::Vec3> x_t0;
  std::vector<graze::Vec3> x_t1;
};

World falling_from(double height) {
  const std::vector<graze::Vec3> floor = {{-4, -4, 0}, {4, -4, 0}, {0, 4, 0}};
  const std::vector<graze::Vec3> body = {
      {0, 0, height}, {1, 0, height + 1}, {-1, 1, height + 1}, {-1, -1, height + 1}};
  World world;
  world.scene.add_body(
      {.positions = floor, .triangles = std::vector<graze::Triangle>{{0, 1, 2}}, .motion = graze::Motion::Static});
  world.scene.add_body(
      {.positions = body, .triangles = std::vector<graze::Triangle>{{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}}});
  world.x_t0 = world.x_t1 = floor;
  for (const graze::Vec3& p : body) {
    world.x_t0.push_back(p);
    world.x_t1.push_back({p.x, p.y, p.z - 1.0});
  }
  return world;
}

}  // namespace

int main() {
  std::vector<World> worlds;
  std::vector<graze::Detector> detectors;
  for (int k = 0; k < 1000; ++k) {
    worlds.push_back(falling_from(k / 500.0));
    detectors.emplace_back(worlds.back().scene);
  }
  std::vector<graze::DetectorStep> steps;
  for (std::size_t k = 0; k < worlds.size(); ++k) steps.push_back({&detectors[k], worlds[k].x_t0, worlds[k].x_t1});

  // The step that each scene may safely take.
  const std::vector<graze::FirstImpact> first = graze::first_impacts(steps);
  std::size_t touching = 0;
  for (std::size_t k = 0; k < first.size(); ++k) {
    const double exact = static_cast<double>(k) / 500.0;
    if (first[k].impact.has_value() != (k <= 500)) return 1;
    if (!first[k].impact) continue;
    ++touching;
    if (first[k].toi > exact || first[k].toi < exact - 1e-6) return 1;
  }
  std::printf("%zu of %zu worlds touch the floor in this step\n", touching, worlds.size());

  // The same without detectors: soups, for which no state is kept.
  std::vector<graze::SoupStep> soups;
  soups.reserve(worlds.size());
  for (const World& world : worlds) soups.push_back({world.scene.triangles(), world.x_t0, world.x_t1});
  const std::vector<graze::Impacts> all = graze::find_impacts(soups);
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (all[k].impacts.empty() != (k > 500)) return 1;
  }
  return 0;
}
