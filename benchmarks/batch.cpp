// Benchmark of many small scenes per step, as in robot training: one call for all, beside one call each.
//
// A scene is a patch of ground and a few balls, or a triangle in the smallest, that fall on it; about half of the
// scenes have contacts. "kept" scenes keep a detector each; "soups" are found anew in each step. Times are minima
// of several repeats: "us" processor time per scene, "ms" the wall time of all scenes. "single" is a loop of single
// calls on one thread, "default" one without a number of threads, "batch(1)" one call for all on one thread,
// "batch" on all threads, and "faster" the speedup of "batch" over "single". The answers are compared: a difference
// fails.
//
//   graze_bench_batch [--scenes N] [--repeats N] [--threads N] [--triangles 3|10|82|328|1064]
//
// Defaults: 4096 scenes of each size, 5 repeats, all cores.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <graze/graze.hpp>

#include "scenes/random.hpp"
#include "scenes/shapes.hpp"

namespace graze::benchmarks {
namespace {

struct Settings {
  std::size_t scenes = 4096;
  std::size_t repeats = 5;
  unsigned threads = 0;
  std::string only;  // run only scenes of this many triangles
};

/// Composition of the scenes of one size.
struct Recipe {
  const char* name;
  std::size_t ground;  // vertices per side
  std::size_t balls;
  std::size_t levels;  // subdivision of a ball; 0: a triangle instead
};
constexpr Recipe kRecipes[] = {
    {"3", 2, 1, 0}, {"10", 2, 1, 1}, {"82", 4, 2, 2}, {"328", 7, 2, 4}, {"1064", 11, 3, 6}};

struct World {
  Scene scene;
  std::vector<Vec3> x_t0;
  std::vector<Vec3> x_t1;
};

World make_world(const Recipe& recipe, scenes::Random& random) {
  World world;
  const scenes::Shape ground = scenes::make_grid(recipe.ground);
  world.scene.add_body({.positions = ground.positions, .triangles = ground.triangles, .motion = Motion::Static});
  world.x_t0 = world.x_t1 = ground.positions;
  for (std::size_t ball = 0; ball < recipe.balls; ++ball) {
    scenes::Shape shape;
    if (recipe.levels > 0) {
      shape = scenes::make_sphere(recipe.levels);
    } else {
      shape = {{{0, 0, -1}, {0.5, 0, 1}, {-0.5, 0.1, 1}}, {{0, 1, 2}}};
    }
    const double radius = random.uniform(0.2, 0.3);
    const Vec3 place{random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5),
                     random.uniform(0.35, 0.55) + 0.7 * static_cast<double>(ball)};
    const double fall = random.uniform(0.1, 0.3);
    const std::size_t first = world.x_t0.size();
    for (const Vec3& p : shape.positions) {
      world.x_t0.push_back({place.x + radius * p.x, place.y + radius * p.y, place.z + radius * p.z});
      const Vec3& start = world.x_t0.back();
      world.x_t1.push_back({start.x + 0.1 * fall, start.y, start.z - fall});
    }
    world.scene.add_body({.positions = std::span(world.x_t0).subspan(first), .triangles = shape.triangles});
  }
  return world;
}

struct Times {
  double cpu_us = 0.0;  // summed over all threads
  double wall_us = 0.0;
};

/// The minimum times of several runs.
Times least(std::size_t repeats, const std::function<void()>& run) {
  Times best{1e300, 1e300};
  for (std::size_t i = 0; i < repeats; ++i) {
    const std::clock_t cpu = std::clock();
    const auto wall = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double, std::micro> gone = std::chrono::steady_clock::now() - wall;
    best.wall_us = std::min(best.wall_us, gone.count());
    best.cpu_us = std::min(best.cpu_us, 1e6 * static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC);
  }
  return best;
}

std::uint64_t answer_of(const Impacts& result) {
  return result.toi_hash();
}
std::uint64_t answer_of(const FirstImpact& result) {
  return std::hash<double>()(result.toi);
}

/// A query for one scene at a time, and the batch call for all.
template <typename Result>
struct Contest {
  const char* name;
  std::function<Result(std::size_t scene)> single;
  std::function<Result(std::size_t scene)> by_default;
  std::function<std::vector<Result>(unsigned threads)> batch;
};

template <typename Result>
bool measure(const Settings& settings, const Recipe& recipe, const Contest<Result>& contest) {
  const std::size_t count = settings.scenes;
  std::vector<Result> singles(count);
  std::vector<Result> defaults(count);
  std::vector<Result> one;
  std::vector<Result> all;
  const auto loop = [&](const auto& ask, std::vector<Result>& results) {
    for (std::size_t i = 0; i < count; ++i) results[i] = ask(i);
  };
  const Times single = least(settings.repeats, [&] { loop(contest.single, singles); });
  const Times by_default = least(settings.repeats, [&] { loop(contest.by_default, defaults); });
  const Times batch_one = least(settings.repeats, [&] { one = contest.batch(1); });
  const Times batch_all = least(settings.repeats, [&] { all = contest.batch(settings.threads); });

  std::size_t with_contacts = 0;
  bool right = true;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t expected = answer_of(singles[i]);
    for (const Result* other : {&defaults[i], &one[i], &all[i]}) right = right && answer_of(*other) == expected;
    if (expected != answer_of(Result{})) ++with_contacts;
  }
  const auto us = [&](const Times& times) { return times.cpu_us / static_cast<double>(count); };
  std::printf("%-9s %-12s %8zu %9.2f %9.2f %9.2f %9.2f %9.1f %9.1f %7.2f%s\n", recipe.name, contest.name,
              with_contacts, us(single), us(by_default), us(batch_one), us(batch_all), 1e-3 * single.wall_us,
              1e-3 * batch_all.wall_us, single.wall_us / batch_all.wall_us, right ? "" : "  WRONG");
  std::fflush(stdout);
  return right;
}

bool run(const Settings& settings, const Recipe& recipe) {
  scenes::Random random(1);
  std::vector<World> worlds;
  std::vector<Detector> kept;
  std::vector<Detector> kept_default;
  for (std::size_t i = 0; i < settings.scenes; ++i) {
    worlds.push_back(make_world(recipe, random));
    kept.emplace_back(worlds.back().scene, DetectorOptions{.threads = 1});
    kept_default.emplace_back(worlds.back().scene);
  }
  std::vector<DetectorStep> steps;
  std::vector<SoupStep> soups;
  for (std::size_t i = 0; i < settings.scenes; ++i) {
    steps.push_back({&kept[i], worlds[i].x_t0, worlds[i].x_t1});
    soups.push_back({worlds[i].scene.triangles(), worlds[i].x_t0, worlds[i].x_t1});
  }
  const auto soup = [&](std::size_t i, unsigned threads) {
    return find_impacts(soups[i].triangles, soups[i].x_t0, soups[i].x_t1, DetectorOptions{.threads = threads});
  };
  bool right =
      measure<Impacts>(settings, recipe,
                       {"kept", [&](std::size_t i) { return kept[i].impacts(worlds[i].x_t0, worlds[i].x_t1); },
                        [&](std::size_t i) { return kept_default[i].impacts(worlds[i].x_t0, worlds[i].x_t1); },
                        [&](unsigned threads) { return find_impacts(steps, threads); }});
  right = measure<FirstImpact>(
              settings, recipe,
              {"kept, first", [&](std::size_t i) { return kept[i].first_impact(worlds[i].x_t0, worlds[i].x_t1); },
               [&](std::size_t i) { return kept_default[i].first_impact(worlds[i].x_t0, worlds[i].x_t1); },
               [&](unsigned threads) { return first_impacts(steps, threads); }}) &&
          right;
  right = measure<Impacts>(
              settings, recipe,
              {"soups", [&](std::size_t i) { return soup(i, 1); }, [&](std::size_t i) { return soup(i, 0); },
               [&](unsigned threads) { return find_impacts(soups, DetectorOptions{.threads = threads}); }}) &&
          right;
  return right;
}

Settings settings_from(const std::vector<std::string>& arguments) {
  Settings settings;
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    const std::string& name = arguments[i];
    if (i + 1 == arguments.size()) throw std::runtime_error(name + ": a value is missing");
    if (name == "--triangles") {
      settings.only = arguments[i + 1];
      continue;
    }
    const std::size_t value = std::stoul(arguments[i + 1]);
    if (name == "--scenes") {
      settings.scenes = std::max<std::size_t>(1, value);
    } else if (name == "--repeats") {
      settings.repeats = std::max<std::size_t>(1, value);
    } else if (name == "--threads") {
      settings.threads = static_cast<unsigned>(value);
    } else {
      throw std::runtime_error(name + ": no such option");
    }
  }
  return settings;
}

}  // namespace
}  // namespace graze::benchmarks

int main(int count, char** arguments) {
  try {
    using namespace graze::benchmarks;
    const Settings settings = settings_from(std::vector<std::string>(arguments + 1, arguments + count));
    std::printf("%zu scenes; us: processor time a scene, of all threads; ms: all scenes\n", settings.scenes);
    std::printf("%-9s %-12s %8s %9s %9s %9s %9s %9s %9s %7s\n", "triangles", "", "contacts", "single us", "default",
                "batch(1)", "batch us", "single ms", "batch ms", "faster");
    bool right = true;
    for (const Recipe& recipe : kRecipes) {
      if (settings.only.empty() || settings.only == recipe.name) right = run(settings, recipe) && right;
    }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "graze_bench_batch: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
