// graze bench: measures, and checks the answers while it does.
//
// --micro: pairs a second through the filter of the elementary tests, one thread, scalar and on every instruction
// set.
#include <memory>
#include <string>

#include <graze/error.hpp>

#include "bench_micro.hpp"
#include "command.hpp"
#include "output.hpp"
#include "terminal.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace graze::app {
namespace {

struct BenchOptions {
  bool micro = false;
  std::uint64_t pairs = 10'000'000;
  std::uint64_t seed = 1;
  std::string json_target;
};

int run_bench(const BenchOptions& options) {
  if (!options.micro) throw InputError("bench: nothing to measure; give --micro");
  require_writable(options.json_target);
  Json json;
  json["pairs"] = options.pairs;
  json["micro"] = Json::array();
  Table table({{"pairs", -12}, {"kind", -4}, {"target", -8}, {"survive", 9}, {"million/s", 10}, {"ns/pair", 8}});
  for (const MicroRow& row : bench_micro(options.pairs, options.seed)) {
    const char* mix = row.mix == PairMix::Near ? "near" : "coplanarity";
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

}  // namespace

void add_bench(CLI::App& program, Action& action) {
  const auto options = std::make_shared<BenchOptions>();
  CLI::App* command = program.add_subcommand("bench", "Measures, and checks the answers while it does");
  command->add_flag(
      "--micro", options->micro,
      "Pairs a second through the filter of the elementary tests: one thread, scalar and SIMD. \"near\": "
      "pairs whose swept boxes meet; \"coplanarity\": those that only the coplanarity cubic rejects");
  command->add_option("--pairs", options->pairs, "Pairs a row")->check(CLI::Range(1'000ULL, 10'000'000'000ULL));
  command->add_option("--seed", options->seed, "Seed of the pairs");
  command->add_option("--json", options->json_target, "Write the rows as JSON; - is standard output")
      ->type_name("FILE|-");
  command->callback([options, &action] { action = [options] { return run_bench(*options); }; });
}

}  // namespace graze::app
