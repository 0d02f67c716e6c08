// Benchmark of method hash, per triangle: on even scenes from ten thousand triangles to two million, and on scenes
// that are difficult for a grid, beside r-tri.
//
// Each contestant makes the same step several times. "first ms": the first step with all one-time work of a
// detector; "ms": the fastest of the others; "cpu ms": the minimum processor time of all threads; "ns/tri": that
// per triangle. Answers are compared by hash with those of the first contestant: a difference fails. "of even":
// ns/tri relative to that of the same contestant on `pieces` of about the same size. The paper's cell rule
// (largest) is quadratic where sizes are mixed, and takes part there only up to --largest-limit triangles.
//
//   graze_bench_hash [--scene NAME]... [--sizes N,N,...] [--threads N] [--repeats N] [--json FILE]
//                    [--method r-tri|hash|certified|largest|paper|basic|...]... [--largest-limit N]
//
// certified: hash with the certified neighbour test; largest: hash with the paper's cell size; paper: largest with
// all 15 feature pairs of each triangle pair. Defaults: all scenes, sizes 10000,50000,200000 and for the even ones
// also 500000 and 2000000; r-tri, hash, certified and largest; one thread, 3 repeats.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <graze/graze.hpp>
#include <graze/research.hpp>

#include <nlohmann/json.hpp>

#include "hash_scenes.hpp"
#include "row_settings.hpp"

namespace graze::benchmarks {
namespace {

struct Settings : RowSettings {
  std::size_t repeats = 3;
  std::size_t largest_limit = 20'000;
};

struct Row {
  std::string method;
  double first_ms = 0.0;
  double ms = 0.0;
  double cpu_ms = 0.0;
  std::size_t impacts = 0;
  std::uint64_t hash = 0;
  Stats stats;  ///< counters of the run with the minimum processor time
};

bool is_even(const std::string& scene) {
  return scene == "pieces" || scene == "sheets";
}

bool has_largest_cells(const std::string& method) {
  return method == "largest" || method == "paper";
}

DetectorOptions options_of(const std::string& name, const Settings& settings) {
  DetectorOptions options{.threads = settings.threads};
  const bool is_hash = name == "certified" || has_largest_cells(name);
  options.method = is_hash ? Method::Hash : from_name<Method>(name);
  if (name == "certified") options.research->hash.neighbours = research::NeighbourTest::Certified;
  if (has_largest_cells(name)) options.research->hash.cells = research::CellRule::Largest;
  options.research->hash.representatives = name != "paper";
  return options;
}

Row measure(const std::string& method, const scenes::Animation& animation, const Scene& scene,
            const Settings& settings) {
  Row row;
  row.method = method;
  const std::vector<Vec3> x_t0 = scenes::start_of_step(animation, 0);
  auto before = std::chrono::steady_clock::now();
  Detector detector(scene, options_of(method, settings));
  for (std::size_t repeat = 0; repeat <= settings.repeats; ++repeat) {
    const std::clock_t cpu_before = std::clock();
    const Impacts impacts = detector.impacts(x_t0, animation.frames[1]);
    const double cpu_ms = 1e3 * static_cast<double>(std::clock() - cpu_before) / CLOCKS_PER_SEC;
    const std::chrono::duration<double, std::milli> gone = std::chrono::steady_clock::now() - before;
    if (repeat == 0) {
      row.first_ms = gone.count();
      row.impacts = impacts.impacts.size();
      row.hash = impacts.toi_hash();
    } else {
      if (repeat == 1 || gone.count() < row.ms) row.ms = gone.count();
      if (repeat == 1 || cpu_ms < row.cpu_ms) {
        row.cpu_ms = cpu_ms;
        row.stats = impacts.stats;
      }
    }
    before = std::chrono::steady_clock::now();
  }
  return row;
}

void print_head() {
  std::printf("%-15s %8s %-10s %9s %9s %9s %8s %8s %8s %8s %8s %8s %9s %8s\n", "scene", "tri", "method", "first ms",
              "ms", "cpu ms", "ns/tri", "of even", "update", "traverse", "narrow", "B/tri", "impacts", "tests/t");
}

nlohmann::json to_json(const std::string& scene, std::size_t triangles, const Row& row, double even) {
  const auto per_triangle = [&](double value) { return value / static_cast<double>(triangles); };
  const Stats& stats = row.stats;
  const double ns = per_triangle(1e6 * row.cpu_ms);
  return {{"scene", scene},
          {"triangles", triangles},
          {"method", row.method},
          {"first_ms", row.first_ms},
          {"ms", row.ms},
          {"cpu_ms", row.cpu_ms},
          {"ns_per_triangle", ns},
          {"of_even", even > 0.0 ? ns / even : 0.0},
          {"update_ms", stats.update_ms},
          {"traverse_ms", stats.traverse_ms},
          {"narrow_ms", stats.narrow_ms},
          {"bytes_per_triangle", per_triangle(static_cast<double>(stats.memory_bytes))},
          {"impacts", row.impacts},
          {"tests_per_triangle", per_triangle(static_cast<double>(stats.vf_tests + stats.ee_tests))},
          {"levels", stats.hash.levels},
          {"voxels", stats.hash.voxels},
          {"used_voxels", stats.hash.used_voxels},
          {"entries", stats.hash.entries},
          {"voxel_pairs", stats.hash.voxel_pairs},
          {"repeated", stats.hash.repeated},
          {"box_pairs", stats.hash.box_pairs},
          {"triangle_pairs", stats.triangle_pairs},
          {"neighbours", stats.hash.neighbours},
          {"neighbours_out", stats.hash.neighbours_out},
          {"element_pairs", stats.hash.element_pairs}};
}

void print(const nlohmann::json& row) {
  std::printf("%-15s %8zu %-10s %9.1f %9.1f %9.1f %8.0f %8.2f %8.1f %8.1f %8.1f %8.0f %9zu %8.2f\n",
              row["scene"].get<std::string>().c_str(), row["triangles"].get<std::size_t>(),
              row["method"].get<std::string>().c_str(), row["first_ms"].get<double>(), row["ms"].get<double>(),
              row["cpu_ms"].get<double>(), row["ns_per_triangle"].get<double>(), row["of_even"].get<double>(),
              row["update_ms"].get<double>(), row["traverse_ms"].get<double>(), row["narrow_ms"].get<double>(),
              row["bytes_per_triangle"].get<double>(), row["impacts"].get<std::size_t>(),
              row["tests_per_triangle"].get<double>());
  std::fflush(stdout);
}

int run(const Settings& settings) {
  nlohmann::json rows = nlohmann::json::array();
  std::map<std::pair<std::string, std::size_t>, double> even;  // ns per triangle of a method at a size, on pieces
  bool all_right = true;
  print_head();
  for (const std::string& name : settings.scenes) {
    std::vector<std::size_t> sizes = settings.sizes;
    if (sizes.empty()) sizes = {10'000, 50'000, 200'000};
    if (settings.sizes.empty() && is_even(name)) sizes.insert(sizes.end(), {500'000, 2'000'000});
    for (const std::size_t size : sizes) {
      const scenes::Animation animation = make_hash_scene(name, size);
      const Scene scene = scenes::make_scene(animation);
      std::uint64_t expected = 0;
      for (const std::string& method : settings.methods) {
        if (has_largest_cells(method) && !is_even(name) && size > settings.largest_limit) continue;
        const Row row = measure(method, animation, scene, settings);
        const double ns = 1e6 * row.cpu_ms / static_cast<double>(scene.triangle_count());
        if (name == "pieces") even[{method, size}] = ns;
        const auto base = even.find({method, size});
        rows.push_back(to_json(name, scene.triangle_count(), row, base == even.end() ? 0.0 : base->second));
        print(rows.back());
        if (method == settings.methods.front()) expected = row.hash;
        if (row.hash == expected) continue;
        all_right = false;
        std::printf("WRONG: %s, %s differs from %s\n", name.c_str(), method.c_str(),
                    settings.methods.front().c_str());
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
    } else if (name == "--largest-limit") {
      settings.largest_limit = std::stoul(value);
    } else {
      return false;
    }
    return true;
  });
  if (settings.scenes.empty()) settings.scenes = hash_scenes();
  if (settings.methods.empty()) settings.methods = {"r-tri", "hash", "certified", "largest"};
  return settings;
}

}  // namespace
}  // namespace graze::benchmarks

int main(int count, char** arguments) {
  return graze::benchmarks::run_benchmark("graze_bench_hash", count, arguments,
                                          [](const std::vector<std::string>& given) {
                                            return graze::benchmarks::run(graze::benchmarks::settings_from(given));
                                          });
}
