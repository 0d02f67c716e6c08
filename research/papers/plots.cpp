// Draws the charts (plots.hpp): a plot area of fixed size, a legend above, the largest value at the top. Cost:
// linear in the bars and points.
#include "research/papers/plots.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "research/papers/chart.hpp"

#include <fmt/format.h>

namespace graze::papers {
namespace {

constexpr double kWidth = 960.0;
constexpr double kTop = 50.0;      // below the legend
constexpr double kBottom = 250.0;  // the zero line
constexpr double kHeight = 285.0;
constexpr double kLeft = 45.0;
constexpr std::size_t kColours = 5;  // CSS classes of the page, .c0 to .c4

double height_of(double value, double largest) {
  return largest > 0.0 ? (kBottom - kTop) * value / largest : 0.0;
}

double power_of_ten(double count) {
  return std::log10(std::max(1.0, count));
}

std::string begin(const std::string& title) {
  std::string svg = fmt::format("<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
                                kWidth, kHeight, html_text(title));
  fmt::format_to(std::back_inserter(svg), "<text class=\"name\" x=\"{}\" y=\"15\" text-anchor=\"end\">{}</text>\n",
                 kWidth - 30.0, html_text(title));
  return svg;
}

std::string text(double x, double y, const char* anchor, const std::string& what) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     html_text(what));
}

std::string rule(double y) {
  return fmt::format("<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kLeft, kWidth - 30.0, y, y);
}

}  // namespace

std::string stacked_svg(const StackedChart& chart) {
  std::string svg = begin(chart.title);
  for (std::size_t p = 0; p < chart.parts.size(); ++p) {
    const double x = 10.0 + 110.0 * static_cast<double>(p);
    svg +=
        fmt::format("<rect class=\"c{}\" x=\"{}\" y=\"4\" width=\"12\" height=\"12\" rx=\"2\"/>", p % kColours, x);
    svg += text(x + 18.0, 15.0, "start", chart.parts[p]);
  }
  double largest = 0.0;
  for (const StackedChart::Bar& bar : chart.bars) {
    double sum = 0.0;
    for (const double value : bar.values) sum += value;
    largest = std::max(largest, sum);
  }
  svg += rule(kBottom);
  const double pitch = (kWidth - 30.0 - kLeft) / static_cast<double>(std::max<std::size_t>(1, chart.bars.size()));
  const double width = std::min(64.0, 0.6 * pitch);
  for (std::size_t b = 0; b < chart.bars.size(); ++b) {
    const StackedChart::Bar& bar = chart.bars[b];
    const double middle = kLeft + pitch * (static_cast<double>(b) + 0.5);
    double top = kBottom;
    for (std::size_t p = 0; p < bar.values.size(); ++p) {
      const double height = height_of(bar.values[p], largest);
      top -= height;
      svg += fmt::format("<rect class=\"c{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>",
                         p % kColours, middle - width / 2.0, top, width, height);
    }
    svg += text(middle, top - 5.0, "middle", bar.label);
    svg += text(middle, kBottom + 18.0, "middle", bar.name);
  }
  return svg + "</svg>\n";
}

std::string curves_svg(const CurveChart& chart) {
  std::string svg = begin(chart.title);
  double most_x = 0.0;
  double most_y = 0.0;
  double least_power = 300.0;
  for (const CurveChart::Curve& curve : chart.curves) {
    for (const double x : curve.x) most_x = std::max(most_x, x);
    for (const double y : curve.y) {
      most_y = std::max(most_y, y);
      least_power = std::min(least_power, std::floor(power_of_ten(y)));
    }
  }
  const double most_power = std::max(least_power + 1.0, std::ceil(power_of_ten(most_y)));
  const auto place = [&](double x, double y) {
    const double share = most_x > 0.0 ? x / most_x : 0.0;
    const double height = chart.logarithmic ? height_of(power_of_ten(y) - least_power, most_power - least_power)
                                            : height_of(y, most_y);
    return std::pair(kLeft + (kWidth - 30.0 - kLeft) * share, kBottom - height);
  };
  for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const auto [x, y] = place(share * most_x, share * most_y);
    if (!chart.logarithmic) {
      svg += rule(y) + text(kLeft - 6.0, y + 4.0, "end", fmt::format("{:.3g}", share * most_y));
    }
    svg += text(x, kBottom + 16.0, "middle", fmt::format("{:.3g}", share * most_x));
  }
  for (double power = least_power; chart.logarithmic && power <= most_power; power += 1.0) {
    const double y = place(0.0, std::pow(10.0, power)).second;
    svg += rule(y) + text(kLeft - 6.0, y + 4.0, "end", fmt::format("1e{:.0f}", power));
  }
  svg += text(kWidth / 2.0, kBottom + 33.0, "middle", chart.across);
  double legend = 10.0;
  for (std::size_t c = 0; c < chart.curves.size(); ++c) {
    const CurveChart::Curve& curve = chart.curves[c];
    svg += fmt::format("<rect class=\"c{}\" x=\"{}\" y=\"28\" width=\"12\" height=\"{}\"/>", c % kColours, legend,
                       curve.dashed ? 3 : 8);
    svg += text(legend + 18.0, 36.0, "start", curve.name);
    legend += 40.0 + 7.0 * static_cast<double>(curve.name.size());
    std::string points;
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      const auto [x, y] = place(curve.x[i], curve.y[i]);
      points += fmt::format("{:.1f},{:.1f} ", x, y);
    }
    svg += fmt::format("<polyline points=\"{}\" style=\"fill:none;stroke:var(--c{});stroke-width:2{}\"/>\n", points,
                       c % kColours, curve.dashed ? ";stroke-dasharray:5 4" : "");
  }
  return svg + "</svg>\n";
}

}  // namespace graze::papers
