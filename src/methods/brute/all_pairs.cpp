// Cuts all pairs into blocks of rows (methods/brute/all_pairs.hpp).
#include "methods/brute/all_pairs.hpp"

namespace graze::methods {

void append_pair_blocks(PairKind kind, const Features& features, std::vector<PairBlock>& blocks) {
  // Enough rows to reuse a cached run of columns, and enough pairs to outweigh the overhead of a block.
  constexpr std::size_t kRows = 16;
  constexpr std::uint64_t kPairs = std::uint64_t{1} << 16U;

  const std::size_t rows = kind == PairKind::VertexFace ? features.vertices.size() : features.edges.size();
  const std::size_t columns = kind == PairKind::EdgeEdge ? features.edges.size() : features.faces.size();
  if (columns == 0) return;
  for (std::size_t row = 0; row < rows;) {
    PairBlock block{.kind = kind, .first = row, .last = row, .pairs = 0};
    for (; row < rows && (block.pairs < kPairs || row - block.first < kRows); ++row) {
      block.pairs += kind == PairKind::EdgeEdge ? columns - row - 1 : columns;
    }
    block.last = row;
    blocks.push_back(block);
  }
}

}  // namespace graze::methods
