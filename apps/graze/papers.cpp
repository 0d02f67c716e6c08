// The table of papers.
#include "papers.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <graze/error.hpp>

namespace graze::app {
namespace {

constexpr std::array kPapers = {
    Paper{
        "R-TRI",
        "Curtis, Tamstorf, Manocha: Fast collision detection for deformable models using representative-triangles "
        "(2008)",
        paper_rtri},
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

}  // namespace graze::app
