// The cloth in closed form. Along u it is a strip with pleats that keeps its edge lengths within a few per cent:
//
//             ___________________
//   turn 2 (_____________        \___  tail      three layers that close on each other at the turns, by a
//     ____________________) turn 1    \____      wave along v that opens and closes them
//
// The strip lies over the height field of the ridges at a distance given in edge lengths: negative where a second
// slow wave is lowest, and larger between the ridges, where the cloth hangs. Cost: linear in vertices times frames.
#include "scenes/drifting_cloth.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "scenes/random.hpp"
#include "scenes/shapes.hpp"

namespace graze::scenes {
namespace {

constexpr double kRidgeHeight = 0.08;  // the cloth has width 2
constexpr double kGround = 1.3;        // half side of the ridges
constexpr double kTau = 6.283185307179586;
constexpr double kDrift = 0.2;           // edge lengths per frame
constexpr double kMaxDriftRadius = 0.2;  // largest radius of the circle of drift
constexpr double kWavePeriod = 192.0;    // frames
constexpr double kJitter = 0.03;         // edge lengths
constexpr double kQuiver = 0.5;          // amplitude of soft ridges, in edge lengths
constexpr std::size_t kTurnEdges = 3;    // half a turn in three edges lifts the strip by two edge lengths
constexpr std::size_t kTailEdges = 6;

double smooth_step(double x) {
  const double t = std::clamp(x, 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

/// Profile with one ridge per unit of t: 1 on the top of a ridge, 0 between ridges.
double ridge(double t) {
  const double half = 0.5 + 0.5 * cos_turns(t);
  return half * half;
}

/// Height of the ground: 0 between ridges, 1 on the top of every ridge.
double ground(double x, double y) {
  return 1.0 - (1.0 - ridge(0.9 * x + 0.2 * y + 0.1)) * (1.0 - ridge(0.3 * x - 1.1 * y + 0.3));
}

/// A vertex of the strip along u; lengths are in edge lengths.
struct StripPoint {
  double x = 0.0;
  double z = 0.0;
  double closing = 0.0;  ///< weight of the wave that closes the pleats, in [0, 1]
};

class Strip {
 public:
  explicit Strip(std::size_t vertices) {
    points_.reserve(vertices);
    points_.push_back({});
    const std::size_t edges = vertices - 1;
    const std::size_t layer = std::clamp<std::size_t>(edges / 40, 5, 40);
    const std::size_t pleat = 2 * kTurnEdges + 2 * layer + 2 + kTailEdges;
    const std::size_t pleats = std::min<std::size_t>(6, edges / (pleat + 8));
    const std::size_t flat = (edges - pleats * pleat) / (pleats + 1);
    for (std::size_t i = 0; i < pleats; ++i) {
      go(flat, 1.0, 0.0, 0.0);
      turn(1.0);
      go(layer, -1.0, -2.0, 1.0);
      turn(-1.0);
      go(layer + 2, 1.0, 0.0, 0.0);
      go(kTailEdges, 1.0, -2.0, -1.0);
    }
    go(vertices - points_.size(), 1.0, 0.0, 0.0);
    const double middle = 0.5 * points_.back().x;
    for (StripPoint& point : points_) point.x -= middle;
  }

  [[nodiscard]] const StripPoint& operator[](std::size_t i) const { return points_[i]; }

 private:
  /// Appends a straight run over which height and closing change by `rise` and `closing`.
  void go(std::size_t edges, double direction, double rise, double closing) {
    const StripPoint start = points_.back();
    for (std::size_t i = 1; i <= edges; ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(edges);
      const double smooth = smooth_step(share);
      points_.push_back({start.x + direction * static_cast<double>(i), start.z + rise * smooth,
                         start.closing + closing * smooth});
    }
  }

  /// Appends half a turn upwards, starting in the given direction.
  void turn(double direction) {
    for (std::size_t i = 0; i < kTurnEdges; ++i) {
      const double turns = (static_cast<double>(i) + 0.5) / (2.0 * kTurnEdges);
      StripPoint point = points_.back();
      point.x += direction * cos_turns(turns);
      point.z += sin_turns(turns);
      points_.push_back(point);
    }
  }

  std::vector<StripPoint> points_;
};

/// Random values drawn from the seed.
struct Draw {
  explicit Draw(Random& random)
      : drift(random.uniform(0.0, 1.0)), press(random.uniform(0.0, 1.0)), close(random.uniform(0.0, 1.0)) {}
  double drift;  ///< start of the drift on its circle, in turns
  double press;  ///< phase of the wave that presses the cloth on the ridges
  double close;  ///< phase of the wave that closes the pleats
};

/// Strength of the gust in a frame, in [0, 1]: ten calm frames, then ten with a gust.
double gust(std::size_t frame) {
  const auto phase = static_cast<double>(frame % 20);
  return phase < 10.0 ? 0.0 : 0.5 - 0.5 * cos_turns((phase - 9.5) / 10.0);
}

}  // namespace

double gusty_time(std::size_t frame) {
  double time = 0.0;
  for (std::size_t i = 0; i < frame; ++i) time += 1.0 + 14.0 * gust(i);
  return time;
}

Animation drifting_cloth(const DriftingClothOptions& options) {
  Shape ridges = make_grid(std::max<std::size_t>(2, options.size * 58 / 100));
  for (Vec3& p : ridges.positions) {
    p = {kGround * p.x, kGround * p.y, kRidgeHeight * ground(kGround * p.x, kGround * p.y)};
  }
  const Shape cloth = make_grid(options.size);
  const Strip strip(options.size);
  const double edge = 2.0 / static_cast<double>(options.size - 1);

  Animation animation;
  animation.name = options.gusts ? "windy-cloth" : options.soft ? "jelly-cloth" : "drifting-cloth";
  append_body(animation, ridges.positions.size(), ridges.triangles,
              options.soft ? Motion::Deforming : Motion::Static);
  append_body(animation, cloth.positions.size(), cloth.triangles, Motion::Deforming);

  Random random(options.seed);
  const Draw draw(random);
  std::vector<Vec3> jitter;
  jitter.reserve(cloth.positions.size());
  for (std::size_t i = 0; i < cloth.positions.size(); ++i) {
    const double x = random.uniform(-kJitter, kJitter);
    const double y = random.uniform(-kJitter, kJitter);
    const double z = random.uniform(-kJitter, kJitter);
    jitter.push_back({edge * x, edge * y, edge * z});
  }

  const double radius = std::min(24.0 * edge, kMaxDriftRadius);
  for (std::size_t frame = 0; frame < options.frames; ++frame) {
    const double time = options.gusts ? gusty_time(frame) : static_cast<double>(frame);
    const double lift = options.gusts ? gust(frame) : 0.0;
    const double angle = draw.drift + kDrift * edge / (kTau * radius) * time;
    const double drift_x = radius * (cos_turns(angle) - cos_turns(draw.drift));
    const double drift_y = radius * (sin_turns(angle) - sin_turns(draw.drift));
    const double beat = time / kWavePeriod;
    const double quiver = options.soft ? kQuiver * edge : 0.0;
    const auto quivered = [quiver, beat](double x, double y) {
      return quiver * sin_turns(0.8 * x - 0.5 * y + 2.0 * beat);
    };

    std::vector<Vec3> positions = ridges.positions;
    for (Vec3& p : positions) p.z += quivered(p.x, p.y);
    positions.reserve(ridges.positions.size() + cloth.positions.size());
    for (std::size_t i = 0; i < cloth.positions.size(); ++i) {
      const Vec3& flat = cloth.positions[i];
      const StripPoint& along = strip[i % options.size];
      const double x = edge * along.x + drift_x + jitter[i].x;
      const double y = flat.y + drift_y + jitter[i].y;
      const double below = ground(x, y);
      const double press = sin_turns(1.7 * flat.x + 0.9 * flat.y + draw.press + beat);
      const double close = sin_turns(2.3 * flat.y + draw.close + beat);
      const double apart = 0.55 + 0.65 * press + along.z - 0.2 * close * along.closing +
                           lift * (1.0 + sin_turns(1.1 * flat.x - 1.9 * flat.y));
      const double hanging = 0.4 * (1.0 - below) * (1.0 - below);
      const double height = kRidgeHeight * (below + hanging) + quivered(x, y);
      positions.push_back({x, y, height + edge * apart + jitter[i].z});
    }
    animation.frames.push_back(std::move(positions));
  }
  return animation;
}

}  // namespace graze::scenes
