// Atomic file output: writes a temporary file in the same folder and renames it when it is complete, so that
// readers never see a partial file.
//
// Text goes through a buffer. Numbers are written with std::to_chars, the shortest text that reads back to the same
// bits. Cost: O(n) in the bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "core/namespaces.hpp"

namespace graze::io {

class OutputFile {
 public:
  /// Throws InputError if the folder cannot be written.
  explicit OutputFile(const std::filesystem::path& file);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  /// Deletes the temporary file unless finish() succeeded.
  ~OutputFile();

  void write(std::string_view text);
  void write(double value);
  void write(std::uint64_t value);
  /// The buffer, for appending bytes directly; call flush_if_large regularly.
  std::string& buffer() { return buffer_; }
  void flush_if_large();
  /// Writes the remaining bytes and replaces the file. Throws InputError if that fails; the old file is then
  /// unchanged.
  void finish();

 private:
  void flush();

  std::filesystem::path file_;
  std::filesystem::path temporary_;
  std::ofstream stream_;
  std::string buffer_;
  bool is_finished_ = false;
};

}  // namespace graze::io
