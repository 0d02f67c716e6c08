// Benchmark of method adaptive along a sequence: a large cloth that drifts slowly, beside r-tri and no-dupl.
//
// All contestants make every step of the sequence once, in order, one after the other within the step, so that
// other load on the machine affects all of them. Their answers are compared in every step: a difference fails. The
// first step, which builds the hierarchies, is not in the figures. "ms" is wall time, "cpu" the processor time of
// all threads; ratios are the mean of r-tri over that of the contestant.
//
//   graze_bench_adaptive [--scene NAME] [--size N] [--steps N] [--threads N] [--session N] [--json FILE]
//                        [--method r-tri|no-dupl|adaptive|no-skip|...]...
//
// Defaults: drifting-cloth of 500000 triangles, 40 steps, one thread. no-skip is adaptive without sessions. r-tri
// always takes part.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <graze/graze.hpp>
#include <graze/research.hpp>

#include <nlohmann/json.hpp>

#include "scenes/catalogue.hpp"

namespace graze::benchmarks {
namespace {

struct Settings {
  std::string scene = "drifting-cloth";
  std::size_t size = 500'000;
  std::size_t steps = 40;
  unsigned threads = 1;
  unsigned session = 0;
  std::string json;
  std::vector<std::string> methods;
};

struct Contestant {
  std::string name;
  std::unique_ptr<Detector> detector;
  std::vector<double> ms;
  std::vector<double> cpu_ms;
  std::vector<Stats> stats;
};

double mean(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// The mean over the steps of number(step).
template <typename Number>
double mean_of(const Contestant& contestant, const Number& number) {
  std::vector<double> values;
  for (const Stats& stats : contestant.stats) values.push_back(static_cast<double>(number(stats)));
  return mean(values);
}

/// The maximum over the steps of number(step).
template <typename Number>
double most_of(const Contestant& contestant, const Number& number) {
  double most = 0.0;
  for (const Stats& stats : contestant.stats) most = std::max(most, static_cast<double>(number(stats)));
  return most;
}

DetectorOptions options_of(const std::string& name, const Settings& settings) {
  DetectorOptions options{.threads = settings.threads};
  options.research->adaptive.frames = settings.session;
  options.research->adaptive.skip = name != "no-skip";
  options.method = options.research->adaptive.skip ? from_name<Method>(name) : Method::Adaptive;
  return options;
}

/// Makes a step and returns the hash of its impacts.
std::uint64_t take_step(Contestant& contestant, const std::vector<Vec3>& x_t0, const std::vector<Vec3>& x_t1,
                        bool counts) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t cpu_start = std::clock();
  const Impacts impacts = contestant.detector->impacts(x_t0, x_t1);
  const std::clock_t cpu_end = std::clock();
  const std::chrono::duration<double, std::milli> gone = std::chrono::steady_clock::now() - start;
  if (counts) {
    contestant.ms.push_back(gone.count());
    contestant.cpu_ms.push_back(1e3 * static_cast<double>(cpu_end - cpu_start) / CLOCKS_PER_SEC);
    contestant.stats.push_back(impacts.stats);
  }
  return impacts.toi_hash();
}

nlohmann::json to_json(const Contestant& contestant, const Contestant& base, std::size_t triangles) {
  const double pairs = most_of(contestant, [](const Stats& s) { return s.coherence.pairs; });
  const double pair_bytes = most_of(contestant, [](const Stats& s) { return s.coherence.pair_bytes; });
  const double memory = most_of(contestant, [](const Stats& s) { return s.memory_bytes; });
  const double later = mean_of(contestant, [](const Stats& s) { return s.coherence.session_step > 1 ? 1 : 0; });
  return {{"method", contestant.name},
          {"mean_ms", mean(contestant.ms)},
          {"median_ms", median(contestant.ms)},
          {"mean_cpu_ms", mean(contestant.cpu_ms)},
          {"median_cpu_ms", median(contestant.cpu_ms)},
          {"ratio", mean(base.ms) / mean(contestant.ms)},
          {"cpu_ratio", mean(base.cpu_ms) / mean(contestant.cpu_ms)},
          {"update_ms", mean_of(contestant, [](const Stats& s) { return s.update_ms; })},
          {"traverse_ms", mean_of(contestant, [](const Stats& s) { return s.traverse_ms; })},
          {"narrow_ms", mean_of(contestant, [](const Stats& s) { return s.narrow_ms; })},
          {"skipped_share", later},
          {"pairs", pairs},
          {"bytes_per_pair", pairs > 0.0 ? pair_bytes / pairs : 0.0},
          {"bytes_per_triangle", memory / static_cast<double>(std::max<std::size_t>(triangles, 1))}};
}

void print(const nlohmann::json& row) {
  std::printf("%-10s %9.1f %9.1f %9.1f %7.2f %7.2f %8.1f %8.1f %8.1f %7.2f %10.0f %7.1f %7.0f\n",
              row["method"].get<std::string>().c_str(), row["mean_ms"].get<double>(),
              row["median_ms"].get<double>(), row["mean_cpu_ms"].get<double>(), row["ratio"].get<double>(),
              row["cpu_ratio"].get<double>(), row["update_ms"].get<double>(), row["traverse_ms"].get<double>(),
              row["narrow_ms"].get<double>(), row["skipped_share"].get<double>(), row["pairs"].get<double>(),
              row["bytes_per_pair"].get<double>(), row["bytes_per_triangle"].get<double>());
}

int measure(const Settings& settings) {
  const scenes::Animation animation =
      scenes::make_animation(settings.scene, {.size = settings.size, .frames = settings.steps + 1});
  if (!animation.changes.empty()) throw std::runtime_error(settings.scene + ": triangles change on the way");
  const Scene scene = scenes::make_scene(animation);
  std::vector<Contestant> contestants;
  for (const std::string& name : settings.methods) {
    const bool is_known = std::any_of(contestants.begin(), contestants.end(),
                                      [&](const Contestant& other) { return other.name == name; });
    if (is_known) continue;
    contestants.push_back({name, std::make_unique<Detector>(scene, options_of(name, settings)), {}, {}, {}});
  }

  bool all_right = true;
  for (std::size_t step = 0; step + 1 < animation.frames.size(); ++step) {
    const std::vector<Vec3> x_t0 = scenes::start_of_step(animation, step);
    std::uint64_t expected = 0;
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      const std::uint64_t hash = take_step(contestants[i], x_t0, animation.frames[step + 1], step > 0);
      if (i == 0) expected = hash;
      if (hash == expected) continue;
      all_right = false;
      std::printf("WRONG: step %zu, %s differs from %s\n", step, contestants[i].name.c_str(),
                  contestants[0].name.c_str());
    }
  }

  std::printf("%s, %zu triangles, %zu steps, %u threads\n", settings.scene.c_str(), scene.triangle_count(),
              settings.steps, settings.threads);
  std::printf("%-10s %9s %9s %9s %7s %7s %8s %8s %8s %7s %10s %7s %7s\n", "method", "mean ms", "median", "cpu ms",
              "ratio", "cpu", "update", "traverse", "narrow", "skipped", "pairs", "B/pair", "B/tri");
  nlohmann::json rows = nlohmann::json::array();
  for (const Contestant& contestant : contestants) {
    rows.push_back(to_json(contestant, contestants[0], scene.triangle_count()));
    print(rows.back());
  }
  if (!settings.json.empty()) {
    const nlohmann::json all = {{"scene", settings.scene},    {"triangles", scene.triangle_count()},
                                {"steps", settings.steps},    {"threads", settings.threads},
                                {"answers_agree", all_right}, {"rows", rows}};
    std::ofstream file(settings.json);
    file << all.dump(2) << '\n';
    if (!file) throw std::runtime_error(settings.json + ": could not be written");
  }
  return all_right ? EXIT_SUCCESS : EXIT_FAILURE;
}

Settings settings_from(const std::vector<std::string>& arguments) {
  Settings settings;
  settings.methods = {"r-tri"};
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    const std::string& name = arguments[i];
    if (i + 1 == arguments.size()) throw std::runtime_error(name + ": a value is missing");
    const std::string& value = arguments[i + 1];
    if (name == "--scene") {
      settings.scene = value;
    } else if (name == "--size") {
      settings.size = std::stoul(value);
    } else if (name == "--steps") {
      settings.steps = std::max(2UL, std::stoul(value));
    } else if (name == "--threads") {
      settings.threads = static_cast<unsigned>(std::stoul(value));
    } else if (name == "--session") {
      settings.session = static_cast<unsigned>(std::stoul(value));
    } else if (name == "--json") {
      settings.json = value;
    } else if (name == "--method") {
      settings.methods.push_back(value);
    } else {
      throw std::runtime_error(name + ": no such option");
    }
  }
  if (settings.methods.size() == 1) settings.methods = {"r-tri", "no-dupl", "adaptive", "no-skip"};
  return settings;
}

}  // namespace
}  // namespace graze::benchmarks

int main(int count, char** arguments) {
  try {
    return graze::benchmarks::measure(
        graze::benchmarks::settings_from(std::vector<std::string>(arguments + 1, arguments + count)));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "graze_bench_adaptive: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
