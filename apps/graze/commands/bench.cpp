// graze bench: measures methods and peers side by side, and checks that all give the same answer.
//
// A fast wrong answer fails: if the hashes of a scene's rows differ, the exit status is 3. --micro measures the
// filter of the elementary tests alone: pairs per second on one thread, scalar and with every SIMD instruction set.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <graze/error.hpp>
#include <graze/research.hpp>

#include "bench/machine.hpp"
#include "bench/run.hpp"
#include "bench/scene.hpp"
#include "commands/cli.hpp"
#include "commands/commands.hpp"
#include "commands/detector_options.hpp"
#include "output/output.hpp"
#include "output/terminal.hpp"
#include "report/report.hpp"
#include "research/filter_speed.hpp"

#include "benchmarks/peers/peer.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

// With more triangles than this, brute takes minutes, so it runs only if it is named.
constexpr std::size_t kBruteTriangles = 4000;
constexpr std::size_t kDefaultSize =
    4000;  // triangles of the default scenes: methods differ visibly within seconds
constexpr std::size_t kDefaultFrames = 5;

struct BenchOptions {
  std::vector<std::string> scenes;
  std::vector<std::string> methods;
  std::vector<unsigned> threads;
  std::vector<std::string> devices;
  std::vector<std::string> queries;
  bool first = false;
  double thickness = 0.0;
  CommonOptions choices;  ///< options of single methods, for all rows
  BenchSceneOptions scene;
  BenchRunOptions run;
  bool micro = false;
  std::uint64_t pairs = 10'000'000;
  std::uint64_t seed = 1;
  std::string json_target;
  std::string report;
};

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json row_json(const BenchRow& row) {
  Json json;
  json["scene"] = row.scene;
  json["method"] = row.method;
  json["query"] = row.query;
  json["threads"] = row.threads;
  json["vf"] = or_null(row.vf);
  json["ee"] = or_null(row.ee);
  if (row.triangle_pairs) json["triangle_pairs"] = *row.triangle_pairs;
  json["hash"] = row.hash ? Json(hex16(*row.hash)) : Json(nullptr);
  json["median_ms"] = row.median_ms;
  json["min_ms"] = row.min_ms;
  if (row.edit_ms > 0.0) json["edit_ms"] = row.edit_ms;
  json["bytes_per_triangle"] = or_null(row.bytes_per_triangle);
  json["cpu_ms"] = row.cpu_ms;
  json["later_cpu_ms"] = row.later_cpu_ms;
  if (!row.funnel.empty()) {
    json["ms"] = times_json(row.step_times());
    json["funnel"] = funnel_json(row.funnel);
  }
  return json;
}

Json scene_json(const BenchScene& scene) {
  Json json = {{"scene", scene.name},
               {"vertices", scene.last_scene.vertex_count()},
               {"triangles", scene.last_scene.triangle_count()},
               {"steps", scene.step_count()}};
  if (!scene.changes.empty()) json["changes"] = scene.changes.size();
  return json;
}

std::vector<std::string> cells(const BenchScene& scene, const BenchRow& row) {
  const auto count = [](const std::optional<std::uint64_t>& n) { return n ? with_separators(*n) : "-"; };
  return {scene.title,
          row.method,
          row.query,
          std::to_string(row.threads),
          count(row.vf),
          count(row.ee),
          row.hash ? hex16(*row.hash) : "-",
          format_ms(row.median_ms),
          format_ms(row.min_ms),
          row.bytes_per_triangle ? fmt::format("{:.0f}", *row.bytes_per_triangle) : "-"};
}

// Numbers of threads without duplicates: 0 and the number of cores are the same.
std::vector<unsigned> thread_counts(const std::vector<unsigned>& asked) {
  std::vector<unsigned> result;
  for (const unsigned threads : asked.empty() ? std::vector<unsigned>{0} : asked) {
    const unsigned count = thread_count(threads);
    if (std::find(result.begin(), result.end(), count) == result.end()) result.push_back(count);
  }
  return result;
}

// The queries that the user names, with the numbers that they need.
std::vector<BenchQuery> queries_of(const BenchOptions& options) {
  std::vector<BenchQuery> queries;
  if (options.first) {
    if (!options.queries.empty()) throw InputError("--first is --query first: give one of the two");
    return {BenchQuery::First};
  }
  for (const std::string& name : options.queries) queries.push_back(bench_query_from_name(name));
  if (queries.empty()) queries.push_back(BenchQuery::Impacts);
  const auto asked = [&](BenchQuery query) {
    return std::find(queries.begin(), queries.end(), query) != queries.end();
  };
  if (asked(BenchQuery::Thickness) != (options.thickness > 0.0)) {
    throw InputError("--query thickness and --thickness require each other");
  }
  if (asked(BenchQuery::Proximities) != (options.run.distance > 0.0)) {
    throw InputError("--query proximities and --distance require each other");
  }
  return queries;
}

// All combinations of a query and a device.
std::vector<std::pair<BenchQuery, Device>> product(const std::vector<BenchQuery>& queries,
                                                   const std::vector<Device>& devices) {
  std::vector<std::pair<BenchQuery, Device>> all;
  for (const BenchQuery query : queries) {
    for (const Device device : devices) all.emplace_back(query, device);
  }
  return all;
}

// The methods that the user names, or else every method that is fast enough for this many triangles.
std::vector<Contestant> contestants_for(const BenchOptions& options, std::size_t triangle_count) {
  std::vector<std::string> names = options.methods;
  if (names.empty()) {
    for (const Method method : research::all_methods()) {
      if (method != Method::Brute || triangle_count <= kBruteTriangles) names.emplace_back(name_of(method));
    }
  }
  const std::vector<unsigned> counts = thread_counts(options.threads);
  const bool has_peer = std::any_of(names.begin(), names.end(),
                                    [](const std::string& name) { return name.rfind(peers::kPeerPrefix, 0) == 0; });
  if (has_peer && counts.size() > 1) {  // otherwise rows take threads from each other
    throw InputError("--threads takes one number if there is a peer: peers limit the threads of the whole process");
  }
  const DetectorOptions choices = detector_options(options.choices);
  std::vector<Device> devices;
  for (const std::string& name : options.devices) devices.push_back(from_name<Device>(name));
  if (devices.empty()) devices.push_back(Device::Cpu);
  std::vector<Contestant> result;
  for (const unsigned threads : counts) {
    for (const std::string& name : names) {
      for (const auto& [query, device] : product(queries_of(options), devices)) {
        const bool on_host = device == Device::Cpu;
        if (!on_host && name != name_of(Method::Auto)) continue;  // the only one that runs elsewhere
        Contestant& contestant = result.emplace_back(make_contestant(name, threads));
        contestant.options.device = device;
        if (!on_host) contestant.name += fmt::format(":{}", name_of(device));
        contestant.query = query;
        if (query == BenchQuery::Thickness) contestant.options.thickness = options.thickness;
        contestant.options.research->hierarchy = choices.research->hierarchy;
        contestant.options.research->adaptive = choices.research->adaptive;
        contestant.options.research->hash = choices.research->hash;
      }
    }
  }
  return result;
}

int run_micro(const BenchOptions& options) {
  require_writable(options.json_target);
  if (!options.report.empty() || !options.scenes.empty() || !options.methods.empty()) {
    throw InputError("--micro measures the filter alone: it takes no --scene, --method or --report");
  }
  Json json;
  json["pairs"] = options.pairs;
  json["micro"] = Json::array();
  Table table({{"pairs", -12}, {"kind", -4}, {"target", -8}, {"survive", 9}, {"million/s", 10}, {"ns/pair", 8}});
  for (const papers::FilterSpeed& row : papers::measure_filter_speed(options.pairs, options.seed)) {
    const char* mix = row.mix == papers::PairMix::Near ? "near" : "coplanarity";
    const double share = static_cast<double>(row.survivors) / static_cast<double>(row.pairs);
    if (!to_stdout(options.json_target)) {
      table.row({mix, std::string(kind_name(row.kind)), row.target, fmt::format("{:.2f} %", 100.0 * share),
                 fmt::format("{:.1f}", row.pairs_per_second * 1e-6),
                 fmt::format("{:.1f}", 1e9 / row.pairs_per_second)});
    }
    json["micro"].push_back({{"pairs", mix},
                             {"kind", kind_name(row.kind)},
                             {"target", row.target},
                             {"survivors", row.survivors},
                             {"pairs_per_second", row.pairs_per_second}});
  }
  write_json(options.json_target, json);
  return kNoContact;
}

int run_scenes(BenchOptions options) {
  require_writable(options.json_target);
  require_writable(options.report);
  require_different({options.json_target, options.report}, {});
  if (to_stdout(options.report)) throw InputError("only --json can go to standard output");
  if (!options.report.empty()) require_viewer("--report");
  if (!options.report.empty() && queries_of(options).size() > 1) {
    throw InputError("--report takes one query: its charts compare methods");
  }
  if (options.scenes.empty()) {
    options.scenes = {"draped-ball", "flying-balls", "crossing-sheets"};
    if (options.scene.size == 0) options.scene.size = kDefaultSize;
    if (options.scene.frames == 0) options.scene.frames = kDefaultFrames;
  }
  options.scene.seed = options.seed;
  (void)contestants_for(options, 0);  // refuses a wrong name before anything is measured

  const bool quiet = to_stdout(options.json_target);
  Json json;
  json["machine"] = machine_json();
  json["scenes"] = Json::array();
  json["rows"] = Json::array();
  Table table({{"scene", -18},
               {"method", -12},
               {"query", -13},
               {"threads", 7},
               {"vf", 10},
               {"ee", 11},
               {"hash", 16},
               {"median ms", 10},
               {"min ms", 10},
               {"B/triangle", 10}});
  Progress progress;
  std::vector<std::string> wrong;
  for (const std::string& name : options.scenes) {
    const BenchScene scene = load_bench_scene(name, options.scene);
    const std::vector<Contestant> contestants = contestants_for(options, scene.scene.triangle_count());
    const std::vector<BenchRow> rows = run_bench(scene, contestants, options.run, progress);
    progress.clear();
    json["scenes"].push_back(scene_json(scene));
    for (const BenchRow& row : rows) {
      if (!quiet) table.row(cells(scene, row));
      json["rows"].push_back(row_json(row));
    }
    for (std::string& line : disagreements(rows)) wrong.push_back(std::move(line));
  }
  write_json(options.json_target, json);
  if (!options.report.empty()) {
    write_bench_report(options.report, "graze bench", json);
    note("report", options.report);
  }
  for (const std::string& line : wrong) fmt::print(stderr, "graze: {}\n", line);
  return wrong.empty() ? kNoContact : kFailure;
}

}  // namespace

void add_bench(CommandLine& program) {
  const auto options = std::make_shared<BenchOptions>();
  Command command = program.add("bench", "Compare methods: time per step, with the answers checked by hash");
  const auto list = [&command](const char* name, auto& target, const char* help, const char* type) {
    command.option(name, target, help).separated_by_commas().type(type);
  };
  list("--scene", options->scenes,
       "Scenes: catalogue names, folders or quoted globs of meshes, point caches (default: three small scenes)",
       "S,...");
  list(
      "--method", options->methods,
      "Methods ('graze methods' lists them) and peers, e.g. peer:embree (default: all methods, brute only on small "
      "scenes)",
      "M,...");
  list("--threads", options->threads, "Numbers of threads, 0 for all cores (default 0)", "N,...");
  list("--device", options->devices, "Devices, e.g. cpu,cuda: rows of method auto on each (default cpu)", "D,...");
  add_hierarchy_options(command, options->choices);
  add_adaptive_options(command, options->choices);
  add_hash_options(command, options->choices);
  command.option("--size", options->scene.size, "Approximate number of triangles of a catalogue scene")
      .range(1, 100'000'000);
  command.option("--frames", options->scene.frames,
                 "Number of frames of a catalogue scene, or of a sequence from its first; at least 2");
  command.option("--mesh", options->scene.mesh, "Mesh file with the triangles of a point cache").type("FILE");
  command.option("--runs", options->run.runs, "Runs per row (default 5)").range(1, 100'000);
  list("--query", options->queries,
       "Queries: impacts, first, safe-step, thickness, intersections, proximities (default impacts). The last two "
       "are for "
       "the start of each step; adjacent triangles count as intersections",
       "Q,...");
  command.flag("--first", options->first, "Find only the first impact of each step: --query first");
  command.option("--thickness", options->thickness, "Thickness of --query thickness").type("D");
  command.option("--distance", options->run.distance, "Distance of --query proximities").type("D");
  command.flag(
      "--micro", options->micro,
      "Measure the filter of the elementary tests alone: pairs per second, one thread, scalar and SIMD. \"near\": "
      "pairs whose swept boxes overlap; \"coplanarity\": near pairs that only the coplanarity cubic rejects");
  command.option("--pairs", options->pairs, "Pairs per row of --micro").range(1'000, 10'000'000'000);
  command.option("--seed", options->seed, "Seed of the catalogue scenes, or of the pairs of --micro");
  command.option("--json", options->json_target, "Write the rows as JSON; - is standard output").type("FILE|-");
  command.option("--report", options->report, "Write a page with the rows as charts").type("FILE.html");
  command.footer(
      "The time is that of a step, from new positions to the sorted exact answer: median and least over the runs, "
      "which\n"
      "alternate between the rows. Topology and the first build of a hierarchy are not in it.\n"
      "Exit status: 0 all rows of a scene agree, 2 bad usage or input, 3 rows differ, or interrupted.");
  command.run([options] { return options->micro ? run_micro(*options) : run_scenes(*options); });
}

}  // namespace graze::app
