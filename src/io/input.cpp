// Shared input of all readers. See the header. Numbers are parsed by std::from_chars, which rounds correctly and
// ignores the locale.
#include "io/input.hpp"

#include <graze/error.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

namespace graze::io {

namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// For a decimal number outside of a type's range: whether it is too large rather than too small. The decimal
/// exponent of the first nonzero digit decides, because it is far from 0 in both cases.
bool is_too_large(std::string_view token) {
  std::int64_t exponent = 0;
  bool seen_digit = false;
  bool seen_point = false;
  std::size_t i = 0;
  for (; i < token.size() && token[i] != 'e' && token[i] != 'E'; ++i) {
    if (token[i] == '.') {
      seen_point = true;
    } else if (is_digit(token[i])) {
      seen_digit = seen_digit || token[i] != '0';
      if (seen_digit && !seen_point) ++exponent;
      if (!seen_digit && seen_point) --exponent;
    }
  }
  if (i < token.size()) {
    ++i;
    const bool negative = i < token.size() && token[i] == '-';
    std::int64_t written = 0;
    for (; i < token.size(); ++i) {
      static constexpr std::int64_t kPlenty = std::numeric_limits<std::int64_t>::max() / 1000;
      if (is_digit(token[i]) && written < kPlenty) written = written * 10 + (token[i] - '0');
    }
    exponent += negative ? -written : written;
  }
  return exponent > 0;
}

}  // namespace

void fail(const std::string& name, const std::string& what) {
  throw InputError(fmt::format("{}: {}", name, what));
}

void fail_line(const std::string& name, std::size_t line, const std::string& what) {
  throw InputError(fmt::format("{}: line {}: {}", name, line, what));
}

void fail_byte(const std::string& name, std::size_t byte, const std::string& what) {
  throw InputError(fmt::format("{}: byte {}: {}", name, byte, what));
}

std::string in_quotes(std::string_view token) {
  static constexpr std::size_t kLongest = 40;
  std::string text = "'";
  for (const char c : token.substr(0, kLongest)) text += c >= ' ' && c <= '~' ? c : '?';
  text += token.size() > kLongest ? "...'" : "'";
  return text;
}

std::size_t checked_file_size(const std::filesystem::path& file) {
  const std::string name = file.string();
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found) fail(name, "no such file");
  if (error) fail(name, "cannot be read: " + error.message());
  if (std::filesystem::is_directory(status)) fail(name, "is a folder, not a file");
  if (!std::filesystem::is_regular_file(status)) fail(name, "is not a regular file");
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error) fail(name, "cannot be read: " + error.message());
  if (size == 0) fail(name, "is empty");
  if (size > std::numeric_limits<std::size_t>::max() / 2) fail(name, "is too large for this machine");
  return static_cast<std::size_t>(size);
}

FileBytes::FileBytes(const std::filesystem::path& file) : size_(checked_file_size(file)) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) fail(file.string(), "cannot be opened");
  data_ = std::make_unique_for_overwrite<char[]>(size_);
  stream.read(data_.get(), static_cast<std::streamsize>(size_));
  if (static_cast<std::size_t>(stream.gcount()) != size_) fail(file.string(), "cannot be read to its end");
}

template <class T>
NumberStatus parse_real(std::string_view token, T& value) {
  // from_chars rejects a plus sign, but files contain them.
  if (token.size() > 1 && token[0] == '+' && (is_digit(token[1]) || token[1] == '.')) token.remove_prefix(1);
  const char* end = token.data() + token.size();
  const std::from_chars_result result = std::from_chars(token.data(), end, value);
  if (result.ec == std::errc::invalid_argument || result.ptr != end) return NumberStatus::NotANumber;
  if (result.ec == std::errc::result_out_of_range) {
    if (is_too_large(token)) return NumberStatus::NotFinite;
    value = token[0] == '-' ? -T{0} : T{0};
    return NumberStatus::Ok;
  }
  return std::isfinite(value) ? NumberStatus::Ok : NumberStatus::NotFinite;
}
template NumberStatus parse_real(std::string_view, float&);
template NumberStatus parse_real(std::string_view, double&);

bool parse_unsigned(std::string_view token, std::uint64_t& value) {
  const char* end = token.data() + token.size();
  const std::from_chars_result result = std::from_chars(token.data(), end, value);
  return result.ec == std::errc() && result.ptr == end;
}

bool TextReader::next_line() {
  line_ = {};
  if (rest_.empty()) return false;
  std::size_t end = 0;
  while (end < rest_.size() && rest_[end] != '\n' && rest_[end] != '\r') ++end;
  line_ = rest_.substr(0, end);
  const bool is_crlf = rest_.substr(end, 2) == "\r\n";
  rest_.remove_prefix(end == rest_.size() ? end : end + (is_crlf ? 2 : 1));
  ++line_number_;
  return true;
}

bool TextReader::next_filled_line(char comment) {
  while (next_line()) {
    if (comment != '\0') line_ = line_.substr(0, line_.find(comment));
    if (!at_line_end()) return true;
  }
  return false;
}

bool TextReader::at_line_end() {
  std::size_t begin = 0;
  while (begin < line_.size() && is_blank(line_[begin])) ++begin;
  line_.remove_prefix(begin);
  return line_.empty();
}

std::string_view TextReader::token() {
  if (at_line_end()) return {};
  std::size_t end = 0;
  while (end < line_.size() && !is_blank(line_[end])) ++end;
  const std::string_view token = line_.substr(0, end);
  line_.remove_prefix(end);
  return token;
}

std::string_view TextReader::token_over_lines() {
  std::string_view found = token();
  while (found.empty() && next_line()) found = token();
  return found;
}

template <class T>
T checked_real(const TextReader& reader, std::string_view token, const char* what) {
  if (token.empty()) reader.fail(fmt::format("{} is missing", what));
  T value{};
  switch (parse_real(token, value)) {
    case NumberStatus::Ok:
      break;
    case NumberStatus::NotANumber:
      reader.fail(fmt::format("{} is not a number: {}", what, in_quotes(token)));
    case NumberStatus::NotFinite:
      reader.fail(fmt::format("{} is not finite: {}", what, in_quotes(token)));
  }
  return value;
}
template float checked_real(const TextReader&, std::string_view, const char*);
template double checked_real(const TextReader&, std::string_view, const char*);

std::uint64_t TextReader::unsigned_integer(const char* what) {
  const std::string_view text = token();
  if (text.empty()) fail(fmt::format("{} is missing", what));
  std::uint64_t value = 0;
  if (!parse_unsigned(text, value)) fail(fmt::format("{} is not a count: {}", what, in_quotes(text)));
  return value;
}

VertexId TextReader::vertex_id(std::uint64_t vertex_count) {
  const std::string_view text = token();
  if (text.empty()) fail("a vertex index is missing");
  std::uint64_t value = 0;
  if (!parse_unsigned(text, value) || value >= vertex_count) {
    fail(fmt::format("vertex index {} is out of range: there are {} vertices", in_quotes(text), vertex_count));
  }
  return static_cast<VertexId>(value);
}

}  // namespace graze::io
