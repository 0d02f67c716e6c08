// Shared code of the io tests: temporary folders, files as bytes, bit equality, and error messages.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <graze/error.hpp>
#include <graze/io.hpp>

namespace graze::testing {

/// A temporary folder for one test, removed at its end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::random_device random;
    path_ = std::filesystem::temp_directory_path() /
            ("graze_io_" + std::to_string(random()) + std::to_string(random()));
    std::filesystem::create_directories(path_);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::filesystem::path put_file(const std::filesystem::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return file;
}

inline std::string get_file(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

/// The message of the InputError that `call` throws; "no error" if it returns.
template <class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

inline std::vector<std::uint64_t> bits_of(const std::vector<Vec3>& positions) {
  std::vector<std::uint64_t> bits;
  for (const Vec3& p : positions) {
    for (const double value : {p.x, p.y, p.z}) bits.push_back(std::bit_cast<std::uint64_t>(value));
  }
  return bits;
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// A broken file and the text that its error must contain.
struct BrokenInput {
  const char* what;  ///< the defect
  std::string bytes;
  const char* message;
};

/// Little-endian or big-endian bytes of a value.
template <class T>
std::string raw(T value, bool big_endian = false) {
  auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
  if (big_endian == (std::endian::native == std::endian::little)) std::reverse(bytes.begin(), bytes.end());
  return {bytes.begin(), bytes.end()};
}

/// True if the reader gives a valid mesh or a one-line InputError that starts with the name.
template <class Read>
::testing::AssertionResult is_mesh_or_input_error(const Read& read, std::string_view bytes) {
  const std::string name = "some/file";
  try {
    const Mesh mesh = read(bytes, name);
    for (const Triangle& triangle : mesh.triangles) {
      for (const VertexId id : triangle) {
        if (id >= mesh.positions.size()) return ::testing::AssertionFailure() << "an id out of range";
      }
    }
    for (const Vec3& p : mesh.positions) {
      if (!(p.x - p.x == 0.0 && p.y - p.y == 0.0 && p.z - p.z == 0.0)) {
        return ::testing::AssertionFailure() << "a position that is not finite";
      }
    }
  } catch (const InputError& error) {
    const std::string_view what = error.what();
    if (what.substr(0, name.size() + 2) != name + ": " || contains(what, "\n") || contains(what, "\r")) {
      return ::testing::AssertionFailure() << "the message is not one line about the file: " << what;
    }
  }
  return ::testing::AssertionSuccess();
}

/// Reads every prefix of a valid file, and every variant with one byte replaced by each of a few difficult ones.
template <class Read>
void damage_everywhere(const Read& read, const std::string& valid) {
  for (std::size_t length = 0; length < valid.size(); ++length) {
    // A copy without spare capacity, so that a sanitizer detects any read beyond the end.
    const std::vector<char> prefix(valid.begin(), valid.begin() + static_cast<std::ptrdiff_t>(length));
    ASSERT_TRUE(is_mesh_or_input_error(read, {prefix.data(), prefix.size()})) << "prefix of " << length << " bytes";
  }
  for (std::size_t at = 0; at < valid.size(); ++at) {
    for (const char byte : {'\0', '\xFF', '\x7F', '\x80', '-', '9', ' ', '\n', '\r', 'e', '/', '#', '\\'}) {
      std::string changed = valid;
      changed[at] = byte;
      ASSERT_TRUE(is_mesh_or_input_error(read, changed)) << "byte " << at << " set to " << static_cast<int>(byte);
    }
    std::string shorter = valid;
    shorter.erase(at, 1);
    ASSERT_TRUE(is_mesh_or_input_error(read, shorter)) << "byte " << at << " removed";
  }
}

}  // namespace graze::testing
