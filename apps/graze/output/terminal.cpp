// Tables, progress and number formats (terminal.hpp). Only this file asks about terminals.
#include "output/terminal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace graze::app {
namespace {

bool is_terminal(FILE* stream) {
#ifdef _WIN32
  return _isatty(_fileno(stream)) != 0;
#else
  return isatty(fileno(stream)) != 0;
#endif
}

bool wants_colour(FILE* stream) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return is_terminal(stream) && (no_colour == nullptr || *no_colour == '\0') &&
         (term == nullptr || std::string_view(term) != "dumb");
}

constexpr std::string_view kGap = "  ";

}  // namespace

std::string with_separators(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

std::string format_ms(double milliseconds) {
  if (milliseconds >= 1000.0) return with_separators(static_cast<std::uint64_t>(std::llround(milliseconds)));
  if (milliseconds >= 100.0) return fmt::format("{:.0f}", milliseconds);
  if (milliseconds >= 10.0) return fmt::format("{:.1f}", milliseconds);
  return fmt::format("{:.{}f}", milliseconds, milliseconds >= 1.0 ? 2 : 3);
}

std::string format_toi(double toi) {
  return fmt::format("{:.9f}", toi);
}

std::string format_bytes(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024.0 && unit + 1 < kUnits.size()) {
    value /= 1024.0;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

void Table::line(const std::vector<std::string>& cells, bool strong) const {
  std::string text;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (i > 0) text += kGap;
    const int width = columns_[i].width;
    const auto size = static_cast<std::size_t>(std::abs(width));
    text += width < 0 ? fmt::format("{:<{}}", cells[i], size) : fmt::format("{:>{}}", cells[i], size);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  if (strong && wants_colour(stdout)) text = "\x1b[1m" + text + "\x1b[0m";
  text += '\n';
  (void)std::fwrite(text.data(), 1, text.size(), stdout);  // main() checks the stream at the end
  (void)std::fflush(stdout);
}

void Table::row(const std::vector<std::string>& cells) {
  if (!titled_) {
    std::vector<std::string> titles;
    titles.reserve(columns_.size());
    for (const Column& column : columns_) titles.push_back(column.title);
    line(titles, true);
    titled_ = true;
  }
  line(cells, false);
}

void Table::rule() const {
  std::vector<std::string> dashes;
  dashes.reserve(columns_.size());
  for (const Column& column : columns_) dashes.emplace_back(static_cast<std::size_t>(std::abs(column.width)), '-');
  line(dashes, false);
}

Progress::Progress() : enabled_(is_terminal(stderr)) {}

void Progress::show(std::string_view label, double share) {
  if (!enabled_) return;
  const auto now = std::chrono::steady_clock::now();
  if (shown_ && now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  shown_ = true;
  constexpr int kCells = 30;
  const double clamped = std::clamp(share, 0.0, 1.0);
  const int full = static_cast<int>(clamped * kCells);
  std::string bar(static_cast<std::size_t>(full), '=');
  bar.resize(kCells, ' ');
  if (wants_colour(stderr)) bar = "\x1b[36m" + bar + "\x1b[0m";
  fmt::print(stderr, "\r\x1b[K{} [{}] {:3.0f}%", label, bar, 100.0 * clamped);
  (void)std::fflush(stderr);
}

void Progress::clear() {
  if (!shown_) return;
  shown_ = false;
  fmt::print(stderr, "\r\x1b[K");
  (void)std::fflush(stderr);
}

void note(std::string_view what, std::string_view value) {
  fmt::print(stderr, "{:<9} {}\n", what, value);
}

}  // namespace graze::app
