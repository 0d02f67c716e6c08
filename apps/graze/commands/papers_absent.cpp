// graze papers of a program that was built without the chapters of the papers (GRAZE_PAPERS=OFF).
#include <memory>
#include <string>
#include <vector>

#include <graze/error.hpp>

#include "commands/cli.hpp"
#include "commands/commands.hpp"

namespace graze::app {

void add_papers(CommandLine& program) {
  const auto ignored = std::make_shared<std::vector<std::string>>();
  Command command = program.add("papers", "The papers' tables on our scenes (not in this build)");
  for (const char* const names : {"--only", "-o,--output", "--scene", "--json"}) {
    command.option(names, *ignored, "Not in this build");
  }
  command.run([ignored]() -> int {
    throw InputError("papers: this program was built without them, as for the demo; 'make build' adds them");
  });
}

}  // namespace graze::app
