// Figures of rows as the papers' tables print them: shares, factors, and the rows of one scene by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/rows.hpp"
#include "research/namespaces.hpp"

namespace graze::research {

std::string percent(double value);         ///< 12.34 -> "12.3 %"
std::string factor(double value);          ///< three digits or more: "1.23×", "12.3×", "123×"
std::string rounded(double value);         ///< 1234.5 -> "1,235"; of counts
double quotient(double a, double b);       ///< 0 where b is
double tests(const BenchRow& row);         ///< elementary tests of all steps
std::string lower_case(std::string text);  ///< of ASCII letters

/// The row of a contestant, by its name; null if it did not run.
const BenchRow* row_of(const std::vector<BenchRow>& rows, std::string_view method);

using RowsByScene = std::vector<std::vector<BenchRow>>;

}  // namespace graze::research
