// Benchmark of rigid objects in coarse surroundings (scenes/surroundings.hpp): a fine object tumbles above floors,
// ramps, stairs and in rooms of a few triangles ten times its size, and beside a copy of itself of a tenth of its
// size. graze's trees and, on the same poses in the same run, other libraries that take two meshes. One thread.
//
//   graze_bench_rigid_coarse [--mesh FILE]... [--scene NAME[:TRIANGLES]]... [--around NAME,...] [--distances D,...]
//                            [--steps N] [--rounds N] [--tree NAME,...] [--peers NAME,...|none] [--json FILE]
//
// One row for each contestant, as graze_bench_rigid prints them: microseconds a pose, and the ratio to the first
// row. The rows of graze must have equal answers, else the exit status is 1. Defaults: the bunny if present,
// torus:20000 and headlight:20000; all surroundings; distances 0.6 (deep), 1.2, 1.8 (apart, near), 3; 200 steps, 5
// rounds; boxtree and obb; fcl if it is in the build.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <graze/graze.hpp>
#include <graze/io.hpp>

#include <nlohmann/json.hpp>

#include "benchmarks/peers/rigid_peer.hpp"
#include "rigid_contestant.hpp"
#include "rigid_race.hpp"
#include "scenes/surroundings.hpp"
#include "scenes/tumble.hpp"

namespace graze::benchmarks {
namespace {

struct Settings {
  std::vector<std::pair<std::string, scenes::Shape>> objects;
  std::vector<std::string> around;
  std::vector<double> distances{0.6, 1.2, 1.8, 3.0};
  std::size_t steps = 200;
  std::size_t rounds = 5;
  std::vector<std::string> trees{"boxtree", "obb"};
  std::vector<std::string> peers;
  std::string json;
};

/// Runs one object in one kind of surroundings. Returns whether all answers of graze agree.
bool run_pair(const std::string& name, const scenes::Shape& object, const std::string& around,
              const Settings& settings, nlohmann::json& out) {
  const scenes::Shape other = scenes::make_surrounding(around, object);
  Contestants contestants;
  for (const std::string& tree : settings.trees)
    contestants.push_back(
        make_graze({.object = {.tree = from_name<RigidTree>(tree), .threads = 1}}, object, other));
  for (const std::string& peer : settings.peers) contestants.push_back(make_peer(peer, object, other));
  std::printf("%s (%zu triangles), %s (%zu triangles)\n", name.c_str(), object.triangles.size(), around.c_str(),
              other.triangles.size());
  bool all_right = true;
  for (const RigidQuery query : {RigidQuery::FirstHit, RigidQuery::TrianglePairs}) {
    const char* const query_name = query == RigidQuery::FirstHit ? "first" : "pairs";
    for (const double distance : settings.distances) {
      const std::vector<PosePair> poses = scenes::tumble_above(around, distance, settings.steps);
      const std::vector<RaceRow> rows = race(contestants, query, poses, settings.rounds);
      for (const RaceRow& row : rows) {
        const double ratio = row.cpu_us / rows.front().cpu_us;
        std::printf("  %-6.3g %-6s %-14s %10.2f us %10.2f median %8.2f %6zu hits %9llu pairs\n", distance,
                    query_name, row.name.c_str(), row.cpu_us, row.median_us, ratio, row.hits,
                    static_cast<unsigned long long>(row.pairs));
        out.push_back({{"object", name},
                       {"around", around},
                       {"distance", distance},
                       {"query", query_name},
                       {"contestant", row.name},
                       {"cpu_us", row.cpu_us},
                       {"median_us", row.median_us},
                       {"hits", row.hits},
                       {"pairs", row.pairs}});
        if (!row.exact || (row.agrees() && row.hash == rows.front().hash)) continue;
        all_right = false;
        std::printf("WRONG: %s differs from %s\n", row.name.c_str(), rows.front().name.c_str());
      }
      std::fflush(stdout);
    }
  }
  return all_right;
}

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words;
  std::istringstream stream(list);
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  return words;
}

void add_mesh(Settings& settings, const std::string& file) {
  Mesh mesh = read_mesh(file);
  settings.objects.emplace_back(std::filesystem::path(file).filename().string(),
                                scenes::scaled_to_cube({std::move(mesh.positions), std::move(mesh.triangles)}));
}

Settings settings_from(const std::vector<std::string>& arguments) {
  Settings settings;
  for (const std::string_view name : scenes::surrounding_names()) settings.around.emplace_back(name);
  for (const std::string_view peer : peers::rigid_peers_in_build()) {
    if (peer == "fcl") settings.peers.emplace_back(peer);
  }
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    const std::string& name = arguments[i];
    if (i + 1 == arguments.size()) throw InputError(name + ": a value is missing");
    const std::string& value = arguments[i + 1];
    if (name == "--mesh") {
      add_mesh(settings, value);
    } else if (name == "--scene") {
      settings.objects.emplace_back(value, scenes::tumble_shape(value));
    } else if (name == "--around") {
      settings.around = words_of(value);
    } else if (name == "--distances") {
      settings.distances.clear();
      for (const std::string& word : words_of(value)) settings.distances.push_back(std::stod(word));
    } else if (name == "--steps") {
      settings.steps = std::stoul(value);
    } else if (name == "--rounds") {
      settings.rounds = std::stoul(value);
    } else if (name == "--tree") {
      settings.trees = words_of(value);
    } else if (name == "--peers") {
      settings.peers = value == "none" ? std::vector<std::string>{} : words_of(value);
    } else if (name == "--json") {
      settings.json = value;
    } else {
      throw InputError(name + ": no such option");
    }
  }
  if (settings.objects.empty()) {
    const char* folder = std::getenv("GRAZE_DATA");
    const std::filesystem::path bunny =
        std::filesystem::path(folder != nullptr ? folder : GRAZE_DEFAULT_DATA) / "meshes" / "bunny.ply";
    if (std::filesystem::exists(bunny)) add_mesh(settings, bunny.string());
    for (const char* scene : {"torus:20000", "headlight:20000"})
      settings.objects.emplace_back(scene, scenes::tumble_shape(scene));
  }
  return settings;
}

int run(const Settings& settings) {
  nlohmann::json rows = nlohmann::json::array();
  bool all_right = true;
  for (const auto& [name, object] : settings.objects) {
    for (const std::string& around : settings.around)
      all_right = run_pair(name, object, around, settings, rows) && all_right;
  }
  if (!settings.json.empty()) {
    std::ofstream file(settings.json);
    file << nlohmann::json{{"steps", settings.steps}, {"answers_agree", all_right}, {"rows", rows}}.dump(2) << '\n';
    if (!file) throw InputError(settings.json + ": could not be written");
  }
  return all_right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace graze::benchmarks

int main(int count, char** arguments) {
  try {
    return graze::benchmarks::run(
        graze::benchmarks::settings_from(std::vector<std::string>(arguments + 1, arguments + count)));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "graze_bench_rigid_coarse: %s\n", error.what());
    return 2;
  }
}
