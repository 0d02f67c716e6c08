// Distances of two rigid objects (rigid_distance.hpp). All poses are one batch of the library, so only the time of
// the batch is known. Cost besides the queries: linear in the poses.
#include "commands/rigid_distance.hpp"

#include <chrono>
#include <cmath>
#include <cstddef>
#include <vector>

#include <graze/rigid_distance.hpp>

#include "output/interrupt.hpp"
#include "output/terminal.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

/// A number that may be infinite, which JSON has no word for.
Json finite_json(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json point_json(const Vec3& point) {
  return Json::array({point.x, point.y, point.z});
}

Json distance_json(std::size_t pose, const RigidDistance& found) {
  Json entry;
  entry["pose"] = pose;
  entry["hit"] = found.intersects();
  entry["lo"] = finite_json(found.lo);
  entry["hi"] = finite_json(found.hi);
  entry["pair"] = triangle_pair_json(found.pair);
  entry["point_a"] = found.pair ? point_json(found.point_a) : Json(nullptr);
  entry["point_b"] = found.pair ? point_json(found.point_b) : Json(nullptr);
  entry["normal"] = found.pair ? point_json(found.normal) : Json(nullptr);
  entry["counters"] = rigid_counters_json(found.stats);
  return entry;
}

void print_row(Table& table, std::size_t pose, const RigidDistance& found) {
  table.row({std::to_string(pose), found.intersects() ? "yes" : "no", fmt::format("{:.9g}", found.lo),
             fmt::format("{:.2g}", found.pair ? found.hi - found.lo : 0.0),
             found.pair ? std::to_string(found.pair->a) : "-", found.pair ? std::to_string(found.pair->b) : "-",
             with_separators(found.stats.node_tests), with_separators(found.stats.triangle_tests)});
}

}  // namespace

bool run_rigid_distance(const RigidOptions& options, const RigidObject& a, const RigidObject& b,
                        std::span<const PosePair> poses, const RigidQuery& query, Json& document) {
  DistanceBatchOptions batch;
  batch.distance.relative = options.tolerance;
  batch.query.coherence = query.collider.coherence;
  batch.threads = query.threads;
  batch.progress = [](double) { return !interrupted(); };
  const auto start = std::chrono::steady_clock::now();
  const std::vector<RigidDistance> found = distances(a, b, poses, batch);
  const double us = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  const bool text = !to_stdout(options.json);
  std::size_t hits = 0;
  document["tolerance"] = options.tolerance;
  document["poses"] = Json::array();
  Table table(text ? std::vector<Column>{{"pose", 8},
                                         {"contact", 7},
                                         {"distance", 14},
                                         {"width", 9},
                                         {"a", 9},
                                         {"b", 9},
                                         {"node tests", 12},
                                         {"triangle tests", 14}}
                   : std::vector<Column>{});
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].intersects()) ++hits;
    if (text) print_row(table, i, found[i]);
    document["poses"].push_back(distance_json(i, found[i]));
  }
  if (text)
    fmt::print("{} poses in {} µs, with the first build of what distances need\n", found.size(), format_ms(us));
  document["total"] = {{"poses", found.size()}, {"hits", hits}, {"us", to_microsecond(us)}};
  return hits > 0;
}

}  // namespace graze::app
