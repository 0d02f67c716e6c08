// graze papers: the tables of the papers, made from our scenes, beside the printed figures.
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

#include "bench/bench_machine.hpp"
#include "bench/bench_scene.hpp"
#include "commands/command.hpp"
#include "commands/detector_options.hpp"
#include "output/output.hpp"
#include "output/terminal.hpp"
#include "research/papers.hpp"
#include "research/papers_page.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace graze::app {
namespace {

struct PapersOptions {
  std::vector<std::string> only;
  std::vector<std::string> scenes;
  BenchSceneOptions scene;
  unsigned runs = 3;
  unsigned threads = 1;
  bool bare = false;
  std::string folder;
  std::string json;
};

void make_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder)) throw InputError(folder + ": cannot be made a folder");
}

std::string file_of(const Paper& paper) {
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

// Scenes, each loaded once, and which of them each paper is shown: those of the catalogue that its benchmarks are
// most like, and what the user adds.
struct Scenes {
  std::deque<BenchScene> loaded;  // stay where they are
  std::vector<std::vector<const BenchScene*>> of_paper;
};

Scenes load_scenes(const PapersOptions& options, std::span<const Paper* const> papers) {
  Scenes scenes;
  // What the user adds first: a wrong name is refused before anything long begins.
  std::vector<const BenchScene*> added;
  for (const std::string& name : options.scenes) {
    BenchSceneOptions asked = options.scene;
    if (!is_catalogue_scene(name)) asked.frames = 0;  // all frames that there are
    added.push_back(&scenes.loaded.emplace_back(load_bench_scene(name, asked)));
  }
  std::map<std::string_view, const BenchScene*> usual;
  for (const Paper* paper : papers) {
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
  std::vector<const Paper*> papers;
  for (const std::string& name : options.only) papers.push_back(&paper_by_name(name));
  if (papers.empty()) {
    for (const Paper& paper : all_papers()) papers.push_back(&paper);
  }
  require_writable(options.json);
  if (options.bare && options.scenes.empty()) throw InputError("--bare leaves no scene: give some with --scene");
  const Scenes scenes = load_scenes(options, papers);
  if (!options.folder.empty()) make_folder(options.folder);

  Progress progress;
  std::vector<std::pair<const Paper*, PaperResult>> results;
  Json all;
  all["papers"] = Json::array();
  bool wrong = false;
  for (std::size_t i = 0; i < papers.size(); ++i) {
    const Paper* const paper = papers[i];
    PaperResult result = paper->make({.scenes = scenes.of_paper[i],
                                      .runs = options.runs,
                                      .threads = thread_count(options.threads),
                                      .asked = options.scene,
                                      .usual = !options.bare},
                                     progress);
    progress.clear();
    if (!to_stdout(options.json)) print_paper(*paper, result);
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
      for (const PaperPicture& picture : result.pictures) {
        write_whole_file(folder / (picture.name + ".svg"), [&](std::ostream& stream) { stream << picture.svg; });
      }
    }
    const std::filesystem::path page = folder / "index.html";
    write_whole_file(page, [&](std::ostream& stream) { stream << papers_html(results, machine_json()); });
    note("page", page.string());
  }
  return wrong ? kFailure : kNoContact;
}

}  // namespace

void add_papers(CLI::App& program, Action& action) {
  const auto options = std::make_shared<PapersOptions>();
  CLI::App* command =
      program.add_subcommand("papers", "The papers' tables on our scenes, beside the printed figures");
  command->add_option("--only", options->only, "Only these papers, by name in any case (default: all)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("ICCD,...");
  command->add_option("-o,--output", options->folder, "A folder for index.html, a JSON file a paper, and pictures")
      ->type_name("DIR");
  command
      ->add_option(
          "--scene", options->scenes,
          "More scenes: names of the catalogue, folders or quoted globs of meshes, point caches; repeatable")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("S,...");
  command->add_flag("--bare", options->bare, "None of the papers' usual scenes: only those of --scene");
  command->add_option("--size", options->scene.size, "Triangles of the catalogue scenes, about")
      ->check(CLI::Range(std::size_t{1}, std::size_t{100'000'000}));
  command->add_option("--frames", options->scene.frames, "Frames of the catalogue scenes, at least 2");
  command->add_option("--seed", options->scene.seed, "Seed of the catalogue scenes");
  command->add_option("--mesh", options->scene.mesh, "The mesh with the triangles of a point cache")
      ->type_name("FILE");
  command->add_option("--runs", options->runs, "Runs of each time (default 3)")->check(CLI::Range(1U, 100'000U));
  command->add_option("--threads", options->threads, "Threads, 0 for all cores (default 1, as in the papers)");
  command
      ->add_option("--json", options->json,
                   "Write all figures as JSON; - is standard output, instead of the tables")
      ->type_name("FILE|-");
  command->footer("Exit status: 0 when all went well, 2 bad usage or input, 3 methods differ, or interrupted.");
  command->callback([options, &action] { action = [options] { return run_papers(*options); }; });
}

}  // namespace graze::app
