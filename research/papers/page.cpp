// Writes sections as text and HTML (page.hpp). Cost: linear in the cells.
#include "research/papers/page.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <graze/version.hpp>

#include "research/papers/chart.hpp"

#include <fmt/format.h>

namespace graze::papers {
namespace {

constexpr std::string_view kStyle = R"css(
:root { color-scheme: light dark; --paper: #fbfaf7; --card: #ffffff; --ink: #1d2329; --faint: #68717a; --line: #e2dfd7;
  --c0: #9aa5b1; --c1: #d99a3d; --c2: #2f6690; --c3: #d1495b; --c4: #4f9d69; }
@media (prefers-color-scheme: dark) { :root { --paper: #14181c; --card: #1b2026; --ink: #e7e9eb; --faint: #98a2ac;
  --line: #2c333a; --c0: #77828d; --c1: #e0ac5c; --c2: #6cb2e0; --c3: #ff7a85; --c4: #74c58e; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main { max-width: 66rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0; letter-spacing: -0.01em; }
h2 { font-size: 1.35rem; margin: 3rem 0 0; } h3 { font-size: 1.05rem; margin: 2.2rem 0 .3rem; }
p { color: var(--faint); margin: .4rem 0 .8rem; max-width: 52rem; }
.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
  padding: .4rem .6rem; margin-bottom: 1rem; }
.finding { color: var(--ink); border-left: 3px solid var(--c3); padding-left: .7rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .92rem; }
th, td { text-align: right; padding: .35rem .6rem; white-space: nowrap; } tr + tr td { border-top: 1px solid var(--line); }
th { color: var(--faint); font-weight: 500; } th:first-child, td:first-child { text-align: left; }
svg { display: block; width: 100%; height: auto; } .chart text { fill: var(--faint); font-size: 12px; }
.chart .name { fill: var(--ink); font-size: 13px; } .chart line { stroke: var(--line); }
.c0 { fill: var(--c0); } .c1 { fill: var(--c1); } .c2 { fill: var(--c2); } .c3 { fill: var(--c3); } .c4 { fill: var(--c4); }
)css";

// The width in code points: a terminal shows one column for each sign used here.
std::size_t shown_width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// Wraps a note at spaces into lines of at most a hundred characters.
std::string wrapped(const std::string& text) {
  constexpr std::size_t kColumns = 100;
  std::string result;
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!line.empty() && shown_width(line) + 1 + shown_width(word) > kColumns) {
      result += line + '\n';
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    at = end + 1;
  }
  return result + line;
}

std::string table_html(const PaperSection& section) {
  std::string html = "<div class=\"scroll\"><table>\n<tr>";
  for (const std::string& column : section.columns) html += "<th>" + html_text(column) + "</th>";
  html += "</tr>\n";
  for (const auto& row : section.rows) {
    html += "<tr>";
    for (const std::string& cell : row) html += "<td>" + html_text(cell) + "</td>";
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

}  // namespace

void print_paper(const Paper& paper, const PaperResult& result) {
  fmt::print("{}: {}\n", paper.name, paper.title);
  if (!result.note.empty()) fmt::print("{}\n", wrapped(result.note));
  for (const PaperSection& section : result.sections) {
    fmt::print("\n{}\n", section.title);
    if (!section.note.empty()) fmt::print("{}\n", wrapped(section.note));
    std::vector<std::size_t> widths(section.columns.size());
    const auto widen = [&](const std::vector<std::string>& cells) {
      for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], shown_width(cells[i]));
    };
    const auto line = [&](const std::vector<std::string>& cells) {
      std::string text;
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string space(widths[i] - shown_width(cells[i]), ' ');
        text += (i == 0 ? "  " : "   ") + (i == 0 ? cells[i] + space : space + cells[i]);
      }
      text.erase(text.find_last_not_of(' ') + 1);
      fmt::print("{}\n", text);
    };
    widen(section.columns);
    for (const auto& row : section.rows) widen(row);
    line(section.columns);
    for (const auto& row : section.rows) line(row);
    for (const std::string& finding : section.findings) fmt::print("{}\n", wrapped("Not as printed: " + finding));
  }
}

std::string papers_html(const std::vector<std::pair<const Paper*, PaperResult>>& papers, const Json& machine) {
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>The papers' tables</title>\n<style>";
  html += kStyle;
  html += "</style>\n</head>\n<body>\n<main>\n<h1>The papers’ tables on our scenes</h1>\n";
  fmt::format_to(std::back_inserter(html), "<p>graze {}, {}, {} cores, {}, {}.</p>\n", version(),
                 html_text(machine.value("cpu", "unknown")), machine.value("cores", 0U),
                 html_text(machine.value("simd", "")), html_text(machine.value("compiler", "")));
  for (const auto& [paper, result] : papers) {
    fmt::format_to(std::back_inserter(html), "<h2>{}</h2>\n<p>{}</p>\n", html_text(std::string(paper->name)),
                   html_text(std::string(paper->title)));
    if (!result.note.empty()) html += "<p>" + html_text(result.note) + "</p>\n";
    for (const PaperSection& section : result.sections) {
      html += "<h3>" + html_text(section.title) + "</h3>\n";
      if (!section.note.empty()) html += "<p>" + html_text(section.note) + "</p>\n";
      html += section.chart + table_html(section);
      for (const std::string& finding : section.findings) {
        html += "<p class=\"finding\"><b>Not as printed:</b> " + html_text(finding) + "</p>\n";
      }
    }
  }
  return html + "</main>\n</body>\n</html>\n";
}

}  // namespace graze::papers
