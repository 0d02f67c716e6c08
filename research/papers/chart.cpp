// Draws the chart (chart.hpp): groups in rows of three, a legend above. Cost: linear in the bars.
#include "research/papers/chart.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace graze::papers {
namespace {

constexpr double kWidth = 960.0;
constexpr double kLegend = 30.0;
constexpr double kBars = 150.0;  // height of the tallest bar
constexpr double kRow = 215.0;   // with its labels
constexpr std::size_t kAcross = 3;
constexpr std::size_t kColours = 5;  // CSS classes of the page, .c0 to .c4

}  // namespace

std::string html_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string bars_svg(const BarChart& chart) {
  const std::size_t lines = (chart.groups.size() + kAcross - 1) / kAcross;
  const double cell = kWidth / static_cast<double>(std::clamp<std::size_t>(chart.groups.size(), 1, kAcross));
  std::string svg = fmt::format("<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
                                kWidth, kLegend + kRow * static_cast<double>(lines), html_text(chart.title));
  auto out = std::back_inserter(svg);
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    const double x = 10.0 + 130.0 * static_cast<double>(s);
    fmt::format_to(out, "<rect class=\"c{}\" x=\"{}\" y=\"4\" width=\"12\" height=\"12\" rx=\"2\"/>", s % kColours,
                   x);
    fmt::format_to(out, "<text x=\"{}\" y=\"15\">{}</text>\n", x + 18.0, html_text(chart.series[s]));
  }
  fmt::format_to(out, "<text class=\"name\" x=\"{}\" y=\"15\" text-anchor=\"end\">{}</text>\n", kWidth - 30.0,
                 html_text(chart.title));
  for (std::size_t g = 0; g < chart.groups.size(); ++g) {
    const BarChart::Group& group = chart.groups[g];
    const std::size_t line = g / kAcross;
    const double left = 10.0 + cell * static_cast<double>(g % kAcross);
    const double bottom = kLegend + kRow * static_cast<double>(line) + kBars + 25.0;
    const double pitch = (cell - 40.0) / static_cast<double>(std::max<std::size_t>(1, group.values.size()));
    const double bar = std::min(56.0, 0.7 * pitch);
    const double largest = std::max(1e-300, *std::max_element(group.values.begin(), group.values.end()));
    fmt::format_to(out, "<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n", left,
                   left + cell - 40.0, bottom, bottom);
    for (std::size_t s = 0; s < group.values.size(); ++s) {
      const double height = std::max(0.5, kBars * group.values[s] / largest);
      const double middle = left + pitch * (static_cast<double>(s) + 0.5);
      fmt::format_to(out,
                     "<rect class=\"c{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"2\"/>",
                     s % kColours, middle - bar / 2.0, bottom - height, bar, height);
      fmt::format_to(out, "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", middle,
                     bottom - height - 5.0, html_text(group.labels[s]));
    }
    fmt::format_to(out, "<text class=\"name\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", left, bottom + 18.0,
                   html_text(group.name));
  }
  return svg + "</svg>\n";
}

}  // namespace graze::papers
