// Benchmark of first contacts of motions: graze's first_contact, 101 sampled first hits of the same motion, and
// FCL's conservative advancement. One thread.
//
//   graze_bench_rigid_motion [--mesh FILE]... [--scene NAME[:TRIANGLES]]... [--kinds NAME,...] [--motions N]
//                            [--rounds N] [--check N] [--peer yes|no] [--json FILE]
//
// For each object and kind of motion (benchmarks/rigid_motion_cases.hpp) one row: mean us per motion (processor
// time, for each motion the minimum of all rounds, in which contestants take turns of two runs) of first_contact,
// of 101 first hits at equal times, of those up to the first hit, and of FCL; the ratio of the first two; contacts;
// work. Answers are checked: no pose of --check samples before the certified time intersects, a motion whose
// samples hit has a contact, and the triangles reported are within the reported distance at that time; otherwise
// the exit status is 1. FCL's times are compared with graze's: `late` counts motions in which FCL's time is after a
// sampled hit, or in which FCL misses a sampled hit. Default objects as in graze_bench_rigid; 8 motions, 3 rounds,
// 1001 samples.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <graze/graze.hpp>
#include <graze/io.hpp>

#include <nlohmann/json.hpp>

#include "benchmarks/peers/rigid_motion_peer.hpp"
#include "rigid_motion_cases.hpp"
#include "scenes/tumble.hpp"

namespace graze::benchmarks {
namespace {

struct Settings {
  std::vector<std::string> meshes;
  std::vector<std::string> scenes;
  std::vector<std::string> kinds;
  std::size_t motions = 8;
  std::size_t rounds = 3;
  std::size_t check = 1001;
  bool peer = true;
  std::string json;
};

template <typename Work>
double cpu_us(const Work& work) {
  timespec before{};
  timespec after{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
  work();
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
  return 1e6 * static_cast<double>(after.tv_sec - before.tv_sec) +
         1e-3 * static_cast<double>(after.tv_nsec - before.tv_nsec);
}

std::array<Vec3, 3> posed_triangle(const scenes::Shape& shape, TriangleId triangle, const Pose& pose) {
  const Triangle& t = shape.triangles[triangle];
  return {posed(pose, shape.positions[t[0]]), posed(pose, shape.positions[t[1]]),
          posed(pose, shape.positions[t[2]])};
}

/// Distance of two disjoint triangles.
double distance(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    least = std::min(least, distance_vertex_face({a[i], b[0], b[1], b[2]}).distance);
    least = std::min(least, distance_vertex_face({b[i], a[0], a[1], a[2]}).distance);
    for (std::size_t j = 0; j < 3; ++j)
      least = std::min(least, distance_edge_edge({a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]}).distance);
  }
  return least;
}

/// The earliest of `samples` equal times at which the objects intersect; 2 if there is none.
double first_sampled(Collider& collider, const MotionCase& motion, std::size_t samples) {
  for (std::size_t i = 0; i < samples; ++i) {
    const double t = static_cast<double>(i) / static_cast<double>(samples - 1);
    if (collider.first_hit(pose_at(motion.a, t), pose_at(motion.b, t)).hit()) return t;
  }
  return 2.0;
}

/// Keeps the smaller of two runs in a row: the first one finds the caches as another contestant left them.
template <typename Work>
void keep_least(double& least, const Work& work) {
  for (int run = 0; run < 2; ++run) least = std::min(least, cpu_us(work));
}

struct Row {
  double contact_us = 0.0;
  double sampled_us = 0.0;
  double to_first_us = 0.0;
  double peer_us = 0.0;
  std::size_t motions = 0;
  std::size_t contacts = 0;
  std::size_t sampled = 0;
  std::size_t peer_late = 0;
  RigidStats stats;
  bool right = true;
};

Row run_kind(const std::string& name, const MotionKind& kind, const scenes::Shape& mesh, const RigidObject& object,
             const Settings& settings) {
  const scenes::Shape other_mesh = partner_shape(kind.partner, mesh);
  const RigidObject other(other_mesh.positions, other_mesh.triangles, {.threads = 1});
  const std::vector<MotionCase> motions = motion_cases(kind, object, other, settings.motions);
  Collider collider(object, other);
  std::unique_ptr<peers::RigidMotionPeer> peer;
  if (settings.peer) peer = peers::make_rigid_motion_peer();
  if (peer) peer->prepare(mesh, other_mesh);
  Row row;
  row.motions = motions.size();
  for (const MotionCase& motion : motions) {
    std::vector<PosePair> poses;
    for (std::size_t i = 0; i < kSamples; ++i) {
      const double t = static_cast<double>(i) / (kSamples - 1);
      poses.push_back({pose_at(motion.a, t), pose_at(motion.b, t)});
    }
    double contact_us = std::numeric_limits<double>::infinity();
    double sampled_us = contact_us;
    double to_first_us = contact_us;
    double peer_us = contact_us;
    RigidImpact impact;
    double peer_toi = 2.0;
    for (std::size_t round = 0; round < settings.rounds; ++round) {
      keep_least(contact_us, [&] { impact = collider.first_contact(motion.a, motion.b); });
      std::size_t hits = 0;
      keep_least(sampled_us, [&] {
        for (const PosePair& pose : poses) hits += collider.first_hit(pose.a, pose.b).hit() ? 1U : 0U;
      });
      keep_least(to_first_us, [&] {
        for (const PosePair& pose : poses) {
          if (collider.first_hit(pose.a, pose.b).hit()) break;
        }
      });
      if (peer) keep_least(peer_us, [&] { peer_toi = peer->first_contact(motion.a, motion.b); });
    }
    row.contact_us += contact_us;
    row.sampled_us += sampled_us;
    row.to_first_us += to_first_us;
    row.peer_us += peer ? peer_us : 0.0;
    row.contacts += impact.pair ? 1U : 0U;
    row.stats += impact.stats;
    const double sampled = first_sampled(collider, motion, settings.check);
    row.sampled += sampled <= 1.0 ? 1U : 0U;
    row.peer_late += peer && sampled < peer_toi ? 1U : 0U;
    if (sampled < impact.toi || (sampled <= 1.0 && !impact.pair)) {
      row.right = false;
      std::printf("WRONG: %s, %s: a sample hits at %.17g, the certified time is %.17g\n", name.c_str(),
                  std::string(kind.name).c_str(), sampled, impact.toi);
    }
    if (impact.pair && impact.toi > 0.0) {
      const double measured = distance(posed_triangle(mesh, impact.pair->a, pose_at(motion.a, impact.toi)),
                                       posed_triangle(other_mesh, impact.pair->b, pose_at(motion.b, impact.toi)));
      if (!(measured <= impact.distance)) {
        row.right = false;
        std::printf("WRONG: %s, %s: the reported pair is %g apart, not %g\n", name.c_str(),
                    std::string(kind.name).c_str(), measured, impact.distance);
      }
    }
  }
  const double count = std::max(1.0, static_cast<double>(motions.size()));
  for (double* time : {&row.contact_us, &row.sampled_us, &row.to_first_us, &row.peer_us}) *time /= count;
  return row;
}

bool run_object(const std::string& name, const scenes::Shape& mesh, const Settings& settings,
                nlohmann::json& objects) {
  const RigidObject object(mesh.positions, mesh.triangles, {.threads = 1});
  std::printf("%s: %zu triangles\n", name.c_str(), mesh.triangles.size());
  std::printf("  %-11s %10s %10s %10s %8s %10s %6s %8s %5s %8s %8s %8s\n", "kind", "contact us", "101 hits",
              "to first", "ratio", "fcl us", "late", "contacts", "hits", "nodes", "leaves", "gaps");
  nlohmann::json rows = nlohmann::json::array();
  bool right = true;
  for (const MotionKind& kind : motion_kinds()) {
    if (!settings.kinds.empty() &&
        std::find(settings.kinds.begin(), settings.kinds.end(), kind.name) == settings.kinds.end())
      continue;
    const Row row = run_kind(name, kind, mesh, object, settings);
    right = right && row.right;
    if (row.motions == 0) continue;
    const double ratio = row.contact_us / row.sampled_us;
    std::printf("  %-11s %10.1f %10.1f %10.1f %8.2f %10.1f %2zu/%-3zu %4zu/%-3zu %5zu %8zu %8zu %8zu\n",
                std::string(kind.name).c_str(), row.contact_us, row.sampled_us, row.to_first_us, ratio, row.peer_us,
                row.peer_late, row.motions, row.contacts, row.motions, row.sampled,
                static_cast<std::size_t>(row.stats.node_tests / row.motions),
                static_cast<std::size_t>(row.stats.triangle_tests / row.motions),
                static_cast<std::size_t>(row.stats.tiers.interval / row.motions));
    std::fflush(stdout);
    rows.push_back({{"kind", kind.name},
                    {"motions", row.motions},
                    {"first_contact_us", row.contact_us},
                    {"sampled_us", row.sampled_us},
                    {"sampled_to_first_us", row.to_first_us},
                    {"ratio", ratio},
                    {"fcl_us", row.peer_us},
                    {"fcl_late", row.peer_late},
                    {"contacts", row.contacts},
                    {"sampled_hits", row.sampled}});
  }
  objects.push_back({{"object", name}, {"triangles", mesh.triangles.size()}, {"rows", std::move(rows)}});
  return right;
}

int run(const Settings& settings) {
  nlohmann::json objects = nlohmann::json::array();
  bool right = true;
  for (const std::string& file : settings.meshes) {
    Mesh mesh = read_mesh(file);
    if (mesh.triangles.empty()) throw InputError(file + ": there are no triangles");
    const scenes::Shape shape = scenes::scaled_to_cube({std::move(mesh.positions), std::move(mesh.triangles)});
    right = run_object(std::filesystem::path(file).filename().string(), shape, settings, objects) && right;
  }
  for (const std::string& name : settings.scenes) {
    right = run_object(name, scenes::tumble_shape(name), settings, objects) && right;
  }
  if (!settings.json.empty()) {
    const nlohmann::json all = {{"motions", settings.motions},
                                {"rounds", settings.rounds},
                                {"samples", kSamples},
                                {"checked_samples", settings.check},
                                {"threads", 1},
                                {"answers_right", right},
                                {"objects", objects}};
    std::ofstream file(settings.json);
    file << all.dump(2) << '\n';
    if (!file) throw std::runtime_error(settings.json + ": could not be written");
  }
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

std::size_t count_from(const std::string& option, const std::string& text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0)
    throw InputError(option + ": '" + text + "' is not a number of at least 1");
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
    } else if (name == "--kinds") {
      std::istringstream stream(value);
      for (std::string word; std::getline(stream, word, ',');) settings.kinds.push_back(word);
    } else if (name == "--motions") {
      settings.motions = count_from(name, value);
    } else if (name == "--rounds") {
      settings.rounds = count_from(name, value);
    } else if (name == "--check") {
      settings.check = std::max<std::size_t>(2, count_from(name, value));
    } else if (name == "--peer") {
      if (value != "yes" && value != "no") throw InputError("--peer: yes or no");
      settings.peer = value == "yes";
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
  try {
    return graze::benchmarks::run(
        graze::benchmarks::settings_from(std::vector<std::string>(arguments + 1, arguments + count)));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "graze_bench_rigid_motion: %s\n", error.what());
    return 2;
  }
}
