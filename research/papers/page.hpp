// Writes the tables of papers as text on stdout and as one self-contained HTML page.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "output/output.hpp"
#include "research/namespaces.hpp"
#include "research/papers/papers.hpp"

namespace graze::papers {

/// Prints title, note and aligned columns of each section.
void print_paper(const Paper& paper, const PaperResult& result);

/// The page of several papers. `machine` from machine.hpp.
std::string papers_html(const std::vector<std::pair<const Paper*, PaperResult>>& papers, const Json& machine);

}  // namespace graze::papers
