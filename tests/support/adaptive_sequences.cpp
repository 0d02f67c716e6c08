// Implementation of Story, which builds a sequence of steps, and the scenes that several sequences use.
#include "support/adaptive_sequences.hpp"

#include <cmath>
#include <map>
#include <utility>

#include "oracle/random.hpp"
#include "support/random_edits.hpp"

namespace graze::testing {

Story::Story(const Scene& scene, double scale) : x_(scene.positions().begin(), scene.positions().end()) {
  sequence_.scene = scene;
  sequence_.scale = scale;
}

void Story::go(const Move& move) {
  const Scene& scene = sequence_.scene;
  SequenceStep step{.x_t0 = x_, .x_t1 = {}};
  for (VertexId v = 0; v < x_.size(); ++v) {
    const BodyId body = scene.body_of(v);
    if (scene.motion(body) != Motion::Static) x_[v] = move(x_[v], v, body);
  }
  step.x_t1 = x_;
  sequence_.steps.push_back(std::move(step));
}

void Story::put(const Move& move) {
  for (VertexId v = 0; v < x_.size(); ++v) x_[v] = move(x_[v], v, sequence_.scene.body_of(v));
}

std::span<const SequenceEntry> adaptive_sequences() {
  static const std::vector<SequenceEntry> all = [] {
    std::vector<SequenceEntry> both(motion_sequences().begin(), motion_sequences().end());
    both.insert(both.end(), odd_sequences().begin(), odd_sequences().end());
    return both;
  }();
  return all;
}

const Sequence& sequence_named(std::string_view name) {
  static std::map<std::string_view, Sequence> made;
  for (const SequenceEntry& entry : adaptive_sequences()) {
    if (entry.name == name && !made.contains(name)) made[name] = entry.make();
  }
  return made.at(name);
}

Scene three_triangles(double apart) {
  const std::vector<Triangle> one = {{0, 1, 2}};
  Scene scene;
  for (int i = 0; i < 3; ++i) {
    const double z = i * apart;
    const std::vector<Vec3> points = {
        {-1.0 + 0.1 * i, -1.1, z}, {1.2, -1.0 - 0.1 * i, z + 0.1}, {0.1 * i, 1.3, z - 0.1}};
    scene.add_body({.positions = points, .triangles = one, .motion = i == 1 ? Motion::Rigid : Motion::Deforming});
  }
  return scene;
}

Scene wavy_sheets(double gap, bool with_static, Motion motion, std::uint32_t side) {
  Scene scene;
  for (int i = 0; i < (with_static ? 3 : 2); ++i) {
    const double height = i == 1 ? gap : i == 2 ? -gap : 0.0;
    Patch patch = grid_patch(side, height);
    for (Vec3& p : patch.points) {
      p.x += 0.03 * i;
      p.y += 0.01 * i;
      p.z += 0.2 * gap * std::sin(5.0 * p.x + 3.0 * p.y + i);
    }
    scene.add_body(
        {.positions = patch.points, .triangles = patch.triangles, .motion = i == 2 ? Motion::Static : motion});
  }
  return scene;
}

double noise(std::uint64_t a, std::uint64_t b) {
  return oracle::Random(a, b).symmetric();
}

Vec3 noise3(std::uint64_t a, std::uint64_t b, double scale) {
  oracle::Random random(a, b);
  const double x = random.symmetric();
  const double y = random.symmetric();
  return {scale * x, scale * y, scale * random.symmetric()};
}

}  // namespace graze::testing
