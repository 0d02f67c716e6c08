// Number formats of the papers' tables: shares, factors, counts; and lookup of a scene's rows by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/rows.hpp"
#include "research/namespaces.hpp"

namespace graze::papers {

std::string percent(double value);         ///< 12.34 -> "12.3 %"
std::string factor(double value);          ///< at least three digits: "1.23×", "12.3×", "123×"
std::string rounded(double value);         ///< counts: 1234.5 -> "1,235"
double quotient(double a, double b);       ///< a / b, or 0 if b is 0
double tests(const BenchRow& row);         ///< elementary tests of all steps
std::string lower_case(std::string text);  ///< changes ASCII letters only

/// The row of a contestant, by its name; null if it did not run.
const BenchRow* row_of(const std::vector<BenchRow>& rows, std::string_view method);

using RowsByScene = std::vector<std::vector<BenchRow>>;

}  // namespace graze::papers
