// Bars in groups, as SVG in the colours of the page around it (page.cpp).
#pragma once

#include <string>
#include <vector>

#include "research/namespaces.hpp"

namespace graze::research {

struct BarChart {
  std::string title;  ///< what the bars are, also for those who can't see them
  std::vector<std::string> series;
  struct Group {
    std::string name;
    std::vector<double> values;       ///< one a series, >= 0; drawn as shares of the largest
    std::vector<std::string> labels;  ///< what stands over each bar
  };
  std::vector<Group> groups;
};

/// Each group has its own scale, so that scenes of any size can stand side by side.
std::string bars_svg(const BarChart& chart);

/// Text with the characters that HTML reserves replaced.
std::string html_text(const std::string& text);

}  // namespace graze::research
