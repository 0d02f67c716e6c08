// Orientation of edited pieces (orient_update.hpp). A face with a repeated id traverses its edge in both
// directions, so its edges impose no condition.
#include "mesh/orient_update.hpp"

#include <algorithm>
#include <array>

#include "core/assert.hpp"
#include "mesh/detached_pieces.hpp"
#include "mesh/orient_faces.hpp"

namespace graze::mesh {

namespace {

bool is_regular(const Triangle& t) {
  return t[0] != t[1] && t[1] != t[2] && t[2] != t[0];
}

/// Relation of the orientations of the two faces at an edge.
enum class Agreement : std::uint8_t { None, Agree, Disagree };

Agreement agreement(std::span<const Leaf> leaves, std::span<const std::uint32_t> both, const Edge& edge) {
  if (both.size() != 2) return Agreement::None;
  const Triangle a = leaves[both[0]].oriented();
  const Triangle b = leaves[both[1]].oriented();
  if (!is_regular(a) || !is_regular(b)) return Agreement::None;
  return runs_forward(a, edge) == runs_forward(b, edge) ? Agreement::Disagree : Agreement::Agree;
}

}  // namespace

bool same_sense(const Triangle& a, const Triangle& b) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (a[0] == b[k]) return a[1] == b[(k + 1) % 3];
  }
  return true;
}

std::vector<std::uint32_t> update_orientation(std::span<Leaf> leaves, const Incidence& incidence,
                                              const MeshEditor& editor, const LeafChanges& changes,
                                              std::span<const Triangle> triangles) {
  GRAZE_ASSERT(changes.touched.size() == changes.touched_before.size());
  for (std::size_t i = 0; i < changes.touched.size(); ++i) {
    Leaf& leaf = leaves[changes.touched[i]];
    if (!same_sense(leaf.vertices, changes.touched_before[i])) leaf.turned ^= 1U;
  }
  for (const std::uint32_t l : changes.added) {
    leaves[l].turned = same_sense(leaves[l].vertices, triangles[triangle_of(leaves[l].id)]) ? 0U : 1U;
  }

  const std::vector<Edge>& edges = editor.representatives().edges;
  const auto agree = [&](std::uint32_t leaf, const auto& visit) {
    for (const std::uint32_t e : leaves[leaf].edges) {
      if (e == kNoEdge) continue;
      const auto both = incidence.edge_leaves[e];
      if (agreement(leaves, both, edges[e]) == Agreement::Agree) visit(both[0] == leaf ? both[1] : both[0]);
    }
  };
  std::vector<std::uint32_t> turned;
  for (const std::uint32_t e : changes.features.edges) {
    const auto both = incidence.edge_leaves[e];
    if (agreement(leaves, both, edges[e]) != Agreement::Disagree) continue;
    for (const auto& part : detached_pieces(both, agree).pieces) {
      for (const std::uint32_t leaf : part) leaves[leaf].turned ^= 1U;
      turned.insert(turned.end(), part.begin(), part.end());
    }
  }
  // Reports the leaves that were flipped an odd number of times and existed before the edit.
  std::sort(turned.begin(), turned.end());
  std::vector<std::uint32_t> result;
  for (auto first = turned.begin(); first != turned.end();) {
    const auto last = std::find_if(first, turned.end(), [&](std::uint32_t leaf) { return leaf != *first; });
    const bool is_added = std::binary_search(changes.added.begin(), changes.added.end(), *first);
    if ((last - first) % 2 != 0 && !is_added) result.push_back(*first);
    first = last;
  }
  return result;
}

}  // namespace graze::mesh
