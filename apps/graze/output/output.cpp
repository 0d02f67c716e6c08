// Writes complete files, and the parts of JSON and CSV that several commands share (output.hpp).
#include "output/output.hpp"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>

#include <graze/error.hpp>

#include "io/output.hpp"

#include <fmt/format.h>

namespace graze::app {

double to_microsecond(double milliseconds) {
  return std::round(milliseconds * 1000.0) / 1000.0;
}

std::string hex16(std::uint64_t value) {
  return fmt::format("{:016x}", value);
}

Json times_json(const Stats& stats) {
  return {{"update", to_microsecond(stats.update_ms)},
          {"traverse", to_microsecond(stats.traverse_ms)},
          {"narrow", to_microsecond(stats.narrow_ms)},
          {"total", to_microsecond(stats.total_ms)}};
}

Json counters_json(const Stats& stats) {
  return {{"bv_tests", stats.bv_tests},
          {"triangle_pairs", stats.triangle_pairs},
          {"vf_tests", stats.vf_tests},
          {"ee_tests", stats.ee_tests},
          {"exact", stats.tiers.exact}};
}

std::string json_text(const Json& document, int indent) {
  return document.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string lower_extension(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  for (char& c : extension) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return extension;
}

void require_different(std::initializer_list<std::string> targets, std::initializer_list<std::string> inputs) {
  std::set<std::filesystem::path> seen;
  for (const std::string& input : inputs) {
    for (const std::string& target : targets) {
      std::error_code error;
      if (!input.empty() && !target.empty() && std::filesystem::equivalent(input, target, error) &&
          std::filesystem::is_regular_file(target, error)) {
        throw InputError(target + ": is an input, and would be overwritten");
      }
    }
  }
  for (const std::string& target : targets) {
    std::error_code error;
    const bool device = std::filesystem::exists(target, error) && !std::filesystem::is_regular_file(target, error);
    if (target.empty() || device) continue;
    if (!seen.insert(std::filesystem::absolute(target).lexically_normal()).second) {
      throw InputError(target + ": two outputs cannot go to one file");
    }
  }
}

void require_writable(const std::string& target) {
  if (target.empty() || to_stdout(target)) return;
  const std::filesystem::path path(target);
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw InputError(target + ": is a folder, not a file to write");
  const std::filesystem::path parent = path.has_parent_path() ? path.parent_path() : ".";
  if (!std::filesystem::is_directory(parent, error)) {
    throw InputError(target + ": cannot be written, there is no folder " + parent.string());
  }
}

void write_whole_file(const std::filesystem::path& target, const std::function<void(std::ostream&)>& write) {
  std::error_code error;
  // Renaming over /dev/null or a pipe would replace it by a plain file.
  const bool direct = std::filesystem::exists(target, error) && !std::filesystem::is_regular_file(target, error);
  if (direct) {
    std::ofstream stream(target, std::ios::binary | std::ios::trunc);
    if (stream) write(stream);
    stream.close();
    if (!stream) throw InputError(target.string() + ": cannot be written");
    return;
  }
  std::ostringstream text;
  write(text);
  io::OutputFile file(target);
  file.write(text.view());
  file.finish();
}

void write_json(const std::string& target, const Json& document) {
  if (target.empty()) return;
  const std::string text = json_text(document, 2) + "\n";
  if (to_stdout(target)) {
    (void)std::fwrite(text.data(), 1, text.size(), stdout);  // main() checks the stream at the end
    return;
  }
  write_whole_file(target, [&](std::ostream& stream) { stream << text; });
}

std::string pair_columns(const FeaturePair& pair) {
  const auto& v = pair.vertices;
  return pair.kind == FeatureKind::VertexFace ? fmt::format("{},-,{},{},{}", v[0], v[1], v[2], v[3])
                                              : fmt::format("{},{},{},{},-", v[0], v[1], v[2], v[3]);
}

std::string_view kind_name(FeatureKind kind) {
  return kind == FeatureKind::VertexFace ? "vf" : "ee";
}

}  // namespace graze::app
