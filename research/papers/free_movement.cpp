// Monte Carlo and integrals of free movement (free_movement.hpp). From a random point of the unit cube, a path of
// length t along n is free iff |n_i| t fits on the side that it goes to, with probability 1 - |n_i| t for each i.
// So
//
//   P(length > t | n) = (1 - |n_0| t) (1 - |n_1| t) (1 - |n_2| t)   while all factors are >= 0, else 0,
//
// and the mean length is the integral over t, a polynomial. Directions are averaged over an octant, uniform in
// height and angle, by the midpoint rule. Tests are drawn in blocks with seeds of their own and summed up in the
// order of the blocks. Cost: linear in the tests.
#include "research/papers/free_movement.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/tasks.hpp"
#include "scenes/random.hpp"

namespace graze::papers {
namespace {

using Direction = std::array<double, 3>;
constexpr std::uint64_t kBlock = 8192;
constexpr int kMidpoints = 256;  // along each of the two parameters of an octant

/// A uniform direction, from a uniform point of the disc (Marsaglia 1972).
Direction random_direction(scenes::Random& random) {
  for (;;) {
    const double u = random.uniform(-1.0, 1.0);
    const double v = random.uniform(-1.0, 1.0);
    const double s = u * u + v * v;
    if (s >= 1.0) continue;
    const double root = 2.0 * std::sqrt(1.0 - s);
    return {u * root, v * root, 1.0 - 2.0 * s};
  }
}

double distance_to_wall(scenes::Random& random, double side, int dimensions) {
  Direction n = {random.uniform(0.0, 1.0) < 0.5 ? -1.0 : 1.0, 0.0, 0.0};
  if (dimensions == 3) n = random_direction(random);
  double distance = 2.0 * side;  // longer than any free path along an axis
  for (std::size_t i = 0; i < static_cast<std::size_t>(dimensions); ++i) {
    const double p = random.uniform(0.0, side);
    const double left = n[i] > 0.0 ? side - p : p;
    if (left < distance * std::abs(n[i])) distance = left / std::abs(n[i]);
  }
  return distance;
}

/// Mean of a function over all directions of the positive octant.
template <typename Function>
double mean_over_octant(const Function& function) {
  constexpr double kQuarterTurn = 1.5707963267948966;
  double sum = 0.0;
  for (int i = 0; i < kMidpoints; ++i) {
    const double height = (i + 0.5) / kMidpoints;
    const double radius = std::sqrt(1.0 - height * height);
    for (int j = 0; j < kMidpoints; ++j) {
      const double angle = kQuarterTurn * (j + 0.5) / kMidpoints;
      sum += function(Direction{radius * std::cos(angle), radius * std::sin(angle), height});
    }
  }
  return sum / (static_cast<double>(kMidpoints) * kMidpoints);
}

}  // namespace

FreeMovement simulate_free_movement(double k, std::span<const double> distances,
                                    const FreeMovementOptions& options) {
  struct Block {
    double sum = 0.0;
    std::vector<std::uint64_t> farther;
  };
  std::vector<Block> blocks((options.tests + kBlock - 1) / kBlock);
  parallel_for(0, blocks.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t b = first; b < last; ++b) {
      scenes::Random seeds(options.seed + 0x100000000U * b);
      scenes::Random random(seeds.next());
      blocks[b].farther.assign(distances.size(), 0);
      const std::uint64_t tests = std::min(kBlock, options.tests - kBlock * b);
      for (std::uint64_t i = 0; i < tests; ++i) {
        const double distance = distance_to_wall(random, k - 1.0, options.dimensions);
        blocks[b].sum += distance;
        for (std::size_t d = 0; d < distances.size(); ++d)
          blocks[b].farther[d] += distance > distances[d] ? 1U : 0U;
      }
    }
  });
  FreeMovement result{.mean = 0.0, .free_share = std::vector<double>(distances.size())};
  const auto tests = static_cast<double>(options.tests);
  for (const Block& block : blocks) {
    result.mean += block.sum / tests;
    for (std::size_t d = 0; d < distances.size(); ++d) {
      result.free_share[d] += static_cast<double>(block.farther[d]) / tests;
    }
  }
  return result;
}

double expected_free_movement(double k, int dimensions) {
  if (dimensions == 1) return 0.5 * (k - 1.0);
  return (k - 1.0) * mean_over_octant([](const Direction& n) {
           const double t = 1.0 / *std::max_element(n.begin(), n.end());
           const double one = n[0] + n[1] + n[2];
           const double two = n[0] * n[1] + n[1] * n[2] + n[2] * n[0];
           const double three = n[0] * n[1] * n[2];
           return t * (1.0 + t * (-one / 2.0 + t * (two / 3.0 - t * three / 4.0)));
         });
}

double expected_free_share(double k, double d) {
  if (k <= 1.0) return 0.0;
  const double t = d / (k - 1.0);
  return mean_over_octant([t](const Direction& n) {
    double share = 1.0;
    for (const double component : n) share *= std::max(0.0, 1.0 - component * t);
    return share;
  });
}

double weak_free_share(double k, double d) {
  const double side = std::max(0.0, (k - 1.0 - 2.0 * d) / k);
  return side * side * side;
}

}  // namespace graze::papers
