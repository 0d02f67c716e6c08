// graze proximity: finds every feature pair of one mesh within a distance, at one instant, decided exactly.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include <graze/detector.hpp>
#include <graze/error.hpp>
#include <graze/io.hpp>
#include <graze/version.hpp>
#include <graze/vtk.hpp>

#include "commands/cli.hpp"
#include "commands/commands.hpp"
#include "commands/detector_options.hpp"
#include "frames/vtk_target.hpp"
#include "output/interrupt.hpp"
#include "output/output.hpp"
#include "output/terminal.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

struct ProximityOptions {
  CommonOptions common;
  std::string mesh;
  double distance = 0.0;
  std::string json;
  std::string contacts;
  std::string vtk;
};

int run_proximity(const ProximityOptions& options) {
  require_writable(options.json);
  require_writable(options.contacts);
  require_different({options.json, options.contacts, options.vtk, vtk_mesh_target(options.vtk)}, {options.mesh});
  if (to_stdout(options.contacts)) throw InputError("only --json can go to standard output");
  if (!std::isfinite(options.distance) || options.distance < 0.0) {
    throw InputError(fmt::format("--distance {}: must be a number >= 0", options.distance));
  }
  Progress progress;
  DetectorOptions detector_settings = detector_options(options.common);
  detector_settings.progress = [&progress](double share) {
    progress.show("proximity", share);
    return !interrupted();
  };
  const Mesh mesh = read_mesh(options.mesh);
  Scene scene;
  scene.add_body({.positions = mesh.positions, .triangles = mesh.triangles});
  Detector detector(scene, detector_settings);
  const Proximities result = detector.proximities(mesh.positions, options.distance);
  progress.clear();

  std::uint64_t vf = 0;
  std::uint64_t ee = 0;
  std::optional<double> nearest;
  for (const Proximity& near : result.proximities) {
    ++(near.pair.kind == FeatureKind::VertexFace ? vf : ee);
    nearest = std::min(nearest.value_or(near.distance), near.distance);
  }
  if (!to_stdout(options.json)) {
    Table table({{"vertices", 10}, {"triangles", 10}, {"vf", 10}, {"ee", 10}, {"nearest", 12}, {"ms", 9}});
    table.row({with_separators(mesh.positions.size()), with_separators(mesh.triangles.size()), with_separators(vf),
               with_separators(ee), nearest ? fmt::format("{:.6g}", *nearest) : "-",
               format_ms(result.stats.total_ms)});
  }
  Json json;
  json["graze"] = version();
  json["method"] = options.common.method;
  json["threads"] = thread_count(options.common.threads);
  json["distance"] = options.distance;
  json["vertices"] = mesh.positions.size();
  json["triangles"] = mesh.triangles.size();
  json["vf"] = vf;
  json["ee"] = ee;
  json["nearest"] = nearest ? Json(*nearest) : Json(nullptr);
  json["ms"] = times_json(result.stats);
  json["counters"] = counters_json(result.stats);
  json["memory_bytes"] = result.stats.memory_bytes;
  write_json(options.json, json);

  if (!options.contacts.empty()) {
    write_whole_file(options.contacts, [&](std::ostream& stream) {
      stream << "kind,a0,a1,b0,b1,b2,distance,px,py,pz,qx,qy,qz,nx,ny,nz\n";
      for (const Proximity& near : result.proximities) {
        const auto [p, q] = closest_points(near.pair, near.weights, mesh.positions);
        stream << fmt::format("{},{},{}", kind_name(near.pair.kind), pair_columns(near.pair), near.distance);
        for (const Vec3& v : {p, q, near.normal}) stream << fmt::format(",{},{},{}", v.x, v.y, v.z);
        stream << '\n';
      }
    });
  }
  if (!options.vtk.empty()) write_vtk(options.vtk, scene, mesh.positions, result.proximities);
  return result.proximities.empty() ? kNoContact : kContact;
}

}  // namespace

void add_proximity(CommandLine& program) {
  const auto options = std::make_shared<ProximityOptions>();
  Command command = program.add("proximity", "Feature pairs within a distance, at one instant");
  command.option("MESH", options->mesh, "A mesh: .ply, .obj, .stl or .off").type("FILE").required();
  command.option("--distance", options->distance, "Pairs at this distance or less, in scene units").required();
  add_common_options(command, options->common);
  command.option("--json", options->json, "Write the result as JSON; - is standard output, instead of the table")
      .type("FILE|-");
  command
      .option("--contacts", options->contacts,
              "Write every pair: kind, vertex ids, distance, closest points, normal")
      .type("FILE.csv");
  command.option("--vtk", options->vtk, "Write the pairs for ParaView, and the mesh beside them").type("FILE.vtp");
  command.footer("Exit status: 0 no such pair, 1 pairs found, 2 bad usage or input, 3 internal failure.");
  command.run([options] { return run_proximity(*options); });
}

}  // namespace graze::app
