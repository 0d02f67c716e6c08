// What the user sees: aligned tables on stdout, progress on stderr, figures with thousands separators.
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

/// Rows of fixed columns on stdout, flushed as they come, so that a long run can be watched or piped.
class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  /// The titles come before the first row: a run that fails before it leaves stdout empty.
  void row(const std::vector<std::string>& cells);
  void rule() const;

 private:
  void line(const std::vector<std::string>& cells, bool strong) const;
  std::vector<Column> columns_;
  bool titled_ = false;
};

/// One line at the bottom of the terminal that is drawn over; nothing at all when stderr is no terminal.
class Progress {
 public:
  Progress();
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Draws at most ten times a second. share in [0, 1].
  void show(std::string_view label, double share);
  void clear();

 private:
  bool enabled_ = false;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_;
};

/// A line on stderr about what was done: "report  report.html".
void note(std::string_view what, std::string_view value);

}  // namespace graze::app
