// Rigid objects (rigid_objects.hpp). Cost: linear in the triangles, besides the build.
#include "commands/rigid_objects.hpp"

#include <chrono>
#include <utility>

#include <graze/io.hpp>

#include "output/terminal.hpp"
#include "scenes/tumble.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

double per_triangle(const LoadedObject& loaded, double value) {
  const auto triangles = static_cast<double>(loaded.object.triangles().size());
  return triangles > 0.0 ? value / triangles : 0.0;
}

/// Triangles per second of the build; none if the tree was read, or the time is too short to measure.
std::optional<double> build_rate(const LoadedObject& loaded) {
  if (!loaded.build_ms || *loaded.build_ms <= 0.0) return std::nullopt;
  return 1000.0 * static_cast<double>(loaded.object.triangles().size()) / *loaded.build_ms;
}

LoadedObject build(const std::string& name, const std::string& file, const scenes::Shape& shape,
                   const RigidObjectOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  RigidObject object(shape.positions, shape.triangles, options);
  const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
  return {name, file, std::move(object), ms.count()};
}

scenes::Shape shape_of(const RigidObject& object) {
  return {{object.positions().begin(), object.positions().end()},
          {object.triangles().begin(), object.triangles().end()}};
}

}  // namespace

LoadedObject load_object(const std::string& name, const std::string& file, const RigidObjectOptions& options,
                         bool to_cube) {
  scenes::Shape shape;
  if (lower_extension(file) == ".boxtree") {
    RigidObject object = read_rigid(file);
    if (options.tree == RigidTree::Boxtree && !to_cube) return {name, file, std::move(object), std::nullopt};
    shape = shape_of(object);
  } else {
    Mesh mesh = read_mesh(file);
    shape = {std::move(mesh.positions), std::move(mesh.triangles)};
  }
  if (to_cube) shape = scenes::scaled_to_cube(std::move(shape));
  return build(name, file, shape, options);
}

void print_objects(const LoadedObject& a, const LoadedObject* b) {
  Table table({{"object", -6},
               {"triangles", 10},
               {"tree", 8},
               {"nodes", 10},
               {"bytes a node", 12},
               {"tree bytes", 11},
               {"mesh bytes", 11},
               {"bytes a triangle", 16},
               {"depth", 5},
               {"build ms", 9},
               {"triangles a s", 13}});
  for (const LoadedObject* loaded : {&a, b}) {
    if (loaded == nullptr) continue;
    const RigidMemory memory = loaded->object.memory();
    const std::optional<double> rate = build_rate(*loaded);
    table.row(
        {loaded->name, with_separators(loaded->object.triangles().size()),
         std::string(name_of(loaded->object.tree())), with_separators(memory.nodes),
         std::to_string(memory.bytes_per_node), with_separators(memory.tree_bytes),
         with_separators(memory.mesh_bytes),
         fmt::format("{:.1f}", per_triangle(*loaded, static_cast<double>(memory.tree_bytes + memory.group_bytes +
                                                                         memory.mesh_bytes))),
         std::to_string(memory.depth), loaded->build_ms ? format_ms(*loaded->build_ms) : "-",
         rate ? with_separators(static_cast<std::uint64_t>(*rate)) : "-"});
  }
}

Json object_json(const LoadedObject& loaded) {
  const RigidMemory memory = loaded.object.memory();
  const std::optional<double> rate = build_rate(loaded);
  Json json;
  json["object"] = loaded.name;
  json["file"] = loaded.file;
  json["vertices"] = loaded.object.positions().size();
  json["triangles"] = loaded.object.triangles().size();
  json["nodes"] = memory.nodes;
  json["bytes_per_node"] = memory.bytes_per_node;
  json["tree_bytes"] = memory.tree_bytes;
  json["group_bytes"] = memory.group_bytes;
  json["mesh_bytes"] = memory.mesh_bytes;
  json["bytes_per_triangle"] =
      per_triangle(loaded, static_cast<double>(memory.tree_bytes + memory.group_bytes + memory.mesh_bytes));
  json["depth"] = memory.depth;
  json["build_ms"] = loaded.build_ms ? Json(to_microsecond(*loaded.build_ms)) : Json(nullptr);
  json["triangles_per_second"] = rate ? Json(*rate) : Json(nullptr);
  return json;
}

}  // namespace graze::app
