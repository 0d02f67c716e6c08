// graze scene: writes the frames of a catalogue scene, simulated or analytic, and lists the catalogue.
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include <graze/error.hpp>
#include <graze/version.hpp>

#include "commands/cli.hpp"
#include "commands/commands.hpp"
#include "commands/detector_options.hpp"
#include "frames/scene_writer.hpp"
#include "output/interrupt.hpp"
#include "output/output.hpp"
#include "output/terminal.hpp"
#include "scenes/catalogue.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

struct SceneOptions {
  bool list = false;
  std::string name;
  std::string folder;
  scenes::SceneRequest request;
  std::string format = "ply";
  std::string json;
};

int list_scenes(const SceneOptions& options) {
  Json rows = Json::array();
  Table table({{"scene", -17}, {"triangles", 9}, {"frames", 6}, {"what happens", -12}});
  for (const scenes::SceneEntry& entry : scenes::catalogue()) {
    Json row;
    row["name"] = entry.name;
    row["summary"] = entry.summary;
    row["triangles"] = entry.default_size;
    row["frames"] = entry.default_frames;
    row["simulated"] = entry.simulate != nullptr;
    row["breaks"] = entry.breaks;
    rows.push_back(std::move(row));
    if (!to_stdout(options.json)) {
      table.row({std::string(entry.name), with_separators(entry.default_size),
                 with_separators(entry.default_frames), std::string(entry.summary)});
    }
  }
  Json document;
  document["graze"] = version();
  document["scenes"] = std::move(rows);
  write_json(options.json, document);
  return kNoContact;
}

int make_scene(const SceneOptions& options) {
  if (options.name.empty()) throw InputError("no scene given; 'graze scene --list' lists them");
  if (options.folder.empty()) throw InputError("no output folder; use -o DIR");
  if (options.format != "ply" && options.format != "pc2") {
    throw InputError("--format '" + options.format + "' is unknown; there are: ply, pc2");
  }
  const SceneFormat format = options.format == "ply" ? SceneFormat::Ply : SceneFormat::Pc2;
  require_writable(options.json);
  scenes::SceneRequest request = options.request;
  const scenes::SceneEntry& entry = scenes::find_scene(options.name, request);
  if (entry.breaks && format == SceneFormat::Pc2) {
    throw InputError("scene '" + options.name +
                     "' breaks bodies, and a point cache can't change its triangles; use "
                     "--format ply");
  }
  const auto start = std::chrono::steady_clock::now();
  Json identity;
  identity["graze"] = version();
  identity["scene"] = options.name;
  identity["size"] = request.size;
  identity["seed"] = request.seed;
  identity["format"] = options.format;
  // The number of frames matters to an analytic motion, and to a point cache, whose header has it.
  if (entry.simulate == nullptr || format == SceneFormat::Pc2) identity["frames"] = request.frames;

  const std::unique_ptr<scenes::SceneStream> stream = scenes::open_scene(options.name, request);
  Progress progress;
  const auto show = [&] {
    const double share = static_cast<double>(stream->frame()) / static_cast<double>(request.frames - 1);
    progress.show(fmt::format("frame {}/{}", stream->frame(), request.frames - 1), share);
    return !interrupted();
  };
  stream->set_keep_going(show);
  SceneWriter writer(options.folder, format, identity);
  const bool resumed = writer.resume(*stream, request.frames);
  if (resumed) note("resumed", fmt::format("{} frames were there", stream->frame() + 1));
  if (stream->frame() + 1 > request.frames) {
    throw InputError(fmt::format("{}: has {} frames already, more than --frames {}; choose another folder",
                                 options.folder, stream->frame() + 1, request.frames));
  }
  if (!resumed) writer.write(*stream, request.frames);
  while (stream->frame() + 1 < request.frames) {
    const std::size_t vertices = stream->positions().size();
    std::optional<scenes::TopologyChange> change;
    try {
      if (!show()) throw Interrupted();
      change = stream->advance();
    } catch (const Interrupted&) {
      progress.clear();
      throw Stopped(
          fmt::format("interrupted; run the same command again to continue after frame {}", stream->frame()));
    }
    if (change) writer.add_change(*change, vertices);
    writer.write(*stream, request.frames);
  }
  writer.finish();
  progress.clear();

  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!to_stdout(options.json)) {
    Table table(
        {{"scene", -17}, {"frames", 8}, {"vertices", 10}, {"triangles", 10}, {"breaks", 6}, {"seconds", 9}});
    table.row({options.name, with_separators(request.frames), with_separators(stream->positions().size()),
               with_separators(stream->triangles().size()), with_separators(writer.change_count()),
               fmt::format("{:.1f}", seconds)});
  }
  Json document = identity;
  document["frames"] = request.frames;
  document["vertices"] = stream->positions().size();
  document["triangles"] = stream->triangles().size();
  document["breaks"] = writer.change_count();
  document["seconds"] = seconds;
  write_json(options.json, document);
  note("frames", options.folder);
  return kNoContact;
}

}  // namespace

void add_scene(CommandLine& program) {
  const auto options = std::make_shared<SceneOptions>();
  Command command = program.add("scene", "Make the frames of a benchmark animation, or list them");
  command.option("NAME", options->name, "Name of a scene; --list shows them");
  command.flag("--list", options->list, "List the scenes with their default size and length");
  command.option("-o,--output", options->folder, "Folder for the frames; created if it does not exist").type("DIR");
  command.option("--size", options->request.size, "Approximate number of triangles (default: the scene's own)")
      .range(1, 100'000'000);
  command.option("--frames", options->request.frames, "Frames (default: the scene's own)").range(2, 1'000'000);
  command.option("--seed", options->request.seed, "Seed (default 1)");
  command.option("--threads", options->request.threads,
                 "Threads, 0 for all cores (default 0). Does not change the frames");
  command
      .option("--format", options->format,
              "ply (default): frame_0000.ply and so on, exact doubles; pc2: cache.pc2 and mesh.ply, floats, whose "
              "rounding "
              "may cause contacts")
      .type("ply|pc2");
  command.option("--json", options->json, "Write the result as JSON; - is standard output, instead of the table")
      .type("FILE|-");
  command.footer(
      "The same command continues a run that was stopped; a larger --frames adds frames to a simulation later.\n"
      "Scenes that break write topology.json: which new vertices are copies of which, and from which frame on.\n"
      "Exit status: 0 when all went well, 2 bad usage or input, 3 internal failure or interrupted.");
  command.run([options] { return options->list ? list_scenes(*options) : make_scene(*options); });
}

}  // namespace graze::app
