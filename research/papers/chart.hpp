// Bar charts with groups, as SVG in the colours of the page that contains them (page.cpp).
#pragma once

#include <string>
#include <vector>

#include "research/namespaces.hpp"

namespace graze::papers {

struct BarChart {
  std::string title;  ///< description of the bars; also the accessible name
  std::vector<std::string> series;
  struct Group {
    std::string name;
    std::vector<double> values;       ///< one per series, >= 0; drawn relative to the largest
    std::vector<std::string> labels;  ///< text above each bar
  };
  std::vector<Group> groups;
};

/// Each group has its own scale, so that scenes of any size fit side by side.
std::string bars_svg(const BarChart& chart);

/// Escapes the characters that HTML reserves.
std::string html_text(const std::string& text);

}  // namespace graze::papers
