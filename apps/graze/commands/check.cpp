// graze check: finds every self-intersection of one mesh at one instant, exactly (discrete collision detection).
#include <memory>
#include <string>

#include <graze/detector.hpp>
#include <graze/error.hpp>
#include <graze/io.hpp>
#include <graze/version.hpp>

#include "commands/cli.hpp"
#include "commands/commands.hpp"
#include "commands/detector_options.hpp"
#include "output/interrupt.hpp"
#include "output/output.hpp"
#include "output/terminal.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

struct CheckOptions {
  CommonOptions common;
  std::string mesh;
  std::string json;
  std::string contacts;
};

int run_check(const CheckOptions& options) {
  require_writable(options.json);
  require_writable(options.contacts);
  require_different({options.json, options.contacts}, {options.mesh});
  if (to_stdout(options.contacts)) throw InputError("only --json can go to standard output");
  Progress progress;
  DetectorOptions detector_settings = detector_options(options.common);
  detector_settings.progress = [&progress](double share) {
    progress.show("check", share);
    return !interrupted();
  };
  const Mesh mesh = read_mesh(options.mesh);
  Scene scene;
  scene.add_body({.positions = mesh.positions, .triangles = mesh.triangles});
  Detector detector(scene, detector_settings);
  const Intersections result = detector.intersections(mesh.positions);
  progress.clear();

  if (!to_stdout(options.json)) {
    Table table({{"vertices", 10}, {"triangles", 10}, {"edge-face", 10}, {"triangle pairs", 14}, {"ms", 9}});
    table.row({with_separators(mesh.positions.size()), with_separators(mesh.triangles.size()),
               with_separators(result.edge_face.size()), with_separators(result.triangle_pairs.size()),
               format_ms(result.stats.total_ms)});
  }
  Json json;
  json["graze"] = version();
  json["method"] = options.common.method;
  json["threads"] = thread_count(options.common.threads);
  json["vertices"] = mesh.positions.size();
  json["triangles"] = mesh.triangles.size();
  json["edge_face"] = result.edge_face.size();
  json["triangle_pairs"] = result.triangle_pairs.size();
  json["ms"] = times_json(result.stats);
  json["counters"] = counters_json(result.stats);
  json["memory_bytes"] = result.stats.memory_bytes;
  write_json(options.json, json);

  if (!options.contacts.empty()) {
    write_whole_file(options.contacts, [&](std::ostream& stream) {
      stream << "kind,a0,a1,b0,b1,b2\n";
      for (const Intersection& hit : result.edge_face) {
        stream << fmt::format("ef,{},{},{},{},{}\n", hit.edge[0], hit.edge[1], hit.face[0], hit.face[1],
                              hit.face[2]);
      }
    });
  }
  return result.edge_face.empty() ? kNoContact : kContact;
}

}  // namespace

void add_check(CommandLine& program) {
  const auto options = std::make_shared<CheckOptions>();
  Command command = program.add("check", "Self-intersections of one mesh at one instant");
  command.option("MESH", options->mesh, "A mesh: .ply, .obj, .stl or .off").type("FILE").required();
  add_common_options(command, options->common);
  command.option("--json", options->json, "Write the result as JSON; - is standard output, instead of the table")
      .type("FILE|-");
  command
      .option("--contacts", options->contacts,
              "Write every edge (a0, a1) and face (b0, b1, b2) that intersect, as vertex ids")
      .type("FILE.csv");
  command.footer(
      "Exit status: 0 no intersection, 1 intersections found, 2 bad usage or input, 3 internal failure.");
  command.run([options] { return run_check(*options); });
}

}  // namespace graze::app
