// Benchmark of method auto: time and memory per triangle on large scenes with few contacts, from ten thousand
// triangles to ten million, where all move, where few do, and where most are static obstacles.
//
// Each row is a separate process, so that its peak memory is its own. "made": the construction of the detector;
// "clusters": the update of its first step, which builds clusters and tree, in wall time; "first": construction and
// first step, which have all one-time work; "system": the part of it that the system takes for fresh memory; all in
// ms. "ratio": the first step by the fastest later one. "ns/tri": the minimum processor time (wall time if the
// system's processor clock is too coarse) of a later step, each with new positions, per triangle; "Mtri/s": its
// inverse. "moved": the share of vertices that move. "peak MB": peak memory of the process, positions included;
// "B/tri": the peak minus the memory held before the detector existed, per triangle. The answers of all steps are
// compared by hash with those of the other methods: a difference fails. Methods other than the first run only up to
// --check triangles.
//
//   graze_bench_auto [--scene NAME]... [--sizes N,N,...] [--method NAME]... [--threads N] [--steps N] [--check N]
//                    [--json FILE]
//
// Defaults: all scenes, sizes 10000,100000,1000000; auto and r-tri, the latter up to 1000000; one thread, 6 steps.
// Ten million: --scene sheets --sizes 10000000.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <graze/graze.hpp>

#include <nlohmann/json.hpp>

#include "auto_scenes.hpp"
#include "row_settings.hpp"

namespace graze::benchmarks {
namespace {

struct Settings : RowSettings {
  std::size_t steps = 6;
  std::size_t check_limit = 1'000'000;
};

double peak_bytes() {
  rusage usage{};
  (void)getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

/// Processor time that the system has spent for the process, mostly on pages of fresh memory, in ms.
double system_ms() {
  rusage usage{};
  (void)getrusage(RUSAGE_SELF, &usage);
  return 1e3 * static_cast<double>(usage.ru_stime.tv_sec) + 1e-3 * static_cast<double>(usage.ru_stime.tv_usec);
}

/// Resident memory of the process now, which may exceed the recorded peak.
double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double pages = 0.0;
  if (!(file >> pages >> pages)) return peak_bytes();
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double moved_share(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  std::size_t moved = 0;
  for (std::size_t i = 0; i < a.size(); ++i) moved += a[i] != b[i] ? 1U : 0U;
  return static_cast<double>(moved) / static_cast<double>(a.size());
}

nlohmann::json measure(const std::string& name, std::size_t size, const std::string& method,
                       const Settings& settings) {
  const AutoScene made = make_auto_scene(name, size);
  std::vector<Vec3> x_t0;
  std::vector<Vec3> x_t1;
  made.positions(0, x_t0);
  made.positions(1, x_t1);
  const double before = resident_bytes();
  const auto triangles = static_cast<double>(made.scene.triangle_count());
  nlohmann::json row = {{"scene", name}, {"triangles", made.scene.triangle_count()}, {"method", method}};
  row["moved"] = moved_share(x_t0, x_t1);

  auto start = std::chrono::steady_clock::now();
  const double system_start = system_ms();
  std::clock_t cpu_start = std::clock();
  const auto cpu_since = [](std::clock_t from) {
    return 1e3 * static_cast<double>(std::clock() - from) / CLOCKS_PER_SEC;
  };
  Detector detector(made.scene, {.method = from_name<Method>(method), .threads = settings.threads});
  row["made_cpu_ms"] = cpu_since(cpu_start);
  row["made_ms"] = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  row["peak_made_bytes_per_triangle"] = (peak_bytes() - before) / triangles;
  std::vector<double> cpu_ms;
  std::vector<double> wall_ms;
  std::size_t impacts = 0;
  std::uint64_t hash = 0;
  Stats stats;
  for (std::size_t step = 0; step < settings.steps; ++step) {
    if (step > 0) {
      std::swap(x_t0, x_t1);
      made.positions(step + 1, x_t1);
      start = std::chrono::steady_clock::now();
    }
    cpu_start = std::clock();
    const Impacts found = detector.impacts(x_t0, x_t1);
    const double cpu = cpu_since(cpu_start);
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
    if (step == 0) {
      row["first_ms"] = wall.count();
      row["first_cpu_ms"] = row["made_cpu_ms"].get<double>() + cpu;
      row["first_update_ms"] = found.stats.update_ms;
      row["first_system_ms"] = system_ms() - system_start;
      row["peak_first_bytes_per_triangle"] = (peak_bytes() - before) / triangles;
    } else {
      if (cpu_ms.empty() || cpu < *std::min_element(cpu_ms.begin(), cpu_ms.end())) stats = found.stats;
      cpu_ms.push_back(cpu);
      wall_ms.push_back(wall.count());
    }
    impacts += found.impacts.size();
    hash = hash * 0x9E3779B97F4A7C15U + found.toi_hash();
  }
  row["ms"] = *std::min_element(wall_ms.begin(), wall_ms.end());
  row["cpu_ms"] = *std::min_element(cpu_ms.begin(), cpu_ms.end());
  row["slowest_cpu_ms"] = *std::max_element(cpu_ms.begin(), cpu_ms.end());
  // Some systems count processor time in ticks of 10 ms: a small scene then takes zero.
  const double least = row[row["cpu_ms"] > 0.0 ? "cpu_ms" : "ms"];
  row["ns_per_triangle"] = 1e6 * least / triangles;
  row["million_per_second"] = triangles / least * 1e-3;
  row["first_ratio"] =
      row["cpu_ms"] > 0.0 ? row["first_cpu_ms"].get<double>() / least : row["first_ms"].get<double>() / least;
  row["clusters"] = stats.cluster.clusters;
  row["cluster_pairs"] = stats.cluster.pairs;
  row["feature_tests"] = stats.cluster.feature_tests;
  row["update_ms"] = stats.update_ms;
  row["traverse_ms"] = stats.traverse_ms;
  row["narrow_ms"] = stats.narrow_ms;
  row["impacts_per_triangle"] = static_cast<double>(impacts) / static_cast<double>(settings.steps) / triangles;
  row["own_bytes_per_triangle"] = static_cast<double>(stats.memory_bytes) / triangles;
  row["peak_mb"] = 1e-6 * peak_bytes();
  row["bytes_per_triangle"] = (peak_bytes() - before) / triangles;
  row["hash"] = hash;
  return row;
}

/// Runs measure in a child process and reads its row.
nlohmann::json measure_in_child(const std::string& name, std::size_t size, const std::string& method,
                                const Settings& settings) {
  int ends[2];  // NOLINT(modernize-avoid-c-arrays): pipe takes one
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  (void)std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    (void)close(ends[0]);
    std::string text;
    try {
      text = measure(name, size, method, settings).dump();
    } catch (const std::exception& error) {
      text = nlohmann::json{{"error", error.what()}}.dump();
    }
    const bool written = write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size());
    _exit(written ? EXIT_SUCCESS : EXIT_FAILURE);
  }
  (void)close(ends[1]);
  std::string text;
  char buffer[4096];  // NOLINT(modernize-avoid-c-arrays)
  for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(got));
  }
  (void)close(ends[0]);
  int status = 0;
  (void)waitpid(child, &status, 0);
  nlohmann::json row = nlohmann::json::parse(text, nullptr, false);
  if (row.is_discarded()) throw std::runtime_error(name + ", " + method + ": ended without a result");
  if (row.contains("error")) throw std::runtime_error(row["error"].get<std::string>());
  return row;
}

void print_head() {
  std::printf("%-11s %9s %-8s %9s %9s %9s %8s %6s %9s %8s %7s %7s %8s %8s %8s %9s %8s %7s %7s %7s %7s\n", "scene",
              "tri", "method", "made", "clusters", "first", "system", "ratio", "cpu ms", "ns/tri", "Mtri/s",
              "moved", "update", "traverse", "narrow", "impacts/t", "peak MB", "B made", "B first", "B/tri",
              "own B/t");
}

void print(const nlohmann::json& row) {
  const auto value = [&](const char* key) { return row[key].get<double>(); };
  std::printf(
      "%-11s %9zu %-8s %9.1f %9.1f %9.1f %8.1f %6.2f %9.2f %8.1f %7.2f %6.2f%% %8.2f %8.2f %8.2f %9.5f %8.0f %7.0f "
      "%7.0f "
      "%7.0f %7.0f\n",
      row["scene"].get<std::string>().c_str(), row["triangles"].get<std::size_t>(),
      row["method"].get<std::string>().c_str(), value("made_cpu_ms"), value("first_update_ms"),
      value("first_cpu_ms"), value("first_system_ms"), value("first_ratio"), value("cpu_ms"),
      value("ns_per_triangle"), value("million_per_second"), 100.0 * value("moved"), value("update_ms"),
      value("traverse_ms"), value("narrow_ms"), value("impacts_per_triangle"), value("peak_mb"),
      value("peak_made_bytes_per_triangle"), value("peak_first_bytes_per_triangle"), value("bytes_per_triangle"),
      value("own_bytes_per_triangle"));
  (void)std::fflush(stdout);
}

int run(const Settings& settings) {
  nlohmann::json rows = nlohmann::json::array();
  bool all_right = true;
  print_head();
  for (const std::string& name : settings.scenes) {
    for (const std::size_t size : settings.sizes) {
      std::uint64_t expected = 0;
      for (const std::string& method : settings.methods) {
        const bool is_first = method == settings.methods.front();
        if (!is_first && size > settings.check_limit) continue;
        rows.push_back(measure_in_child(name, size, method, settings));
        print(rows.back());
        const auto hash = rows.back()["hash"].get<std::uint64_t>();
        if (is_first) expected = hash;
        if (hash == expected) continue;
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
    if (name == "--steps") {
      settings.steps = std::max(2UL, std::stoul(value));
    } else if (name == "--check") {
      settings.check_limit = std::stoul(value);
    } else {
      return false;
    }
    return true;
  });
  if (settings.scenes.empty()) settings.scenes = auto_scenes();
  if (settings.sizes.empty()) settings.sizes = {10'000, 100'000, 1'000'000};
  if (settings.methods.empty()) settings.methods = {"auto", "r-tri"};
  return settings;
}

}  // namespace
}  // namespace graze::benchmarks

int main(int count, char** arguments) {
  return graze::benchmarks::run_benchmark("graze_bench_auto", count, arguments,
                                          [](const std::vector<std::string>& given) {
                                            return graze::benchmarks::run(graze::benchmarks::settings_from(given));
                                          });
}
