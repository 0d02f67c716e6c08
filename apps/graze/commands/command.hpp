// The frame of the program: a command declares its options on the parser and leaves what to do in an Action.
//
// main() parses, runs the action and turns exceptions into one line on stderr and an exit status, so commands only
// throw. Adding a command: one file command_NAME.cpp, one declaration here, one call in main().
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace graze::app {

/// The exit statuses; part of the contract with scripts.
inline constexpr int kNoContact = 0;
inline constexpr int kContact = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kFailure = 3;

/// What the chosen command does; returns the exit status.
using Action = std::function<int()>;

void add_bench(CLI::App& program, Action& action);
void add_capture(CLI::App& program, Action& action);
void add_check(CLI::App& program, Action& action);
void add_demo(CLI::App& program, Action& action);
void add_detect(CLI::App& program, Action& action);
void add_info(CLI::App& program, Action& action);
void add_methods(CLI::App& program, Action& action);
void add_papers(CLI::App& program, Action& action);
void add_proximity(CLI::App& program, Action& action);
void add_queries(CLI::App& program, Action& action);
void add_rigid(CLI::App& program, Action& action);
void add_scene(CLI::App& program, Action& action);

}  // namespace graze::app
