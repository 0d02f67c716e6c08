// Shared code of benchmarks that print a row per scene, size and method: their options, and the rows as JSON.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace graze::benchmarks {

struct RowSettings {
  std::vector<std::string> scenes;
  std::vector<std::size_t> sizes;
  std::vector<std::string> methods;
  unsigned threads = 1;
  std::string json;  ///< output file; none if empty
};

/// Reads options in pairs of name and value; own(name, value) takes those that RowSettings does not have, or
/// returns false.
template <typename Own>
void take_arguments(const std::vector<std::string>& arguments, RowSettings& settings, const Own& own) {
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    const std::string& name = arguments[i];
    if (name == "--help")
      throw std::runtime_error(
          "options: --scene NAME, --sizes N,N, --method NAME, --threads N, --json FILE; the head of its source has "
          "the rest");
    if (i + 1 == arguments.size()) throw std::runtime_error(name + ": a value is missing");
    const std::string& value = arguments[i + 1];
    try {
      if (name == "--scene") {
        settings.scenes.push_back(value);
      } else if (name == "--sizes") {
        settings.sizes.clear();
        std::istringstream list(value);
        for (std::string number; std::getline(list, number, ',');) settings.sizes.push_back(std::stoul(number));
      } else if (name == "--method") {
        settings.methods.push_back(value);
      } else if (name == "--threads") {
        settings.threads = static_cast<unsigned>(std::stoul(value));
      } else if (name == "--json") {
        settings.json = value;
      } else if (!own(name, value)) {
        throw std::runtime_error(name + ": no such option");
      }
    } catch (const std::logic_error&) {  // from std::stoul
      std::string message = name;
      message.append(" ").append(value).append(": not a number that fits");
      throw std::runtime_error(message);
    }
  }
}

/// Writes the JSON file, if requested, and returns the exit status.
inline int finish_rows(const RowSettings& settings, bool all_right, const nlohmann::json& rows) {
  if (!settings.json.empty()) {
    const nlohmann::json all = {{"threads", settings.threads}, {"answers_agree", all_right}, {"rows", rows}};
    std::ofstream file(settings.json);
    file << all.dump(2) << '\n';
    if (!file) throw std::runtime_error(settings.json + ": could not be written");
  }
  return all_right ? EXIT_SUCCESS : EXIT_FAILURE;
}

/// Calls run(arguments) and reports a failure in one line, with exit status 2.
template <typename Run>
int run_benchmark(const char* name, int count, char** arguments, const Run& run) {
  try {
    return run(std::vector<std::string>(arguments + 1, arguments + count));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name, error.what());
    return 2;
  }
}

}  // namespace graze::benchmarks
