// The candidates of `brute` (all pairs): every pair of features of the requested kinds that is not incident and
// whose boxes are within the gap.
//
// Pairs form rectangles (vertices by faces, edges by faces) and a triangle (edges by later edges), which are cut
// into blocks of rows. A block visits its columns in runs that stay in the first-level cache while all of its rows
// are tested against the run. Cost: quadratic; memory for the boxes only, whatever the number of candidates.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "mesh/features.hpp"
#include "methods/brute/feature_boxes.hpp"

namespace graze::methods {

enum class PairKind : std::uint8_t { VertexFace, EdgeEdge, EdgeFace };

/// Rows [first, last) against all columns (edge-edge: the columns after the row).
struct PairBlock {
  PairKind kind = PairKind::VertexFace;
  std::size_t first = 0;
  std::size_t last = 0;
  std::uint64_t pairs = 0;
};

/// Appends blocks that cover all pairs of a kind once. The blocks depend on the numbers of features alone.
void append_pair_blocks(PairKind kind, const Features& features, std::vector<PairBlock>& blocks);

/// Calls sink(row, column) for the pairs of a block that are not incident and whose boxes are within the gap.
template <typename Sink>
void for_each_candidate(const PairBlock& block, const Features& features, const FeatureBoxes& boxes, double gap,
                        const Sink& sink) {
  const Boxes& rows = block.kind == PairKind::VertexFace ? boxes.vertices : boxes.edges;
  const Boxes& columns = block.kind == PairKind::EdgeEdge ? boxes.edges : boxes.faces;
  const auto are_incident = [&](std::size_t row, std::size_t column) {
    switch (block.kind) {
      case PairKind::VertexFace:
        return incident(features.vertices[row], features.faces[column]);
      case PairKind::EdgeEdge:
        return incident(features.edges[row], features.edges[column]);
      case PairKind::EdgeFace:
        break;
    }
    return incident(features.edges[row], features.faces[column]);
  };
  std::array<std::uint32_t, kBoxRun> found;
  const std::size_t start = block.kind == PairKind::EdgeEdge ? block.first + 1 : 0;
  for (std::size_t run = start; run < columns.size(); run += kBoxRun) {
    const std::size_t run_end = std::min(columns.size(), run + kBoxRun);
    for (std::size_t row = block.first; row < block.last; ++row) {
      const std::size_t begin = block.kind == PairKind::EdgeEdge ? std::max(run, row + 1) : run;
      if (begin >= run_end) continue;
      const std::size_t count = boxes_within(columns, rows.box(row), begin, run_end, gap, found.data());
      for (std::size_t i = 0; i < count; ++i) {
        if (!are_incident(row, found[i])) sink(row, found[i]);
      }
    }
  }
}

}  // namespace graze::methods
