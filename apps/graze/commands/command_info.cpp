// graze info: what a mesh is made of. All counts depend on its triangles alone, not on where its vertices are.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <graze/io.hpp>

#include "commands/command.hpp"
#include "mesh/orphans.hpp"
#include "mesh/topology.hpp"
#include "output/output.hpp"
#include "output/terminal.hpp"

#include <CLI/CLI.hpp>

namespace graze::app {

using namespace core;
using namespace geometry;
using namespace mesh;
namespace {

struct InfoOptions {
  std::string mesh;
  std::string json;
};

int run_info(const InfoOptions& options) {
  require_writable(options.json);
  const Mesh mesh = read_mesh(options.mesh);
  const Topology topology = build_topology(mesh.triangles, mesh.positions.size());
  const std::uint64_t components = connected_components(mesh.triangles, mesh.positions.size()).count;
  const std::uint64_t boundary = boundary_edges(topology).size();
  const std::uint64_t nonmanifold = nonmanifold_edges(topology).size();
  const AdjacentPairs adjacent = count_adjacent_pairs(topology);
  const OrphanCounts orphans = count_orphans(topology);

  if (!to_stdout(options.json)) {
    Table table({{"what", -27}, {"count", 14}});
    const std::vector<std::pair<std::string, std::uint64_t>> rows{{"vertices", mesh.positions.size()},
                                                                  {"edges", topology.features.edges.size()},
                                                                  {"triangles", mesh.triangles.size()},
                                                                  {"components", components},
                                                                  {"boundary edges", boundary},
                                                                  {"non-manifold edges", nonmanifold},
                                                                  {"adjacent pairs by a vertex", adjacent.vertex},
                                                                  {"adjacent pairs by an edge", adjacent.edge},
                                                                  {"orphans vertex-face", orphans.vf},
                                                                  {"orphans edge-edge", orphans.ee}};
    for (const auto& [what, count] : rows) table.row({what, with_separators(count)});
  }
  Json json;
  json["vertices"] = mesh.positions.size();
  json["edges"] = topology.features.edges.size();
  json["triangles"] = mesh.triangles.size();
  json["components"] = components;
  json["boundary_edges"] = boundary;
  json["nonmanifold_edges"] = nonmanifold;
  json["adjacent_pairs"] = {{"vertex", adjacent.vertex}, {"edge", adjacent.edge}};
  json["orphans"] = {{"vf", orphans.vf}, {"ee", orphans.ee}};
  write_json(options.json, json);
  return kNoContact;
}

}  // namespace

void add_info(CLI::App& program, Action& action) {
  const auto options = std::make_shared<InfoOptions>();
  CLI::App* command =
      program.add_subcommand("info", "What a mesh is made of: edges, components, adjacency, orphans");
  command->add_option("MESH", options->mesh, "A mesh: .ply, .obj, .stl or .off")->type_name("FILE")->required();
  command
      ->add_option("--json", options->json, "Write the counts as JSON; - is standard output, instead of the table")
      ->type_name("FILE|-");
  command->footer(
      "Adjacent pairs are triangles that share an edge, or just a vertex. Orphans are pairs of features that no "
      "two\n"
      "triangles without a common vertex contain.\n"
      "Exit status: 0 done, 2 bad usage or input, 3 internal failure.");
  command->callback([options, &action] { action = [options] { return run_info(*options); }; });
}

}  // namespace graze::app
