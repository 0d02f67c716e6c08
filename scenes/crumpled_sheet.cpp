// A pleat compresses space along one direction and shears it along another by a wave of the first: (s, n) becomes
// (c s, n + a wave(s)). This map is one-to-one, so the smooth sheet never passes through itself, however many
// pleats follow each other; its layers only come closer by the factor c each time. The triangles are flat, so they
// do intersect in the end, where the folds are finer than the triangles. Cost: linear in vertices times pleats
// times frames.
#include "scenes/crumpled_sheet.hpp"

#include <cmath>
#include <vector>

#include "scenes/random.hpp"
#include "scenes/shapes/build.hpp"

namespace graze::scenes {
namespace {

struct Pleat {
  Vec3 along;
  Vec3 across;
  double waves = 1.0;  // waves per unit of length
  double phase = 0.0;
};

}  // namespace

Animation crumpled_sheet(const CrumpledOptions& options) {
  const std::size_t side = shaping::to_count(std::sqrt(0.5 * static_cast<double>(options.triangles))) + 1;
  const Shape sheet = make_grid(side);
  Animation animation;
  animation.name = "crumpled-sheet";
  append_body(animation, sheet.positions.size(), sheet.triangles, Motion::Deforming);

  Random random(options.seed);
  std::vector<Pleat> pleats;
  for (std::size_t i = 0; i < options.pleats; ++i) {
    Pleat pleat;
    // The first two pleats lie in the sheet and push it out of its plane; the others have random directions.
    pleat.along = shaping::random_unit(random);
    if (i < 2) {
      const double turns = 0.25 * static_cast<double>(i) + random.uniform(-0.06, 0.06);
      pleat.along = {cos_turns(turns), sin_turns(turns), 0.0};
    }
    Vec3 other = i < 2 ? Vec3{0.0, 0.0, 1.0} : shaping::random_unit(random);
    other = other - dot(other, pleat.along) * pleat.along;
    if (dot(other, other) < 1e-4) other = cross(pleat.along, {0.3, 0.5, 0.8});
    pleat.across = (1.0 / shaping::norm(other)) * other;
    pleat.waves = random.uniform(0.9, 1.5);
    pleat.phase = random.uniform(0.0, 1.0);
    pleats.push_back(pleat);
  }

  constexpr double kTau = 6.283185307179586;
  for (std::size_t frame = 0; frame < options.frames; ++frame) {
    const double s = static_cast<double>(frame) / static_cast<double>(options.frames - 1);
    // Shorter along the pleat, steeper across it.
    const double shortened = 1.0 - 0.35 * s;
    const double slope = 1.2 * s;
    std::vector<Vec3> positions;
    positions.reserve(sheet.positions.size());
    for (Vec3 p : sheet.positions) {
      for (const Pleat& pleat : pleats) {
        const double along = dot(p, pleat.along);
        const double wave = sin_turns(pleat.waves * along + pleat.phase) / (kTau * pleat.waves);
        p = p + ((shortened - 1.0) * along) * pleat.along + (slope * wave) * pleat.across;
      }
      positions.push_back(p);
    }
    animation.frames.push_back(std::move(positions));
  }
  return animation;
}

}  // namespace graze::scenes
