// graze info: counts of a mesh: features, components, adjacency, orphans. They depend on the triangles alone, not
// on the positions.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <graze/io.hpp>

#include "commands/cli.hpp"
#include "commands/commands.hpp"
#include "output/output.hpp"
#include "output/terminal.hpp"
#include "research/mesh_counts.hpp"

namespace graze::app {
namespace {

struct InfoOptions {
  std::string mesh;
  std::string json;
};

int run_info(const InfoOptions& options) {
  require_writable(options.json);
  const Mesh mesh = read_mesh(options.mesh);
  const papers::MeshCounts counts = papers::count_mesh(mesh.triangles, mesh.positions.size());

  if (!to_stdout(options.json)) {
    Table table({{"what", -27}, {"count", 14}});
    const std::vector<std::pair<std::string, std::uint64_t>> rows{
        {"vertices", mesh.positions.size()},
        {"edges", counts.edges},
        {"triangles", mesh.triangles.size()},
        {"components", counts.components},
        {"boundary edges", counts.boundary_edges},
        {"non-manifold edges", counts.nonmanifold_edges},
        {"adjacent pairs by a vertex", counts.adjacent_pairs.vertex},
        {"adjacent pairs by an edge", counts.adjacent_pairs.edge},
        {"orphans vertex-face", counts.vf_orphans},
        {"orphans edge-edge", counts.ee_orphans}};
    for (const auto& [what, count] : rows) table.row({what, with_separators(count)});
  }
  Json json;
  json["vertices"] = mesh.positions.size();
  json["edges"] = counts.edges;
  json["triangles"] = mesh.triangles.size();
  json["components"] = counts.components;
  json["boundary_edges"] = counts.boundary_edges;
  json["nonmanifold_edges"] = counts.nonmanifold_edges;
  json["adjacent_pairs"] = {{"vertex", counts.adjacent_pairs.vertex}, {"edge", counts.adjacent_pairs.edge}};
  json["orphans"] = {{"vf", counts.vf_orphans}, {"ee", counts.ee_orphans}};
  write_json(options.json, json);
  return kNoContact;
}

}  // namespace

void add_info(CommandLine& program) {
  const auto options = std::make_shared<InfoOptions>();
  Command command = program.add("info", "Counts of a mesh: edges, components, adjacent pairs, orphans");
  command.option("MESH", options->mesh, "A mesh: .ply, .obj, .stl or .off").type("FILE").required();
  command.option("--json", options->json, "Write the counts as JSON; - is standard output, instead of the table")
      .type("FILE|-");
  command.footer(
      "Adjacent pairs are triangles that share an edge, or just a vertex. Orphans are pairs of features that no "
      "two\n"
      "triangles without a common vertex contain.\n"
      "Exit status: 0 done, 2 bad usage or input, 3 internal failure.");
  command.run([options] { return run_info(*options); });
}

}  // namespace graze::app
