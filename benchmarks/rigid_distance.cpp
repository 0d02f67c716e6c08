// Benchmark of distances: two copies of an object that tumble at a distance (scenes/tumble.hpp), as in
// graze_bench_rigid, and FCL on the same poses in the same run. One thread.
//
//   graze_bench_rigid_distance [--mesh FILE]... [--scene NAME[:TRIANGLES]]... [--distances D,D,...] [--steps N]
//                              [--rounds N] [--relative R] [--peers yes|no]
//
// For each object and distance one row per contestant: processor time per pose (for each twenty poses the minimum
// of all rounds, which other load disturbs least), its ratio to FCL, node tests and triangle tests per pose, poses
// in contact. FCL gets the tolerance 0 and the one asked for. Bounds of graze at different tolerances, with and
// without coherence, must overlap, and FCL's distance must lie within them up to 1e-9, else it is counted; graze's
// own disagreement makes the exit status 1. Default objects: those of graze_bench_rigid. Other defaults: 2.2 and 3
// beside 1.2, 1.6 and 2.0, so that most poses are apart; 200 steps, 5 rounds, 1e-6.
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <graze/graze.hpp>
#include <graze/io.hpp>

#include "benchmarks/peers/rigid_distance_peer.hpp"
#include "scenes/tumble.hpp"

namespace graze::benchmarks {
namespace {

struct Settings {
  std::vector<std::string> meshes;
  std::vector<std::string> scenes;
  std::vector<double> distances{1.2, 1.6, 2.0, 2.2, 3.0};
  std::size_t steps = 200;
  std::size_t rounds = 5;
  double relative = 1e-6;
  bool peers = true;
};

constexpr std::size_t kPortion = 20;  ///< poses between two looks at the clock

double processor_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Answer {
  double lo = 0.0;
  double hi = 0.0;
};

/// One contestant: a name, a query, and what it answered and cost.
struct Contestant {
  std::string name;
  bool exact = true;
  std::function<Answer(const PosePair&, RigidStats&)> query;
  std::vector<double> best = {};  ///< by portion
  std::vector<Answer> answers = {};
  RigidStats stats = {};
};

double microseconds(const Contestant& contestant, std::size_t steps) {
  double sum = 0.0;
  for (const double portion : contestant.best) sum += portion;
  return 1e6 * sum / static_cast<double>(steps);
}

void race(std::vector<Contestant>& contestants, const std::vector<PosePair>& poses, std::size_t rounds) {
  const std::size_t portions = (poses.size() + kPortion - 1) / kPortion;
  for (Contestant& contestant : contestants) {
    contestant.best.assign(portions, std::numeric_limits<double>::infinity());
    contestant.answers.assign(poses.size(), {});
  }
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t portion = 0; portion < portions; ++portion) {
      for (Contestant& contestant : contestants) {
        contestant.stats = portion == 0 ? RigidStats{} : contestant.stats;
        const double start = processor_seconds();
        for (std::size_t i = portion * kPortion; i < std::min(poses.size(), (portion + 1) * kPortion); ++i)
          contestant.answers[i] = contestant.query(poses[i], contestant.stats);
        contestant.best[portion] = std::min(contestant.best[portion], processor_seconds() - start);
      }
    }
  }
}

/// Whether two answers may both be right; an answer that is not proved is given 1e-9.
bool agree(const Answer& one, const Answer& other, bool both_exact) {
  const double slack = both_exact ? 0.0 : 1e-9 * (1.0 + one.hi);
  return one.lo <= other.hi + slack && other.lo <= one.hi + slack;
}

bool run_object(const std::string& name, const scenes::Shape& mesh, const Settings& settings) {
  const RigidObject object(mesh.positions, mesh.triangles, {.threads = 1});
  const double start = processor_seconds();
  DistanceQuery plain(object, object);
  const double build = processor_seconds() - start;
  DistanceQuery coherent(object, object, {.coherence = true});
  std::printf("%s: %zu triangles; hierarchy for distances: %.1f ms, %.1f bytes a triangle\n", name.c_str(),
              mesh.triangles.size(), 1e3 * build,
              static_cast<double>(object.memory().distance_bytes) / static_cast<double>(mesh.triangles.size()));
  std::vector<Contestant> contestants;
  const auto add = [&](const char* label, DistanceQuery& query, double relative) {
    contestants.push_back({label, true, [&query, relative](const PosePair& poses, RigidStats& stats) {
                             const RigidDistance found = query.distance(poses.a, poses.b, {.relative = relative});
                             stats += found.stats;
                             return Answer{found.lo, found.hi};
                           }});
  };
  add("graze", plain, settings.relative);
  add("graze, tolerance 0", plain, 0.0);
  add("graze, coherent", coherent, settings.relative);
  const std::unique_ptr<peers::RigidDistancePeer> peer =
      settings.peers ? peers::make_rigid_distance_fcl() : nullptr;
  if (peer) {
    peer->prepare(mesh.positions, mesh.triangles);
    for (const double relative : {0.0, settings.relative}) {
      contestants.push_back({std::string(peer->name()) + (relative == 0.0 ? ", tolerance 0" : ""), false,
                             [&peer, relative](const PosePair& poses, RigidStats& /*stats*/) {
                               const double d = std::max(0.0, peer->distance(poses, relative));
                               return Answer{d * (1.0 - relative), d};
                             }});
    }
  }
  bool all_right = true;
  std::printf("  %-9s %-24s %10s %10s %10s %10s %8s %9s\n", "distance", "", "cpu us", "fcl / it", "nodes",
              "triangles", "contact", "disagrees");
  for (const double distance : settings.distances) {
    const std::vector<PosePair> poses = scenes::tumble(distance, settings.steps);
    race(contestants, poses, settings.rounds);
    const double peer_us = peer ? microseconds(contestants.back(), poses.size()) : 0.0;
    for (const Contestant& contestant : contestants) {
      std::size_t wrong = 0;
      std::size_t contacts = 0;
      for (std::size_t i = 0; i < poses.size(); ++i) {
        wrong += agree(contestants[1].answers[i], contestant.answers[i], contestant.exact) ? 0U : 1U;
        contacts += contestant.answers[i].hi == 0.0 ? 1U : 0U;
      }
      all_right = all_right && (wrong == 0 || !contestant.exact);
      const double us = microseconds(contestant, poses.size());
      const auto per_pose = [&](std::uint64_t count) {
        return static_cast<double>(count) / static_cast<double>(poses.size());
      };
      std::printf("  %-9.3g %-24s %10.2f %10.2f %10.0f %10.0f %8zu %9zu\n", distance, contestant.name.c_str(), us,
                  peer_us / us, per_pose(contestant.stats.node_tests), per_pose(contestant.stats.triangle_tests),
                  contacts, wrong);
      std::fflush(stdout);
    }
  }
  return all_right;
}

template <typename Number>
Number number_from(const std::string& option, const std::string& text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < Number{})
    throw InputError(option + ": '" + text + "' is not what it takes");
  return number;
}

Settings settings_from(const std::vector<std::string>& arguments) {
  Settings settings;
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    const std::string& name = arguments[i];
    if (i + 1 == arguments.size()) throw InputError(name + ": a value is missing");
    const std::string& value = arguments[i + 1];
    if (name == "--mesh") {
      settings.meshes.push_back(value);
    } else if (name == "--scene") {
      settings.scenes.push_back(value);
    } else if (name == "--distances") {
      settings.distances.clear();
      std::istringstream stream(value);
      for (std::string word; std::getline(stream, word, ',');)
        settings.distances.push_back(number_from<double>(name, word));
    } else if (name == "--steps") {
      settings.steps = std::max<std::size_t>(1, number_from<std::size_t>(name, value));
    } else if (name == "--rounds") {
      settings.rounds = std::max<std::size_t>(1, number_from<std::size_t>(name, value));
    } else if (name == "--relative") {
      settings.relative = number_from<double>(name, value);
    } else if (name == "--peers") {
      settings.peers = value == "yes";
    } else {
      throw InputError(name + ": no such option");
    }
  }
  if (settings.meshes.empty() && settings.scenes.empty()) {
    const char* folder = std::getenv("GRAZE_DATA");
    const std::filesystem::path data = folder != nullptr ? folder : GRAZE_DEFAULT_DATA;
    for (const char* file :
         {"bunny.ply", "cad/cycloidal.ply", "cad/chair_model.obj", "soup/env.obj", "soup/rob.obj"}) {
      const std::filesystem::path mesh = data / "meshes" / file;
      if (std::filesystem::exists(mesh)) settings.meshes.push_back(mesh.string());
    }
    settings.scenes = {"torus:50000", "car-body", "headlight", "lock"};
  }
  return settings;
}

int run(const Settings& settings) {
  bool all_right = true;
  for (const std::string& file : settings.meshes) {
    Mesh mesh = read_mesh(file);
    if (mesh.triangles.empty()) throw InputError(file + ": there are no triangles");
    const scenes::Shape shape = scenes::scaled_to_cube({std::move(mesh.positions), std::move(mesh.triangles)});
    all_right = run_object(std::filesystem::path(file).filename().string(), shape, settings) && all_right;
  }
  for (const std::string& name : settings.scenes)
    all_right = run_object(name, scenes::tumble_shape(name), settings) && all_right;
  if (!all_right) std::printf("WRONG: bounds of graze exclude each other\n");
  return all_right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace graze::benchmarks

int main(int count, char** arguments) {
  try {
    return graze::benchmarks::run(
        graze::benchmarks::settings_from(std::vector<std::string>(arguments + 1, arguments + count)));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "graze_bench_rigid_distance: %s\n", error.what());
    return 2;
  }
}
