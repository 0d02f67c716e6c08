// Stacked bar charts and curves, as SVG in the colours of the page that contains them (page.cpp).
#pragma once

#include <string>
#include <vector>

#include "research/namespaces.hpp"

namespace graze::papers {

/// Bars of several parts each, all on one scale.
struct StackedChart {
  std::string title;               ///< description of the bars; also the accessible name
  std::vector<std::string> parts;  ///< from bottom to top
  struct Bar {
    std::string name;
    std::vector<double> values;  ///< one per part, >= 0
    std::string label;           ///< text above the bar
  };
  std::vector<Bar> bars;
};
std::string stacked_svg(const StackedChart& chart);

/// Curves over a common range; both axes begin at 0, or y is logarithmic.
struct CurveChart {
  std::string title;
  std::string across;        ///< title of the x axis
  bool logarithmic = false;  ///< y axis; values below 1 are drawn as 1
  struct Curve {
    std::string name;
    std::vector<double> x;
    std::vector<double> y;  ///< as many as x
    bool dashed = false;
  };
  std::vector<Curve> curves;
};
std::string curves_svg(const CurveChart& chart);

}  // namespace graze::papers
