// The commands of the program, and the exit statuses they end with.
//
// A command declares its options on the command line and leaves an action. main() parses, runs the action and turns
// exceptions into one line on stderr and an exit status, so commands only throw. To add a command, write one file
// commands/NAME.cpp, one declaration here and one call in main().
#pragma once

namespace graze::app {

class CommandLine;

/// The exit statuses; part of the contract with scripts.
inline constexpr int kNoContact = 0;
inline constexpr int kContact = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kFailure = 3;

void add_bench(CommandLine& program);
void add_capture(CommandLine& program);
void add_check(CommandLine& program);
void add_demo(CommandLine& program);
void add_detect(CommandLine& program);
void add_info(CommandLine& program);
void add_methods(CommandLine& program);
void add_papers(CommandLine& program);
void add_proximity(CommandLine& program);
void add_queries(CommandLine& program);
void add_rigid(CommandLine& program);
void add_scene(CommandLine& program);

}  // namespace graze::app
