// graze papers: regenerates the tables of the papers on our scenes, beside the printed figures.
#include <cctype>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <graze/error.hpp>

#include "bench/machine.hpp"
#include "bench/scene.hpp"
#include "commands/cli.hpp"
#include "commands/commands.hpp"
#include "commands/detector_options.hpp"
#include "output/output.hpp"
#include "output/terminal.hpp"
#include "research/papers/page.hpp"
#include "research/papers/papers.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

struct PapersOptions {
  std::vector<std::string> only;
  std::vector<std::string> scenes;
  BenchSceneOptions scene;
  unsigned runs = 3;
  unsigned threads = 1;
  bool bare = false;
  bool full = false;
  std::string folder;
  std::string json;
};

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder)) throw InputError(folder + ": cannot be created as a folder");
}

std::string file_of(const papers::Paper& paper) {
  std::string name(paper.name);
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name + ".json";
}

BenchScene load_usual(std::string_view name, const BenchSceneOptions& options) {
  BenchSceneOptions asked = options;
  const bool analytic = name == "draped-ball" || name == "flying-balls" || name == "crossing-sheets";
  if (analytic && asked.size == 0) asked.size = 8000;
  if (analytic && asked.frames == 0) asked.frames = 5;
  return load_bench_scene(std::string(name), asked);
}

// Scenes, each loaded once, and the scenes of each paper: those of the catalogue that resemble its benchmarks, and
// those that the user adds.
struct Scenes {
  std::deque<BenchScene> loaded;  // a deque: addresses stay valid
  std::vector<std::vector<const BenchScene*>> of_paper;
};

Scenes load_scenes(const PapersOptions& options, std::span<const papers::Paper* const> papers) {
  Scenes scenes;
  // The scenes that the user adds come first: a wrong name is refused before any long work.
  std::vector<const BenchScene*> added;
  for (const std::string& name : options.scenes) {
    BenchSceneOptions asked = options.scene;
    if (!is_catalogue_scene(name)) asked.frames = 0;  // all frames
    added.push_back(&scenes.loaded.emplace_back(load_bench_scene(name, asked)));
  }
  std::map<std::string_view, const BenchScene*> usual;
  for (const papers::Paper* paper : papers) {
    std::vector<const BenchScene*>& shown = scenes.of_paper.emplace_back();
    for (const std::string_view name : paper->scenes) {
      if (options.bare) break;
      const BenchScene*& scene = usual[name];
      if (scene == nullptr) scene = &scenes.loaded.emplace_back(load_usual(name, options.scene));
      shown.push_back(scene);
    }
    shown.insert(shown.end(), added.begin(), added.end());
  }
  return scenes;
}

int run_papers(const PapersOptions& options) {
  std::vector<const papers::Paper*> papers;
  for (const std::string& name : options.only) papers.push_back(&papers::paper_by_name(name));
  if (papers.empty()) {
    for (const papers::Paper& paper : papers::all_papers()) papers.push_back(&paper);
  }
  require_writable(options.json);
  if (options.bare && options.scenes.empty()) throw InputError("--bare leaves no scene: give some with --scene");
  const Scenes scenes = load_scenes(options, papers);
  if (!options.folder.empty()) make_folder(options.folder);

  Progress progress;
  std::vector<std::pair<const papers::Paper*, papers::PaperResult>> results;
  Json all;
  all["papers"] = Json::array();
  bool wrong = false;
  for (std::size_t i = 0; i < papers.size(); ++i) {
    const papers::Paper* const paper = papers[i];
    papers::PaperResult result = paper->make({.scenes = scenes.of_paper[i],
                                              .runs = options.runs,
                                              .threads = thread_count(options.threads),
                                              .asked = options.scene,
                                              .usual = !options.bare,
                                              .full = options.full},
                                             progress);
    progress.clear();
    if (!to_stdout(options.json)) papers::print_paper(*paper, result);
    for (const std::string& line : result.wrong) {
      fmt::print(stderr, "graze: {}\n", line);
      wrong = true;
    }
    all["papers"].push_back(result.json);
    results.emplace_back(paper, std::move(result));
  }
  write_json(options.json, all);
  if (!options.folder.empty()) {
    const std::filesystem::path folder(options.folder);
    for (const auto& [paper, result] : results) {
      write_json((folder / file_of(*paper)).string(), result.json);
      for (const papers::PaperPicture& picture : result.pictures) {
        write_whole_file(folder / (picture.name + ".svg"), [&](std::ostream& stream) { stream << picture.svg; });
      }
    }
    const std::filesystem::path page = folder / "index.html";
    write_whole_file(page, [&](std::ostream& stream) { stream << papers::papers_html(results, machine_json()); });
    note("page", page.string());
  }
  return wrong ? kFailure : kNoContact;
}

}  // namespace

void add_papers(CommandLine& program) {
  const auto options = std::make_shared<PapersOptions>();
  Command command = program.add("papers", "The papers' tables on our scenes, beside the printed figures");
  command.option("--only", options->only, "Only these papers, by name in any case (default: all)")
      .separated_by_commas()
      .type("ICCD,...");
  command.option("-o,--output", options->folder, "Folder for index.html, a JSON file per paper, and pictures")
      .type("DIR");
  command
      .option("--scene", options->scenes,
              "More scenes: catalogue names, folders or quoted globs of meshes, point caches; repeatable")
      .separated_by_commas()
      .type("S,...");
  command.flag("--bare", options->bare, "Only the scenes of --scene, none of the papers' usual ones");
  command.flag("--full", options->full,
               "As many steps as in the paper: BOXTREE's tumbles of 5,000, instead of 60 (or of --frames)");
  command.option("--size", options->scene.size, "Approximate number of triangles of the catalogue scenes")
      .range(1, 100'000'000);
  command.option("--frames", options->scene.frames, "Frames of the catalogue scenes, at least 2");
  command.option("--seed", options->scene.seed, "Seed of the catalogue scenes");
  command.option("--mesh", options->scene.mesh, "Mesh file with the triangles of a point cache").type("FILE");
  command.option("--runs", options->runs, "Runs per measured time (default 3)").range(1, 100'000);
  command.option("--threads", options->threads, "Threads, 0 for all cores (default 1, as in the papers)");
  command.option("--json", options->json, "Write all figures as JSON; - is standard output, instead of the tables")
      .type("FILE|-");
  command.footer("Exit status: 0 when all went well, 2 bad usage or input, 3 methods differ, or interrupted.");
  command.run([options] { return run_papers(*options); });
}

}  // namespace graze::app
