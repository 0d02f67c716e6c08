// Benchmark of rigid queries: two copies of an object that tumble at a distance (BOXTREE, section 5;
// scenes/tumble.hpp), or in poses with common corners, edges and planes (scenes/pose_sets.hpp). graze's trees and
// overlap tests and, on the same poses in the same run, other libraries. One thread.
//
//   graze_bench_rigid [--mesh FILE]... [--scene NAME[:TRIANGLES]]... [--distances D,D,...] [--steps N] [--rounds N]
//                     [--poses tumble|aligned|shifted|same,...|all] [--query first|pairs|both]
//                     [--tree NAME,...|all] [--split NAME,...|all] [--overlap NAME,...|all]
//                     [--coherence no|yes|both] [--lift yes|no|both] [--peers NAME,...|all|none] [--json FILE]
//
// For each object: build time and memory; then for each query and each distance of the tumble or set of poses one
// row per contestant: mean and median us per pose (of the median round), mean processor time (for each hundred
// poses the minimum of all rounds, which other load disturbs least) and its ratio to the first row, colliding
// poses, triangle pairs, and for peers the numbers of both that exact arithmetic refutes (+) or that they miss (-).
// For a set of poses, also the processor time of the first row over that of this row in the pose where it is
// largest, and the number of that pose. The rows of graze must have equal answers, else the exit status is 1.
// Default objects: the public meshes, if present, and torus:50000, car-body, headlight and lock. Other defaults:
// tumble; 0.8,1.2,1.6,2.0; 500 steps (the paper: 5000), 3 rounds; both queries; boxtree, sat; the peers of this
// build.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <graze/graze.hpp>
#include <graze/io.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "benchmarks/peers/rigid_peer.hpp"
#include "rigid_contestant.hpp"
#include "rigid_race.hpp"
#include "scenes/pose_sets.hpp"
#include "scenes/tumble.hpp"

namespace graze::benchmarks {
namespace {

struct Settings {
  std::vector<std::string> meshes;
  std::vector<std::string> scenes;
  std::vector<double> distances{std::begin(scenes::kTumbleDistances), std::end(scenes::kTumbleDistances)};
  std::size_t steps = 500;
  std::size_t rounds = 3;
  bool tumble = true;
  std::vector<scenes::PoseSet> pose_sets;
  std::vector<RigidQuery> queries{RigidQuery::FirstHit, RigidQuery::TrianglePairs};
  std::vector<RigidTree> trees{RigidTree::Boxtree};
  std::vector<BoxtreeSplit> splits{BoxtreeSplit::Free};
  std::vector<BoxOverlap> overlaps{BoxOverlap::Sat};
  std::vector<bool> coherence{false};
  std::vector<bool> lift{true};
  std::vector<std::string> peers;
  std::string json;
};

const char* name_of(RigidQuery query) {
  return query == RigidQuery::FirstHit ? "first" : "pairs";
}

/// Boxtrees with all requested options, the other trees once each.
std::vector<GrazeVariant> variants_of(const Settings& settings) {
  std::vector<GrazeVariant> variants;
  for (const RigidTree tree : settings.trees) {
    const bool boxtree = tree == RigidTree::Boxtree;
    for (const BoxtreeSplit split : boxtree ? settings.splits : std::vector{BoxtreeSplit::Free}) {
      for (const BoxOverlap overlap : boxtree ? settings.overlaps : std::vector{BoxOverlap::Sat}) {
        for (const bool lift : boxtree ? settings.lift : std::vector{true}) {
          for (const bool coherence : settings.coherence) {
            variants.push_back({.object = {.tree = tree, .split = split, .threads = 1},
                                .collider = {.overlap = overlap, .lift = lift, .coherence = coherence}});
          }
        }
      }
    }
  }
  return variants;
}

/// Poses of which one row shows the mean: a tumble at a distance, or a set.
struct Course {
  std::string poses;
  double distance = 0.0;
  std::string label;
  std::vector<PosePair> list;
};
std::vector<Course> courses_of(const Settings& settings, const scenes::Shape& mesh) {
  std::vector<Course> courses;
  if (settings.tumble) {
    for (const double distance : settings.distances)
      courses.push_back(
          {"tumble", distance, fmt::format("{:.3g}", distance), scenes::tumble(distance, settings.steps)});
  }
  for (const scenes::PoseSet set : settings.pose_sets) {
    const std::string name(scenes::name_of(set));
    courses.push_back({name, 0.0, name, scenes::pose_set(set, mesh)});
  }
  return courses;
}

nlohmann::json to_json(const std::string& object, const Course& course, RigidQuery query, const RaceRow& row,
                       double ratio) {
  return {{"object", object},
          {"poses", course.poses},
          {"distance", course.distance},
          {"query", name_of(query)},
          {"contestant", row.name},
          {"mean_us", row.mean_us},
          {"median_us", row.median_us},
          {"cpu_us", row.cpu_us},
          {"ratio", ratio},
          {"worst", row.worst},
          {"worst_pose", row.worst_pose},
          {"hits", row.hits},
          {"pairs", row.pairs},
          {"hash", row.hash},
          {"false_hits", row.false_hits},
          {"missed_hits", row.missed_hits},
          {"false_pairs", row.false_pairs},
          {"missed_pairs", row.missed_pairs}};
}

void print_memory(const Contestants& contestants, std::size_t triangles, nlohmann::json& out) {
  const auto per_triangle = [&](std::uint64_t bytes) {
    return static_cast<double>(bytes) / static_cast<double>(triangles);
  };
  const double first = per_triangle(contestants.front()->total_bytes());
  std::printf("  %-28s %10s %10s %10s %8s\n", "", "build ms", "tree B/tri", "all B/tri", "ratio");
  for (const auto& contestant : contestants) {
    const double all = per_triangle(contestant->total_bytes());
    const std::uint64_t tree = contestant->tree_bytes();
    char tree_text[32] = "-";
    if (tree > 0) std::snprintf(tree_text, sizeof tree_text, "%.1f", per_triangle(tree));
    std::printf("  %-28s %10.2f %10s %10.1f %8.2f\n", std::string(contestant->name()).c_str(),
                contestant->build_ms(), tree_text, all, all / first);
    out.push_back({{"contestant", contestant->name()},
                   {"build_ms", contestant->build_ms()},
                   {"tree_bytes", tree},
                   {"total_bytes", contestant->total_bytes()}});
  }
}

void print_row(const Course& course, RigidQuery query, const RaceRow& row, double ratio) {
  const std::string worst = row.worst > 0.0 ? fmt::format("{:.2f}@{}", row.worst, row.worst_pose) : "-";
  std::printf("  %-8s %-6s %-28s %10.2f %10.2f %10.2f %8.2f %8s %7zu %11llu", course.label.c_str(), name_of(query),
              row.name.c_str(), row.mean_us, row.median_us, row.cpu_us, ratio, worst.c_str(), row.hits,
              static_cast<unsigned long long>(row.pairs));
  if (!row.agrees()) {
    std::printf("  poses +%zu -%zu pairs +%llu -%llu", row.false_hits, row.missed_hits,
                static_cast<unsigned long long>(row.false_pairs),
                static_cast<unsigned long long>(row.missed_pairs));
  }
  std::printf("\n");
  std::fflush(stdout);
}

/// Runs one object in all poses. Returns whether all answers of graze agree.
bool run_object(const std::string& name, const scenes::Shape& mesh, const Settings& settings,
                nlohmann::json& objects) {
  Contestants contestants;
  for (const GrazeVariant& variant : variants_of(settings)) contestants.push_back(make_graze(variant, mesh));
  for (const std::string& peer : settings.peers) contestants.push_back(make_peer(peer, mesh));

  nlohmann::json object = {{"object", name},
                           {"triangles", mesh.triangles.size()},
                           {"vertices", mesh.positions.size()},
                           {"memory", nlohmann::json::array()},
                           {"rows", nlohmann::json::array()}};
  std::printf("%s: %zu triangles, %zu vertices\n", name.c_str(), mesh.triangles.size(), mesh.positions.size());
  print_memory(contestants, mesh.triangles.size(), object["memory"]);
  std::printf("  %-8s %-6s %-28s %10s %10s %10s %8s %8s %7s %11s\n", "distance", "query", "", "mean us",
              "median us", "cpu us", "ratio", "worst", "hits", "pairs");
  const std::vector<Course> courses = courses_of(settings, mesh);
  bool all_right = true;
  for (const RigidQuery query : settings.queries) {
    for (const Course& course : courses) {
      std::vector<RaceRow> rows = race(contestants, query, course.list, settings.rounds);
      if (course.poses != "tumble") find_worst_poses(contestants, query, course.list, settings.rounds, rows);
      for (const RaceRow& row : rows) {
        const double ratio = row.cpu_us / rows.front().cpu_us;
        print_row(course, query, row, ratio);
        object["rows"].push_back(to_json(name, course, query, row, ratio));
        if (!row.exact || (row.agrees() && row.hash == rows.front().hash)) continue;
        all_right = false;
        std::printf("WRONG: %s, poses %s, %s differs from %s\n", name.c_str(), course.label.c_str(),
                    row.name.c_str(), rows.front().name.c_str());
      }
    }
  }
  std::printf("\n");
  objects.push_back(std::move(object));
  return all_right;
}

int run(const Settings& settings) {
  nlohmann::json objects = nlohmann::json::array();
  bool all_right = true;
  for (const std::string& file : settings.meshes) {
    Mesh mesh = read_mesh(file);
    if (mesh.triangles.empty()) throw InputError(file + ": there are no triangles");
    const scenes::Shape shape = scenes::scaled_to_cube({std::move(mesh.positions), std::move(mesh.triangles)});
    const std::string name = std::filesystem::path(file).filename().string();
    all_right = run_object(name, shape, settings, objects) && all_right;
  }
  for (const std::string& name : settings.scenes) {
    all_right = run_object(name, scenes::tumble_shape(name), settings, objects) && all_right;
  }
  if (!settings.json.empty()) {
    const nlohmann::json all = {{"steps", settings.steps},
                                {"rounds", settings.rounds},
                                {"threads", 1},
                                {"answers_agree", all_right},
                                {"objects", objects}};
    std::ofstream file(settings.json);
    file << all.dump(2) << '\n';
    if (!file) throw std::runtime_error(settings.json + ": could not be written");
  }
  return all_right ? EXIT_SUCCESS : EXIT_FAILURE;
}

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words;
  std::istringstream stream(list);
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  return words;
}

template <typename Number>
Number number_from(const std::string& option, const std::string& text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < Number{}) {
    throw InputError(option + ": '" + text + "' is not what it takes");
  }
  return number;
}

std::size_t count_from(const std::string& option, const std::string& text) {
  const auto count = number_from<std::size_t>(option, text);
  if (count == 0) throw InputError(option + ": at least 1");
  return count;
}

/// The values of an enumeration by their names, or all.
template <typename Value>
std::vector<Value> named(const std::string& option, const std::string& list, std::span<const Value> all) {
  if (list == "all") return {all.begin(), all.end()};
  std::vector<Value> chosen;
  for (const std::string& word : words_of(list)) {
    std::string known;
    bool found = false;
    for (const Value value : all) {
      known += (known.empty() ? "" : ", ") + std::string(graze::name_of(value));
      if (graze::name_of(value) != word) continue;
      chosen.push_back(value);
      found = true;
    }
    if (!found) {
      std::string message = option;
      message.append(": '").append(word).append("' is unknown; there are: ").append(known);
      throw InputError(message);
    }
  }
  if (chosen.empty()) throw InputError(option + ": nothing is named");
  return chosen;
}

std::vector<bool> switch_from(const std::string& option, const std::string& text) {
  if (text == "yes") return {true};
  if (text == "no") return {false};
  if (text == "both") return {true, false};
  throw InputError(option + ": yes, no or both");
}

void choose_poses(Settings& settings, const std::string& list) {
  settings.tumble = false;
  settings.pose_sets.clear();
  for (const std::string& word : words_of(list == "all" ? "tumble,aligned,shifted,same" : list)) {
    if (word == "tumble") {
      settings.tumble = true;
      continue;
    }
    const auto* const set = std::find_if(std::begin(scenes::kPoseSets), std::end(scenes::kPoseSets),
                                         [&](scenes::PoseSet one) { return scenes::name_of(one) == word; });
    if (set == std::end(scenes::kPoseSets))
      throw InputError("--poses: '" + word + "' is unknown; there are: tumble, aligned, shifted, same");
    settings.pose_sets.push_back(*set);
  }
}

std::vector<std::string> all_peers() {
  std::vector<std::string> names;
  for (const std::string_view name : peers::rigid_peers_in_build()) names.emplace_back(name);
  return names;
}

constexpr const char* kUsage =
    "usage: graze_bench_rigid [--mesh FILE]... [--scene NAME:SIZE]... [--distances D,...] [--steps N] [--rounds "
    "N]\n"
    "  [--poses tumble|aligned|shifted|same,...|all] [--query first|pairs|both] [--tree NAME,...] [--split "
    "NAME,...] [--overlap NAME,...] [--lift yes|no|both]\n"
    "  [--coherence yes|no|both] [--peers all|none|NAME,...] [--json FILE]\n";

Settings settings_from(const std::vector<std::string>& arguments) {
  Settings settings;
  settings.peers = all_peers();
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
      for (const std::string& word : words_of(value)) {
        settings.distances.push_back(number_from<double>(name, word));
      }
    } else if (name == "--steps") {
      settings.steps = count_from(name, value);
    } else if (name == "--rounds") {
      settings.rounds = count_from(name, value);
    } else if (name == "--poses") {
      choose_poses(settings, value);
    } else if (name == "--query") {
      if (value == "first") {
        settings.queries = {RigidQuery::FirstHit};
      } else if (value == "pairs") {
        settings.queries = {RigidQuery::TrianglePairs};
      } else if (value != "both") {
        throw InputError("--query: first, pairs or both");
      }
    } else if (name == "--tree") {
      settings.trees = named(name, value, all_values<RigidTree>());
    } else if (name == "--split") {
      settings.splits = named(name, value, all_values<BoxtreeSplit>());
    } else if (name == "--overlap") {
      settings.overlaps = named(name, value, all_values<BoxOverlap>());
    } else if (name == "--coherence") {
      settings.coherence = switch_from(name, value);
    } else if (name == "--lift") {
      settings.lift = switch_from(name, value);
    } else if (name == "--peers") {
      settings.peers = value == "all" ? all_peers() : words_of(value == "none" ? "" : value);
    } else if (name == "--json") {
      settings.json = value;
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

}  // namespace
}  // namespace graze::benchmarks

int main(int count, char** arguments) {
  if (count == 2 && std::string_view(arguments[1]) == "--help") {
    std::fputs(graze::benchmarks::kUsage, stdout);
    return 0;
  }
  try {
    return graze::benchmarks::run(
        graze::benchmarks::settings_from(std::vector<std::string>(arguments + 1, arguments + count)));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "graze_bench_rigid: %s\n", error.what());
    return 2;
  }
}
