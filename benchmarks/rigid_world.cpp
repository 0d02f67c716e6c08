// Benchmark of worlds of rigid objects, with FCL's DynamicAABBTreeCollisionManager beside it where the build has it
// (GRAZE_PEERS). All contestants answer the same queries in turns, and answers are compared.
//
//   graze_bench_rigid_world [--grid N] [--parts N] [--steps N] [--rounds N] [--threads N] [--shape
//   NAME[:TRIANGLES]]
//
// grid: N^3 static obstacles, tilted instances of the shape; one object at random poses against all of them: the
// first hit and all hits. Three rows: obstacles 3 of their sides apart, 1.5 sides apart, and the latter against an
// object three times as large. "linear" is the loop over all obstacles that first_hits() of a batch makes. bin: a
// heap of tumbling parts that all move in every step, all against all; "move" is the time of the moves, "hits" that
// of the query. swarm: the grid's obstacles as moving objects, each of which makes small steps. rays: from outside
// of the grid to random points of it.
//
// Times are processor time per query or step in microseconds, the minimum over the rounds, on one thread unless
// --threads says otherwise. graze's answers are compared with all pairs of objects (the linear loop; in the bin and
// the swarm once, by Collider), and a difference fails; differences of the peer, which decides in floating point,
// are counted. Defaults: 22, 2000, 50, 3, 1, torus:500.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <graze/graze.hpp>

#include "benchmarks/peers/world_peer.hpp"
#include "scenes/random.hpp"
#include "scenes/shapes.hpp"
#include "scenes/tumble.hpp"

namespace graze::benchmarks {
namespace {

struct Settings {
  std::size_t grid = 22;
  std::size_t parts = 2000;
  std::size_t steps = 50;
  std::size_t rounds = 3;
  unsigned threads = 1;
  std::string shape = "torus:500";
};

using Pairs = peers::WorldPeer::Pairs;

double cpu_us() {
  return 1e6 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double symmetric(scenes::Random& random) {
  return random.uniform(-1.0, 1.0);
}

Vec3 random_vec(scenes::Random& random) {
  const double x = symmetric(random);
  const double y = symmetric(random);
  return {x, y, symmetric(random)};
}

Pose random_pose(scenes::Random& random, const Vec3& where) {
  const Vec3 axis = random_vec(random);
  return pose_from_axis_angle({axis.x, axis.y, axis.z + 2.0}, 3.0 * symmetric(random), where);
}

/// The least time of each contestant over the rounds, in turns.
class Turns {
 public:
  explicit Turns(std::size_t rounds) : rounds_(rounds) {}

  void run(const std::vector<std::function<void()>>& contestants) {
    times_.assign(contestants.size(), std::numeric_limits<double>::infinity());
    for (std::size_t round = 0; round < rounds_; ++round) {
      for (std::size_t i = 0; i < contestants.size(); ++i) {
        const double start = cpu_us();
        contestants[i]();
        times_[i] = std::min(times_[i], cpu_us() - start);
      }
    }
  }
  [[nodiscard]] double us(std::size_t contestant, std::size_t queries) const {
    return times_[contestant] / static_cast<double>(queries);
  }

 private:
  std::size_t rounds_;
  std::vector<double> times_;
};

/// Numbers that are in one of two sorted lists only.
template <typename List>
std::size_t differences(List one, List other) {
  std::sort(one.begin(), one.end());
  std::sort(other.begin(), other.end());
  List only;
  std::set_symmetric_difference(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(only));
  return only.size();
}

/// A failed comparison ends the program.
void require(bool agrees, const char* what) {
  if (!agrees) throw std::runtime_error(std::string(what) + ": the answers differ");
}

std::vector<Pose> grid_poses(std::size_t n, double spacing, scenes::Random& random) {
  std::vector<Pose> poses;
  poses.reserve(n * n * n);
  for (std::size_t x = 0; x < n; ++x) {
    for (std::size_t y = 0; y < n; ++y) {
      for (std::size_t z = 0; z < n; ++z)
        poses.push_back(random_pose(random, {spacing * static_cast<double>(x), spacing * static_cast<double>(y),
                                             spacing * static_cast<double>(z)}));
    }
  }
  return poses;
}

void grid(const Settings& settings, const scenes::Shape& shape, double spacing, double scale) {
  scenes::Random random(7);
  const RigidObject obstacle(shape.positions, shape.triangles);
  scenes::Shape large = shape;
  for (Vec3& x : large.positions) x = {scale * x.x, scale * x.y, scale * x.z};
  const RigidObject object(large.positions, large.triangles);
  const std::vector<Pose> obstacles = grid_poses(settings.grid, spacing, random);
  const std::size_t queries = 20 * settings.steps;
  std::vector<Pose> poses;
  const double middle = 0.5 * spacing * static_cast<double>(settings.grid - 1);
  for (std::size_t i = 0; i < queries; ++i) {
    const Vec3 r = random_vec(random);
    poses.push_back(random_pose(random, {middle * (1.0 + r.x), middle * (1.0 + r.y), middle * (1.0 + r.z)}));
  }

  double start = cpu_us();
  RigidWorld world;
  for (const Pose& pose : obstacles) world.add(obstacle, pose, {.motion = Motion::Static});
  std::printf(
      "grid, %.0f apart, object of %.0f times the size: %zu obstacles of %zu triangles, added in %.1f ms, %.1f "
      "MB\n",
      spacing, scale, world.size(), shape.triangles.size(), 1e-3 * (cpu_us() - start),
      1e-6 * static_cast<double>(world.memory_bytes()));
  const std::unique_ptr<peers::WorldPeer> peer = peers::make_world_peer();
  if (peer) {
    start = cpu_us();
    peer->add(shape.positions, shape.triangles, obstacles);
    peer->set_probe(large.positions, large.triangles);
    peer->build();
    std::printf("      %s: built in %.1f ms\n", peer->name().data(), 1e-3 * (cpu_us() - start));
  }

  const WorldOptions options{.threads = settings.threads};
  std::vector<std::vector<std::uint32_t>> hits(queries);
  std::vector<std::vector<std::uint32_t>> peer_hits(queries);
  std::vector<bool> first(queries);
  std::vector<bool> peer_first(queries);
  WorldStats stats;
  for (const bool only_first : {true, false}) {
    std::vector<std::function<void()>> contestants{[&] {
      stats = {};
      for (std::size_t i = 0; i < queries; ++i) {
        const WorldProbe probe{&object, poses[i]};
        if (only_first) {
          const WorldFirstHit hit = world.first_hit(probe, options);
          first[i] = hit.hit();
          stats += hit.stats;
          continue;
        }
        const WorldHits all = world.hits(probe, options);
        stats += all.stats;
        hits[i].clear();
        for (const WorldHit& hit : all.hits) hits[i].push_back(hit.b.slot);
      }
    }};
    if (peer) {
      contestants.emplace_back([&] {
        for (std::size_t i = 0; i < queries; ++i) {
          std::vector<std::uint32_t> found = peer->hits_of(poses[i], only_first);
          if (only_first) {
            peer_first[i] = !found.empty();
          } else {
            peer_hits[i] = std::move(found);
          }
        }
      });
    }
    Turns turns(settings.rounds);
    turns.run(contestants);
    const auto share = [&](std::uint64_t count) {
      return static_cast<double>(count) / static_cast<double>(queries);
    };
    std::printf("  one against all, %s: graze %.2f us (%.1f box tests, %.2f objects, %.1f node tests a query)",
                only_first ? "first hit" : "all hits", turns.us(0, queries), share(stats.box_tests),
                share(stats.object_pairs), share(stats.narrow.node_tests));
    if (peer)
      std::printf(", %s %.2f us, %.1f times", peer->name().data(), turns.us(1, queries),
                  turns.us(1, queries) / turns.us(0, queries));
    std::printf("\n");
  }

  // The linear loop, for some queries: its time, and the truth.
  std::vector<PosedObject> all;
  for (const Pose& pose : obstacles) all.push_back({&obstacle, pose});
  const std::size_t some = std::min<std::size_t>(queries, settings.steps);
  std::size_t hitting = 0;
  start = cpu_us();
  for (std::size_t i = 0; i < some; ++i) {
    const std::vector<FirstHit> linear = first_hits({&object, poses[i]}, all, {.threads = 1});
    std::vector<std::uint32_t> expected;
    for (std::uint32_t k = 0; k < linear.size(); ++k) {
      if (linear[k].hit()) expected.push_back(k);
    }
    require(hits[i] == expected && first[i] == !expected.empty(), "grid");
    hitting += expected.size();
  }
  std::printf("  linear: %.1f us; %zu hits in %zu queries, all equal\n",
              (cpu_us() - start) / static_cast<double>(some), hitting, some);
  if (peer) {
    std::size_t different = 0;
    for (std::size_t i = 0; i < queries; ++i) different += differences(hits[i], peer_hits[i]);
    std::printf("  %s: %zu hits differ\n", peer->name().data(), different);
  }

  std::vector<Ray> rays;
  for (std::size_t i = 0; i < queries; ++i) {
    const Vec3 from = random_vec(random);
    const Vec3 r = random_vec(random);
    const Vec3 origin{-2.0 * middle, middle * (1.0 + from.y), middle * (1.0 + from.z)};
    rays.push_back(
        {origin,
         {middle * (1.0 + r.x) - origin.x, middle * (1.0 + r.y) - origin.y, middle * (1.0 + r.z) - origin.z}});
  }
  Turns turns(settings.rounds);
  std::size_t ray_hits = 0;
  stats = {};
  turns.run({[&] {
    ray_hits = 0;
    stats = {};
    for (const RayFirstHit& hit : world.ray_first_hits(rays, options)) {
      ray_hits += hit.hit() ? 1U : 0U;
      stats += hit.stats;
    }
  }});
  const auto share = [&](std::uint64_t count) { return static_cast<double>(count) / static_cast<double>(queries); };
  std::printf(
      "  rays, first hit: %.2f us; %zu of %zu hit; %.1f box tests, %.2f objects, %.1f nodes, %.1f triangles a "
      "ray\n",
      turns.us(0, queries), ray_hits, queries, share(stats.box_tests), share(stats.object_pairs),
      share(stats.narrow.node_tests), share(stats.narrow.triangle_tests));
}

/// Steps of many moving objects: all move, then all against all.
void moving(const char* name, const Settings& settings, const scenes::Shape& shape, const RigidObject& object,
            const std::vector<std::vector<Pose>>& steps) {
  const std::size_t count = steps[0].size();
  RigidWorld world;
  std::vector<ObjectId> ids;
  for (const Pose& pose : steps[0]) ids.push_back(world.add(object, pose));
  const std::unique_ptr<peers::WorldPeer> peer = peers::make_world_peer();
  if (peer) {
    peer->add(shape.positions, shape.triangles, steps[0]);
    peer->build();
  }
  const WorldOptions options{.threads = settings.threads};
  std::vector<Pairs> hits(steps.size());
  std::vector<Pairs> peer_hits(steps.size());
  // Rounds of all contestants in turns; moves and queries are timed apart.
  std::array<double, 4> least{};
  least.fill(std::numeric_limits<double>::infinity());
  WorldStats stats;
  for (std::size_t round = 0; round < settings.rounds; ++round) {
    std::array<double, 4> times{};
    stats = {};
    for (std::size_t s = 0; s < steps.size(); ++s) {
      double start = cpu_us();
      world.move(ids, steps[s]);
      times[0] += cpu_us() - start;
      start = cpu_us();
      const WorldHits found = world.hits(options);
      times[1] += cpu_us() - start;
      stats += found.stats;
      hits[s].clear();
      for (const WorldHit& hit : found.hits) hits[s].push_back({hit.a.slot, hit.b.slot});
      if (!peer) continue;
      start = cpu_us();
      peer->move(steps[s]);
      times[2] += cpu_us() - start;
      start = cpu_us();
      peer_hits[s] = peer->all_hits();
      times[3] += cpu_us() - start;
    }
    for (std::size_t i = 0; i < 4; ++i) least[i] = std::min(least[i], times[i]);
  }
  const auto per_step = [&](double sum) { return sum / static_cast<double>(steps.size()); };
  std::size_t hitting = 0;
  for (const Pairs& pairs : hits) hitting += pairs.size();
  std::printf("%s: %zu moving objects, %.0f pairs of boxes and %.0f hits a step\n", name, count,
              per_step(static_cast<double>(stats.object_pairs)), per_step(static_cast<double>(hitting)));
  std::printf("  graze: move %.0f us, hits %.0f us a step (%.0f box tests)", per_step(least[0]), per_step(least[1]),
              per_step(static_cast<double>(stats.box_tests)));
  if (peer) {
    std::printf("; %s: move %.0f us, hits %.0f us, %.1f times", peer->name().data(), per_step(least[2]),
                per_step(least[3]), (least[2] + least[3]) / (least[0] + least[1]));
  }
  std::printf("\n");
  Collider collider(object, object);
  Pairs expected;
  for (std::uint32_t a = 0; a < count; ++a) {
    for (std::uint32_t b = a + 1; b < count; ++b) {
      const Vec3& p = steps.back()[a].translation;
      const Vec3& q = steps.back()[b].translation;
      // Objects are in balls of radius 2: no pair beyond that needs the collider.
      if (std::hypot(p.x - q.x, p.y - q.y, p.z - q.z) > 4.0) continue;
      if (collider.first_hit(steps.back()[a], steps.back()[b]).hit()) expected.push_back({a, b});
    }
  }
  require(hits.back() == expected, name);
  std::printf("  last step: %zu hits, equal to all pairs\n", expected.size());
  if (peer) {
    std::size_t different = 0;
    for (std::size_t s = 0; s < steps.size(); ++s) different += differences(hits[s], peer_hits[s]);
    std::printf("  %s: %zu hits differ\n", peer->name().data(), different);
  }
}

void bin(const Settings& settings, const scenes::Shape& shape, const RigidObject& object) {
  scenes::Random random(11);
  // A column of parts, 2.4 apart on the average, that fall by a twentieth of their side a step and tumble.
  const auto side = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(settings.parts))));
  struct Part {
    Vec3 at;
    Vec3 axis;
    double angle;
    double spin;
    double fall;
  };
  std::vector<Part> parts;
  for (std::size_t i = 0; i < settings.parts; ++i) {
    const auto cell = [&](std::size_t k) { return 2.4 * (static_cast<double>(k) + 0.3 * symmetric(random)); };
    const Vec3 axis = random_vec(random);
    parts.push_back({{cell(i % side), cell(i / side % side), cell(i / side / side)},
                     {axis.x, axis.y, axis.z + 2.0},
                     3.0 * symmetric(random),
                     0.05 * symmetric(random),
                     random.uniform(0.0, 0.1)});
  }
  std::vector<std::vector<Pose>> steps(settings.steps);
  for (std::size_t s = 0; s < settings.steps; ++s) {
    const auto t = static_cast<double>(s);
    for (const Part& part : parts)
      steps[s].push_back(pose_from_axis_angle(part.axis, part.angle + t * part.spin,
                                              {part.at.x, part.at.y, part.at.z - t * part.fall}));
  }
  moving("bin", settings, shape, object, steps);
}

void swarm(const Settings& settings, const scenes::Shape& shape, const RigidObject& object) {
  scenes::Random random(13);
  std::vector<std::vector<Pose>> steps(settings.steps);
  steps[0] = grid_poses(settings.grid, 3.0, random);
  std::vector<Vec3> velocity;
  for (std::size_t i = 0; i < steps[0].size(); ++i) velocity.push_back(random_vec(random));
  for (std::size_t s = 1; s < settings.steps; ++s) {
    steps[s] = steps[s - 1];
    for (std::size_t i = 0; i < steps[s].size(); ++i) {
      Vec3& t = steps[s][i].translation;
      t = {t.x + 0.03 * velocity[i].x, t.y + 0.03 * velocity[i].y, t.z + 0.03 * velocity[i].z};
    }
  }
  moving("swarm", settings, shape, object, steps);
}

std::size_t number(std::string_view name, std::string_view text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value == 0)
    throw std::runtime_error(std::string(name) + ": '" + std::string(text) + "' is not a number above 0");
  return value;
}

Settings settings_from(std::span<char*> arguments) {
  Settings settings;
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    const std::string_view name = arguments[i];
    if (i + 1 == arguments.size()) throw std::runtime_error(std::string(name) + " needs a value");
    const std::string_view value = arguments[i + 1];
    if (name == "--grid") {
      settings.grid = number(name, value);
    } else if (name == "--parts") {
      settings.parts = number(name, value);
    } else if (name == "--steps") {
      settings.steps = number(name, value);
    } else if (name == "--rounds") {
      settings.rounds = number(name, value);
    } else if (name == "--threads") {
      settings.threads = static_cast<unsigned>(number(name, value));
    } else if (name == "--shape") {
      settings.shape = value;
    } else {
      throw std::runtime_error(std::string(name) + ": no such option");
    }
  }
  return settings;
}

void run(const Settings& settings) {
  const scenes::Shape shape = scenes::tumble_shape(settings.shape);
  const RigidObject object(shape.positions, shape.triangles);
  grid(settings, shape, 6.0, 1.0);
  grid(settings, shape, 3.0, 1.0);
  grid(settings, shape, 3.0, 3.0);
  bin(settings, shape, object);
  swarm(settings, shape, object);
}

}  // namespace
}  // namespace graze::benchmarks

int main(int count, char** arguments) {
  try {
    graze::benchmarks::run(
        graze::benchmarks::settings_from(std::span(arguments + 1, static_cast<std::size_t>(count - 1))));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
