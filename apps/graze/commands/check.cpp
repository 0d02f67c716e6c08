// graze check: finds every self-intersection of one mesh at one instant, exactly (discrete collision detection).
// Like mesh repair it counts triangles that share a vertex or an edge and meet beyond it, unless --no-adjacent is
// given.
#include <algorithm>
#include <memory>
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
#include "output/shape_name.hpp"
#include "output/terminal.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

struct CheckOptions {
  CommonOptions common;
  std::string mesh;
  std::string json;
  std::string contacts;
  std::string pairs;
  std::string vtk;
  bool no_adjacent = false;
};

void write_pairs(const std::string& file, const Intersections& result) {
  if (file.empty()) return;
  write_whole_file(file, [&](std::ostream& stream) {
    stream << "a,b,shape,px,py,pz,qx,qy,qz\n";
    for (std::size_t i = 0; i < result.triangle_pairs.size(); ++i) {
      const TrianglePair& pair = result.triangle_pairs[i];
      const TriangleOverlap& overlap = result.overlaps[i];
      stream << fmt::format("{},{},{},{},{},{},{},{},{}\n", pair.a, pair.b, shape_name(overlap.shape), overlap.p.x,
                            overlap.p.y, overlap.p.z, overlap.q.x, overlap.q.y, overlap.q.z);
    }
  });
}

/// The number of pairs whose triangles share a vertex.
std::size_t adjacent_count(const Intersections& result, const Mesh& mesh) {
  const auto adjacent = [&](const TrianglePair& pair) {
    const Triangle& a = mesh.triangles[pair.a];
    const Triangle& b = mesh.triangles[pair.b];
    return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
  };
  const auto count = std::count_if(result.triangle_pairs.begin(), result.triangle_pairs.end(), adjacent);
  return static_cast<std::size_t>(count);
}

int run_check(const CheckOptions& options) {
  require_writable(options.json);
  require_writable(options.contacts);
  require_writable(options.pairs);
  require_different({options.json, options.contacts, options.pairs, options.vtk, vtk_mesh_target(options.vtk)},
                    {options.mesh});
  if (to_stdout(options.contacts) || to_stdout(options.pairs))
    throw InputError("only --json can go to standard output");
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
  const Intersections result = detector.intersections(
      mesh.positions,
      {.adjacent = !options.no_adjacent, .overlaps = !options.pairs.empty() || !options.vtk.empty()});
  progress.clear();

  if (!to_stdout(options.json)) {
    Table table({{"vertices", 10},
                 {"triangles", 10},
                 {"edge-face", 10},
                 {"triangle pairs", 14},
                 {"adjacent", 10},
                 {"ms", 9}});
    table.row({with_separators(mesh.positions.size()), with_separators(mesh.triangles.size()),
               with_separators(result.edge_face.size()), with_separators(result.triangle_pairs.size()),
               with_separators(adjacent_count(result, mesh)), format_ms(result.stats.total_ms)});
  }
  Json json;
  json["graze"] = version();
  json["method"] = options.common.method;
  json["threads"] = thread_count(options.common.threads);
  json["vertices"] = mesh.positions.size();
  json["triangles"] = mesh.triangles.size();
  json["edge_face"] = result.edge_face.size();
  json["triangle_pairs"] = result.triangle_pairs.size();
  json["adjacent_pairs"] = adjacent_count(result, mesh);
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
  write_pairs(options.pairs, result);
  if (!options.vtk.empty()) write_vtk(options.vtk, scene, mesh.positions, result);
  return result.edge_face.empty() && result.triangle_pairs.empty() ? kNoContact : kContact;
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
  command
      .option("--pairs", options->pairs,
              "Write every pair of triangles that intersect, as row numbers of the mesh, and what they share")
      .type("FILE.csv");
  command
      .option("--vtk", options->vtk, "Write what pairs of triangles share for ParaView, and the mesh beside them")
      .type("FILE.vtp");
  command.flag("--no-adjacent", options->no_adjacent,
               "Leave out triangles that share a vertex or an edge and meet beyond it");
  command.footer(
      "Exit status: 0 no intersection, 1 intersections found, 2 bad usage or input, 3 internal failure.");
  command.run([options] { return run_check(*options); });
}

}  // namespace graze::app
