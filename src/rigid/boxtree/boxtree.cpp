// Marks the leaf groups of a boxtree. See the header.
#include "rigid/boxtree/boxtree.hpp"

#include <vector>

namespace graze::rigid {

namespace {

/// Whether a node has children at larger indices; all inner nodes of a valid tree do.
bool has_children(const std::vector<BoxNode>& nodes, std::size_t i) {
  return !nodes[i].leaf() && nodes[i].place() > i && nodes[i].place() + std::uint64_t{1} < nodes.size();
}

}  // namespace

void mark_leaf_groups(Boxtree& tree) {
  std::vector<BoxNode>& nodes = tree.nodes;
  std::vector<std::uint32_t> leaves(nodes.size(), 1);
  for (std::size_t i = nodes.size(); i-- > 0;) {
    if (has_children(nodes, i)) leaves[i] = leaves[nodes[i].place()] + leaves[nodes[i].place() + 1];
  }
  if (!nodes.empty()) nodes[0].mark_leaf_group(leaves[0] <= kLeafGroupSize);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!has_children(nodes, i)) continue;
    for (std::size_t child = nodes[i].place(); child < std::size_t{nodes[i].place()} + 2; ++child)
      nodes[child].mark_leaf_group(leaves[i] > kLeafGroupSize && leaves[child] <= kLeafGroupSize);
  }
}

}  // namespace graze::rigid
