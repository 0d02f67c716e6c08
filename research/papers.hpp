// The papers that `graze papers` regenerates: what each gives, and the table of them.
//
// Adding a paper: one file papers_NAME.cpp with its maker, one declaration and one line in papers.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/scene.hpp"
#include "output/output.hpp"
#include "output/terminal.hpp"
#include "research/namespaces.hpp"

namespace graze::research {

/// A table or a figure of a paper, made from our scenes, beside what the paper prints.
struct PaperSection {
  std::string title;
  std::string note;                            ///< what is counted, and how it differs from the paper
  std::vector<std::string> columns;            ///< the first is aligned to the left
  std::vector<std::vector<std::string>> rows;  ///< as many cells as columns
  std::string chart;                           ///< SVG for the page, or empty
};

/// A drawing that stands on its own, for documents; the page has it in a section.
struct PaperPicture {
  std::string name;  ///< of the file, without .svg
  std::string svg;
};

struct PaperResult {  // NOLINT(bugprone-exception-escape): the JSON library's move is noexcept, and asserts in it
  std::vector<PaperSection> sections;
  std::vector<PaperPicture> pictures;
  Json json;                       ///< the same with all digits
  std::vector<std::string> wrong;  ///< answers that differ between methods, one line each
};

struct PaperRequest {
  std::vector<const BenchScene*> scenes;  ///< none is null
  unsigned runs = 3;                      ///< of each time
  unsigned threads = 1;                   ///< the papers' figures are those of one
  BenchSceneOptions asked = {};           ///< of the usual scenes, for papers that make their own
  bool usual = true;                      ///< these are wanted too
};

struct Paper {
  std::string_view name;
  std::string_view title;
  std::span<const std::string_view> scenes;  ///< of the catalogue: those its benchmarks are most like
  PaperResult (*make)(const PaperRequest& request, Progress& progress) = nullptr;
};

/// Every paper, in the order of the chapters.
std::span<const Paper> all_papers();

/// By name, in any case. Throws InputError, naming those there are.
const Paper& paper_by_name(std::string_view name);

PaperResult paper_rtri(const PaperRequest& request, Progress& progress);
PaperResult paper_iccd(const PaperRequest& request, Progress& progress);
PaperResult paper_adaptive(const PaperRequest& request, Progress& progress);
PaperResult paper_hash(const PaperRequest& request, Progress& progress);
PaperResult paper_boxtree(const PaperRequest& request, Progress& progress);

}  // namespace graze::research
