// graze, the program: parses the command line, runs one command, and maps every outcome to an exit status.
//
// 0 no contact, 1 contact found, 2 bad usage or input, 3 internal failure. Whatever goes wrong is one line on
// stderr that starts with "graze: ".
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include <graze/detector.hpp>
#include <graze/error.hpp>
#include <graze/version.hpp>

#include "commands/command.hpp"
#include "frames/capture_files.hpp"
#include "output/interrupt.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace {

using namespace graze::app;

int complain(int status, std::string message) {
  for (char& c : message) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  fmt::print(stderr, "graze: {}\n", message);
  return status;
}

bool is_command(const CLI::App& program, const std::string& name) {
  for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->check_name(name)) return true;
  }
  return false;
}

int run(int argc, char** argv) {
  CLI::App program{"Finds every contact between moving triangle meshes, exactly.", "graze"};
  program.set_version_flag("--version", "graze " + std::string(graze::version()));
  program.require_subcommand(1);
  program.footer(
      "Exit status: 0 no contact, 1 contact found, 2 bad usage or input, 3 internal failure or interrupted.\n"
      "graze COMMAND --help tells about a command.");
  Action action;
  add_demo(program, action);
  add_detect(program, action);
  add_capture(program, action);
  add_check(program, action);
  add_proximity(program, action);
  add_queries(program, action);
  add_rigid(program, action);
  add_info(program, action);
  add_scene(program, action);
  add_methods(program, action);
  add_bench(program, action);
  add_papers(program, action);

  if (argc < 2) {
    return complain(kBadInput, "no command; try 'graze demo', or 'graze --help' for all of them");
  }
  const std::string first = argv[1];
  if (!first.empty() && first.front() != '-' && !is_command(program, first)) {
    return complain(kBadInput, "no command '" + first + "'; 'graze --help' lists them");
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& done) {  // --help, --version
    return program.exit(done);
  } catch (const CLI::ParseError& error) {
    return complain(kBadInput, error.what());
  }
  catch_interrupts();
  const int status = action();
  // Data that never arrived is a failure, e.g. on a full disk.
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
