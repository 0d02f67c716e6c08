// The command line: commands with options, flags and positional arguments, parsed by CLI11.
//
// CLI11 is a large header, and only cli.cpp includes it. A command declares its options on a Command and leaves
// an action, which main() runs after the whole line was parsed. Handles (Command, Option) are cheap to copy and
// valid as long as their CommandLine.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace graze::app {

/// Runs a command; returns the exit status.
using Action = std::function<int()>;

/// An option or positional argument. Calls can be chained.
class Option {
 public:
  /// Name of the value in the help, e.g. "FILE"; the default names the C++ type.
  Option& type(const std::string& name);
  Option& required();
  /// Refuses numbers outside [lowest, highest].
  Option& range(std::uint64_t lowest, std::uint64_t highest);
  /// The value is one word with commas between its parts; the option may be repeated.
  Option& separated_by_commas();
  /// True if the parsed line has the option.
  [[nodiscard]] bool given() const;

 private:
  friend class Command;
  struct Handle;
  explicit Option(std::shared_ptr<Handle> handle);

  std::shared_ptr<Handle> handle_;
};

/// One command of the program, e.g. `graze detect`.
class Command {
 public:
  /// Declares an option ("-o,--output"), or a positional argument if the name has no dash. The target must live
  /// until the line is parsed, and keeps its value if the option is not given. T is std::string,
  /// double, unsigned, std::size_t, std::uint64_t, std::optional<double or unsigned>, or a vector of std::string,
  /// double or unsigned.
  template <typename T>
  Option option(const std::string& names, T& target, const std::string& help);
  /// Declares an option without a value, which sets the target to true.
  void flag(const std::string& names, bool& target, const std::string& help);
  /// Text after the options in the command's help.
  void footer(const std::string& text);
  /// Sets the action that runs if the command is chosen.
  void run(Action action);

 private:
  friend class CommandLine;
  struct Handle;
  explicit Command(std::shared_ptr<Handle> handle);

  std::shared_ptr<Handle> handle_;
};

/// The program's command line: exactly one command must be chosen.
class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& summary, const std::string& version);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  Command add(const std::string& name, const std::string& summary);
  void footer(const std::string& text);
  [[nodiscard]] bool has_command(const std::string& name) const;

  /// The action of the chosen command; none if --help or --version was asked for, and printed on stdout. Throws
  /// InputError, one line, for anything that is not declared.
  std::optional<Action> parse(int argc, const char* const* argv);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace graze::app
