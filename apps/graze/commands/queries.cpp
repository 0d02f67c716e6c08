// graze queries: runs the elementary tests of public CCD query files, compares them with the exact truth and
// measures their speed.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <graze/error.hpp>
#include <graze/io.hpp>

#include "commands/cli.hpp"
#include "commands/commands.hpp"
#include "commands/query_timing.hpp"
#include "output/interrupt.hpp"
#include "output/output.hpp"
#include "output/terminal.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

struct QueriesOptions {
  std::vector<std::string> inputs;
  std::string kind;
  std::string json;
  unsigned repeat = 5;
  double tolerance = 1e-6;
};

// Verdicts compared with the truth; fn and fp count the mistakes.
struct Confusion {
  std::uint64_t queries = 0;
  std::uint64_t positives = 0;
  std::uint64_t fn = 0;
  std::uint64_t fp = 0;

  void count(bool truth, bool hit) {
    ++queries;
    positives += truth ? 1U : 0U;
    fn += truth && !hit ? 1U : 0U;
    fp += !truth && hit ? 1U : 0U;
  }
  Confusion& operator+=(const Confusion& other) {
    queries += other.queries;
    positives += other.positives;
    fn += other.fn;
    fp += other.fp;
    return *this;
  }
  void write_to(Json& json) const {
    json["queries"] = queries;
    json["positives"] = positives;
    json["fn"] = fn;
    json["fp"] = fp;
  }
};

// A folder means all .csv files below it, ordered by path.
std::vector<std::filesystem::path> query_files(const std::vector<std::string>& inputs) {
  std::vector<std::filesystem::path> files;
  for (const std::string& input : inputs) {
    std::error_code error;
    if (!std::filesystem::is_directory(input, error)) {
      files.emplace_back(input);
      continue;
    }
    std::vector<std::filesystem::path> found;
    for (auto at = std::filesystem::recursive_directory_iterator(input, error);
         at != std::filesystem::recursive_directory_iterator(); at.increment(error)) {
      if (error) break;
      if (at->is_regular_file(error) && at->path().extension() == ".csv") found.push_back(at->path());
    }
    if (error) throw InputError(input + ": cannot be read: " + error.message());
    if (found.empty()) throw InputError(input + ": no .csv file in this folder or below it");
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

std::vector<FeatureKind> kinds_of(const std::vector<std::filesystem::path>& files, const std::string& asked) {
  std::vector<FeatureKind> kinds;
  kinds.reserve(files.size());
  for (const auto& file : files) {
    std::error_code error;
    if (!std::filesystem::exists(file, error)) throw InputError(file.string() + ": no such file");
    if (asked.empty()) {
      kinds.push_back(query_kind(file));
    } else {
      kinds.push_back(asked == "vf" ? FeatureKind::VertexFace : FeatureKind::EdgeEdge);
    }
  }
  return kinds;
}

std::string ns_cell(double ns) {
  return with_separators(static_cast<std::uint64_t>(std::llround(ns)));
}

void print_times(const TimeSummary& best, const std::vector<double>& first_calls, unsigned repeat) {
  const TimeSummary first = summarize(first_calls);
  fmt::print("\n");
  Table table({{"ns/query", -16}, {"median", 10}, {"mean", 10}, {"p99", 10}, {"max", 12}});
  const auto row = [&](const std::string& name, const TimeSummary& times) {
    table.row(
        {name, ns_cell(times.median_ns), ns_cell(times.mean_ns), ns_cell(times.p99_ns), ns_cell(times.max_ns)});
  };
  row(fmt::format("best of {}", repeat), best);
  row("first call", first);
}

void print_tiers(const TierCounts& tiers) {
  const std::uint64_t all = tiers.filter + tiers.interval + tiers.exact;
  fmt::print("\n");
  Table table({{"decided by", -16}, {"queries", 10}, {"share", 10}});
  const auto row = [&](const std::string& name, std::uint64_t count) {
    const double share = all == 0 ? 0.0 : 100.0 * static_cast<double>(count) / static_cast<double>(all);
    table.row({name, with_separators(count), fmt::format("{:.2f} %", share)});
  };
  row("filter", tiers.filter);
  row("interval", tiers.interval);
  row("exact", tiers.exact);
}

int run_queries(const QueriesOptions& options) {
  require_writable(options.json);
  if (!options.kind.empty() && options.kind != "vf" && options.kind != "ee") {
    throw InputError("--kind " + options.kind + ": must be vf or ee");
  }
  if (options.repeat < 1) throw InputError("--repeat must be at least 1");
  if (!(options.tolerance >= 0x1p-40 && options.tolerance <= 1.0)) {
    throw InputError(fmt::format("--tolerance {}: must be from 2^-40 to 1", options.tolerance));
  }
  const std::vector<std::filesystem::path> files = query_files(options.inputs);
  const std::vector<FeatureKind> kinds = kinds_of(files, options.kind);

  std::size_t widest = 4;
  for (const auto& file : files) widest = std::max(widest, file.string().size());
  Table table({{"file", -static_cast<int>(widest)},
               {"kind", -4},
               {"queries", 10},
               {"tp", 9},
               {"tn", 9},
               {"fn", 6},
               {"fp", 6}});
  const bool quiet = to_stdout(options.json);
  const auto print_row = [&](const std::string& name, std::string_view kind, const Confusion& c) {
    if (quiet) return;
    table.row({name, std::string(kind), with_separators(c.queries), with_separators(c.positives - c.fn),
               with_separators(c.queries - c.positives - c.fp), with_separators(c.fn), with_separators(c.fp)});
  };

  const QueryTimer timer({.tolerance = options.tolerance}, options.repeat);
  Progress progress;
  Confusion total;
  TierCounts tiers;
  std::vector<double> best_times;
  std::vector<double> first_times;
  Json json;
  json["files"] = Json::array();
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::vector<Query> queries = read_queries(files[i]);
    Confusion confusion;
    for (const Query& query : queries) {
      if (interrupted()) throw Stopped("interrupted");
      const QueryTiming timing = timer.measure(kinds[i], query.step, tiers);
      confusion.count(query.truth, timing.hit);
      best_times.push_back(timing.best_ns);
      first_times.push_back(timing.first_ns);
      if (confusion.queries % 1024 == 0) {
        progress.show(fmt::format("file {}/{}", i + 1, files.size()),
                      static_cast<double>(confusion.queries) / static_cast<double>(queries.size()));
      }
    }
    progress.clear();
    Json entry;
    entry["file"] = files[i].string();
    entry["kind"] = kind_name(kinds[i]);
    confusion.write_to(entry);
    json["files"].push_back(std::move(entry));
    print_row(files[i].string(), kind_name(kinds[i]), confusion);
    total += confusion;
  }

  const TimeSummary best = summarize(best_times);
  if (!quiet) {
    table.rule();
    print_row("total", "", total);
    print_times(best, first_times, options.repeat);
    print_tiers(tiers);
  }
  Json sum;
  total.write_to(sum);
  sum["median_ns"] = best.median_ns;
  sum["mean_ns"] = best.mean_ns;
  sum["p99_ns"] = best.p99_ns;
  sum["max_ns"] = best.max_ns;
  sum["tiers"] = {{"filter", tiers.filter}, {"interval", tiers.interval}, {"exact", tiers.exact}};
  json["total"] = std::move(sum);
  write_json(options.json, json);
  return total.fn + total.fp == 0 ? 0 : 1;
}

}  // namespace

void add_queries(CommandLine& program) {
  const auto options = std::make_shared<QueriesOptions>();
  Command command = program.add("queries", "Run elementary tests from query files and compare them with the truth");
  command.option("INPUTS", options->inputs, "Query files, and folders to search for .csv files")
      .type("FILE.csv|DIR...")
      .required();
  command
      .option("--kind", options->kind, "Kind of the queries; default: by the folder name, vertex-face or edge-edge")
      .type("vf|ee");
  command.option("--repeat", options->repeat, "Timed rounds per query; the fastest counts (default 5)");
  command.option("--tolerance", options->tolerance,
                 "Widest time-of-impact interval, from 2^-40 to 1 (default 1e-6)");
  command.option("--json", options->json, "Write the result as JSON; - is standard output, instead of the table")
      .type("FILE|-");
  command.footer(
      "Timing: one thread, reading not counted. A query's time is the least of its rounds (caches warm); queries "
      "under\n"
      "1 us are called several times a round, and the clock's own cost is taken off. 'first call' is each query's\n"
      "very first call, with cold caches.\n"
      "Exit status: 0 every verdict right, 1 some wrong (fn: missed contacts, fp: false ones), 2 bad usage or "
      "input,\n"
      "3 internal failure.");
  command.run([options] { return run_queries(*options); });
}

}  // namespace graze::app
