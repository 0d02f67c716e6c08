// Stress scenes of disconnected triangles and of one triangle that is too large (scenes/stress.hpp). Sizes and
// positions scale with the number of triangles, so that each triangle has about as many contacts at any size. Cost:
// linear in triangles times frames.
#include "scenes/stress.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "scenes/random.hpp"
#include "scenes/shapes/build.hpp"

namespace graze::scenes {
namespace {

Vec3 random_point(Random& random, double half) {
  const double x = random.uniform(-half, half);
  const double y = random.uniform(-half, half);
  const double z = random.uniform(-half, half);
  return {x, y, z};
}

// Disconnected triangles with the vertices 3 i, 3 i + 1 and 3 i + 2.
std::vector<Triangle> disconnected_triangles(std::size_t count) {
  std::vector<Triangle> triangles;
  for (std::size_t i = 0; i < count; ++i) {
    const auto a = static_cast<VertexId>(3 * i);
    triangles.push_back({a, a + 1, a + 2});
  }
  return triangles;
}

// Fills the frames between two sets of positions, in equal steps.
void fill_frames(Animation& animation, const std::vector<Vec3>& start, const std::vector<Vec3>& end,
                 std::size_t frames) {
  for (std::size_t frame = 0; frame < frames; ++frame) {
    const double s = static_cast<double>(frame) / static_cast<double>(frames - 1);
    std::vector<Vec3> positions;
    positions.reserve(start.size());
    // In this form, static vertices keep their position to the last bit.
    for (std::size_t i = 0; i < start.size(); ++i) positions.push_back(start[i] + s * (end[i] - start[i]));
    animation.frames.push_back(std::move(positions));
  }
}

// Side of a cube whose volume is at most 1 / count of a unit cube; in integers, since cbrt differs between
// platforms.
double share_of_cube(std::size_t count) {
  std::size_t side = 1;
  while (side * side * side < count) ++side;
  return 1.0 / static_cast<double>(side);
}

}  // namespace

Animation one_cell(const StressOptions& options) {
  Animation animation;
  animation.name = "one-cell";
  const std::size_t small = std::max<std::size_t>(1, options.triangles);
  append_body(animation, 3 * small, disconnected_triangles(small), Motion::Deforming);
  append_body(animation, 6, disconnected_triangles(2), Motion::Static);

  constexpr double kHalf = 0.01;  // half side of the cube
  Random random(options.seed);
  const double size = 1.4 * kHalf * share_of_cube(small);
  std::vector<Vec3> start;
  std::vector<Vec3> end;
  for (std::size_t i = 0; i < small; ++i) {
    const Vec3 middle = random_point(random, kHalf);
    const Vec3 drift = random_point(random, size);
    for (int k = 0; k < 3; ++k) {
      start.push_back(middle + random_point(random, size));
      end.push_back(start.back() + drift + random_point(random, 0.1 * size));
    }
  }
  for (const double side : {-1.0, 1.0}) {
    for (const Vec3& p : {Vec3{1e3, -1e3, -1e3}, Vec3{1e3, 1e3, -1e3}, Vec3{1e3, 0.0, 1e3}}) {
      start.push_back(side * p);
      end.push_back(side * p);
    }
  }
  fill_frames(animation, start, end, options.frames);
  return animation;
}

Animation giant_triangle(const StressOptions& options) {
  const std::size_t side =
      shaping::to_count(std::sqrt(0.5 * static_cast<double>(std::max<std::size_t>(3, options.triangles)))) + 1;
  const Shape sheet = make_grid(side);
  Animation animation;
  animation.name = "giant-triangle";
  append_body(animation, sheet.positions.size(), sheet.triangles, Motion::Deforming);
  append_body(animation, 3, disconnected_triangles(1), Motion::Rigid);

  Random random(options.seed);
  const double phase = random.uniform(0.0, 1.0);
  const double slant_x = random.uniform(0.2, 0.4);
  const double slant_y = random.uniform(-0.4, -0.2);
  std::vector<Vec3> start;
  std::vector<Vec3> end;
  for (const Vec3& p : sheet.positions) {
    const double wave = 0.05 * sin_turns(1.7 * p.x + phase) * sin_turns(1.3 * p.y);
    start.push_back({p.x, p.y, wave});
    end.push_back({p.x, p.y, -wave});
  }
  // A plane z = height + slant . (x, y) that sinks through the middle of the sheet.
  for (const Vec3& p : {Vec3{-100.0, -80.0, 0.0}, Vec3{120.0, -90.0, 0.0}, Vec3{5.0, 150.0, 0.0}}) {
    const double z = slant_x * p.x + slant_y * p.y;
    start.push_back({p.x, p.y, z + 0.6});
    end.push_back({p.x, p.y, z - 0.6});
  }
  fill_frames(animation, start, end, options.frames);
  return animation;
}

Animation needle_field(const StressOptions& options) {
  Animation animation;
  animation.name = "needle-field";
  const std::size_t count = std::max<std::size_t>(2, options.triangles);
  append_body(animation, 3 * count, disconnected_triangles(count), Motion::Deforming);

  constexpr double kWidth = 1e-3;
  Random random(options.seed);
  // A needle of length 1 that moves a little sweeps a thin strip: each touches a few others if the side of the cube
  // grows with the cube root of the number of needles.
  const double half = 0.35 / share_of_cube(count);
  std::vector<Vec3> start;
  std::vector<Vec3> end;
  for (std::size_t i = 0; i < count; ++i) {
    Vec3 along = random_point(random, 1.0);
    while (dot(along, along) < 0.01 || dot(along, along) > 1.0) along = random_point(random, 1.0);
    along = (0.5 / shaping::norm(along)) * along;
    const Vec3 middle = random_point(random, half);
    const Vec3 across = random_point(random, kWidth);
    const Vec3 move = random_point(random, 0.2);
    for (const Vec3& p : {middle - along, middle + along, middle + along + across}) {
      start.push_back(p);
      end.push_back(p + move);
    }
  }
  fill_frames(animation, start, end, options.frames);
  return animation;
}

}  // namespace graze::scenes
