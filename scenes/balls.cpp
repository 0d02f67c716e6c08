// Each ball has a random radius, position and velocity. The box grows with the cube root of the number of balls, so
// that the share of balls in contact does not depend on it. Cost: linear in vertices times frames.
#include "scenes/balls.hpp"

#include "scenes/random.hpp"
#include "scenes/shapes.hpp"

namespace graze::scenes {

Animation flying_balls(const BallsOptions& options) {
  const Shape sphere = make_sphere(options.levels);
  Animation animation;
  animation.name = "flying-balls";

  // Side of the smallest cube of cells that holds all balls; in integers, because cbrt differs between platforms.
  std::size_t cells = 1;
  while (cells * cells * cells < options.count) ++cells;
  const double half = 1.2 * static_cast<double>(cells);

  struct Ball {
    double radius = 0.0;
    Vec3 start;
    Vec3 velocity;
  };
  Random random(options.seed);
  std::vector<Ball> balls(options.count);
  for (Ball& ball : balls) {
    ball.radius = random.uniform(0.5, 1.0);
    for (double* coordinate : {&ball.start.x, &ball.start.y, &ball.start.z})
      *coordinate = random.uniform(-half, half);
    for (double* coordinate : {&ball.velocity.x, &ball.velocity.y, &ball.velocity.z}) {
      *coordinate = random.uniform(-2.0, 2.0);
    }
    append_body(animation, sphere.positions.size(), sphere.triangles, Motion::Rigid);
  }
  for (std::size_t frame = 0; frame < options.frames; ++frame) {
    const double s = static_cast<double>(frame) / static_cast<double>(options.frames - 1);
    std::vector<Vec3> positions;
    positions.reserve(options.count * sphere.positions.size());
    for (const Ball& ball : balls) {
      for (const Vec3& p : sphere.positions) {
        positions.push_back({ball.start.x + s * ball.velocity.x + ball.radius * p.x,
                             ball.start.y + s * ball.velocity.y + ball.radius * p.y,
                             ball.start.z + s * ball.velocity.z + ball.radius * p.z});
      }
    }
    animation.frames.push_back(std::move(positions));
  }
  return animation;
}

}  // namespace graze::scenes
