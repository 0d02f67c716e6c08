// Text output: aligned tables on stdout, a progress bar on stderr, numbers with thousands separators.
//
// Progress shows only when stderr is a terminal. Colour shows only on a terminal, and not where NO_COLOR is set
// (no-color.org) or TERM is "dumb".
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace graze::app {

std::string with_separators(std::uint64_t value);  ///< 1234567 -> "1,234,567"
std::string format_ms(double milliseconds);        ///< three significant decimals at most: "0.042", "12.3", "1,234"
std::string format_toi(double toi);                ///< fixed, 9 decimals: columns line up
std::string format_bytes(std::uint64_t bytes);     ///< "1.5 MiB"

/// A column of a table; a negative width aligns to the left.
struct Column {
  std::string title;
  int width = 0;
};

/// A table on stdout. Each row is flushed at once, so that a long run can be watched or piped.
class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  /// Prints the titles before the first row: a run that fails earlier leaves stdout empty.
  void row(const std::vector<std::string>& cells);
  void rule() const;

 private:
  void line(const std::vector<std::string>& cells, bool strong) const;
  std::vector<Column> columns_;
  bool titled_ = false;
};

/// A progress line on stderr that is redrawn in place; prints nothing if stderr is not a terminal.
class Progress {
 public:
  Progress();
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Redraws at most ten times a second. Precondition: share is in [0, 1].
  void show(std::string_view label, double share);
  void clear();

 private:
  bool enabled_ = false;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

/// Prints a line on stderr about what was done: "report  report.html".
void note(std::string_view what, std::string_view value);

}  // namespace graze::app
