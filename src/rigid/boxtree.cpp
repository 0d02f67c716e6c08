// Marks of clusters. See the header.
#include "rigid/boxtree.hpp"

#include <vector>

namespace graze::rigid {

void mark_clusters(Boxtree& tree) {
  // Children stand behind their parents: counted from the back.
  std::vector<BoxNode>& nodes = tree.nodes;
  std::vector<std::uint32_t> leaves(nodes.size(), 1);
  for (std::size_t i = nodes.size(); i-- > 0;) {
    if (!nodes[i].leaf()) leaves[i] = leaves[nodes[i].place()] + leaves[nodes[i].place() + 1];
  }
  if (!nodes.empty() && leaves[0] <= kClusterLeaves) nodes[0].mark_cluster();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (leaves[i] <= kClusterLeaves) continue;
    for (std::size_t child = nodes[i].place(); child < std::size_t{nodes[i].place()} + 2; ++child) {
      if (leaves[child] <= kClusterLeaves) nodes[child].mark_cluster();
    }
  }
}

}  // namespace graze::rigid
