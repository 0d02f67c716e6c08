// The HTML of a report: head figures, picture, chart of contacts a step, table. Linear in rows and triangles.
#include "report.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include <graze/version.hpp>

#include "output.hpp"
#include "terminal.hpp"

#include <fmt/format.h>

namespace graze::app {
namespace {

constexpr std::string_view kStyle = R"css(
:root { color-scheme: light dark; --paper: #fbfaf7; --card: #ffffff; --ink: #1d2329; --faint: #68717a;
  --line: #e2dfd7; --vf: #d1495b; --ee: #2f6690; --mesh-dark: #7f8fa3; --mesh-light: #eef2f6; --mark: #d1495b; }
@media (prefers-color-scheme: dark) { :root { --paper: #14181c; --card: #1b2026; --ink: #e7e9eb; --faint: #98a2ac;
  --line: #2c333a; --vf: #ff7a85; --ee: #6cb2e0; --mesh-dark: #2b3845; --mesh-light: #9fb3c6; --mark: #ff7a85; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0; letter-spacing: -0.01em; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 2.5rem 0 .6rem; }
p, figcaption { color: var(--faint); margin: .4rem 0 0; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .75rem; margin: 1.75rem 0 0; }
dl div { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .7rem .9rem; }
dt { font-size: .82rem; color: var(--faint); }
dd { margin: 0; font-size: 1.35rem; font-weight: 600; font-variant-numeric: tabular-nums; }
figure { margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .9rem; }
svg { display: block; width: 100%; height: auto; }
.scene path { stroke: var(--card); stroke-width: .35; stroke-linejoin: round; }
.contacts circle { fill: var(--mark); stroke: var(--card); stroke-width: .5; }
.chart text { fill: var(--faint); font-size: 12px; } .chart line { stroke: var(--line); }
.vf { fill: var(--vf); } .ee { fill: var(--ee); }
.key { display: inline-block; width: .75em; height: .75em; border-radius: .15em; margin: 0 .35em 0 .9em; }
.key.vf { background: var(--vf); margin-left: 0; } .key.ee { background: var(--ee); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .92rem; }
th, td { text-align: right; padding: .35rem .6rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--faint); font-weight: 500; } code { font-size: .88em; color: var(--faint); }
)css";

std::string escaped(std::string_view text) {
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

// Shades between the two mesh colours, so that light and dark pages only change the two.
std::string shade_styles() {
  constexpr int kShades = 12;
  std::string styles;
  for (int i = 0; i < kShades; ++i) {
    fmt::format_to(std::back_inserter(styles),
                   ".s{} {{ fill: color-mix(in srgb, var(--mesh-light) {}%, var(--mesh-dark)); }}\n", i,
                   100 * i / (kShades - 1));
  }
  return styles;
}

std::string figure_card(std::string_view name, std::string_view value) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, escaped(value));
}

// The next of 1, 2, 5, 10, 20, ... that is not below the value: the top of the chart's scale.
std::uint64_t round_up(std::uint64_t value) {
  for (std::uint64_t power = 1;; power *= 10) {
    for (const std::uint64_t digit : {1U, 2U, 5U}) {
      if (digit * power >= value || power > 1000000000000000000U / 10) return digit * power;
    }
  }
}

// Stacked bars, vertex-face below edge-edge.
std::string chart_svg(const std::vector<StepRow>& rows) {
  constexpr double kLeft = 70.0;
  constexpr double kRight = 950.0;
  constexpr double kTop = 12.0;
  constexpr double kBottom = 220.0;
  std::uint64_t most = 1;
  for (const StepRow& row : rows) most = std::max(most, row.contacts());
  const std::uint64_t top = round_up(most);
  const auto height = [&](std::uint64_t count) {
    return (kBottom - kTop) * static_cast<double>(count) / static_cast<double>(top);
  };

  std::string svg =
      "<svg class=\"chart\" viewBox=\"0 0 960 250\" role=\"img\" aria-label=\"Contacts of each step\">\n";
  auto out = std::back_inserter(svg);
  for (const std::uint64_t tick : {std::uint64_t{0}, top / 2, top}) {
    const double y = kBottom - height(tick);
    fmt::format_to(out, "<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", kLeft, kRight, y, y);
    fmt::format_to(out, "<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", kLeft - 8, y + 4,
                   with_separators(tick));
  }
  const double pitch = (kRight - kLeft) / static_cast<double>(rows.size());
  const double width = std::min(64.0, std::max(0.5, pitch * 0.7));
  const std::size_t label_every = rows.size() / 24 + 1;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const StepRow& row = rows[i];
    const double middle = kLeft + pitch * (static_cast<double>(i) + 0.5);
    const double vf = height(row.vf.value_or(0));
    const double ee = height(row.ee.value_or(0));
    fmt::format_to(out, "<g><title>step {}: {} vertex-face, {} edge-edge</title>", row.step,
                   with_separators(row.vf.value_or(0)), with_separators(row.ee.value_or(0)));
    fmt::format_to(out, "<rect class=\"vf\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/>",
                   middle - width / 2, kBottom - vf, width, vf);
    fmt::format_to(out, "<rect class=\"ee\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\"/></g>\n",
                   middle - width / 2, kBottom - vf - ee, width, ee);
    if (i % label_every == 0) {
      fmt::format_to(out, "<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", middle, kBottom + 18,
                     row.step);
    }
  }
  svg += "</svg>\n";
  return svg;
}

std::string optional_count(const std::optional<std::uint64_t>& count) {
  return count ? with_separators(*count) : "–";
}

std::string table_html(const std::vector<StepRow>& rows) {
  std::string html =
      "<div class=\"scroll\"><table>\n<thead><tr><th>step</th><th>vertices</th><th>triangles</th><th>vf</th>"
      "<th>ee</th><th>toi</th><th>ms</th><th>hash</th></tr></thead>\n<tbody>\n";
  for (const StepRow& row : rows) {
    fmt::format_to(std::back_inserter(html),
                   "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
                   "<td><code>{}</code></td></tr>\n",
                   with_separators(row.step), with_separators(row.vertices), with_separators(row.triangles),
                   optional_count(row.vf), optional_count(row.ee), row.toi ? format_toi(*row.toi) : "–",
                   format_ms(row.stats.total_ms), row.hash.empty() ? "–" : row.hash);
  }
  return html + "</tbody></table></div>\n";
}

}  // namespace

Picture make_picture(std::size_t step, std::span<const Vec3> x_t0, std::span<const Vec3> x_t1,
                     const std::vector<Impact>& impacts) {
  Picture picture;
  picture.step = step;
  picture.positions.assign(x_t1.begin(), x_t1.end());
  picture.contacts.reserve(impacts.size());
  for (const Impact& impact : impacts) {
    // The point of the first feature: the vertex, or the point of edge a.
    const std::size_t corners = impact.pair.kind == FeatureKind::VertexFace ? 1 : 2;
    const double t = impact.toi_hi;
    Vec3 place;
    for (std::size_t k = 0; k < corners; ++k) {
      const Vec3& p = x_t0[impact.pair.vertices[k]];
      const Vec3& q = x_t1[impact.pair.vertices[k]];
      const double w = impact.weights[k];
      place.x += w * ((1.0 - t) * p.x + t * q.x);
      place.y += w * ((1.0 - t) * p.y + t * q.y);
      place.z += w * ((1.0 - t) * p.z + t * q.z);
    }
    picture.contacts.push_back(place);
  }
  return picture;
}

std::size_t busiest_step(const std::vector<StepRow>& rows) {
  const auto most = std::max_element(rows.begin(), rows.end(), [](const StepRow& a, const StepRow& b) {
    return std::pair(a.contacts(), a.toi.has_value()) < std::pair(b.contacts(), b.toi.has_value());
  });
  return most == rows.end() ? 0 : most->step;
}

void write_report(const std::filesystem::path& file, const Report& report) {
  std::uint64_t vf = 0;
  std::uint64_t ee = 0;
  double ms = 0.0;
  bool counted = false;
  std::size_t steps_with_contact = 0;
  for (const StepRow& row : report.rows) {
    vf += row.vf.value_or(0);
    ee += row.ee.value_or(0);
    ms += row.stats.total_ms;
    counted = counted || row.vf.has_value();
    if (row.toi) ++steps_with_contact;
  }

  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{} – graze</title>\n"
      "<style>{}{}</style>\n</head>\n<body>\n<main>\n<header>\n<h1>{}</h1>\n"
      "<p>Every contact of {} {}, found by graze {} with method {} on {} {}.</p>\n</header>\n<dl>\n",
      escaped(report.title), kStyle, shade_styles(), escaped(report.title), with_separators(report.rows.size()),
      report.rows.size() == 1 ? "step" : "steps", version(), escaped(report.method), report.threads,
      report.threads == 1 ? "thread" : "threads");
  if (!report.rows.empty()) {
    html += figure_card("vertices", with_separators(report.rows.front().vertices));
    html += figure_card("triangles", with_separators(report.rows.front().triangles));
  }
  if (counted) {
    html += figure_card("vertex–face contacts", with_separators(vf));
    html += figure_card("edge–edge contacts", with_separators(ee));
  }
  html += figure_card("steps with contact", fmt::format("{} of {}", with_separators(steps_with_contact),
                                                        with_separators(report.rows.size())));
  html += figure_card("detection time", format_ms(ms) + " ms");
  html += "</dl>\n";

  if (report.picture) {
    std::size_t drawn = 0;
    const std::string svg = picture_svg(*report.picture, report.triangles, drawn);
    const std::size_t total = report.picture->contacts.size();
    html +=
        fmt::format("<h2>Step {}, the busiest</h2>\n<figure>\n{}<figcaption>The mesh at the end of the step, and ",
                    report.picture->step, svg);
    html += drawn == total ? fmt::format("its {} {}", with_separators(total), total == 1 ? "contact" : "contacts")
                           : fmt::format("{} of its {} contacts", with_separators(drawn), with_separators(total));
    html += " where each first touches.</figcaption>\n</figure>\n";
  }
  if (counted) {
    html += "<h2>Contacts of each step</h2>\n<figure>\n" + chart_svg(report.rows) +
            "<figcaption><span class=\"key vf\"></span>vertex–face <span class=\"key ee\"></span>edge–edge"
            "</figcaption>\n</figure>\n";
  }
  html += "<h2>Steps</h2>\n" + table_html(report.rows) + "</main>\n</body>\n</html>\n";
  write_whole_file(file, [&](std::ostream& stream) { stream << html; });
}

}  // namespace graze::app
