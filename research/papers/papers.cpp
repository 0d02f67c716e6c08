// The list of papers, with their scenes (papers.hpp).
#include "research/papers/papers.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <graze/error.hpp>

namespace graze::papers {
namespace {

constexpr std::array<std::string_view, 7> kRtriScenes = {"cloth-ball",  "n-body",       "princess",       "skirt",
                                                         "draped-ball", "flying-balls", "crossing-sheets"};
constexpr std::array<std::string_view, 6> kIccdScenes = {"cloth-ball", "princess", "skirt",
                                                         "n-body",     "letters",  "breaking"};
constexpr std::array<std::string_view, 7> kAdaptiveScenes = {
    "cloth-bumpy-ball", "cloth-ball", "cloth-cones", "garment", "drifting-cloth", "jelly-cloth", "windy-cloth"};
constexpr std::array<std::string_view, 3> kHashScenes = {"tori", "bunny-cloth", "alphabet"};

constexpr std::array kPapers = {
    Paper{
        "R-TRI",
        "Curtis, Tamstorf, Manocha: Fast collision detection for deformable models using representative-triangles "
        "(2008)",
        kRtriScenes, paper_rtri},
    Paper{"ICCD",
          "Tang, Curtis, Yoon, Manocha: ICCD: Interactive continuous collision detection between deformable models "
          "using connectivity-based culling (2009)",
          kIccdScenes, paper_iccd},
    Paper{
        "ADAPTIVE",
        "An adaptive pipeline for continuous collision detection in cloth simulation, with skipping frame sessions",
        kAdaptiveScenes, paper_adaptive},
    Paper{"HASH",
          "Spatial hashing with inner-voxel culling: culling for collision detection in linear time, parallel and "
          "without a hierarchy",
          kHashScenes, paper_hash},
    Paper{"BOXTREE", "Zachmann: Minimal hierarchical collision detection (2002)", {}, paper_boxtree},
};

}  // namespace

std::span<const Paper> all_papers() {
  return kPapers;
}

const Paper& paper_by_name(std::string_view name) {
  const auto same = [](char a, char b) {
    return std::toupper(static_cast<unsigned char>(a)) == std::toupper(static_cast<unsigned char>(b));
  };
  std::string known;
  for (const Paper& paper : kPapers) {
    if (std::equal(name.begin(), name.end(), paper.name.begin(), paper.name.end(), same)) return paper;
    known += (known.empty() ? "" : ", ") + std::string(paper.name);
  }
  throw InputError("paper '" + std::string(name) + "' is unknown; there are: " + known);
}

}  // namespace graze::papers
