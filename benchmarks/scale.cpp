// Benchmark of distance and size: pairs of sheets that pass through each other, offset from the origin, far apart,
// and of sizes from 10^-6 to 10^6 in one scene (scenes/placed_sheets.hpp), beside the same sheets at the origin.
//
// Each method makes the steps of a sequence with one detector. "first ms": the first step with all one-time work of
// a detector; "ms": the mean of the other steps; "cpu ms": their mean processor time, all threads together; each in
// the fastest of the repeats; "ratio": cpu ms relative to that of the same method at the baseline of the case.
// Cases of one baseline have the same contacts, pair for pair, since their coordinates are exact: every step of
// every method is compared with the first method's at the baseline, by hash, and a difference fails.
//
//   graze_bench_scale [--scene NAME]... [--sizes N,N,...] [--threads N] [--repeats N] [--steps N] [--json FILE]
//                     [--method r-tri|hash|...]... [--query impacts|first]
//
// Defaults: all cases (a baseline is always measured), 30000 triangles, one thread, 3 repeats, 5 steps, impacts;
// all methods except brute, basic and adj, which are quadratic or slow.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <graze/graze.hpp>
#include <graze/research.hpp>

#include <nlohmann/json.hpp>

#include "row_settings.hpp"
#include "scenes/placed_sheets.hpp"

namespace graze::benchmarks {
namespace {

struct Settings : RowSettings {
  std::size_t repeats = 3;
  std::size_t steps = 5;
  bool first = false;  ///< first_impact in place of impacts
};

struct Row {
  double first_ms = std::numeric_limits<double>::infinity();
  double ms = std::numeric_limits<double>::infinity();
  double cpu_ms = std::numeric_limits<double>::infinity();
  std::size_t contacts = 0;
  std::vector<std::uint64_t> answers;  ///< one hash a step
  Stats stats;                         ///< of the last step
};

/// Asks one question of a step; returns a hash of the answer.
std::uint64_t ask(Detector& detector, const std::vector<Vec3>& x_t0, const std::vector<Vec3>& x_t1, bool first,
                  Row& row) {
  if (!first) {
    const Impacts impacts = detector.impacts(x_t0, x_t1);
    row.contacts += impacts.impacts.size();
    row.stats = impacts.stats;
    return impacts.hash();
  }
  const FirstImpact impact = detector.first_impact(x_t0, x_t1);
  row.contacts += impact.impact ? 1U : 0U;
  row.stats = impact.stats;
  if (!impact.impact) return 0;
  Impacts one;
  one.impacts.push_back(*impact.impact);
  return one.hash();
}

Row measure(const std::string& method, const scenes::Animation& animation, const Settings& settings) {
  Row row;
  const Scene scene = scenes::make_scene(animation);
  for (std::size_t repeat = 0; repeat < settings.repeats; ++repeat) {
    row.contacts = 0;
    row.answers.clear();
    auto before = std::chrono::steady_clock::now();
    const auto lap = [&] {
      const auto now = std::chrono::steady_clock::now();
      return std::chrono::duration<double, std::milli>(now - std::exchange(before, now)).count();
    };
    Detector detector(scene, {.method = from_name<Method>(method), .threads = settings.threads});
    std::clock_t cpu_before = 0;
    for (std::size_t step = 0; step < settings.steps; ++step) {
      row.answers.push_back(ask(detector, animation.frames[step], animation.frames[step + 1], settings.first, row));
      if (step > 0) continue;
      row.first_ms = std::min(row.first_ms, lap());
      cpu_before = std::clock();
    }
    const double seconds = static_cast<double>(std::clock() - cpu_before) / CLOCKS_PER_SEC;
    const auto steps = static_cast<double>(settings.steps - 1);
    row.ms = std::min(row.ms, lap() / steps);
    row.cpu_ms = std::min(row.cpu_ms, 1e3 * seconds / steps);
  }
  return row;
}

nlohmann::json to_json(const scenes::ScaleCase& one, std::size_t triangles, const std::string& method,
                       const Row& row, double baseline_cpu_ms) {
  const Stats& stats = row.stats;
  return {{"scene", one.name},
          {"baseline", one.baseline},
          {"triangles", triangles},
          {"method", method},
          {"first_ms", row.first_ms},
          {"ms", row.ms},
          {"cpu_ms", row.cpu_ms},
          {"ratio", row.cpu_ms / baseline_cpu_ms},
          {"contacts", row.contacts},
          {"bv_tests", stats.bv_tests},
          {"triangle_pairs", stats.triangle_pairs},
          {"tests", stats.vf_tests + stats.ee_tests},
          {"hash_levels", stats.hash.levels},
          {"hash_entries", stats.hash.entries},
          {"hash_repeated", stats.hash.repeated},
          {"interval", stats.tiers.interval},
          {"exact", stats.tiers.exact},
          {"update_ms", stats.update_ms},
          {"traverse_ms", stats.traverse_ms},
          {"narrow_ms", stats.narrow_ms}};
}

void print(const nlohmann::json& row) {
  const auto count = [&](const char* name) { return row[name].get<std::size_t>(); };
  const auto number = [&](const char* name) { return row[name].get<double>(); };
  std::printf("%-13s %8zu %-9s %9.1f %9.2f %9.2f %6.2f %8zu %9zu %9zu %8zu %7zu %8.2f %8.2f %8.2f\n",
              row["scene"].get<std::string>().c_str(), count("triangles"), row["method"].get<std::string>().c_str(),
              number("first_ms"), number("ms"), number("cpu_ms"), number("ratio"), count("contacts"),
              count("triangle_pairs"), count("tests"), count("interval"), count("exact"), number("update_ms"),
              number("traverse_ms"), number("narrow_ms"));
  std::fflush(stdout);
}

/// Vertices along a side so that all sheets of a case have about `triangles` triangles.
std::size_t side_for(std::size_t triangles, std::size_t pairs) {
  const double cells = static_cast<double>(triangles) / (4.0 * static_cast<double>(pairs));
  return std::max<std::size_t>(2, static_cast<std::size_t>(std::sqrt(cells)) + 1);
}

int run(const Settings& settings) {
  nlohmann::json rows = nlohmann::json::array();
  bool all_right = true;
  std::printf("%-13s %8s %-9s %9s %9s %9s %6s %8s %9s %9s %8s %7s %8s %8s %8s\n", "case", "tri", "method",
              "first ms", "ms", "cpu ms", "ratio", "contacts", "tri pairs", "tests", "interval", "exact", "update",
              "traverse", "narrow");
  const std::vector<scenes::ScaleCase> cases = scenes::scale_cases();
  const auto wanted = [&](const scenes::ScaleCase& one) {
    if (settings.scenes.empty()) return true;
    return std::any_of(settings.scenes.begin(), settings.scenes.end(), [&](const std::string& name) {
      if (name == one.name) return true;
      const auto named = std::find_if(cases.begin(), cases.end(), [&](const auto& c) { return c.name == name; });
      if (named == cases.end()) throw std::runtime_error("--scene " + name + ": no such case");
      return named->baseline == one.name;
    });
  };
  for (const std::size_t size : settings.sizes) {
    std::map<std::string, std::map<std::string, Row>> baselines;  // by case and method
    for (const scenes::ScaleCase& one : cases) {
      if (!wanted(one)) continue;
      const scenes::Animation animation =
          scenes::make_placed_sheets(side_for(size, one.places.size()), settings.steps + 1, one.places);
      for (const std::string& method : settings.methods) {
        Row row = measure(method, animation, settings);
        if (one.name == one.baseline) baselines[one.name][method] = row;
        const auto& baseline = baselines[one.baseline];
        rows.push_back(to_json(one, animation.triangles.size(), method, row, baseline.at(method).cpu_ms));
        print(rows.back());
        if (row.answers == baseline.at(settings.methods.front()).answers) continue;
        all_right = false;
        std::printf("WRONG: %s, %s has other contacts than %s at %s\n", one.name.c_str(), method.c_str(),
                    settings.methods.front().c_str(), one.baseline.c_str());
      }
    }
  }
  return finish_rows(settings, all_right, rows);
}

Settings settings_from(const std::vector<std::string>& arguments) {
  Settings settings;
  take_arguments(arguments, settings, [&](const std::string& name, const std::string& value) {
    if (name == "--repeats") {
      settings.repeats = std::max(1UL, std::stoul(value));
    } else if (name == "--steps") {
      settings.steps = std::max(2UL, std::stoul(value));
    } else if (name == "--query") {
      if (value != "impacts" && value != "first") throw std::runtime_error("--query " + value + ": no such query");
      settings.first = value == "first";
    } else {
      return false;
    }
    return true;
  });
  if (settings.sizes.empty()) settings.sizes = {30'000};
  if (settings.methods.empty()) {
    for (const Method method : research::all_methods()) {
      if (method == Method::Brute || method == research::kBasic || method == research::kAdj) continue;
      settings.methods.emplace_back(name_of(method));
    }
  }
  return settings;
}

}  // namespace
}  // namespace graze::benchmarks

int main(int count, char** arguments) {
  return graze::benchmarks::run_benchmark("graze_bench_scale", count, arguments,
                                          [](const std::vector<std::string>& given) {
                                            return graze::benchmarks::run(graze::benchmarks::settings_from(given));
                                          });
}
