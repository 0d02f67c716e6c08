// Shared input of all file readers: a file loaded into memory, number parsing with correct rounding, a text reader
// by lines and tokens, and errors that name the file and the line or byte.
//
// Readers take a view of bytes and a name for messages, so tests and fuzzers need no files. Reading is one pass,
// O(n) in the bytes. Memory is never allocated from a count before the data is known to contain that many elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include <graze/types.hpp>

#include "core/namespaces.hpp"

namespace graze::io {

/// Maximum number of vertices of a mesh, because ids have 32 bits.
inline constexpr std::uint64_t kMaxVertices = 0xFFFF'FFFFU;

/// Throw InputError with "NAME: WHAT", "NAME: line L: WHAT" or "NAME: byte B: WHAT" (B counts from 0).
[[noreturn]] void fail(const std::string& name, const std::string& what);
[[noreturn]] void fail_line(const std::string& name, std::size_t line, const std::string& what);
[[noreturn]] void fail_byte(const std::string& name, std::size_t byte, const std::string& what);
/// A token for a message: quoted, with unprintable characters replaced, truncated if long.
std::string in_quotes(std::string_view token);

/// A whole file in memory.
class FileBytes {
 public:
  /// Throws InputError if the file is missing, a folder, empty or unreadable.
  explicit FileBytes(const std::filesystem::path& file);
  [[nodiscard]] std::string_view view() const { return {data_.get(), size_}; }

 private:
  std::unique_ptr<char[]> data_;  // not a vector, which would be filled with zeros first
  std::size_t size_ = 0;
};

/// The size of an existing regular file. Throws InputError like FileBytes.
std::size_t checked_file_size(const std::filesystem::path& file);

enum class NumberStatus : std::uint8_t { Ok, NotANumber, NotFinite };
/// Parses the whole token as the nearest T (float or double). Numbers beyond the largest T, "inf" and "nan" are
/// NotFinite. Numbers below the smallest T become a signed zero, as rounding to nearest requires.
template <class T>
NumberStatus parse_real(std::string_view token, T& value);
extern template NumberStatus parse_real(std::string_view, float&);
extern template NumberStatus parse_real(std::string_view, double&);
/// Parses the whole token as a decimal integer; false if it is not one or does not fit.
bool parse_unsigned(std::string_view token, std::uint64_t& value);

/// Reads text by lines and tokens. A line ends with LF, CRLF or CR. Blanks are spaces, tabs, vertical tabs and form
/// feeds.
class TextReader {
 public:
  TextReader(std::string_view text, const std::string& name, std::size_t lines_before = 0)
      : rest_(text), name_(&name), line_number_(lines_before) {}

  /// Advances to the next line; false at the end of the text.
  bool next_line();
  /// Advances to the next line with a token, ignoring everything after `comment` (0: no comments); false at the
  /// end.
  bool next_filled_line(char comment = '\0');
  /// The next token of the current line; empty at the end of the line.
  std::string_view token();
  /// The next token of the current or any later line; empty at the end of the text.
  std::string_view token_over_lines();
  /// The next token of the current line, without advancing.
  [[nodiscard]] std::string_view peek() const { return TextReader(*this).token(); }
  /// True if the current line has no more tokens.
  [[nodiscard]] bool at_line_end();
  /// Unread bytes, including the rest of the current line.
  [[nodiscard]] std::size_t bytes_left() const { return rest_.size() + line_.size(); }

  /// The next token of the current line as a finite number; `what` names it in error messages.
  template <class T = double>
  T real(const char* what);
  std::uint64_t unsigned_integer(const char* what);
  /// The next token of the current line as a vertex id below vertex_count.
  VertexId vertex_id(std::uint64_t vertex_count);

  [[nodiscard]] std::size_t line_number() const { return line_number_; }
  [[noreturn]] void fail(const std::string& what) const { fail_line(*name_, line_number_, what); }

 private:
  std::string_view rest_;  // text after the current line
  std::string_view line_;  // unread part of the current line
  const std::string* name_;
  std::size_t line_number_;
};

/// Parses a token as a finite number; calls TextReader::fail otherwise.
template <class T>
T checked_real(const TextReader& reader, std::string_view token, const char* what);
extern template float checked_real(const TextReader&, std::string_view, const char*);
extern template double checked_real(const TextReader&, std::string_view, const char*);

template <class T>
T TextReader::real(const char* what) {
  return checked_real<T>(*this, token(), what);
}

}  // namespace graze::io
