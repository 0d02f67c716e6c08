// What every reader shares: a whole file in memory, numbers read with correct rounding, text walked line by line
// and token by token, and errors that name the file and the place.
//
// Readers work on a view of bytes and a name for messages, so tests and fuzzers need no files. Reading is one pass,
// O(n) in the bytes; nothing is allocated from a count that the data has not been checked to hold.
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

/// Ids are 32 bits, so a mesh has at most this many vertices.
inline constexpr std::uint64_t kMaxVertices = 0xFFFF'FFFFU;

/// "NAME: WHAT", "NAME: line L: WHAT" and "NAME: byte B: WHAT" (B counts from 0) as InputError.
[[noreturn]] void fail(const std::string& name, const std::string& what);
[[noreturn]] void fail_line(const std::string& name, std::size_t line, const std::string& what);
[[noreturn]] void fail_byte(const std::string& name, std::size_t byte, const std::string& what);
/// A token for a message: in quotes, printable, cut if long.
std::string in_quotes(std::string_view token);

/// A whole file in memory.
class FileBytes {
 public:
  /// InputError if the file is missing, a folder, empty or can't be read.
  explicit FileBytes(const std::filesystem::path& file);
  [[nodiscard]] std::string_view view() const { return {data_.get(), size_}; }

 private:
  std::unique_ptr<char[]> data_;  // not a vector: that would fill it with zeros first
  std::size_t size_ = 0;
};

/// The size of an existing regular file; InputError as in FileBytes.
std::size_t checked_file_size(const std::filesystem::path& file);

enum class NumberStatus : std::uint8_t { Ok, NotANumber, NotFinite };
/// The whole token as the nearest T (float or double). Beyond the largest T, "inf" and "nan" are NotFinite; below
/// the smallest it is a signed zero, as rounding to nearest says.
template <class T>
NumberStatus parse_real(std::string_view token, T& value);
extern template NumberStatus parse_real(std::string_view, float&);
extern template NumberStatus parse_real(std::string_view, double&);
/// The whole token as a decimal integer; false if it isn't one or doesn't fit.
bool parse_unsigned(std::string_view token, std::uint64_t& value);

/// Lines and their tokens. A line ends with LF, CRLF or CR; blanks are spaces, tabs, vertical tabs and form feeds.
class TextReader {
 public:
  TextReader(std::string_view text, const std::string& name, std::size_t lines_before = 0)
      : rest_(text), name_(&name), line_number_(lines_before) {}

  /// Moves on to the next line; false at the end of the text.
  bool next_line();
  /// Moves on to the next line that has a token, leaving out what follows `comment` (0: none); false at the end.
  bool next_filled_line(char comment = '\0');
  /// The next token of this line; empty at the line's end.
  std::string_view token();
  /// The next token of this line or of those that follow; empty at the end of the text.
  std::string_view token_over_lines();
  /// The next token of this line, without moving on.
  [[nodiscard]] std::string_view peek() const { return TextReader(*this).token(); }
  /// True if this line has no more tokens.
  [[nodiscard]] bool at_line_end();
  /// Bytes not yet read, the rest of this line included.
  [[nodiscard]] std::size_t bytes_left() const { return rest_.size() + line_.size(); }

  /// The next token of this line as a finite number; `what` names it in the error.
  template <class T = double>
  T real(const char* what);
  std::uint64_t unsigned_integer(const char* what);
  /// The next token of this line as a vertex id below vertex_count.
  VertexId vertex_id(std::uint64_t vertex_count);

  [[nodiscard]] std::size_t line_number() const { return line_number_; }
  [[noreturn]] void fail(const std::string& what) const { fail_line(*name_, line_number_, what); }

 private:
  std::string_view rest_;  // after this line
  std::string_view line_;  // what is left of this line
  const std::string* name_;
  std::size_t line_number_;
};

/// A finite number from a token; TextReader::fail if it is not one.
template <class T>
T checked_real(const TextReader& reader, std::string_view token, const char* what);
extern template float checked_real(const TextReader&, std::string_view, const char*);
extern template double checked_real(const TextReader&, std::string_view, const char*);

template <class T>
T TextReader::real(const char* what) {
  return checked_real<T>(*this, token(), what);
}

}  // namespace graze::io
