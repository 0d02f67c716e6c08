// The program graze: parses the command line, runs one command and maps every outcome to an exit status.
//
// 0 no contact, 1 contact found, 2 bad usage or input, 3 internal failure or interrupted. Every error is one line
// on stderr that starts with "graze: ".
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <string>

#include <graze/detector.hpp>
#include <graze/error.hpp>
#include <graze/version.hpp>

#include "commands/cli.hpp"
#include "commands/commands.hpp"
#include "frames/capture_files.hpp"
#include "output/interrupt.hpp"

#include <fmt/format.h>

namespace {

using namespace graze::app;

int complain(int status, std::string message) {
  for (char& c : message) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  fmt::print(stderr, "graze: {}\n", message);
  return status;
}

int run(int argc, char** argv) {
  CommandLine program("graze", "Finds every contact between moving triangle meshes, exactly.",
                      "graze " + std::string(graze::version()));
  program.footer(
      "Exit status: 0 no contact, 1 contact found, 2 bad usage or input, 3 internal failure or interrupted.\n"
      "graze COMMAND --help describes a command.");
  add_demo(program);
  add_detect(program);
  add_capture(program);
  add_check(program);
  add_proximity(program);
  add_queries(program);
  add_rigid(program);
  add_info(program);
  add_scene(program);
  add_methods(program);
  add_bench(program);
  add_papers(program);

  if (argc < 2) {
    return complain(kBadInput, "no command; try 'graze demo', or 'graze --help' for all of them");
  }
  const std::string first = argv[1];
  if (!first.empty() && first.front() != '-' && !program.has_command(first)) {
    return complain(kBadInput, "no command '" + first + "'; 'graze --help' lists them");
  }
  const std::optional<Action> action = program.parse(argc, argv);
  if (!action) return kNoContact;  // --help, --version
  catch_interrupts();
  const int status = (*action)();
  // Data that was not written is a failure, e.g. on a full disk.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    return complain(kFailure, "cannot write to standard output");
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const graze::InputError& error) {
    return complain(kBadInput, error.what());
  } catch (const graze::ResourceError& error) {
    return complain(kBadInput, error.what());
  } catch (const WrongAnswer& error) {
    return complain(kFailure, error.what());
  } catch (const Stopped& error) {
    return complain(kFailure, error.what());
  } catch (const graze::Interrupted&) {
    return complain(kFailure, "interrupted");
  } catch (const std::bad_alloc&) {
    return complain(kFailure, "out of memory; --memory-cap bounds what a query may take");
  } catch (const std::exception& error) {
    return complain(kFailure, std::string("internal failure: ") + error.what());
  } catch (...) {
    return complain(kFailure, "internal failure");
  }
}
