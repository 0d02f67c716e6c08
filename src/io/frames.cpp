// list_frames: lists the frames of an animation sequence, i.e. the meshes of a folder or those that match a glob
// pattern, in natural order. Hidden files are skipped unless the pattern itself starts with a dot. Cost: O(n log n)
// in the files of the folder.
#include "io/frames.hpp"

#include <graze/io.hpp>

#include "io/extension.hpp"
#include "io/input.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace graze {

using namespace io;
using namespace scene;
using namespace rigid;
using namespace core;

namespace io {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Removes the run of digits at the front of `text` and returns it without its leading zeros.
std::string_view take_number(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  std::string_view number = text.substr(0, end);
  text.remove_prefix(end);
  while (!number.empty() && number.front() == '0') number.remove_prefix(1);
  return number;
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) {
  const std::string_view whole_a = a;
  const std::string_view whole_b = b;
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const std::string_view number_a = take_number(a);
      const std::string_view number_b = take_number(b);
      if (number_a.size() != number_b.size()) return number_a.size() < number_b.size();
      if (number_a != number_b) return number_a < number_b;
    } else {
      if (a.front() != b.front())
        return static_cast<unsigned char>(a.front()) < static_cast<unsigned char>(b.front());
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  if (a.empty() != b.empty()) return a.empty();
  return whole_a < whole_b;
}

bool glob_match(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  // Position of the last star, and the position in `name` where matching resumed after it.
  std::size_t star = std::string_view::npos;
  std::size_t tried = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      tried = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++tried;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace io

std::vector<std::filesystem::path> list_frames(const std::string& folder_or_glob) {
  namespace fs = std::filesystem;
  const auto has_wildcard = [](const std::string& text) { return text.find_first_of("*?") != std::string::npos; };

  std::error_code error;
  const fs::path given(folder_or_glob);
  fs::path folder = given;
  std::string pattern = "*";
  if (!fs::is_directory(given, error)) {
    folder = given.parent_path();
    pattern = given.filename().string();
    if (!has_wildcard(pattern) && !fs::exists(given, error)) io::fail(folder_or_glob, "no such folder or file");
    if (!fs::is_directory(folder.empty() ? "." : folder, error)) {
      io::fail(folder_or_glob, has_wildcard(folder.string())
                                   ? "* and ? are allowed only in the last part of the path"
                                   : "no such folder: " + folder.string());
    }
  }

  std::vector<fs::path> frames;
  fs::directory_iterator entry(folder.empty() ? "." : folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const bool is_hidden = name.front() == '.' && pattern.front() != '.';
    std::error_code ignored;  // a broken link is not a frame
    if (!is_hidden && io::has_mesh_extension(name) && io::glob_match(pattern, name) &&
        entry->is_regular_file(ignored)) {
      frames.push_back(folder / name);
    }
  }
  if (error) io::fail(folder_or_glob, "cannot be listed: " + error.message());
  if (frames.empty()) io::fail(folder_or_glob, "no mesh files found (.ply, .obj, .stl, .off)");
  std::sort(frames.begin(), frames.end(), [](const fs::path& a, const fs::path& b) {
    return io::natural_less(a.filename().string(), b.filename().string());
  });
  return frames;
}

}  // namespace graze
