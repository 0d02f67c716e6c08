// A file that appears only when it is whole: written beside its place under another name, then renamed over it.
//
// Text goes through a buffer; numbers are written with std::to_chars, the shortest text that reads back to the same
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
  /// InputError if the folder can't be written.
  explicit OutputFile(const std::filesystem::path& file);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  /// Drops the new file unless finish() was reached.
  ~OutputFile();

  void write(std::string_view text);
  void write(double value);
  void write(std::uint64_t value);
  /// Bytes to be appended to directly; call flush_if_large now and then.
  std::string& buffer() { return buffer_; }
  void flush_if_large();
  /// Writes what is left and puts the file in its place. InputError if that fails: what was there is still there.
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
