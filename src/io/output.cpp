// Atomic file output. See the header.
#include "io/output.hpp"

#include "io/input.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <system_error>

namespace graze::io {

namespace {

constexpr std::size_t kFlushSize = std::size_t{1} << 20U;

template <class T>
void append_number(std::string& buffer, T value) {
  std::array<char, 32> digits;  // 24 are enough for any double  NOLINT(*-member-init): to_chars fills it
  const std::to_chars_result result = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  buffer.append(digits.data(), result.ptr);
}

}  // namespace

OutputFile::OutputFile(const std::filesystem::path& file) : file_(file), temporary_(file) {
  std::error_code error;
  if (file.filename().empty() || std::filesystem::is_directory(file, error)) {
    fail(file.string(), "cannot be written: it is a folder");
  }
  // A unique name, so that two programs that write the same file do not mix their bytes.
  std::random_device random;
  temporary_ += fmt::format(".{:08x}{:08x}.tmp", random(), random());
  stream_.open(temporary_, std::ios::binary | std::ios::trunc);
  if (!stream_) fail(file.string(), "cannot be written: its folder is missing or read-only");
}

OutputFile::~OutputFile() {
  if (is_finished_) return;
  stream_.close();
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

void OutputFile::write(std::string_view text) {
  buffer_ += text;
  flush_if_large();
}
void OutputFile::write(double value) {
  append_number(buffer_, value);
}
void OutputFile::write(std::uint64_t value) {
  append_number(buffer_, value);
}

void OutputFile::flush_if_large() {
  if (buffer_.size() >= kFlushSize) flush();
}

void OutputFile::flush() {
  stream_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  if (!stream_) fail(file_.string(), "cannot be written: the disk may be full");
  buffer_.clear();
}

void OutputFile::finish() {
  flush();
  stream_.close();
  if (!stream_) fail(file_.string(), "cannot be written: the disk may be full");
  std::error_code error;
  std::filesystem::rename(temporary_, file_, error);
  if (error) fail(file_.string(), "cannot be written: " + error.message());
  is_finished_ = true;
}

}  // namespace graze::io
