// The one place that includes CLI11 (cli.hpp).
#include "commands/cli.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include <graze/error.hpp>

#include <CLI/CLI.hpp>

namespace graze::app {

struct Option::Handle {
  CLI::Option* option;
};
struct Command::Handle {
  CLI::App* app;
  Action* chosen;
};
struct CommandLine::Parser {
  CLI::App app;
  Action chosen;
};

Option::Option(std::shared_ptr<Handle> handle) : handle_(std::move(handle)) {}

Option& Option::type(const std::string& name) {
  handle_->option->type_name(name);
  return *this;
}

Option& Option::required() {
  handle_->option->required();
  return *this;
}

Option& Option::range(std::uint64_t lowest, std::uint64_t highest) {
  handle_->option->check(CLI::Range(lowest, highest));
  return *this;
}

Option& Option::separated_by_commas() {
  handle_->option->delimiter(',')->allow_extra_args(false);
  return *this;
}

bool Option::given() const {
  return handle_->option->count() > 0;
}

Command::Command(std::shared_ptr<Handle> handle) : handle_(std::move(handle)) {}

template <typename T>
Option Command::option(const std::string& names, T& target, const std::string& help) {
  return Option(std::make_shared<Option::Handle>(Option::Handle{handle_->app->add_option(names, target, help)}));
}
template Option Command::option(const std::string&, std::string&, const std::string&);
template Option Command::option(const std::string&, double&, const std::string&);
template Option Command::option(const std::string&, unsigned&, const std::string&);
template Option Command::option(const std::string&, unsigned long&, const std::string&);
template Option Command::option(const std::string&, unsigned long long&, const std::string&);
template Option Command::option(const std::string&, std::optional<double>&, const std::string&);
template Option Command::option(const std::string&, std::optional<unsigned>&, const std::string&);
template Option Command::option(const std::string&, std::vector<std::string>&, const std::string&);
template Option Command::option(const std::string&, std::vector<double>&, const std::string&);
template Option Command::option(const std::string&, std::vector<unsigned>&, const std::string&);

void Command::flag(const std::string& names, bool& target, const std::string& help) {
  handle_->app->add_flag(names, target, help);
}

void Command::footer(const std::string& text) {
  handle_->app->footer(text);
}

void Command::run(Action action) {
  handle_->app->callback([chosen = handle_->chosen, action = std::move(action)] { *chosen = action; });
}

CommandLine::CommandLine(const std::string& name, const std::string& summary, const std::string& version)
    : parser_(new Parser{CLI::App(summary, name), {}}) {
  parser_->app.set_version_flag("--version", version);
  parser_->app.require_subcommand(1);
}
CommandLine::~CommandLine() = default;

Command CommandLine::add(const std::string& name, const std::string& summary) {
  CLI::App* const app = parser_->app.add_subcommand(name, summary);
  return Command(std::make_shared<Command::Handle>(Command::Handle{app, &parser_->chosen}));
}

void CommandLine::footer(const std::string& text) {
  parser_->app.footer(text);
}

bool CommandLine::has_command(const std::string& name) const {
  for (const CLI::App* command : parser_->app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->check_name(name)) return true;
  }
  return false;
}

std::optional<Action> CommandLine::parse(int argc, const char* const* argv) {
  try {
    parser_->app.parse(argc, argv);
  } catch (const CLI::Success& done) {  // --help, --version
    parser_->app.exit(done);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    throw InputError(error.what());
  }
  return parser_->chosen;
}

}  // namespace graze::app
