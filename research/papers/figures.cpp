// Formats numbers for the tables (figures.hpp).
#include "research/papers/figures.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>

#include "output/terminal.hpp"

#include <fmt/format.h>

namespace graze::papers {

std::string percent(double value) {
  return fmt::format("{:.1f} %", value);
}

std::string factor(double value) {
  return value >= 99.95 ? fmt::format("{:.0f}×", value) : fmt::format("{:.{}f}×", value, value >= 9.95 ? 1 : 2);
}

std::string rounded(double value) {
  return with_separators(static_cast<std::uint64_t>(std::llround(value)));
}

double quotient(double a, double b) {
  return b > 0.0 ? a / b : 0.0;
}

double tests(const BenchRow& row) {
  return static_cast<double>(row.stats.vf_tests + row.stats.ee_tests);
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

const BenchRow* row_of(const std::vector<BenchRow>& rows, std::string_view method) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const BenchRow& row) { return row.method == method; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace graze::papers
