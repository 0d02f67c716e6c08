// Positions for queries between edits (support/edit_positions.hpp).
#include "support/edit_positions.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "oracle/random.hpp"

namespace graze::testing {

namespace {

using oracle::Random;

enum class Mood : std::uint8_t { Calm, Jitter, Wind, Jump, Scramble, Snap, Collapse, Tiny };

/// Violent moods only for small scenes, which keeps the number of contacts small.
Mood mood_of(Random random, std::size_t triangles) {
  constexpr std::array kMoods = {Mood::Calm, Mood::Calm, Mood::Jitter, Mood::Jitter,   Mood::Wind, Mood::Wind,
                                 Mood::Jump, Mood::Jump, Mood::Tiny,   Mood::Scramble, Mood::Snap, Mood::Collapse};
  const Mood mood = kMoods[random.below(kMoods.size())];
  if (triangles > 1000) return mood == Mood::Wind || mood == Mood::Jump ? mood : Mood::Calm;
  if (mood == Mood::Collapse && triangles > 12) return Mood::Calm;
  if (mood == Mood::Scramble && triangles > 30) return Mood::Jitter;
  if (mood == Mood::Snap && triangles > 40) return Mood::Jump;
  return mood;
}

Vec3 any(Random& random, double scale) {
  const double x = random.symmetric();
  const double y = random.symmetric();
  return {scale * x, scale * y, scale * random.symmetric()};
}

Vec3 sum(const Vec3& a, const Vec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

/// Winds a point around the z axis, so that a sheet overlaps itself without turning over.
Vec3 wound(const Vec3& p, double turns) {
  const double radius = std::sqrt(p.x * p.x + p.y * p.y);
  const double angle = turns * std::atan2(p.y, p.x);
  return {radius * std::cos(angle), radius * std::sin(angle), p.z + 0.02 * angle};
}

Vec3 placed(Mood mood, const Vec3& base, const Vec3& centre, Random& vertex) {
  switch (mood) {
    case Mood::Calm:
      return sum(base, {0.1 * centre.x, 0.1 * centre.y, 0.1 * centre.z});
    case Mood::Jitter:
      return sum(base, any(vertex, 0.05));
    case Mood::Wind:
      return wound(base, 1.0 + 1.5 * std::abs(centre.x));
    case Mood::Jump:
      return sum(sum(base, centre), any(vertex, 0.01));
    case Mood::Scramble:
      return any(vertex, 1.0);
    case Mood::Snap:
      return {0.5 * std::round(2.0 * base.x), 0.5 * std::round(2.0 * base.y), 0.5 * std::round(2.0 * base.z)};
    case Mood::Collapse:
      return {1.0, 2.0, 3.0};
    case Mood::Tiny: {
      const Vec3 p = sum(base, any(vertex, 0.05));
      return {0x1p-200 * p.x, 0x1p-200 * p.y, 0x1p-200 * p.z};
    }
  }
  return base;
}

}  // namespace

std::size_t existing_triangles(const Scene& scene) {
  std::size_t count = 0;
  for (TriangleId t = 0; t < scene.triangle_count(); ++t) count += scene.has_triangle(t) ? 1U : 0U;
  return count;
}

EditStep edit_step(const Scene& scene, std::uint64_t seed, std::uint32_t round, std::uint32_t which) {
  const std::uint64_t moment = 16U * std::uint64_t{round} + which;
  // Static bodies keep their positions for some rounds, then get others.
  const std::uint64_t still_moment = 1'000'000U + round / 5;
  const std::size_t triangles = existing_triangles(scene);
  const Mood mood = mood_of(Random(seed + 100, moment), triangles);
  const Mood still_mood = mood_of(Random(seed + 100, still_moment), 100);
  // Coinciding torn edges need exact arithmetic: only where there are few.
  const double apart = triangles > 30 ? 0.004 : 0.0;
  const double nowhere = std::array{std::numeric_limits<double>::quiet_NaN(), 1e300,
                                    -std::numeric_limits<double>::infinity()}[moment % 3];
  EditStep step;
  for (VertexId v = 0; v < scene.vertex_count(); ++v) {
    const BodyId body = scene.body_of(v);
    if (body == kNoBody) {
      step.x_t0.push_back({nowhere, 0.0, nowhere});
      step.x_t1.push_back({0.0, nowhere, 0.0});
      continue;
    }
    const bool is_static = scene.motion(body) == Motion::Static;
    const std::uint64_t time = is_static ? still_moment : moment;
    Random of_body(seed + 200 + body, time);
    const Vec3 centre = any(of_body, 1.0);
    Random of_vertex(seed + 1'000'000 + v, time);
    const Vec3 base = sum(scene.positions()[v], any(of_vertex, apart));
    const Vec3 start = placed(is_static ? still_mood : mood, base, centre, of_vertex);
    step.x_t0.push_back(start);
    const double scale = mood == Mood::Tiny ? 0x1p-200 : 1.0;
    const bool together = mood == Mood::Calm || mood == Mood::Wind || mood == Mood::Snap;
    Vec3 displacement = together ? any(of_body, triangles > 1000 ? 0.01 : 0.1)
                                 : any(of_vertex, mood == Mood::Scramble ? 1.0
                                                  : triangles > 1000     ? 0.02
                                                                         : 0.08);
    if (mood == Mood::Snap)
      displacement = {std::round(12.0 * displacement.x), std::round(12.0 * displacement.y),
                      std::round(12.0 * displacement.z)};
    if (mood == Mood::Wind && which % 2 == 1) displacement = sum(displacement, any(of_vertex, 0.02));
    displacement = {scale * displacement.x, scale * displacement.y, scale * displacement.z};
    step.x_t1.push_back(is_static ? start : sum(start, displacement));
  }
  return step;
}

}  // namespace graze::testing
