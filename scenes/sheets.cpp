// The lower sheet is static; the upper one falls from z = 1/2 to z = -1/2 through it. Cost: linear in vertices
// times frames.
#include "scenes/sheets.hpp"

#include "scenes/random.hpp"
#include "scenes/shapes.hpp"

namespace graze::scenes {

Animation crossing_sheets(const SheetsOptions& options) {
  const Shape grid = make_grid(options.size);
  Animation animation;
  animation.name = "crossing-sheets";
  append_body(animation, grid.positions.size(), grid.triangles, Motion::Static);
  append_body(animation, grid.positions.size(), grid.triangles, Motion::Deforming);

  Random random(options.seed);
  std::vector<Vec3> rest;
  rest.reserve(2 * grid.positions.size());
  for (int sheet = 0; sheet < 2; ++sheet) {
    for (const Vec3& p : grid.positions) {
      const double dx = random.uniform(-options.unevenness, options.unevenness);
      const double dy = random.uniform(-options.unevenness, options.unevenness);
      const double dz = random.uniform(-options.unevenness, options.unevenness);
      rest.push_back({p.x + dx, p.y + dy, dz});
    }
  }
  for (std::size_t frame = 0; frame < options.frames; ++frame) {
    const double s = static_cast<double>(frame) / static_cast<double>(options.frames - 1);
    std::vector<Vec3> positions = rest;
    for (std::size_t i = grid.positions.size(); i < positions.size(); ++i) positions[i].z += 0.5 - s;
    animation.frames.push_back(std::move(positions));
  }
  return animation;
}

}  // namespace graze::scenes
