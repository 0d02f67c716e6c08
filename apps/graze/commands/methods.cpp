// graze methods: lists the names that --method takes, and what each does.
#include <algorithm>
#include <memory>
#include <string>

#include <graze/detector.hpp>
#include <graze/research.hpp>

#include "commands/cli.hpp"
#include "commands/commands.hpp"
#include "output/output.hpp"
#include "output/terminal.hpp"

namespace graze::app {
namespace {

int run_methods(const std::string& json_target) {
  std::size_t widest = 6;
  for (const Method method : research::all_methods()) widest = std::max(widest, name_of(method).size());
  Table table({{"method", -static_cast<int>(widest)}, {"what it does", -60}});
  Json json;
  json["methods"] = Json::array();
  for (const Method method : research::all_methods()) {
    if (!to_stdout(json_target)) table.row({std::string(name_of(method)), std::string(summary_of(method))});
    json["methods"].push_back({{"name", name_of(method)}, {"summary", summary_of(method)}});
  }
  write_json(json_target, json);
  return kNoContact;
}

}  // namespace

void add_methods(CommandLine& program) {
  const auto json_target = std::make_shared<std::string>();
  Command command = program.add("methods", "The methods that --method takes");
  command.option("--json", *json_target, "Write the list as JSON; - is standard output, instead of the table")
      .type("FILE|-");
  command.run([json_target] { return run_methods(*json_target); });
}

}  // namespace graze::app
