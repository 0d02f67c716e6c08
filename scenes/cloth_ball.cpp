// The drape in closed form. A cloth point at arc length rho from the centre lies on the ball up to the wrap angle;
// beyond it the cloth leaves along the tangent. Its circumference is then too long for its radius, so cloth folds:
// here a meander, radius + amplitude * cos(8 phi), shifted along the tangent by sin(16 phi). cos(n phi) comes from
// squaring the unit direction as a complex number, so no arc tangent is needed. Cost: linear in vertices times
// frames.
#include "scenes/cloth_ball.hpp"

#include <algorithm>
#include <cmath>

#include "scenes/random.hpp"
#include "scenes/shapes.hpp"

namespace graze::scenes {
namespace {

constexpr double kHalfSide = 2.3;     // half side of the cloth, in ball radii
constexpr double kWrapTurns = 0.265;  // angle from the pole to where the finished drape leaves the ball
constexpr double kTau = 6.283185307179586;

struct Complex {
  double re = 1.0;
  double im = 0.0;
};

Complex squared(Complex z) {
  return {z.re * z.re - z.im * z.im, 2.0 * z.re * z.im};
}

double smooth_step(double x) {
  const double t = std::clamp(x, 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

// Returns a point of the flat cloth (u, v in [-1, 1]) at progress s in [0, 1].
Vec3 draped(double u, double v, double s) {
  const double r = std::sqrt(u * u + v * v);
  const double rho = kHalfSide * r;
  const Complex direction = r > 0.0 ? Complex{u / r, v / r} : Complex{};
  const double radius =
      1.0 + 0.03 * (1.0 - s) * (1.0 - s) * (1.0 - s) - 0.012 * s;  // pressed into the ball at the end
  const double wrap = kWrapTurns * smooth_step(1.2 * s);
  const double rho_wrap = radius * kTau * wrap;

  const double theta = std::min(rho / (kTau * radius), wrap);
  const double beyond = std::max(rho - rho_wrap, 0.0);
  double outward = radius * sin_turns(theta) + beyond * cos_turns(wrap);
  const double fall = 0.6 * (1.0 - smooth_step(3.5 * s));
  const double height = radius * cos_turns(theta) - beyond * sin_turns(wrap) + fall;

  const double folded = smooth_step((s - 0.2) / 0.8) * smooth_step(beyond / 1.0);
  const Complex eight = squared(squared(squared(direction)));
  const Complex sixteen = squared(eight);
  outward += 0.35 * folded * eight.re;
  const double along = -0.30 * folded * sixteen.im;
  return {direction.re * outward - direction.im * along, direction.im * outward + direction.re * along, height};
}

}  // namespace

Animation cloth_ball(const ClothBallOptions& options) {
  const Shape cloth = make_grid(options.size);
  const Shape ball = make_sphere(std::max<std::size_t>(2, options.size / 4));

  Animation animation;
  animation.name = "cloth-ball";
  append_body(animation, cloth.positions.size(), cloth.triangles, Motion::Deforming);
  append_body(animation, ball.positions.size(), ball.triangles, Motion::Rigid);

  Random random(options.seed);
  const double jitter = 0.1 / static_cast<double>(options.size);
  std::vector<Vec3> noise;
  noise.reserve(cloth.positions.size());
  for (std::size_t i = 0; i < cloth.positions.size(); ++i) {
    const double x = random.uniform(-jitter, jitter);
    const double y = random.uniform(-jitter, jitter);
    const double z = random.uniform(-jitter, jitter);
    noise.push_back({x, y, z});
  }

  for (std::size_t frame = 0; frame < options.frames; ++frame) {
    const double s = static_cast<double>(frame) / static_cast<double>(options.frames - 1);
    std::vector<Vec3> positions;
    positions.reserve(cloth.positions.size() + ball.positions.size());
    for (std::size_t i = 0; i < cloth.positions.size(); ++i) {
      const Vec3 p = draped(cloth.positions[i].x, cloth.positions[i].y, s);
      positions.push_back({p.x + noise[i].x, p.y + noise[i].y, p.z + noise[i].z});
    }
    const double c = cos_turns(0.25 * s);
    const double d = sin_turns(0.25 * s);
    for (const Vec3& p : ball.positions) positions.push_back({c * p.x - d * p.y, d * p.x + c * p.y, p.z});
    animation.frames.push_back(std::move(positions));
  }
  return animation;
}

}  // namespace graze::scenes
