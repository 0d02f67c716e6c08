// The papers whose tables `graze papers` regenerates, and the results of each.
//
// To add a paper, write one file NAME.cpp with its maker, one declaration here and one line in papers.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/scene.hpp"
#include "output/output.hpp"
#include "output/terminal.hpp"
#include "research/namespaces.hpp"

namespace graze::papers {

/// A table or figure of a paper, made from our scenes, beside the printed figures.
struct PaperSection {
  std::string title;
  std::string note;                            ///< explains what is counted, and the differences to the paper
  std::vector<std::string> columns;            ///< the first is aligned to the left
  std::vector<std::vector<std::string>> rows;  ///< as many cells as columns
  std::string chart;                           ///< SVG for the page, or empty
  /// Printed claims that do not hold in this measurement, a sentence each, with the reason found.
  std::vector<std::string> findings = {};
};

/// A self-contained drawing for documents; a section of the page shows it too.
struct PaperPicture {
  std::string name;  ///< file name without .svg
  std::string svg;
};

struct PaperResult {  // NOLINT(bugprone-exception-escape): the JSON library's move is noexcept, and asserts in it
  std::string note = {};  ///< first line of the chapter: how it differs from the paper's protocol
  std::vector<PaperSection> sections;
  std::vector<PaperPicture> pictures;
  Json json;                       ///< the sections' figures with all digits
  std::vector<std::string> wrong;  ///< answers that differ between methods, one line each
};

struct PaperRequest {
  std::vector<const BenchScene*> scenes;  ///< none is null
  unsigned runs = 3;                      ///< per measured time
  unsigned threads = 1;                   ///< the papers measure one thread
  BenchSceneOptions asked = {};           ///< size, frames and seed, for papers that make their own scenes
  bool usual = true;                      ///< also show the paper's usual scenes
  bool full = false;                      ///< the paper's own number of steps, where ours is smaller
};

struct Paper {
  std::string_view name;
  std::string_view title;
  std::span<const std::string_view> scenes;  ///< catalogue scenes that resemble the paper's benchmarks
  PaperResult (*make)(const PaperRequest& request, Progress& progress) = nullptr;
};

/// Every paper, in the order of the chapters.
std::span<const Paper> all_papers();

/// Finds a paper by name, ignoring case. Throws InputError that lists the names.
const Paper& paper_by_name(std::string_view name);

PaperResult paper_rtri(const PaperRequest& request, Progress& progress);
PaperResult paper_iccd(const PaperRequest& request, Progress& progress);
PaperResult paper_adaptive(const PaperRequest& request, Progress& progress);
PaperResult paper_hash(const PaperRequest& request, Progress& progress);
PaperResult paper_boxtree(const PaperRequest& request, Progress& progress);

}  // namespace graze::papers
