// Stacked bars and curves, as SVG in the colours of the page around it (page.cpp).
#pragma once

#include <string>
#include <vector>

#include "research/namespaces.hpp"

namespace graze::research {

/// Bars of several parts each, all on one scale.
struct StackedChart {
  std::string title;               ///< what the bars are, also for those who can't see them
  std::vector<std::string> parts;  ///< from below
  struct Bar {
    std::string name;
    std::vector<double> values;  ///< one a part, >= 0
    std::string label;           ///< what stands over the bar
  };
  std::vector<Bar> bars;
};
std::string stacked_svg(const StackedChart& chart);

/// Curves over a common range, from 0 on both axes; or of counts, on a scale of powers of ten.
struct CurveChart {
  std::string title;
  std::string across;        ///< what x is
  bool logarithmic = false;  ///< y; what is below 1 is drawn as 1
  struct Curve {
    std::string name;
    std::vector<double> x;
    std::vector<double> y;  ///< as many
    bool dashed = false;
  };
  std::vector<Curve> curves;
};
std::string curves_svg(const CurveChart& chart);

}  // namespace graze::research
